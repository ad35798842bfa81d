//! Programs that call tiny functions millions of times: however it is recorded, all calls are in
//! the report, which says what was only counted, what that leaves unknown, and what recording cost.

use crate::bench::{Bench, EACH_AN_EVENT, contains, last_line};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const ROUNDS: u64 = 10;
const TINY: u64 = 100_000;
const READS: u64 = 15_000;

const PROGRAM: &str = r#"#include <upc.h>
#include <stdio.h>

shared int cells[THREADS];

int tiny(int a, int b) { return a ^ (b << 1); }

int work(int round) {
    int i, sum = round;
    for (i = 0; i < 100000; i++) sum = tiny(sum, i);
    return sum;
}

int sum_up(void) {
    int i, sum = 0;
    for (i = 0; i < 15000; i++) sum += cells[(MYTHREAD + 1) % THREADS];
    return sum;
}

int main(void) {
    int round, sum = 0;
    cells[MYTHREAD] = 1;
    upc_barrier;
    for (round = 0; round < 10; round++) {
        sum ^= work(round);
        sum += sum_up();
        upc_barrier;
    }
    if (MYTHREAD == 0) printf("sum %d\n", sum);
    return 0;
}
"#;

/// Runs with `options`, analyses, and returns the experiment and its report as JSON.
fn recorded(bench: &Bench, options: &[&str]) -> (String, Value) {
    let mut arguments = vec!["run", "-n", "2"];
    arguments.extend(options);
    arguments.push("./prog");
    let experiment = last_line(&bench.ok(&arguments)).to_owned();
    bench.ok(&["analyze", &experiment]);
    let json = bench.ok(&["report", &experiment, "--format", "json"]);
    (experiment, serde_json::from_str(&json).unwrap())
}

fn per_thread(report: &Value, metric: &str) -> Vec<f64> {
    let values = report["metrics"][metric]["per_thread"].as_array();
    let values = values.unwrap_or_else(|| panic!("no {metric}"));
    values.iter().map(|value| value.as_f64().unwrap()).collect()
}

/// Visits of each thread by region, over all call paths.
fn visits(report: &Value) -> BTreeMap<String, Vec<u64>> {
    let mut all = BTreeMap::new();
    for path in report["call_paths"].as_array().unwrap() {
        let region = path["region"].as_str().unwrap().to_owned();
        let Some(visits) = path["metrics"]["visits"].as_array() else {
            continue;
        };
        let sums = all.entry(region).or_insert_with(|| vec![0; visits.len()]);
        for (sum, visits) in sums.iter_mut().zip(visits) {
            *sum += visits.as_f64().unwrap() as u64;
        }
    }
    all
}

/// Counts, bytes and sums of times that are the same in every recording of the program.
fn check_counts(report: &Value, options: &[&str]) {
    let visits = visits(report);
    for (region, calls) in [
        ("main", 1),
        ("work", ROUNDS),
        ("tiny", ROUNDS * TINY),
        ("upc_get", ROUNDS * READS),
    ] {
        assert_eq!(visits[region], [calls, calls], "{options:?}: {region}");
    }
    let bytes = (ROUNDS * READS * 4) as f64;
    assert_eq!(
        per_thread(report, "bytes_get_remote"),
        [bytes, bytes],
        "{options:?}"
    );
    let [time, computation, pgas, no_core, measurement] =
        ["time", "computation", "pgas", "no_core", "measurement"]
            .map(|metric| per_thread(report, metric));
    for thread in 0..2 {
        let sum = computation[thread] + pgas[thread] + no_core[thread] + measurement[thread];
        assert_eq!(sum.to_bits(), time[thread].to_bits(), "{options:?}");
    }
}

