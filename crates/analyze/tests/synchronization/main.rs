//! Which synchronisation a run did not need.

#[path = "../common/mod.rs"]
mod common;
mod known;
mod random;
mod steps;
