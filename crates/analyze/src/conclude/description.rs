//! Facts about an experiment that the streams of events do not have.

use pgas_earl::PathId;
use pgas_machine::Machine;
use pgas_result::withheld::{BlindSpot, BlindSpotKind};
use pgas_symbols::Symbols;
use pgas_trace::functions::FunctionLines;
use pgas_trace::metadata::Baseline;
use pgas_trace::models::{self, Model};

use crate::conclude::missing_samples::Missing;
use crate::conclude::repetition::Again;
use crate::model::nodes::Nodes;
use crate::model::paths::CallPaths;
use crate::threads::one_sided::sampled::Sampled;

/// Facts about an experiment beyond severities.
#[derive(Debug, Clone, Default)]
pub struct Description {
    /// Name of the program, which the root of the call tree is called.
    pub program: String,
    /// The model of the runtime that reported the events, if it says so.
    pub runtime: Option<Model>,
    /// Command-line arguments that the program was started with.
    pub arguments: Vec<String>,
    /// Version of pgastool that analyses the experiment.
    pub tool_version: String,
    /// From the first event to the last of all threads, in seconds.
    pub wall_seconds: f64,
    /// Local date and time at which the program was started (RFC 3339).
    pub started: String,
    /// Name of the node that the run was started on, which stands for the machine.
    pub machine: String,
    /// By thread: name of the node that it ran on, and number of its process.
    pub locations: Vec<(String, u32)>,
    /// Whether the node of some thread is not known, and that of the start stands for it.
    pub has_unknown_nodes: bool,
    /// By thread: what recording cost it, if its recorder measured that.
    pub costs: Vec<Option<EventCost>>,
    /// By thread: what whole calls cost it and what it had of the cores, if its recorder measured
    /// that.
    pub recorders: Vec<Option<pgas_cost::Recorder>>,
    /// CPU time of the program, in seconds, as measured by the process that started it.
    pub cpu_seconds: Option<f64>,
    /// A plain build of the program that was run to compare.
    pub baseline: Option<Baseline>,
    /// Samples of accesses that recorders took.
    pub sampled: Sampled,
    /// Events that would have run backwards on their thread when clocks were corrected.
    pub held_events: u64,
    /// Why not all accesses were seen, as far as the experiment itself says so.
    pub blind_spots: Vec<BlindSpot>,
    /// Where functions of the program end, as far as their compiler said so.
    pub functions: Vec<FunctionLines>,
    /// How to repeat the run.
    pub again: Option<Again>,
    /// Functions and lines of the addresses that samples have.
    pub symbols: Symbols,
    /// Where threads should have been sampled and were not.
    pub missing_samples: Missing,
    /// Costs of operations on the machine, if it was measured.
    pub operation_costs: Option<Machine>,
}

impl Description {
    /// The models of a program with these call paths.
    pub(crate) fn models(&self, paths: &CallPaths) -> Vec<Model> {
        let paths = (0..paths.len()).filter_map(|number| paths.site(PathId(number as u32)));
        models::of_program(self.runtime, paths)
    }

    /// The nodes that threads ran on; none if that is not known of all.
    pub(crate) fn nodes(&self) -> Option<Nodes> {
        let hosts = self.locations.iter().map(|(host, _)| host.as_str());
        (!self.has_unknown_nodes).then(|| Nodes::new(hosts))
    }

    /// Whether accesses of threads to their own data were recorded like others.
    pub(crate) fn own_recorded(&self) -> bool {
        use BlindSpotKind::{OwnAccesses, UnknownCompiler};
        let mut spots = self.blind_spots.iter();
        !spots.any(|spot| matches!(spot.kind, OwnAccesses | UnknownCompiler))
    }
}

/// Costs that the recorder of a thread measured for itself, in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventCost {
    /// Of recording one event.
    pub event: u64,
    /// Of one reading of the clock, which is part of that.
    pub clock: u64,
    /// Of a throttled call that was not timed.
    pub throttled: u64,
}
