//! Single accesses at each call path: runs of small ones that one block transfer would replace,
//! accesses to the thread's own data, and data that lies with another thread than the one that uses
//! it.

use serde::{Deserialize, Serialize};

/// Where a cost of block transfers is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostSource {
    /// Measured on the machine by `pgastool time --machine`.
    Machine,
    /// Fitted to the run's own block transfers.
    Fitted,
    /// The fastest single access as latency, and the mean rate of the run's own block transfers,
    /// which no line fits.
    Rate,
    /// The fastest single access as latency, and a bandwidth that any machine has.
    Assumed,
}

/// Cost of the block transfers that would replace the runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BlockTransfer {
    /// Time that a transfer takes besides that of its bytes, in seconds.
    pub latency_seconds: f64,
    /// Rate of the bytes after the latency; absent if larger transfers take no longer.
    pub bytes_per_second: Option<f64>,
    /// Origin of latency and rate: measured, or assumed.
    pub source: CostSource,
}

/// Runs of one thread at one call path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ThreadRuns {
    /// The thread that executes the accesses.
    pub thread: u32,
    /// Runs, estimated ones of throttled accesses included.
    pub runs: u64,
    /// Accesses in these runs, throttled ones included.
    pub accesses: u64,
    /// Bytes that these accesses move.
    pub bytes: u64,
    /// Time of the accesses in the runs, in seconds.
    pub seconds: f64,
    /// Upper bound of the savings by block transfers, in seconds.
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
    /// Estimated cost of the block transfers, on which the savings are based.
    pub block: BlockTransfer,
}

/// Accesses of one thread to its own part of shared data, at one call path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ThreadOwn {
    /// The thread, which is also the owner of the data.
    pub thread: u32,
    /// Accesses to its own part, throttled ones included.
    pub accesses: u64,
    /// Bytes that they move.
    pub bytes: u64,
    /// Time in them, in seconds.
    pub seconds: f64,
    /// Upper bound of the savings by a pointer to private, in seconds.
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
    /// Owner of the data.
    pub owner: u32,
    /// Thread that uses the data.
    pub thread: u32,
    /// The share of all bytes there that this thread moves, in percent.
    pub percent: f64,
    /// Accesses of `thread` to this owner's data at the call path.
    pub accesses: u64,
    /// Bytes that they move.
    pub bytes: u64,
    /// Time of `thread` in them, in seconds.
    pub seconds: f64,
}

/// Data that is used at one call path mostly by other threads than its owners.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WrongSide {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// By owner.
    pub data: Vec<Misplaced>,
    /// Distance, if each thread uses the data of the thread that far after it (round to thread 0).
    pub shift: Option<u32>,
    /// Whether accesses to own data were recorded, so that what owners do is known.
    pub own_recorded: bool,
}

/// How a loop uses the elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutUse {
    /// Each thread uses every n-th element, with n the number of threads; each owns a piece
    /// of the array.
    InTurn,
    /// Each thread uses a piece; elements are dealt out to the threads in turn.
    InPieces,
}

/// Accesses of one thread to others' data, at one call path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ThreadShare {
    /// The thread that executes the accesses.
    pub thread: u32,
    /// Accesses to data of other threads; of one array, the estimated part that goes to it.
    pub accesses: u64,
    /// Time of the thread in these accesses, in seconds.
    pub seconds: f64,
}

/// An array that is laid out otherwise than it is used, so that nearly all accesses go to other
/// threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayoutMismatch {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Order in which the loop uses the elements.
    pub used: LayoutUse,
    /// Accesses to other threads' data, by executing thread.
    pub threads: Vec<ThreadShare>,
}

/// Accesses at one call path to an array.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DistributionPlace {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Share of the call path's accesses to other threads' data that go to this array, in percent:
    /// estimated from samples. All of its accesses where they are in a loop that goes by the array's
    /// elements.
    pub percent: f64,
    /// That share of the call path's time; where accesses are counted, of the computing time of their
    /// line, which is what they take at most.
    pub seconds: f64,
    /// Accesses to elements of other threads, by executing thread; all of them in a loop that goes
    /// by the array's elements.
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
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
    /// Elements of the array, over all threads.
    pub elements: u64,
    /// Size of an element, in bytes.
    pub element_bytes: u64,
    /// Elements of a block, now and then.
    pub block: u64,
    /// Elements of a block with which nearly all of these accesses would be local.
    pub better_block: u64,
    /// The better block size is that of `[*]`.
    pub one_block_each: bool,
    /// Accesses that were looked at.
    pub samples: u64,
    /// Share of them that would be local with the better block size, with its interval of 95 %, in
    /// percent.
    pub local_percent: f64,
    /// Lower bound of the interval, in percent.
    pub low_percent: f64,
    /// Upper bound of the interval, in percent.
    pub high_percent: f64,
    /// Whether accesses to own elements were recorded, too.
    pub own_recorded: bool,
    /// Loops (`upc_forall`) give each thread its own elements, and the accesses go to elements
    /// close to these: they become local because the loops follow the distribution.
    #[serde(default)]
    pub loops_follow: bool,
    /// Call paths that access the array.
    pub places: Vec<DistributionPlace>,
}

/// A thread that exchanges most data with the threads of one other node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MisplacedThread {
    /// Number of the thread.
    pub thread: u32,
    /// Index of its node in the cube.
    pub node: usize,
    /// Index of the other node.
    pub partner_node: usize,
    /// Thread of that node with which to swap places, so that less goes between nodes.
    pub swap_with: u32,
    /// Share of what the thread exchanges with other threads that is with threads of that node, in
    /// percent of the bytes.
    pub percent: f64,
    /// These bytes, in the whole run, whichever of the two threads accesses the other's data.
    pub bytes: u64,
    /// Time of the thread at the call path in operations on data of that node, in seconds.
    pub seconds: f64,
}

/// Operations at one call path of threads that run on the wrong node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Threads with such operations there.
    pub threads: Vec<MisplacedThread>,
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Accesses {
    /// Runs of small accesses to other threads' data, which block transfers would replace.
    pub fine_grained: Vec<FineGrained>,
    /// Accesses of threads to their own data through pointers-to-shared.
    pub own_affinity: Vec<OwnAffinity>,
    /// Data that another thread uses more than its owner does.
    pub wrong_side: Vec<WrongSide>,
    /// Loops that use an array in another order than it is distributed, found without samples.
    pub layout: Vec<LayoutMismatch>,
    /// Arrays with a better block size, found in samples of accesses.
    pub distributions: Vec<ArrayLayout>,
    /// Threads whose exchange goes mostly to one other node, by call path, that with most time first.
    pub placement: Vec<Placement>,
}

impl Accesses {
    /// Whether there is no advice about single accesses.
    pub fn is_empty(&self) -> bool {
        let other =
            self.wrong_side.is_empty() && self.layout.is_empty() && self.distributions.is_empty();
        self.fine_grained.is_empty()
            && self.own_affinity.is_empty()
            && self.placement.is_empty()
            && other
    }
}
