//! Which bottleneck a running program has, from pictures of its periods (`pgas_monitor`).
//!
//! Hypotheses form a tree: whether the program is inefficient; in which kind of operation the time
//! is lost; at which place; to which thread. One counts only below another one that holds
//! ([`Search`]). Each is about the mean of a noisy series, and is
//! decided by a sequential test ([`MeanTest`]).

mod claim;
mod culprit;
mod hypothesis;
mod mean_test;
mod search;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub use claim::{Claim, Finding, shown};
pub use mean_test::{MeanTest, Verdict};
pub use search::{Change, Search};
