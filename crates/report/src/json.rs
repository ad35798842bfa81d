//! The report as JSON, for scripts: a contract, described in `docs/json.md` and
//! `docs/schema/report-1.json`. Fields may be added in schema 1, never changed or taken away.

use std::collections::BTreeMap;
use std::io::{self, Write};

use pgas_cube::model::{CallPathId, Cube, MetricId};
use pgas_result::AnalysisResult;
use pgas_result::accesses::Accesses;
use pgas_result::causes::Causes;
use pgas_result::clocks::ClockSummary;
use pgas_result::communication::Communication;
use pgas_result::live::LiveFinding;
use pgas_result::machine::MachineUse;
use pgas_result::phases::Loop;
use pgas_result::recording::Recording;
use pgas_result::sampling::Sampling;
use pgas_result::summary::{Efficiency, Finding, InstanceStatistics};
use pgas_result::synchronization::Synchronization;
use pgas_result::tasks::Tasks;
use pgas_result::withheld::Withheld;
use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

use crate::figures::{Ratio, counters};

/// Version of the layout.
const SCHEMA: u32 = 1;

/// The report as one JSON object, with a line for each field and a line end.
pub fn json(result: &AnalysisResult) -> String {
    pretty(&Report::of(result))
}

/// A value whose objects all have text keys, with a line for each field and a line end.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, FlatArrays::default());
    // Neither of the two can fail: memory takes all bytes, JSON is UTF-8, and only maps with text
    // keys are written.
    let written = value.serialize(&mut serializer);
    debug_assert!(written.is_ok());
    bytes.push(b'\n');
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Objects on several lines, arrays on one: an array has a value for each thread, and there may be
/// a thousand.
#[derive(Default)]
struct FlatArrays {
    objects: PrettyFormatter<'static>,
}

impl Formatter for FlatArrays {
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.objects.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.objects.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.objects.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.objects.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.objects.end_object_value(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }
}

#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    program: &'a str,
    arguments: &'a [String],
    threads: u32,
    models: &'a [String],
    wall_seconds: f64,
    remarks: &'a [String],
    efficiency: &'a Efficiency,
    metrics: Metrics<'a>,
    call_paths: Vec<CallPath<'a>>,
    findings: Vec<NamedFinding<'a>>,
    instances: &'a [InstanceStatistics],
    phases: &'a [Loop],
    recording: &'a Recording,
    instructions_per_cycle: Option<PerCycle>,
    clocks: Option<&'a ClockSummary>,
    causes: Option<&'a Causes>,
    synchronization: Option<&'a Synchronization>,
    communication: Option<&'a Communication>,
    accesses: &'a Accesses,
    withheld: &'a [Withheld],
    sampling: Option<&'a Sampling>,
    machine: Option<&'a MachineUse>,
    tasks: Option<&'a Tasks>,
    live_findings: &'a [LiveFinding],
    system: System<'a>,
    attributes: &'a BTreeMap<String, String>,
}

#[derive(Serialize)]
struct Metric<'a> {
    name: &'a str,
    description: &'a str,
    unit: &'static str,
    parent: Option<&'a str>,
    total: f64,
    per_thread: Vec<f64>,
}

#[derive(Serialize)]
struct NamedFinding<'a> {
    name: &'a str,
    #[serde(flatten)]
    finding: &'a Finding,
}

#[derive(Serialize)]
struct CallPath<'a> {
    id: usize,
    parent: Option<usize>,
    region: &'a str,
    module: &'a str,
    file: &'a str,
    line: u32,
    metrics: Values<'a>,
}

/// `None` where there were no cycles.
#[derive(Serialize)]
struct PerCycle {
    total: Option<f64>,
    per_thread: Vec<Option<f64>>,
}

#[derive(Serialize)]
struct System<'a> {
    machine: &'a str,
    nodes: &'a [String],
    threads: Vec<Thread<'a>>,
}

#[derive(Serialize)]
struct Thread<'a> {
    name: &'a str,
    node: usize,
    process: u32,
}

/// All metrics by id, in the order of the tree.
struct Metrics<'a>(&'a Cube);

/// Exclusive values of one call path by metric; only those that are not all zero.
struct Values<'a> {
    cube: &'a Cube,
    call_path: CallPathId,
}

impl<'a> Report<'a> {
    fn of(result: &'a AnalysisResult) -> Self {
        let AnalysisResult { cube, summary } = result;
        let call_path = |(id, node): (usize, &'a pgas_cube::model::CallPath)| {
            let region = &cube.regions[node.region.0];
            CallPath {
                id,
                parent: node.parent.map(|p| p.0),
                region: &region.name,
                module: &region.module,
                file: &node.file,
                line: node.line,
                metrics: Values {
                    cube,
                    call_path: CallPathId(id),
                },
            }
        };
        let thread = |thread: &'a pgas_cube::model::Thread| Thread {
            name: &thread.name,
            node: thread.node,
            process: thread.process,
        };
        Report {
            schema: SCHEMA,
            program: &summary.program,
            arguments: &summary.arguments,
            threads: summary.threads,
            models: &summary.models,
            wall_seconds: summary.wall_seconds,
            remarks: &summary.remarks,
            efficiency: &summary.efficiency,
            metrics: Metrics(cube),
            call_paths: cube.call_paths.iter().enumerate().map(call_path).collect(),
            findings: summary
                .findings
                .iter()
                .map(|finding| NamedFinding {
                    name: finding.name(cube),
                    finding,
                })
                .collect(),
            instances: &summary.instances,
            phases: &summary.phases,
            recording: &summary.recording,
            instructions_per_cycle: Ratio::instructions_per_cycle(cube, &counters(result)).map(
                |ratio| PerCycle {
                    total: ratio.total,
                    per_thread: ratio.per_thread,
                },
            ),
            clocks: summary.clocks.as_ref(),
            causes: summary.causes.as_ref(),
            synchronization: summary.synchronization.as_ref(),
            communication: summary.communication.as_ref(),
            accesses: &summary.accesses,
            withheld: &summary.withheld,
            sampling: summary.sampling.as_ref(),
            machine: summary.machine.as_ref(),
            tasks: summary.tasks.as_ref(),
            live_findings: &summary.live_findings,
            system: System {
                machine: &cube.machine,
                nodes: &cube.nodes,
                threads: cube.threads.iter().map(thread).collect(),
            },
            attributes: &cube.attributes,
        }
    }
}

impl Serialize for Metrics<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cube = self.0;
        let mut map = serializer.serialize_map(Some(cube.metrics.len()))?;
        for (index, metric) in cube.metrics.iter().enumerate() {
            let per_thread = cube.per_thread(MetricId(index));
            let value = Metric {
                name: &metric.display_name,
                description: &metric.description,
                unit: metric.unit.symbol(),
                parent: metric
                    .parent
                    .map(|p| cube.metrics[p.0].unique_name.as_str()),
                total: per_thread.iter().sum(),
                per_thread,
            };
            map.serialize_entry(&metric.unique_name, &value)?;
        }
        map.end()
    }
}

impl Serialize for Values<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (index, metric) in self.cube.metrics.iter().enumerate() {
            if let Some(row) = self.cube.row(MetricId(index), self.call_path) {
                if row.iter().any(|&value| value != 0.0) {
                    map.serialize_entry(&metric.unique_name, row)?;
                }
            }
        }
        map.end()
    }
}
