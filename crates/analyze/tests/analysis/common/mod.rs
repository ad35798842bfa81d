//! Helpers of the tests: streams in memory, and the result of analysing them with one tick as one
//! second.
#![allow(dead_code)] // of what tests of other crates share, not all is used

pub mod looping;
#[path = "../../../../trace/tests/support/numbers.rs"]
pub mod numbers;
pub mod simulator;
pub mod summing;
pub mod truth;

use pgas_analyze::search::{Found, Stretch, search};
use pgas_analyze::{Analysis, Description, conclude};
use pgas_cube::model::CallPathId;
use pgas_earl::{MemorySource, StreamBuilder};
use pgas_trace::Clocks;
use pgas_trace::model::{Attributes, Operation, SyncMode, ThreadId};

pub const FILE: &str = "a.upc";

/// Every wait state, by name.
pub const WAIT_STATES: [&str; 22] = [
    "wait_at_barrier",
    "split_phase_wait",
    "barrier_completion",
    "lock_contention",
    "flag_wait",
    "signal_wait",
    "event_wait",
    "partner_wait",
    "group_wait",
    "completion_wait",
    "fence_wait",
    "wait_at_alloc",
    "collective_sync_in",
    "late_broadcast",
    "early_gather_receiver",
    "early_gather_sender",
    "early_prefix_reduce",
    "wait_at_nxn",
    "nxn_completion",
    "collective_sync_out",
    "wait_inside_collective",
    "no_core_after_wait",
];

pub fn find(sources: Vec<MemorySource>, stretch: Stretch) -> Found {
    let clocks = Clocks::one();
    match search(sources, &clocks, stretch, &mut |_| {}) {
        Ok(found) => found,
        Err(failure) => panic!("{failure}"),
    }
}

pub fn description(threads: usize) -> Description {
    Description {
        recorders: vec![None; threads],
        cpu_seconds: None,
        baseline: None,
        program: "prog".into(),
        locations: (0..threads).map(|t| ("node".into(), t as u32)).collect(),
        ..Description::default()
    }
}

/// One tick is one second.
pub fn analyse(streams: &[StreamBuilder]) -> Analysis {
    analyse_in(streams, Stretch::default())
}

pub fn analyse_in(streams: &[StreamBuilder], stretch: Stretch) -> Analysis {
    analyse_as(streams, stretch, description(streams.len()))
}

/// Of a program that is described otherwise than by [`description`].
pub fn analyse_as(streams: &[StreamBuilder], stretch: Stretch, described: Description) -> Analysis {
    let sources = streams.iter().map(StreamBuilder::source).collect();
    let analysis = conclude(&find(sources, stretch), 1.0, described, Vec::new());
    check_sums(&analysis);
    analysis
}

/// Seconds of a metric by call path and thread, without zeros.
pub fn by_place(analysis: &Analysis, metric: &str) -> truth::Ticks {
    let id = analysis.cube.metric(metric);
    let mut places = truth::Ticks::new();
    for (metric, path, row) in analysis.cube.rows() {
        if Some(metric) == id {
            for (thread, &value) in row.iter().enumerate().filter(|&(_, &value)| value > 0.0) {
                *places
                    .entry((path_name(analysis, path), thread))
                    .or_insert(0.0) += value;
            }
        }
    }
    places
}

/// Seconds of a metric by thread, over all call paths.
pub fn per_thread(analysis: &Analysis, metric: &str) -> Vec<f64> {
    let id = analysis.cube.metric(metric);
    analysis
        .cube
        .per_thread(id.unwrap_or_else(|| panic!("no metric {metric}")))
}

pub fn total(analysis: &Analysis, metric: &str) -> f64 {
    per_thread(analysis, metric).iter().sum()
}

/// "main/f/upc_barrier:7".
pub fn path_name(analysis: &Analysis, path: CallPathId) -> String {
    let cube = &analysis.cube;
    let node = &cube.call_paths[path.0];
    let region = &cube.regions[node.region.0];
    let Some(parent) = node.parent else {
        return region.name.clone();
    };
    let own = match region.module.as_str() {
        "UPC" => format!("{}:{}", region.name, node.line),
        _ => region.name.clone(),
    };
    format!("{}/{own}", path_name(analysis, parent))
}