#[test]
fn tiny_functions_are_counted_and_named() {
    let bench = Bench::new();
    bench.compile_all(PROGRAM, &[]);
    let (experiment, report) = recorded(&bench, &[]);
    check_counts(&report, &[]);
    let recording = &report["recording"];
    assert_eq!(recording["wait_states"], "all");
    let throttled = recording["throttled"].as_array().unwrap();
    let names: Vec<_> = throttled
        .iter()
        .map(|t| t["region"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["tiny", "upc_get"]);
    let count = |value: &Value| value.as_u64().unwrap();
    // Each thread recorded the first 100,000 calls one by one.
    let left_out = 2 * (ROUNDS * TINY - 100_000);
    assert_eq!(count(&throttled[0]["calls"]), left_out);
    assert_eq!(
        count(&throttled[1]["calls"]),
        2 * (ROUNDS * READS - 100_000)
    );
    let timed = count(&throttled[0]["timed_calls"]);
    assert!(0 < timed && timed < left_out / 10, "{timed}");
    let cost = &recording["cost"];
    assert_eq!(
        count(&cost["throttled_calls"]),
        left_out + count(&throttled[1]["calls"])
    );
    assert!(cost["seconds"].as_f64().unwrap() > 0.0);
    assert!(report["metrics"].get("wait_at_barrier").is_some());

    let text = bench.ok(&["report", &experiment]);
    contains(
        &text,
        &[
            "WHAT RECORDING COST",
            "1.80 million calls",
            "tiny",
            "prog.upc:6",
        ],
    );
}

#[test]
fn without_throttling_nothing_is_left_out() {
    let bench = Bench::new();
    bench.compile_all(PROGRAM, &[]);
    let options = ["--throttle=off"];
    let (_, report) = recorded(&bench, &options);
    check_counts(&report, &options);
    assert_eq!(report["recording"]["throttled"], serde_json::json!([]));
    let events = report["recording"]["cost"]["events"].as_u64().unwrap();
    assert!(events > 4 * ROUNDS * (TINY + READS), "{events}");
}

#[test]
fn a_profile_has_all_calls_and_says_that_waiting_is_not_known() {
    let bench = Bench::new();
    bench.compile_all(PROGRAM, &[]);
    let (experiment, report) = recorded(&bench, &["--profile"]);
    check_counts(&report, &["--profile"]);
    assert_eq!(report["recording"]["wait_states"], "none");
    assert_eq!(report["recording"]["cost"]["events"], 0);
    assert!(report["metrics"].get("wait_at_barrier").is_none());
    assert!(
        per_thread(&report, "barrier")
            .iter()
            .all(|&seconds| seconds > 0.0)
    );
    assert_eq!(visits(&report)["upc_barrier"].len(), 2);
    let text = bench.ok(&["report", &experiment]);
    contains(
        &text,
        &["recorded with --profile", "run without it for wait"],
    );
    // The profile is a CUBE file as any other.
    contains(
        &bench.ok(&["report", &experiment, "--format", "cube"]),
        &["<cube version="],
    );
}

#[test]
fn behind_the_limit_of_the_trace_all_calls_are_counted() {
    let bench = Bench::new();
    bench.compile_all(PROGRAM, &[]);
    let options = ["--throttle=off", "--trace-limit=64K", "--buffer=16K"];
    let (experiment, report) = recorded(&bench, &options);
    check_counts(&report, &options);
    let recording = &report["recording"];
    assert_eq!(recording["wait_states"], "until_trace_ends");
    let end = recording["trace_ends_seconds"].as_f64().unwrap();
    assert!(0.0 < end && end < report["wall_seconds"].as_f64().unwrap());
    assert!(recording["cost"]["summed_calls"].as_u64().unwrap() > 0);
    contains(&bench.ok(&["report", &experiment]), &["--trace-limit"]);
}

/// Visits of each thread by call path: regions and lines from the root on.
fn visits_by_path(report: &Value) -> BTreeMap<String, Value> {
    let mut names: Vec<String> = Vec::new();
    let mut visits = BTreeMap::new();
    for path in report["call_paths"].as_array().unwrap() {
        let own = format!("{}:{}", path["region"].as_str().unwrap(), path["line"]);
        let name = match path["parent"].as_u64() {
            Some(parent) => format!("{} > {own}", names[parent as usize]),
            None => own,
        };
        if let Some(count) = path["metrics"].get("visits") {
            // Stalls of the measurement happen when they happen, and so does the loss of a core.
            if !name.contains("measurement") && !name.contains("no core") {
                visits.insert(name.clone(), count.clone());
            }
        }
        names.push(name);
    }
    visits
}

/// The NAS integer sort calls its random numbers one by one: what needed a filter once is throttled
/// by itself.
#[test]
fn the_integer_sort_needs_no_filter() {
    let bench = Bench::new();
    let kernel = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../npb-fixtures/is");
    let sources = ["is.c", "randdp.c"].map(|file| kernel.join(file).display().to_string());
    let mut arguments = vec!["compile"];
    arguments.extend(EACH_AN_EVENT);
    arguments.extend(["-O2", "-DCLASS=S", "-o", "prog"]);
    arguments.extend(sources.iter().map(String::as_str));
    arguments.push("-lm");
    bench.ok(&arguments);

    let (experiment, throttled) = recorded(&bench, &["--throttle=10000,100"]);
    let all = throttled["recording"]["throttled"].as_array().unwrap();
    let names: Vec<_> = all.iter().map(|t| t["region"].as_str().unwrap()).collect();
    assert_eq!(names, ["randdp_next"]);
    contains(
        &bench.ok(&["report", &experiment]),
        &["randdp_next", "calls"],
    );

    let expected = visits_by_path(&throttled);
    for options in [&["--throttle=off"][..], &["--profile"]] {
        let (_, report) = recorded(&bench, options);
        assert_eq!(visits_by_path(&report), expected, "{options:?}");
        for metric in ["bytes_get", "bytes_put"] {
            assert_eq!(
                per_thread(&report, metric),
                per_thread(&throttled, metric),
                "{options:?}"
            );
        }
    }
}
