//! The cost of recording a run, function by function, and a filter that makes the next run cost
//! less.
//!
//! [`Score::read`] counts, per function and operation, what an experiment holds of it: events,
//! bytes, calls, time; and estimates what recording them took from the program. [`Score::outlook`]
//! says what would be left with a filter, and [`propose`] finds one that keeps the overhead of
//! every thread below a share, at the least loss.
//!
//! Memory grows with the places in the source and threads, not with events.

mod proposal;
mod score;
mod tally;

pub use proposal::{Proposal, ProposalOptions, propose};
pub use score::{Figures, Kind, Outlook, Overhead, Region, Score, ThreadInfo};
