//! Which synchronisation a run did not need.

mod known;
mod random;
mod steps;