/// Checks the invariants of every result: classes add up to the time, exactly; nothing is negative;
/// children do not exceed their parent; no wait state exceeds the time in its operation.
pub fn check_sums(analysis: &Analysis) {
    let cube = &analysis.cube;
    let violations = pgas_result::consistency::violations(cube, &analysis.summary);
    assert!(violations.is_empty(), "{violations:#?}");
    for (metric, path, row) in cube.rows() {
        assert!(
            row.iter().all(|&value| value >= 0.0 && value.is_finite()),
            "{} at {}: {row:?}",
            cube.metrics[metric.0].unique_name,
            path_name(analysis, path)
        );
    }
    check_instances(analysis);
    let value = |id: &str| per_thread(analysis, id);
    let (time, computation) = (value("time"), value("computation"));
    let (pgas, measurement) = (value("pgas"), value("measurement"));
    let no_core = value("no_core");
    for thread in 0..cube.threads.len() {
        let sum = computation[thread] + pgas[thread] + no_core[thread] + measurement[thread];
        assert_eq!(sum.to_bits(), time[thread].to_bits(), "thread {thread}");
    }
    for (index, metric) in cube.metrics.iter().enumerate() {
        let Some(parent) = metric.parent else {
            continue;
        };
        let siblings = cube
            .metrics
            .iter()
            .enumerate()
            .filter(|(_, m)| m.parent == Some(parent));
        let ids: Vec<_> = siblings
            .map(|(i, _)| pgas_cube::model::MetricId(i))
            .collect();
        for path in (0..cube.call_paths.len()).map(CallPathId) {
            let whole = cube.row(parent, path);
            for thread in 0..cube.threads.len() {
                let part = |id: &_| cube.row(*id, path).map_or(0.0, |row| row[thread]);
                let parts: f64 = ids.iter().map(part).sum();
                let whole = whole.map_or(0.0, |row| row[thread]);
                assert!(
                    parts <= whole,
                    "metric {index} at {}",
                    path_name(analysis, path)
                );
            }
        }
    }
}

/// Checks the invariants of the instances of every wait state: their distribution lies between its
/// ends, comes to no less than the metric (which is cut where events that cannot be nest in each
/// other), and the worst instance is its end.
fn check_instances(analysis: &Analysis) {
    let cube = &analysis.cube;
    // Figures of a cube are rounded to a part of the time of all threads.
    let rounding = total(analysis, "time") * 1e-14;
    for instances in &analysis.summary.instances {
        let what = &instances.metric;
        let metric = cube.metric(what).expect("a metric");
        let row = cube.row(metric, CallPathId(instances.call_path));
        let total: f64 = row.map_or(0.0, |row| row.iter().sum());
        let spread = instances.spread.expect("a distribution");
        let worst = instances.worst.as_ref().expect("a worst instance");
        assert_eq!(spread.instances.count, instances.instances, "{what}");
        assert!(spread.threads.count >= instances.instances, "{what}");
        for d in [spread.instances, spread.threads] {
            let ascending = [
                d.minimum,
                d.lower_quartile,
                d.median,
                d.upper_quartile,
                d.percentile_95,
                d.maximum,
            ];
            assert!(ascending.is_sorted() && d.minimum > 0.0, "{what}: {d:?}");
            let sum = d.mean * d.count as f64;
            assert!(sum >= total - rounding, "{what}: {d:?}, {total}");
        }
        assert_eq!(spread.instances.maximum, worst.seconds, "{what}");
        let longest = worst.longest_seconds.expect("how long");
        assert!(longest <= spread.threads.maximum && longest <= worst.seconds);
        let number = worst.number.expect("a number");
        assert!((1..=instances.instances).contains(&number), "{what}");
    }
}

/// In a program that could be one, instances add up to the metric.
pub fn instances_add_up(analysis: &Analysis) {
    for metric in WAIT_STATES {
        let all = analysis.summary.instances.iter();
        let of_metric = all.filter(|i| i.metric == metric);
        let spreads = of_metric.filter_map(|i| i.spread);
        let sum: f64 = spreads
            .map(|s| s.instances.mean * s.instances.count as f64)
            .sum();
        let total = total(analysis, metric);
        let is_total = (sum - total).abs() <= 1e-9 * total;
        assert!(is_total, "{metric}: {sum} {total}");
    }
}

pub fn lock(lock: u64) -> Attributes {
    Attributes::Lock { lock }
}

pub fn collective(root: Option<ThreadId>, sync_in: SyncMode, sync_out: SyncMode) -> Attributes {
    Attributes::Collective {
        root,
        sent: 8,
        received: 8,
        sync_in,
        sync_out,
    }
}

/// One thread that is in `operation` at line 10 from `begin` to `end`, within main from 0 to 1000.
pub fn alone(operation: Operation, begin: u64, end: u64, exit: Attributes) -> StreamBuilder {
    let mut stream = StreamBuilder::new();
    stream.call(0, "main", FILE, 1);
    stream.begin(begin, operation, FILE, 10, Attributes::None);
    stream.exit(end, exit).leave(1000);
    stream
}
