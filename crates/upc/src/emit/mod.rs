//! Lowering to C: writes what takes the place of tokens that concern shared data, as the runtime's
//! `LOWERING.md` says. Most of it are methods of [`lowering::Lowering`].

pub mod access;
pub mod arithmetic;
pub mod check;
pub(crate) mod count;
mod count_calls;
mod count_groups;
mod counts;
pub mod expr;
mod far;
pub mod flag_wait;
mod forall;
pub mod function;
pub mod index;
pub mod jumps;
mod leaving;
mod listed;
pub mod lowering;
pub mod notes;
pub mod object;
pub mod own;
mod own_iterations;
pub mod own_loop;
pub mod place;
pub mod printer;
pub mod quiet;
mod recorded;
pub mod replaced;
pub mod rope;
pub mod spin_loop;
mod straight;
mod transfer;
pub mod types;
pub mod work;
