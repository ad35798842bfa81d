//! How metrics that the user defines come in and are counted: those that the program sets
//! (`interface`), definitions (`giving`), also while the program runs (`inbox`), which threads
//! evaluate where they pass (`observing`).

mod giving;
mod inbox;
mod interface;
mod observing;
mod visit;

pub(crate) use giving::give_file;
pub(crate) use inbox::{PERIOD, longest_sleep, look_into_inbox, open_inbox};
