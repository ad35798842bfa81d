//! Small things that many parts need and that there must be one of.

pub mod quantity;
