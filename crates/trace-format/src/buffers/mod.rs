//! Buffers of a thread in memory that outlives its process, and the collector that appends what was
//! left in them to the thread's stream once the process is gone, however it ended.
//!
//! The recorder makes a file for each thread ([`page::Page`] describes its beginning), in memory
//! where possible, and maps it in place of its buffers. It removes the file when the stream is
//! complete. A file that is still there when its process is not holds the events that no block
//! carries yet, and the sums of calls that were counted since the last block of them.

pub mod collect;
mod identity;
pub mod page;
mod records;
pub mod sums;
mod thread_end;

pub use collect::{Collected, collect, collect_everything};
pub use identity::Identity;
pub use page::Page;
pub use records::WholeRecords;
