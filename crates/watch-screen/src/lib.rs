//! Full-screen terminal view of a running program: efficiency over time, activity of each thread,
//! who waits for whom and since when, and operations by time.
//!
//! `watcher` looks at the program once a period and reads keys; `state` is what is shown and where
//! the user is in it; `update` applies a command without any terminal; `draw` draws it anew.

mod draw;
mod history;
mod keys;
mod state;
#[cfg(test)]
mod tests;
mod update;
mod watcher;

pub use watcher::{Options, watch};
