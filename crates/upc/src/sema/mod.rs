//! Meaning of the program: types, symbols, typed expressions, constants, and the constraints of the
//! language. All of it is state and methods of [`unit::Unit`].

pub mod arithmetic;
pub mod ast;
pub mod build;
pub mod calls;
pub mod changes;
pub mod check;
pub mod constant;
pub mod dimensions;
pub mod flow;
pub mod layout;
pub mod library;
pub mod loops;
pub mod messages;
pub mod names;
pub mod operands;
pub mod puns;
pub mod redeclare;
pub mod symbols;
pub mod synchronise;
pub mod types;
pub mod unit;
