//! Filter files: which functions of a program, and which operations of its runtime, are recorded. The compiler leaves
//! out what they exclude, the recorder does so when a program runs, and the tool says what is lost by it; all three
//! read the rules here.

mod losses;
mod rules;
mod wildcard;

pub use losses::Loss;
pub use rules::{Filter, FilterError, FilterProblem};
pub use wildcard::{Pattern, PatternError};
