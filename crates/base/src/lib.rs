//! Small things that many parts need and that there must be one of.

pub mod helper;
pub mod models;
pub mod quantile;
pub mod quantity;
pub mod shell;
