//! The cost of recording: counted call by call, measured against a plain build, and where it was
//! too much, the marks in reports and comparisons.

use crate::bench::{Bench, contains, keeps_schema, last_line};
use serde_json::Value;

/// Nearly all that the measured program does is recording: millions of single accesses, half of
/// them to own data.
const PROGRAM: &str = r#"#include <upc_relaxed.h>
#include <stdio.h>

shared long cells[64 * THREADS];

int main(void) {
    long i, sum = 0;
    for (i = 0; i < 1000000; i++) sum += cells[i % 64 * THREADS + (MYTHREAD + i % 2) % THREADS];
    upc_barrier;
    if (MYTHREAD == 0) printf("sum %ld\n", sum);
    return 0;
}
"#;

fn report(bench: &Bench, experiment: &str) -> Value {
    bench.ok(&["analyze", experiment]);
    let report = bench.ok(&["report", experiment, "--format", "json"]);
    let report = serde_json::from_str(&report).unwrap();
    keeps_schema(&report, "report-1");
    report
}

#[test]
fn the_report_begins_with_what_recording_cost() {
    let bench = Bench::new();
    bench.compile_all(PROGRAM, &["-O2"]);
    let experiment = bench.ok(&["run", "-n", "2", "./prog"]);
    let experiment = last_line(&experiment);
    let recorded = report(&bench, experiment);
    let cost = &recorded["recording"]["cost"];
    // Of each thread's accesses, half are to its own part.
    assert_eq!(cost["own_accesses"], 1_000_000);
    let calls = cost["events"].as_u64().unwrap() / 2 + cost["throttled_calls"].as_u64().unwrap();
    assert!((1_000_000..1_000_020).contains(&calls), "{cost}");
    let percent = cost["percent"].as_f64().unwrap();
    assert!((20.0..100.0).contains(&percent), "{cost}");
    let (low, high) = (&cost["interval"][0], &cost["interval"][1]);
    assert!(low.as_f64().unwrap() <= percent && percent <= high.as_f64().unwrap());
    let text = bench.ok(&["report", experiment]);
    let begin: String = text.lines().take(6).collect();
    contains(
        &begin,
        &["Recording took about", "of the CPU time", "inflated"],
    );
    contains(&text, &["not judged", "(", "recording)"]);

    // Compared with itself, nothing has changed.
    let diff = bench.ok(&["diff", experiment, experiment, "--fail-on", "wall_time+5"]);
    contains(&diff, &["recording took", "kept"]);
}

#[test]
fn a_baseline_is_measured_and_used() {
    let bench = Bench::new();
    bench.compile_all(PROGRAM, &["-O2"]);
    bench.ok(&[
        "compile",
        "--no-instrument",
        "-O2",
        "-o",
        "plain",
        "prog.upc",
    ]);
    let mut run = vec!["run", "-n", "2", "--baseline", "./plain"];
    // Several runs may differ by more than recording costs.
    run.extend(["--baseline-runs", "1", "./prog"]);
    let told = bench.ok(&run);
    // The output of the baseline is not the program's.
    assert_eq!(told.matches("sum ").count(), 1, "{told}");
    let experiment = last_line(&told);
    let recorded = report(&bench, experiment);
    let cost = &recorded["recording"]["cost"];
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{cost}"));
    let plain = number(&cost["baseline"]["cpu_seconds"]);
    let measured = number(&cost["cpu_seconds"]);
    let expected = 100.0 * (measured - plain) / measured;
    assert!((number(&cost["percent"]) - expected).abs() < 1e-9, "{cost}");
    assert_eq!(cost["baseline"]["program"], "./plain");
    contains(
        &bench.ok(&["report", experiment]),
        &["measured against ./plain"],
    );
}

#[test]
fn what_is_no_baseline_is_refused_before_anything_runs() {
    let bench = Bench::new();
    bench.compile_all(PROGRAM, &[]);
    let refused = bench.refused(&["run", "-n", "2", "--baseline", "./prog", "./prog"]);
    contains(&refused, &["`./prog` is no baseline", "--no-instrument"]);
    let refused = bench.refused(&["run", "-n", "2", "--baseline", "/bin/true", "./prog"]);
    contains(&refused, &["not compiled by `pgastool compile`"]);
    bench.write("fails.upc", "int main(void) { return 3; }\n");
    bench.ok(&["compile", "--no-instrument", "-o", "fails", "fails.upc"]);
    let refused = bench.refused(&["run", "-n", "2", "--baseline", "./fails", "./prog"]);
    contains(&refused, &["ended with exit status 3"]);
    assert_eq!(bench.experiments(), [] as [String; 0]);
}
