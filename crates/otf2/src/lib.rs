//! Traces to OTF2, the format of Score-P, Scalasca 2 and Vampir, written by OTF2's own library.
//!
//! Threads are locations, each with a file of its own, so nothing has to be merged: `write` goes
//! through the streams of an experiment one after the other. Accesses to shared memory, collective
//! operations and locks become the records that OTF2 has for one-sided communication; what these
//! have no field for is an attribute of the event.
//!
//! The library is needed for building (Debian: libopen-trace-format2-dev), so everything here is
//! behind the feature `library`; without it this crate is empty.

#[cfg(feature = "library")]
mod archive;
#[cfg(feature = "library")]
mod definitions;
#[cfg(feature = "library")]
mod error;
#[cfg(feature = "library")]
mod ffi;
#[cfg(feature = "library")]
mod translate;
#[cfg(feature = "library")]
mod write;

#[cfg(feature = "library")]
pub use error::Error;
#[cfg(feature = "library")]
pub use write::{Written, write};
