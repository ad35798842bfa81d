//! Online search for the bottleneck of a running program, from pictures of its periods
//! (`pgas_monitor`).
//!
//! Hypotheses form a tree: the program is inefficient; a kind of operation, a place, a thread, one
//! of two tasks that are joined by a channel causes it ([`Search`]). A sequential test ([`MeanTest`]) decides each hypothesis from the mean of a noisy
//! series.

mod claim;
mod culprit;
mod evidence;
mod hypothesis;
mod mean_test;
mod pair;
mod pairs;
#[cfg(test)]
mod pairs_tests;
mod pattern;
mod search;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub use claim::{Claim, Finding, TaskRef, shown};
pub use mean_test::{MeanTest, Verdict};
pub use search::{Change, Search};
