//! Operations of known structure on a simulated cluster.

mod collective;
mod shell;

use super::Thread;
use crate::operation::Operation;

pub use collective::{Algorithm, Collective};
pub use shell::{Cache, FirstSlow};

/// Makes one thread's part of an operation.
pub trait Make: for<'a> Fn(&'a Thread<'a>) -> Box<dyn Operation + 'a> + 'static {}

impl<F: for<'a> Fn(&'a Thread<'a>) -> Box<dyn Operation + 'a> + 'static> Make for F {}

/// Says which kind of closure is meant.
pub fn make<F: for<'a> Fn(&'a Thread<'a>) -> Box<dyn Operation + 'a> + 'static>(from: F) -> F {
    from
}
