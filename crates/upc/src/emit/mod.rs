//! Lowering to C: what takes the place of tokens that touch shared data, as the runtime's `LOWERING.md` says.

pub mod access;
pub mod arithmetic;
pub mod check;
pub mod expr;
pub mod forall;
pub mod function;
pub mod index;
pub mod jumps;
pub mod library;
pub mod object;
pub mod own;
mod own_iterations;
pub mod printer;
pub mod quiet;
pub mod rope;
pub mod stdlib;
pub mod types;
pub mod unseen;
pub mod waiting;
