//! Communication matrix of one-sided operations: accesses by thread and owner of the data. (Data of
//! collective operations is not known by partner and is not in it.)

use serde::{Deserialize, Serialize};

use super::locality::Locality;

/// Largest number of threads for which all pairs are kept.
pub const MOST_THREADS_IN_FULL: usize = 64;

/// Sums over one-sided operations.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Flow {
    /// Operations. A copy from one thread's data to another's counts for both.
    pub operations: u64,
    /// Of these, those that read the owner's data, and the bytes that they read.
    pub gets: u64,
    /// Bytes that gets read.
    pub get_bytes: u64,
    /// Those that wrote to it, and the bytes.
    pub puts: u64,
    /// Bytes that puts wrote.
    pub put_bytes: u64,
    /// Bytes of copies that are known from sums, which do not say which of the two sides is the
    /// owner's.
    pub either_bytes: u64,
    /// Time in these operations. That of a copy is with the side that is not the thread's own; of
    /// two such, with the source.
    pub seconds: f64,
}

impl Flow {
    /// All bytes that were moved, in either direction.
    pub fn bytes(&self) -> f64 {
        self.get_bytes as f64 + self.put_bytes as f64 + self.either_bytes as f64
    }
}

/// Operations of one thread on the data of one owner, which may be the thread itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The thread that executes the operations.
    pub thread: u32,
    /// The thread that the shared data has affinity to.
    pub owner: u32,
    /// Operations of `thread` on data of `owner`.
    #[serde(flatten)]
    pub flow: Flow,
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Communication {
    /// Whether `pairs` are all pairs that have something; otherwise they are those with most time.
    pub complete: bool,
    /// In the order of threads, then owners.
    pub pairs: Vec<Pair>,
    /// Sums over all owners, by thread.
    pub by_thread: Vec<Flow>,
    /// Sums over all threads, by owner.
    pub by_owner: Vec<Flow>,
    /// Operations of which the owner is not known, since only sums of them were recorded.
    pub unknown: Option<Flow>,
    /// The same by distance and by node; absent in summaries of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locality: Option<Locality>,
}
