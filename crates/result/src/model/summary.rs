//! Conclusions of the analysis beyond the three trees: efficiency, findings, remarks.
//!
//! It is kept as `summary.json` beside the cube file of the same experiment, since CUBE has no
//! place for it.

use pgas_base::models::{Model, Words};
use serde::{Deserialize, Serialize};

use super::accesses::Accesses;
use super::causes::Causes;
use super::clocks::ClockSummary;
use super::communication::Communication;
use super::distribution::Spread;
use super::live::LiveFinding;
use super::machine::MachineUse;
use super::phases::Loop;
use super::recording::Recording;
use super::sampling::Sampling;
use super::synchronization::Synchronization;
use super::tasks::Tasks;
use super::withheld::Withheld;

/// POP efficiency factors, each 0 to 1. Useful time is computation time; see <https://pop-coe.eu>.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// mean(useful) / max(useful)
    pub load_balance: f64,
    /// max(useful) / runtime
    pub communication_efficiency: f64,
    /// mean(useful) / runtime, the product of the two
    pub parallel_efficiency: f64,
}

/// The instance of a wait state that cost most at one call path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstInstance {
    /// Seconds since the start of the run.
    pub at_seconds: f64,
    /// Waiting time summed over threads, in seconds.
    pub seconds: f64,
    /// The thread that the others waited for.
    pub last_thread: u32,
    /// Which of the instances of this wait state at this call path it was, from 1. Summaries of
    /// earlier versions lack this and what follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The thread that waited longest in it; of several the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest_thread: Option<u32>,
    /// How long that one waited, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest_seconds: Option<f64>,
}

/// When each thread was in the worst instance of a wait state, and waited there: what its timeline
/// is drawn from. Times are seconds since the start of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InstanceTimes {
    /// Metric id, e.g. "wait_at_barrier".
    pub metric: String,
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// The thread that the others waited for.
    pub last_thread: u32,
    /// Threads in the operation; of a lock, the waiting one alone.
    pub members: Vec<MemberTime>,
    /// By thread; together they are as long as [`WorstInstance::seconds`].
    pub waits: Vec<WaitTime>,
}

/// The time of a thread in an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemberTime {
    /// The thread that executes the operation.
    pub thread: u32,
    /// Enter of the operation, in seconds since the start of the run.
    pub begin_seconds: f64,
    /// Exit of the operation, in seconds since the start of the run.
    pub end_seconds: f64,
}

/// A wait of a thread within an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitTime {
    /// The waiting thread.
    pub thread: u32,
    /// The thread by whose arrival or release it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<u32>,
    /// Begin of the wait, in seconds since the start of the run.
    pub begin_seconds: f64,
    /// End of the wait, in seconds since the start of the run.
    pub end_seconds: f64,
    /// Begin and end of the time that was lost, in order; what lies between was not.
    pub parts: Vec<(f64, f64)>,
}

/// Instances of one wait-state metric at one call path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InstanceStatistics {
    /// Metric id, e.g. "wait_at_barrier".
    pub metric: String,
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Instances in which somebody waited.
    pub instances: u64,
    /// The instance with most waiting, summed over threads; absent if it is not known.
    pub worst: Option<WorstInstance>,
    /// How often each thread was the one waited for; index is the thread.
    pub last_counts: Vec<u64>,
    /// How the waiting is spread over instances and threads. Summaries of earlier versions lack
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
}

/// Kind of a finding, by which scripts distinguish findings; in files in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A thread waits for another one.
    Wait,
    /// Operations cost time by themselves.
    Cost,
    /// Work is unevenly divided.
    Imbalance,
    /// A collective operation asks for more synchronisation than the run needed.
    Mode,
    /// A barrier that the run did not need.
    RemovableBarrier,
    /// Many small accesses that a block transfer would replace.
    FineGrained,
    /// Accesses to the thread's own data that a pointer to private would make cheap.
    OwnAffinity,
    /// Data that lies with another thread than the one that uses it.
    WrongSide,
    /// Threads that exchange most of their data with threads of one other node.
    Placement,
    /// One that this version does not know, or that an earlier version did not name.
    #[default]
    #[serde(other)]
    Other,
}

