//! Metrics that the user defines: counters and timers that the program sets (`interface`), and
//! those that the recorder keeps by definitions (`given`, `observer`), which may also come while the
//! program runs (`inbox`). Each thread has its own on its live page (`slots`).

mod given;
mod inbox;
mod interface;
mod names;
mod observer;
mod slots;
mod visit;

pub(crate) use given::give_file;
pub(crate) use inbox::{PERIOD, longest_sleep, look_into_inbox, open_inbox};
pub(crate) use slots::Metrics;
