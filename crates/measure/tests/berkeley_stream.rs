//! The events that Berkeley UPC reports for a program of two threads, through the decoder: the
//! recorded trace, and its report.

mod support;

use pgas_result::AnalysisResult;
use pgas_trace::samples::SharedArray;
use serde_json::Value;
use support::{Numbering, compile, describe, expect_quiet};

#[test]
fn a_stream_of_berkeley_upc_becomes_the_trace_and_the_report_of_its_program() {
    let program = compile("berkeley_stream.c", Numbering::Berkeley);
    expect_quiet(&program.command(2).output().unwrap());
    let experiment = program.open();
    let mut found = String::new();
    for stream in experiment.streams() {
        assert!(stream.complete());
        assert_eq!(stream.remarks(), Vec::<String>::new());
        found += &format!("thread {}\n", stream.thread());
        found += &(describe(stream).join("\n") + "\n");
    }
    let expected = include_str!("expected/berkeley_stream.txt");
    assert_eq!(found, expected, "{found}");

    let arrays = experiment.streams()[0].property(pgas_trace::samples::ARRAYS);
    let arrays = SharedArray::all(arrays.unwrap_or_default());
    let declared: Vec<(&str, u64, u64)> = arrays
        .iter()
        .filter(|array| !array.name.is_empty())
        .map(|array| (&*array.name, array.block, array.elements))
        .collect();
    let expected = [("a", 4, 8), ("total", 0, 1), ("src", 1, 2), ("dst", 1, 2)];
    assert_eq!(declared, expected);

    let analysis = pgas_analyze::analyze(&experiment, &|_| {}).unwrap();
    assert_eq!(analysis.summary.remarks, Vec::<String>::new());
    let result = AnalysisResult {
        cube: analysis.cube,
        summary: analysis.summary,
    };
    let report: Value = serde_json::from_str(&pgas_report::json(&result)).unwrap();
    let paths = call_paths(&report);
    let shown: String = paths.iter().map(|path| format!("{path}\n")).collect();
    assert_eq!(shown, CALL_PATHS, "{shown}");

    // Thread 0 comes late to these three; the program's end has a barrier of its own, which is none
    // of main's.
    let waits = |metric: &str| places(&report, &paths, metric);
    let allocations = waits("wait_at_alloc");
    assert!(allocations.contains(&ALLOCATION), "{allocations:?}");
    assert_eq!(waits("collective_sync_in"), [BROADCAST]);
    let barriers = waits("wait_at_barrier");
    assert!(barriers.contains(&BARRIER), "{barriers:?}");
    // Work between the notify and the wait makes two phases of it, and no plain barrier.
    for other in &barriers {
        assert!(!other.contains("sample.upc:14"), "{barriers:?}");
    }
    let text = pgas_report::text(&result, &pgas_report::TextOptions::default());
    for word in ["user_main", "_FINAL_BARRIER", "_STARTUP", "<unknown>"] {
        assert!(!text.contains(word), "{word} in\n{text}");
    }
}

const BARRIER: &str = "main > upc_barrier sample.upc:20";
const ALLOCATION: &str = "main > upc_all_alloc sample.upc:23";
const BROADCAST: &str = "main > upc_all_broadcast sample.upc:27";

/// Plain barriers appear as such though there were two events for each, the lines are those that
/// were reported, and what the runtime does within an operation is part of it.
const CALL_PATHS: &str = "\
program
main sample.upc:16
main > upc_all_lock_alloc sample.upc:18
main > upc_put sample.upc:21
main > upc_barrier sample.upc:20
main > exchange sample.upc:10
main > exchange > upc_memget sample.upc:12
main > exchange > upc_memput sample.upc:13
main > exchange > upc_notify sample.upc:14
main > exchange > work sample.upc:9
main > exchange > upc_wait sample.upc:14
main > upc_lock sample.upc:22
main > upc_get sample.upc:23
main > work sample.upc:9
main > upc_put sample.upc:23
main > upc_unlock sample.upc:22
main > upc_all_alloc sample.upc:23
main > upc_alloc sample.upc:23
main > upc_put sample.upc:24
main > upc_put sample.upc:25
main > upc_barrier sample.upc:25
main > upc_get sample.upc:26
main > upc_put sample.upc:26
main > upc_all_broadcast sample.upc:27
main > upc_all_reduce sample.upc:28
main > upc_free sample.upc:30
main > upc_barrier sample.upc:31
main > upc_lock_free sample.upc:32
main > upc_get sample.upc:32
program end
program end > upc_barrier
";

/// The regions on each path, outermost first, and the place of the innermost.
fn call_paths(report: &Value) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut shown = Vec::new();
    for path in report["call_paths"].as_array().unwrap() {
        let region = path["region"].as_str().unwrap();
        let name = match path["parent"].as_u64() {
            Some(0) | None => region.to_owned(),
            Some(parent) => format!("{} > {region}", names[parent as usize]),
        };
        shown.push(match path["file"].as_str().unwrap() {
            "" => name.clone(),
            file => format!("{name} {file}:{}", path["line"]),
        });
        names.push(name);
    }
    shown
}

/// The call paths at which thread 1 alone lost time of at least a millisecond to the metric, in
/// their order.
fn places<'a>(report: &Value, paths: &'a [String], metric: &str) -> Vec<&'a str> {
    let all = report["call_paths"].as_array().unwrap();
    let mut places = Vec::new();
    for (path, shown) in all.iter().zip(paths) {
        let Some(seconds) = path["metrics"].get(metric) else {
            continue;
        };
        let of_thread = |thread: usize| seconds[thread].as_f64().unwrap();
        if of_thread(1) >= 0.001 && of_thread(0) == 0.0 {
            places.push(shown.as_str());
        }
    }
    places
}