/// One thing that costs time, where, why, and what to do about it. Findings are sorted, most
/// expensive first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Summaries of earlier versions lack it.
    #[serde(default)]
    pub kind: FindingKind,
    /// Metric id, e.g. "wait_at_barrier".
    pub metric: String,
    /// Lost time, summed over threads, in seconds: no more than the metric, with its children, has
    /// at the call path.
    pub seconds: f64,
    /// Share of the total time of all threads, in percent.
    pub percent: f64,
    /// The operation or function, e.g. "upc_barrier".
    pub region: String,
    /// The user function that it is called from, e.g. "rank"; empty if none.
    pub function: String,
    /// Source file: of the call for an operation, of the definition for a function. Empty if
    /// unknown.
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// The thread that most often came last, or that has most to do.
    pub culprit_thread: Option<u32>,
    /// One or two sentences: who came last and what it did instead.
    pub cause: String,
    /// One sentence: what to try.
    pub advice: String,
    /// The instance that cost most; absent where a finding has no instances.
    pub worst: Option<WorstInstance>,
    /// Upper bound of the wall-clock time that fixing this would save, in seconds.
    /// Absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saves_seconds: Option<f64>,
    /// Other findings that are about the same seconds, by their index. All others are about
    /// seconds of their own, and come together to no more than their metric.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlaps: Vec<usize>,
}

/// Conclusions of one analysis, as `summary.json` holds them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Version of this file's layout; 1.
    pub schema: u32,
    /// The program as it was named on the command line.
    pub program: String,
    /// Command-line arguments of the program, without its name.
    pub arguments: Vec<String>,
    /// Threads of the program.
    pub threads: u32,
    /// Programming models whose operations the program calls: "upc", "openshmem", "coarrays",
    /// "mpi", in this order. They decide whether its threads are called threads, PEs, images or
    /// ranks ([`Summary::words`]). Empty in summaries of earlier versions, which say threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// From the first event to the last of all threads, in seconds.
    pub wall_seconds: f64,
    /// POP efficiency factors of the whole run.
    pub efficiency: Efficiency,
    /// Findings, most expensive first.
    pub findings: Vec<Finding>,
    /// Statistics of the instances of each wait state, by metric and call path.
    pub instances: Vec<InstanceStatistics>,
    /// Remarks on this measurement that a reader must know: a truncated trace, lost blocks, a
    /// killed program.
    pub remarks: Vec<String>,
    /// How the run was recorded. Summaries of earlier versions lack it, and what they are of was
    /// recorded in full.
    #[serde(default)]
    pub recording: Recording,
    /// How times of different nodes compare; absent for a run on one node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockSummary>,
    /// Critical path and root causes of the run; absent without a trace, and in summaries of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub causes: Option<Causes>,
    /// Synchronisation that the run did not need; absent if there is nothing to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synchronization: Option<Synchronization>,
    /// One-sided accesses by thread and owner of the data; absent if there are none, and in
    /// summaries of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub communication: Option<Communication>,
    /// Possible improvements of single accesses.
    #[serde(default, skip_serializing_if = "Accesses::is_empty")]
    pub accesses: Accesses,
    /// Loops of the program, the outermost first, and how metrics develop over their iterations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Loop>,
    /// Advice that is not given because not all accesses were seen, and why; absent in summaries
    /// of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Withheld>,
    /// The worst instances of findings and of the wait states that cost most; absent in summaries
    /// of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worst_instances: Vec<InstanceTimes>,
    /// Where threads computed, by samples; absent without samples, and in summaries of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
    /// The machine's costs of the run's operations; absent where it was not measured, and
    /// in summaries of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineUse>,
    /// Processors, tasks and channels; absent unless the program is one of tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Tasks>,
    /// Bottlenecks that the online search confirmed while the program ran, in order of confirmation;
    /// empty without a search, and in summaries of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub live_findings: Vec<LiveFinding>,
}

impl Summary {
    /// The programming models of the program, those that this version knows.
    pub fn known_models(&self) -> Vec<Model> {
        self.models
            .iter()
            .filter_map(|id| Model::from_id(id))
            .collect()
    }

    /// The words of the program for its threads.
    pub fn words(&self) -> Words {
        Words::of(&self.known_models())
    }
}
