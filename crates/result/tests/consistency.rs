//! Contradictions are found: each figure of a small result that agrees with itself is changed in
//! turn.

use pgas_cube::model::{
    CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId, Thread, Unit,
};
use pgas_result::AnalysisResult;
use pgas_result::consistency::violations;
use pgas_result::summary::{Finding, Summary};
use pgas_result::tasks::{ProcessorLoad, Tasks};

const METRICS: [(&str, Option<usize>); 6] = [
    ("time", None),
    ("computation", Some(0)),
    ("pgas", Some(0)),
    ("barrier", Some(2)),
    ("wait_at_barrier", Some(3)),
    ("one_sided", Some(2)),
];

/// Two threads that run for 10 s: one computes for 6 s, waits for 3 s, and is in the barrier for
/// another; the other one computes for 9 s.
fn sample() -> AnalysisResult {
    let mut cube = Cube::default();
    cube.metrics = METRICS
        .map(|(id, parent)| Metric {
            display_name: id.into(),
            unique_name: id.into(),
            unit: Unit::Seconds,
            url: String::new(),
            description: String::new(),
            parent: parent.map(MetricId),
        })
        .into();
    for (name, parent) in [("main", None), ("upc_barrier", Some(CallPathId(0)))] {
        cube.regions.push(Region {
            name: name.into(),
            module: "UPC".into(),
            begin_line: 0,
            end_line: 0,
            description: String::new(),
        });
        cube.call_paths.push(CallPath {
            region: RegionId(cube.regions.len() - 1),
            parent,
            file: "a.upc".into(),
            line: 7,
        });
    }
    cube.nodes.push("node".into());
    for process in 0..2 {
        cube.threads.push(Thread {
            name: format!("Thread {process}"),
            node: 0,
            process,
        });
    }
    let rows: [(usize, usize, [f64; 2]); 6] = [
        (0, 0, [6.0, 9.0]),
        (1, 0, [6.0, 9.0]),
        (0, 1, [4.0, 1.0]),
        (2, 1, [4.0, 1.0]),
        (3, 1, [4.0, 1.0]),
        (4, 1, [3.0, 0.0]),
    ];
    for (metric, path, values) in rows {
        let row = cube.row_mut(MetricId(metric), CallPathId(path));
        row.copy_from_slice(&values);
    }
    let summary = serde_json::json!({
        "schema": 1, "program": "prog", "arguments": [], "threads": 2, "wall_seconds": 10.0,
        "efficiency": {
            "load_balance": 7.5 / 9.0, "communication_efficiency": 0.9, "parallel_efficiency": 0.75
        },
        "findings": [finding("wait_at_barrier", "wait", 3.0), finding("barrier", "cost", 2.0)],
        "instances": [], "remarks": []
    });
    let summary: Summary = serde_json::from_value(summary).expect("a summary");
    AnalysisResult { cube, summary }
}

fn finding(metric: &str, kind: &str, seconds: f64) -> serde_json::Value {
    serde_json::json!({
        "kind": kind, "metric": metric, "seconds": seconds, "percent": 5.0 * seconds, "region": "upc_barrier",
        "function": "main", "file": "a.upc", "line": 7, "call_path": 1, "culprit_thread": 1, "cause": "", "advice": "",
        "worst": null, "saves_seconds": 1.5
    })
}

/// The complaint about the sample with something changed.
fn said(change: impl Fn(&mut AnalysisResult)) -> Vec<String> {
    let mut result = sample();
    change(&mut result);
    violations(&result.cube, &result.summary)
}

fn says(text: &str, change: impl Fn(&mut AnalysisResult)) {
    let said = said(change);
    let found = said.iter().any(|problem| problem.contains(text));
    assert!(found, "{text}: {said:?}");
}

fn first(result: &mut AnalysisResult) -> &mut Finding {
    &mut result.summary.findings[0]
}

#[test]
fn figures_that_agree_are_left_alone() {
    assert_eq!(said(|_| {}), Vec::<String>::new());
}

#[test]
fn findings_cost_no_more_than_their_metric() {
    says(
        "cost of finding 0 (wait_at_barrier) at upc_barrier: 3.5 of 3",
        |r| {
            (first(r).seconds, first(r).percent) = (3.5, 17.5);
        },
    );
    says("share of finding 0", |r| first(r).percent = 20.0);
    says("saving of finding 0", |r| {
        first(r).saves_seconds = Some(10.5)
    });
    says("metric unknown of finding 0", |r| {
        first(r).metric = "cache".into()
    });
    says("findings[0].call_path names call path 9", |r| {
        first(r).call_path = 9
    });
    // At another call path there is no waiting.
    says("cost of finding 0", |r| first(r).call_path = 0);
}

#[test]
fn all_findings_of_a_metric_cost_no_more_than_it() {
    let again = |r: &mut AnalysisResult| {
        let same = first(r).clone();
        r.summary.findings.push(same);
    };
    says("findings on wait_at_barrier in all: 6 of 3", again);
    says("findings on barrier at upc_barrier: 8 of 5", again);
    let overlapping = said(|r| {
        again(r);
        r.summary.findings[0].overlaps = vec![2];
        r.summary.findings[2].overlaps = vec![0];
    });
    assert_eq!(overlapping, Vec::<String>::new());
    says(
        "finding 0 overlaps with 1, but not the other way round",
        |r| {
            first(r).overlaps = vec![1];
        },
    );
}

#[test]
fn parts_and_wholes_of_the_cube_agree() {
    says("children of time at call path 0 on thread 1", |r| {
        r.cube.row_mut(MetricId(1), CallPathId(0))[1] = 8.0;
    });
    says("children of barrier at call path 1 on thread 0", |r| {
        r.cube.row_mut(MetricId(4), CallPathId(1))[0] = 4.5;
    });
    says("negative or no number", |r| {
        r.cube.row_mut(MetricId(5), CallPathId(1))[0] = f64::NAN;
    });
    says("time of thread 0 in the length of the run", |r| {
        r.summary.wall_seconds = 9.0
    });
    says("parallel efficiency", |r| {
        r.summary.efficiency.load_balance = 0.5
    });
}

/// A run on one processor, to which efficiency and speedup are relative.
#[test]
fn speedup_is_relative_to_a_run_on_one_processor() {
    let load = |thread| ProcessorLoad {
        thread,
        computing: 1.0,
        communicating: 0.0,
        idle: 1.0,
        rest: 0.0,
        run_time: 2.0,
        tasks: 1,
    };
    let mut tasks = Tasks {
        processors: vec![load(0), load(1)],
        tasks: Vec::new(),
        omitted_tasks: 0,
        channels: Vec::new(),
        omitted_channels: 0,
        efficiency: 0.5,
        speedup: 1.0,
        one_processor_seconds: None,
        message_cost: None,
    };
    tasks.relate_to(3.0, 2.0);
    assert_eq!((tasks.efficiency, tasks.speedup), (0.75, 1.5));
    assert_eq!(tasks.one_processor_seconds, Some(3.0));
    // Nothing is relative to a run of no length.
    tasks.relate_to(0.0, 2.0);
    assert_eq!(tasks.one_processor_seconds, Some(3.0));
}
