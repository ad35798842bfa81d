//! Single accesses at each call path: runs of small ones that one block transfer would replace,
//! accesses to the thread's own data, and data that lies with another thread than the one that uses
//! it.

use serde::{Deserialize, Serialize};

/// Where a cost of block transfers is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostSource {
    /// Fitted to the run's own block transfers.
    Fitted,
    /// The fastest single access as latency, and the mean rate of the run's own block transfers,
    /// which no line fits.
    Rate,
    /// The fastest single access as latency, and a bandwidth that any machine has.
    Assumed,
}

/// What a block transfer costs, of those that would replace the runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BlockTransfer {
    pub latency_seconds: f64,
    pub bytes_per_second: Option<f64>,
    pub source: CostSource,
}

/// Runs of one thread at one call path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ThreadRuns {
    pub thread: u32,
    pub runs: u64,
    pub accesses: u64,
    pub bytes: u64,
    pub seconds: f64,
    /// What block transfers would save of it, at most.
    pub saves_seconds: f64,
}

/// Small accesses of one call path to other threads' data that follow each other in memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FineGrained {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Only threads that have some.
    pub threads: Vec<ThreadRuns>,
    /// The run with most accesses.
    pub longest: u64,
    /// That accesses are adjacent is assumed: their addresses were not recorded.
    pub assumed: bool,
    /// Bytes from one access to the next, if there are gaps of one size in more than half of the
    /// runs.
    pub stride: Option<u64>,
    pub block: BlockTransfer,
}

/// Accesses of one thread to its own part of shared data, at one call path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ThreadOwn {
    pub thread: u32,
    pub accesses: u64,
    pub bytes: u64,
    pub seconds: f64,
    /// What a pointer to private would save of it, at most.
    pub saves_seconds: f64,
}

/// Accesses to the thread's own part of shared data that go through a pointer-to-shared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnAffinity {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Only threads that have some.
    pub threads: Vec<ThreadOwn>,
}

/// One thread's data that another thread uses more than anyone else.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Misplaced {
    /// Whose data it is.
    pub owner: u32,
    /// Who uses it.
    pub thread: u32,
    /// The share of all bytes there that this thread moves, in percent.
    pub percent: f64,
    pub accesses: u64,
    pub bytes: u64,
    pub seconds: f64,
}

/// Data that is used at one call path mostly by other threads than its owners.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WrongSide {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// By owner.
    pub data: Vec<Misplaced>,
    /// If each thread uses the data of the thread that comes so many after it (round to thread 0).
    pub shift: Option<u32>,
    /// Whether accesses to own data were recorded, so that what owners do is known.
    pub own_recorded: bool,
}

/// How a loop uses the elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutUse {
    /// Each thread uses every so many-th element, as many as there are threads; each owns a piece
    /// of the array.
    InTurn,
    /// Each thread uses a piece; elements are dealt out to the threads in turn.
    InPieces,
}

/// Accesses of one thread to others' data, at one call path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ThreadShare {
    pub thread: u32,
    pub accesses: u64,
    pub seconds: f64,
}

/// An array that is laid out otherwise than it is used, so that nearly all accesses go to other
/// threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayoutMismatch {
    /// Index of the call path in the cube.
    pub call_path: usize,
    pub used: LayoutUse,
    pub threads: Vec<ThreadShare>,
}

/// Accesses at one call path to an array.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DistributionPlace {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Share of the call path's accesses to other threads' data that go to this array, in percent:
    /// estimated from samples.
    pub percent: f64,
    /// That share of the call path's time.
    pub seconds: f64,
    pub threads: Vec<ThreadShare>,
}

/// An array that is distributed over the threads otherwise than they use it: another block size
/// would give nearly all of the elements that were accessed to the threads that did so. Estimated
/// from samples of accesses.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ArrayLayout {
    /// Empty if it was allocated.
    pub name: String,
    /// Where it is declared or allocated.
    pub file: String,
    pub line: u32,
    pub elements: u64,
    pub element_bytes: u64,
    /// Elements of a block, now and then.
    pub block: u64,
    pub better_block: u64,
    /// The better block size is that of `[*]`.
    pub one_block_each: bool,
    /// Accesses that were looked at.
    pub samples: u64,
    /// Share of them that would be local with the better block size, with its interval of 95 %, in
    /// percent.
    pub local_percent: f64,
    pub low_percent: f64,
    pub high_percent: f64,
    /// Whether accesses to own elements were recorded, too.
    pub own_recorded: bool,
    /// Loops (`upc_forall`) give each thread its own elements, and the accesses go to elements
    /// close to these: they become local because the loops follow the distribution.
    #[serde(default)]
    pub loops_follow: bool,
    pub places: Vec<DistributionPlace>,
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Accesses {
    pub fine_grained: Vec<FineGrained>,
    pub own_affinity: Vec<OwnAffinity>,
    pub wrong_side: Vec<WrongSide>,
    pub layout: Vec<LayoutMismatch>,
    pub distributions: Vec<ArrayLayout>,
}

impl Accesses {
    pub fn is_empty(&self) -> bool {
        let other =
            self.wrong_side.is_empty() && self.layout.is_empty() && self.distributions.is_empty();
        self.fine_grained.is_empty() && self.own_affinity.is_empty() && other
    }
}
