//! The result of an analysis, to walk through in a terminal: findings, the three trees, the source
//! with what its lines cost, threads, iterations, and who accesses whose data.
//!
//! The content (`document`) and the user's place in it (`state`) are apart from the looks (`draw`):
//! a key is turned into a command (`input`), `update` applies it without any terminal, and then the
//! whole screen is drawn anew. Only the visible part is drawn, so that the size of a result does
//! not matter. `viewer` is the only module that touches the terminal.

mod document;
mod draw;
mod error;
mod input;
mod keyboard;
mod layout;
mod lines;
mod state;
#[cfg(test)]
mod tests;
mod texts;
mod theme;
mod update;
mod viewer;
mod watchdog;

pub use error::Error;
pub use theme::{Colours, Theme};
pub use viewer::{Options, view};
