//! Connections between processors: what carries parcels from one to another, and notices that none
//! is left to do.
//!
//! The executor knows processors by their numbers only, and reaches another one only through
//! [`Transport`]. [`crate::threads`] is the one for threads of a process. Tasks that are created in another
//! process go there as frames ([`crate::remote`]); the processors of all processes are numbered in
//! one row.

use std::collections::VecDeque;

/// Carries parcels of type `P` between processors.
///
/// Parcels from one processor to another arrive in order.
pub trait Transport<P>: Send + Sync {
    /// Number of processors, of all processes.
    fn processors(&self) -> usize;

    /// Sends a parcel to processor `to`, and wakes that one if it sleeps.
    fn carry(&self, to: usize, parcel: P);

    /// Appends to `parcels` what has arrived at processor `me`, without waiting.
    fn collect(&self, me: usize, parcels: &mut VecDeque<P>);

    /// Waits until something has arrived at processor `me`, which has nothing else to do, or until
    /// nothing can arrive any more.
    fn wait(&self, me: usize, parcels: &mut VecDeque<P>) -> Arrival;

    /// Ends all present and later waits with [`Arrival::Stopped`].
    fn stop(&self);

    /// Something that is no processor runs, and may send parcels.
    fn hold(&self);

    /// It does not run any more. Whether all of this process is idle now.
    fn release(&self) -> bool;

    /// Whether nothing runs in this process.
    fn is_idle(&self) -> bool;

    /// Ends all waits with [`Arrival::Quiet`]: nothing can arrive from other processes.
    fn quiet(&self);
}

/// How a wait for parcels ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// There are parcels.
    Parcels,
    /// All processors wait, and no parcel is under way: none will ever arrive.
    Quiet,
    /// The transport was stopped.
    Stopped,
}
