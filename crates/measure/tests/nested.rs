//! Operations that a runtime performs by others: what happens inside of one belongs to it, and its
//! waiting is found.

mod support;

use pgas_result::AnalysisResult;
use serde_json::Value;
use support::{Numbering, compile, describe, expect_quiet};

#[test]
fn what_a_runtime_does_inside_of_an_operation_belongs_to_it() {
    let program = compile("nested.c", Numbering::Berkeley);
    expect_quiet(&program.command(2).output().unwrap());
    let experiment = program.open();
    for stream in experiment.streams() {
        assert!(stream.complete());
        let found: Vec<String> = describe(stream)
            .into_iter()
            .map(|line| match line.split_once(" { ") {
                Some((start, _)) => start.trim_end().to_owned(),
                None => line,
            })
            .filter(|line| line.trim_start().starts_with("enter"))
            .collect();
        assert_eq!(found, RECORDED, "thread {}", stream.thread());
    }

    let analysis = pgas_analyze::analyze(&experiment, &|_| {}).unwrap();
    // Copies of other threads' data, and no single access.
    let remarks = analysis.summary.remarks.join("\n");
    for part in [
        "no single access",
        "--inst-local",
        "GASNET_SUPERNODE_MAXSIZE=1",
    ] {
        assert!(remarks.contains(part), "{part} in {remarks}");
    }
    let result = AnalysisResult {
        cube: analysis.cube,
        summary: analysis.summary,
    };
    let report: Value = serde_json::from_str(&pgas_report::json(&result)).unwrap();
    let at = |metric: &str, region: &str| -> Vec<f64> {
        let paths = report["call_paths"].as_array().unwrap();
        let path = paths.iter().find(|path| path["region"] == region).unwrap();
        let seconds = path["metrics"][metric].as_array();
        seconds.map_or(vec![0.0, 0.0], |all| {
            all.iter().map(|s| s.as_f64().unwrap()).collect()
        })
    };
    let waits = at("early_prefix_reduce", "upc_all_prefix_reduce");
    assert!(waits[0] == 0.0 && waits[1] >= 0.02, "{waits:?}");
    // The barriers that are left are the program's first one and its end.
    let barriers = report["metrics"]["wait_at_barrier"]["total"].as_f64();
    let first = at("wait_at_barrier", "upc_barrier").iter().sum::<f64>();
    assert!(barriers.unwrap_or(0.0) < waits[1] + first, "{barriers:?}");
    for path in report["call_paths"].as_array().unwrap() {
        assert_ne!(
            (path["line"].as_u64(), path["region"].as_str()),
            (Some(3), Some("upc_barrier"))
        );
    }
}

const RECORDED: [&str; 14] = [
    "enter Function main test.upc:1 None",
    "  enter Notify  test.upc:2 Barrier",
    "  enter Wait  test.upc:2 Barrier",
    "  enter PrefixReduce  test.upc:3 None",
    "  enter Reduce  test.upc:4 None",
    "    enter Function add test.upc:10 None",
    "      enter Memget  test.upc:11 Transfer",
    "  enter Memget  test.upc:5 Transfer",
    "  enter Function leaves test.upc:20 None",
    "    enter Memget  test.upc:21 Transfer",
    "  enter Memget  test.upc:6 Transfer",
    "enter CollectiveExit  test.upc:0 Exit",
    "  enter Notify  test.upc:0 Barrier",
    "  enter Wait  test.upc:0 Barrier",
];
