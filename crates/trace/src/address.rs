//! Addresses of shared data: what a transfer says about its two sides besides the threads, if the
//! recorder was asked for it.
//!
//! Addresses tell whether accesses walk through an array, meet each other, or touch what another thread has written.

use std::fmt;
use std::num::NonZeroU64;

use crate::model::{Attributes, ThreadId};

/// Place of shared data within the shared memory of the thread that it has affinity to: equal on all threads for the same
/// byte. Consecutive bytes of one thread have consecutive addresses; equal addresses of different threads mean different
/// data. It is not where the data lies in the memory of any process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(NonZeroU64);

impl Address {
    /// `None` for 0, which stands for no address in files and in the recorder's C interface.
    #[inline(always)]
    pub const fn new(number: u64) -> Option<Self> {
        match NonZeroU64::new(number) {
            Some(number) => Some(Address(number)),
            None => None,
        }
    }

    /// The address as a number, never 0.
    #[inline(always)]
    pub const fn number(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// In hexadecimal, as `0x1f40`.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl Attributes {
    /// A transfer of which the address is not known.
    pub const fn transfer(partner: ThreadId, bytes: u64) -> Self {
        Attributes::Transfer {
            partner,
            bytes,
            address: None,
        }
    }

    /// A transfer from or to `address` of the shared memory of `partner`; 0 if it is not known.
    pub const fn transfer_at(partner: ThreadId, bytes: u64, address: u64) -> Self {
        Attributes::Transfer {
            partner,
            bytes,
            address: Address::new(address),
        }
    }

    /// Whether there is the address of at least one side.
    pub const fn has_addresses(&self) -> bool {
        match self {
            Attributes::Transfer { address, .. } => address.is_some(),
            Attributes::Copy {
                source_address,
                destination_address,
                ..
            } => source_address.is_some() || destination_address.is_some(),
            _ => false,
        }
    }

    /// A copy of which the addresses are not known.
    pub const fn copy(source: ThreadId, destination: ThreadId, bytes: u64) -> Self {
        Self::copy_at((source, 0), (destination, 0), bytes)
    }

    /// A copy between two places, each a thread and an address of its shared memory; 0 if that is not known.
    pub const fn copy_at(
        (source, source_address): (ThreadId, u64),
        (destination, destination_address): (ThreadId, u64),
        bytes: u64,
    ) -> Self {
        Attributes::Copy {
            source,
            destination,
            bytes,
            source_address: Address::new(source_address),
            destination_address: Address::new(destination_address),
        }
    }
}
