//! Counters and timers of your own in programs that pgastool measures: `pgastool watch` shows them
//! for each thread while the program runs.
//!
//! ```
//! use pgas_program_metrics::{Counter, MetricError, Timer, define};
//!
//! fn solve(steps: u64) -> Result<(), MetricError> {
//!     let step = Counter::new("step")?;
//!     let solving = Timer::new("solving")?;
//!     define("late = time(upc_barrier) if step >= 100")?;
//!     for number in 0..steps {
//!         step.set(number);
//!         let _running = solving.scope();
//!         // One step of the solver; the timer stops at the end of the block.
//!     }
//!     Ok(())
//! }
//! # solve(3).unwrap();
//! ```
//!
//! Values belong to the calling thread; a metric has the same number on all threads of a process,
//! so [`Counter`] and [`Timer`] can be copied and shared. Register them once, as in the example or
//! in a `static` with [`std::sync::LazyLock`]: registration takes a lock.
//!
//! In programs without pgastool's recorder, registration succeeds, calls test one pointer and do
//! nothing, and values are 0. So they do without `pgastool run --live`, and on threads that are not
//! recorded.

mod counter;
mod definition;
mod error;
mod limits;
mod recorder;
mod registration;
mod timer;

pub use counter::Counter;
pub use definition::define;
pub use error::MetricError;
pub use limits::{LONGEST_NAME, MOST_METRICS};
pub use timer::{Timer, TimerScope};
