//! Filter files: which functions of a program, and which operations of its runtime, are recorded.
//! The compiler leaves out what they exclude, the recorder does so when a program runs, and the
//! tool says what is lost by it; all three read the rules here.
//!
//! [`Unseen`] says what a program does that no event tells of, for whatever reason.

mod all_of;
mod file_names;
mod function_set;
mod losses;
mod rules;
mod unseen;
mod wildcard;

pub use all_of::AllOf;
pub use file_names::file_names;
pub use function_set::FunctionSet;
pub use losses::{Loss, hidden};
pub use rules::{Filter, FilterError, FilterProblem};
pub use unseen::{Follower, NOTE_NAME, NOTE_SECTION, NOTE_TYPE, Neighbour, Unseen};
pub use wildcard::{Pattern, PatternError};
