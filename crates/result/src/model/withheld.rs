//! Advice that an analysis withholds because it rests on having seen all accesses, and some of them
//! were not seen.

use serde::{Deserialize, Serialize};

/// A kind of advice that needs more than the trace of the accesses it is about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum AdviceKind {
    /// A barrier around which each thread touches its own data alone.
    OwnDataBarrier,
    /// A barrier right after another one.
    RepeatedBarrier,
    /// A barrier between accesses that have nothing to do with each other.
    UnrelatedBarrier,
    /// A collective operation for which MYSYNC would be enough.
    WeakerMode,
    /// A collective operation beside a barrier, for which NOSYNC would be enough.
    ModeBesideBarrier,
    /// An array with the wrong distribution.
    Layout,
    /// Data that lies with another thread than the one that uses it.
    WrongSide,
    /// Accesses that a pointer to private would do for.
    OwnAffinity,
    /// Small accesses that a block transfer would replace.
    FineGrained,
    /// Threads that run on another node than those they exchange most with.
    Placement,
    /// One that this version does not know.
    #[default]
    #[serde(other)]
    Other,
}

impl AdviceKind {
    /// The question that stays open, as part of a sentence: "which barriers are needed".
    pub fn question(self) -> &'static str {
        match self {
            AdviceKind::OwnDataBarrier
            | AdviceKind::RepeatedBarrier
            | AdviceKind::UnrelatedBarrier => "which barriers are needed",
            AdviceKind::WeakerMode | AdviceKind::ModeBesideBarrier => {
                "which synchronization flags are needed"
            }
            AdviceKind::Layout | AdviceKind::WrongSide => "whether data lies where it is used",
            AdviceKind::OwnAffinity => "which accesses could use a pointer to private",
            AdviceKind::FineGrained => "which accesses a block transfer could replace",
            AdviceKind::Placement => "which threads belong on one node",
            AdviceKind::Other => "other advice",
        }
    }
}

/// Why accesses may have happened that the analysis has not seen.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum BlindSpotKind {
    /// A filter leaves operations out, when compiling or when recording.
    Filtered,
    /// `#pragma pupc off`.
    SwitchedOff,
    /// A part of the program was compiled without instrumentation.
    NotInstrumented,
    /// It is not known how the program was compiled.
    UnknownCompiler,
    /// A function of the UPC library that moves shared data and is not recorded.
    UnreportedCall,
    /// A pointer-to-shared becomes a pointer to private, whose accesses nobody sees.
    Cast,
    /// Threads or processes that the program made itself accessed shared data.
    Elsewhere,
    /// Accesses of threads to their own part of shared data are not recorded.
    OwnAccesses,
    /// Calls of operations were throttled.
    Throttled,
    /// Accesses were counted where they happen.
    Counted,
    /// Recording was switched off for a time (`pupc_control`).
    Paused,
    /// There are sums, and no trace.
    ProfileOnly,
    /// The trace ends at the limit of its size.
    TraceLimit,
    /// Events were lost, or a thread was not recorded to its end.
    Lost,
    /// Synchronisations of the threads do not match.
    Unmatched,
    /// One that this version does not know.
    #[default]
    #[serde(other)]
    Other,
}

/// One reason why not all accesses were seen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlindSpot {
    /// Cause of the unseen accesses.
    pub kind: BlindSpotKind,
    /// A sentence without its full stop: what was not seen, where, and how to see it.
    pub text: String,
}

/// Kinds of advice that are withheld for the same reasons.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Withheld {
    /// Advice that is not given.
    pub advice: Vec<AdviceKind>,
    /// Reasons for which it is not given.
    pub reasons: Vec<BlindSpot>,
    /// The run that would show it, once the program was compiled as the reasons say; absent if no
    /// run would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl Withheld {
    /// Whether the program must be compiled in another way before [`Withheld::command`] shows it.
    pub fn needs_compiling(&self) -> bool {
        self.reasons.iter().any(|reason| {
            matches!(
                reason.kind,
                BlindSpotKind::Counted
                    | BlindSpotKind::OwnAccesses
                    | BlindSpotKind::SwitchedOff
                    | BlindSpotKind::NotInstrumented
                    | BlindSpotKind::UnknownCompiler
            )
        })
    }

    /// The questions that stay open, each once: "which barriers are needed, whether data lies where
    /// it is used".
    pub fn questions(&self) -> String {
        let mut questions: Vec<&str> = Vec::new();
        for question in self.advice.iter().map(|advice| advice.question()) {
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
        questions.join(", ")
    }
}
