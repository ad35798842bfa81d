//! Whether synchronisation is needed: what threads did between one synchronisation with all others
//! and the next.
//!
//! A barrier, or a collective operation with ALLSYNC, is only needed if threads touch each other's
//! data before or after it. Each thread's [`watcher`](crate::threads::epochs::watcher) notes what
//! kinds of things it did between two of them, with the record of the second; [`sequence`] follows
//! the instances of all threads and keeps, for each call path of a barrier or collective operation,
//! whether anything in any instance speaks against leaving it out or weakening it. That takes
//! memory for a [`tally`] of each such call path, and for the records of the stretch that is being
//! read.
//!
//! Where accesses say their addresses, [`dependences`] finds out whether threads touch after a
//! barrier what others touched before it, and [`hidden`] where they must have touched data unseen.
//! That takes up to some 200 KB for each thread.
//!
//! Accesses that the trace does not show (through pointers to private, or in code that is not
//! instrumented) are not considered; every claim states that, and as far as possible no claim
//! depends on them: see `docs/patterns/removable_barrier.md`.

pub mod dependences;
pub mod hidden;
pub mod sequence;
pub mod tally;

pub use sequence::SyncNecessity;
