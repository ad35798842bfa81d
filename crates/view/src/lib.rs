//! The result of an analysis, to walk through in a terminal: findings, the three trees, the source
//! with what its lines cost, threads, iterations, and who accesses whose data.
//!
//! The content (`document`) and the user's place in it (`state`) are apart from the looks (`draw`):
//! a key is turned into a command (`input`), `update` applies it without any terminal, and then the
//! whole screen is drawn anew. Only the visible part is drawn, so that the size of a result does
//! not matter. The terminal is `pgas_screen`'s; `viewer` alone uses it.

mod document;
mod draw;
mod error;
mod input;
mod layout;
mod lines;
mod state;
#[cfg(test)]
mod tests;
mod texts;
mod update;
mod viewer;

pub use error::Error;
pub use pgas_screen::{Colours, Theme};
pub use viewer::{Options, view};
