//! The result of an analysis, to walk through in a terminal: findings, the three trees, the source
//! with what its lines cost, threads, iterations, and who accesses whose data.
//!
//! What is shown ([`document`]) and where the user is ([`state`]) are apart from how it looks
//! ([`draw`]): a key is turned into a command ([`input`]), [`update`] applies it without any
//! terminal, and then the whole screen is drawn anew. Only what is visible is drawn, so that the
//! size of a result does not matter. [`viewer`] is the only module that touches the terminal.

pub mod document;
pub mod draw;
mod error;
pub mod input;
mod keyboard;
pub mod layout;
mod lines;
pub mod state;
mod texts;
pub mod theme;
pub mod update;
pub mod viewer;
mod watchdog;

pub use error::Error;
pub use viewer::{Options, view};
