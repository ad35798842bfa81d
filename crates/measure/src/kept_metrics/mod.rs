//! Metrics that the user defines, as a thread keeps them: where on its live page each is, and how
//! definitions are evaluated. How they come in is in `metrics`.

mod affecting;
pub(crate) mod given;
pub(crate) mod names;
mod observer;
mod slots;
mod state;

pub(crate) use observer::{Now, Observer, value};
pub(crate) use slots::Slots;
pub(crate) use state::Metrics;
