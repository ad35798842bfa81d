//! Types of option values that several commands share.

mod duration;
mod heap_size;
mod sampling_period;
mod selection;
mod thread_count;

pub use duration::Seconds;
pub use heap_size::heap_size;
pub use sampling_period::sampling_period;
pub use selection::{ThreadList, pattern};
pub use thread_count::thread_count;
