//! Clocks of several nodes, on one machine: a variable for tests shifts and stretches the clocks of
//! some threads and gives them other hosts' names. The program's threads compare their clocks
//! through its shared memory; the result must undo that to within the uncertainty that is stated.

mod measured;

use std::path::{Path, PathBuf};
use std::process::Command;

use measured::{pgastool, succeed};
use pgas_trace::clocks::Method;
use pgas_trace::model::Operation;
use pgas_trace::{Experiment, Stream};
use tempfile::TempDir;

/// A thread's clock shows `offset` ticks more than the machine's and runs `ppm` faster, counted
/// from zero.
#[derive(Clone, Copy)]
struct Disguise {
    thread: u32,
    offset: i64,
    ppm: f64,
    host: &'static str,
}

const fn disguise(thread: u32, offset: i64, ppm: f64, host: &'static str) -> Disguise {
    Disguise {
        thread,
        offset,
        ppm,
        host,
    }
}

impl Disguise {
    fn shown(self, ticks: u64) -> u64 {
        let drift = (ticks as f64 * (self.ppm * 1e-6)).round() as i64;
        ticks.saturating_add_signed(drift + self.offset)
    }

    /// Time of the machine's clock, to the tick, at which this one showed `ticks`.
    fn truth(self, ticks: u64) -> u64 {
        let (mut low, mut high) = (0, u64::MAX >> 2);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.shown(middle) < ticks {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }
}

fn variable(disguises: &[Disguise]) -> String {
    let parts = disguises
        .iter()
        .map(|d| format!("{}:{}:{}:{}", d.thread, d.offset, d.ppm, d.host));
    parts.collect::<Vec<_>>().join(",")
}

/// A program of `tests/clocks`, compiled so that its clocks can be disguised.
struct Program {
    dir: TempDir,
    path: PathBuf,
}

fn compile(flags: &[&str]) -> Program {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("ends");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clocks/ends.upc");
    succeed(
        pgastool(dir.path())
            .env("PGAS_TEST_CLOCKS", "")
            .arg("compile")
            .args(flags)
            .args(["-O2", "-o"])
            .arg(&path)
            .arg(source),
    );
    Program { dir, path }
}

impl Program {
    /// A run on 4 threads with clocks in disguise.
    fn run(&self, disguises: &[Disguise], end: &str, also: impl Fn(&mut Command)) -> Experiment {
        let directory = self.dir.path().join("experiment");
        let _ = std::fs::remove_dir_all(&directory);
        let mut command = pgastool(self.dir.path());
        command.args(["run", "-n", "4", "-o"]).arg(&directory);
        if !disguises.is_empty() {
            command.env("PGAS_TEST_CLOCKS", variable(disguises));
        }
        also(&mut command);
        let output = succeed(command.arg("--").arg(&self.path).arg(end));
        if end != "silent" {
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(printed.starts_with("sum 6 of 4 threads\n"), "{printed}");
        }
        Experiment::open(&directory).expect("readable")
    }
}

/// Corrected times of all events are those that the machine's clock showed, within the uncertainty,
/// which is known.
fn assert_corrected(experiment: &Experiment, disguises: &[Disguise]) {
    for stream in experiment.streams() {
        let thread = stream.thread();
        let truth = |ticks: u64| match disguises.iter().find(|d| d.thread == thread) {
            Some(disguise) => disguise.truth(ticks),
            None => ticks,
        };
        let raw = stream.events().map(|event| event.expect("readable").time);
        let mut corrected = experiment.corrected_events(stream);
        let mut count = 0;
        for raw in raw {
            let found = corrected.next().expect("as many").expect("readable").time;
            let stated = experiment.clocks().uncertainty(thread, found);
            let error = found as f64 - truth(raw) as f64;
            assert!(
                error.abs() <= stated + 2.0,
                "thread {thread}: wrong by {error} ticks, stated {stated}"
            );
            assert!(stated.is_finite(), "thread {thread}");
            count += 1;
        }
        assert!(count > 4);
        assert_eq!(corrected.held(), 0);
    }
}

fn stalls(stream: &Stream) -> usize {
    let is_stall = |site: &pgas_trace::model::Site| site.operation == Operation::MeasurementStall;
    stream.sites().iter().filter(|site| is_stall(site)).count()
}

/// Threads 1 and 2 on a second node, 3 on a third.
const THREE_NODES: [Disguise; 3] = [
    disguise(1, 1_000_000_000_000, 40.0, "north"),
    disguise(2, 1_000_000_000_000, 40.0, "north"),
    disguise(3, -5_000_000, -75.0, "south"),
];

#[test]
fn start_and_end_are_compared_one_node_after_another() {
    let experiment = compile(&[]).run(&THREE_NODES, "main", |_| {});
    assert_eq!(experiment.clocks().method(), Method::Linear);
    let hosts: Vec<&str> = experiment
        .clocks()
        .nodes()
        .iter()
        .map(|n| n.host())
        .collect();
    assert_eq!(hosts[1..], ["north", "south"]);
    let made: Vec<usize> = experiment
        .streams()
        .iter()
        .map(|stream| stream.clock_comparisons().len())
        .collect();
    assert_eq!(made, [0, 2, 0, 2], "the first thread of each node");
    for stream in experiment.streams() {
        assert_eq!(stalls(stream), 1, "all stand still meanwhile, and say so");
        for comparison in stream.clock_comparisons() {
            assert!(comparison.exchanges >= 20);
            assert_eq!(comparison.reference, 0);
        }
    }
    assert_corrected(&experiment, &THREE_NODES);
}

#[test]
fn in_a_ring_and_with_a_fixed_number_of_threads() {
    let four_nodes = [THREE_NODES[0], disguise(2, 3, 10.0, "west"), THREE_NODES[2]];
    let experiment = compile(&["-T", "4"]).run(&four_nodes, "main", |command| {
        command.env("PGAS_CLOCKS", "ring,30");
    });
    assert_eq!(experiment.clocks().method(), Method::Ring);
    for stream in &experiment.streams()[1..] {
        let made = stream.clock_comparisons();
        assert_eq!(made.len(), 2);
        assert!(made.iter().all(|c| c.reference == stream.thread() - 1));
    }
    assert_corrected(&experiment, &four_nodes);
}

/// Without an orderly end the comparison at the start has to do, and its uncertainty grows.
#[test]
fn programs_that_end_otherwise_have_the_comparison_at_their_start() {
    let program = compile(&[]);
    let experiment = program.run(&THREE_NODES, "global", |_| {});
    let correction = experiment.clocks().nodes()[2].correction().expect("one");
    assert!(!correction.measures_drift());
    assert_corrected(&experiment, &THREE_NODES);
    // The end of a program without barriers is the first time that all threads are known to be
    // there.
    let experiment = program.run(&THREE_NODES, "silent", |_| {});
    assert_eq!(experiment.streams()[3].clock_comparisons().len(), 1);
    assert_corrected(&experiment, &THREE_NODES);
}

#[test]
fn comparing_can_be_switched_off_and_happens_on_several_nodes_only() {
    let program = compile(&[]);
    let experiment = program.run(&THREE_NODES, "main", |command| {
        command.env("PGAS_CLOCKS", "off");
    });
    assert_eq!(experiment.clocks().method(), Method::Incomplete);
    let remarks = experiment.remarks().join("\n");
    assert!(remarks.contains("north, south"), "{remarks}");
    let experiment = program.run(&[], "main", |_| {});
    assert!(experiment.clocks().are_one());
    for stream in experiment.streams() {
        assert_eq!(stalls(stream), 0);
        assert!(stream.clock_comparisons().is_empty());
    }
}
