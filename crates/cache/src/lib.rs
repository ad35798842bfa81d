//! Files that are made once and linked into programs later, in directories that outlive the
//! command. Nothing is taken from them that somebody else could have put there or changed: owner
//! and mode of every directory and file are checked, and its content, each time.

mod digests;
mod places;
mod shelf;
mod trust;

pub use digests::{check, seal};
pub use places::{Place, cache_dirs, first_writable, is_writable};
pub use shelf::{aside, put};
pub use trust::{Refusal, Trust};
