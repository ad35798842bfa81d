//! What the program means: types, typed expressions, constants, and the constraints of the language.

pub mod ast;
pub mod build;
pub mod check;
pub mod constant;
pub mod loops;
pub mod types;
