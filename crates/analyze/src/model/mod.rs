//! The terms that all parts of the analysis share.

pub mod clock;
pub mod histogram;
pub(crate) mod mix;
pub(crate) mod nodes;
pub mod paths;
pub mod steps;
pub mod thread_end;
pub mod time_class;
pub(crate) mod union;
pub(crate) mod wording;
