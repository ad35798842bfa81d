//! Meaning of the program: types, typed expressions, constants, names, and the constraints of the
//! language.

pub mod ast;
pub mod build;
pub mod changes;
pub mod check;
pub mod constant;
pub mod dimensions;
pub mod loops;
pub mod names;
pub mod operands;
pub mod puns;
pub mod redeclare;
pub mod synchronise;
pub mod types;
