//! Processes: programs that the tool runs, and signals to the tool itself.

mod child;
pub mod interrupt;
mod signal;

pub use child::{Ended, Program};
pub use signal::signal_name;
