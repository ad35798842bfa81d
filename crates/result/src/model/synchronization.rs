//! Advice on synchronisation that the run did not need: barriers that could be left out, collective
//! operations that could ask for less. It is a conjecture from one run, and says what it rests on.

use serde::{Deserialize, Serialize};

/// Kind of improvement that is advised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdviceKind {
    /// A collective operation could ask for less synchronisation on entry.
    WeakerEntry,
    /// A collective operation could ask for less synchronisation on exit.
    WeakerExit,
    /// A barrier comes directly after another one.
    RepeatedBarrier,
    /// Before and after the barrier, each thread touched its own data alone.
    OwnDataBarrier,
    /// No thread touched after the barrier what another one had written before it, nor wrote what
    /// another one had touched.
    UnrelatedBarrier,
    /// One that this version does not know.
    #[default]
    #[serde(other)]
    Other,
}

/// One place at which less synchronisation would have been enough in this run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SynchronizationAdvice {
    /// The synchronisation that the run did not need.
    pub kind: AdviceKind,
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Instances that it holds for: all of which the surroundings are in the trace.
    pub instances: u64,
    /// The flag that the operation is called with, e.g. "UPC_IN_ALLSYNC".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<String>,
    /// The flag that is enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enough: Option<String>,
    /// Call path of the barrier that makes it unnecessary: the advice does not hold without that
    /// one. The first, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barrier: Option<usize>,
    /// Time that threads lost to waiting and completion there, in seconds, summed over threads.
    pub seconds: f64,
    /// Seconds by which the run would be shorter at most.
    pub saves_seconds: f64,
}

/// Findings on how much synchronisation the run needed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Synchronization {
    /// Most expensive first.
    pub advice: Vec<SynchronizationAdvice>,
    /// Limits of the advice, or the reason why there is none although it is not known whether all
    /// synchronisation was needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Synchronization {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.advice.is_empty() && self.note.is_none()
    }
}
