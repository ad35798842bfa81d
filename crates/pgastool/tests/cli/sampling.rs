//! Computing time by line, from samples: of work that is divided in known parts, in libraries, and
//! of programs that say less about themselves.

use crate::bench::Bench;
use serde_json::Value;

/// Three parts of a work, and a fourth one at another line; then sorts by the C library.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

static volatile double sink;
static int numbers[200000];

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    double sum = 1;
    for (long i = 0; i < 60000000; i++)
        sum = sum * 0.999999 + 1e-9;
    sink = sum;
    for (long i = 0; i < 20000000; i++)
        sum = sum * 0.999999 + 2e-9;
    sink = sum;
    unsigned seed = 1;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 1664525u + 1013904223u;
        numbers[i] = (int)(seed >> 1);
    }
    for (int k = 0; k < 3; k++)
        qsort(numbers + k * 60000, 60000, sizeof numbers[0], compare);
    upc_barrier;
    return 0;
}
"#;
/// The line of the long loop's sum, and that of the short one's.
const LONG: u64 = 19;
const SHORT: u64 = 22;
const SORT: u64 = 30;

fn sampling(bench: &Bench, name: &str) -> Value {
    bench.ok(&["analyze", name]);
    let text = bench.ok(&["report", name, "--format", "json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    report["sampling"].clone()
}

fn record(bench: &Bench, name: &str) {
    bench.ok(&["run", "-n", "1", "--sample", "1000", "-o", name, "./prog"]);
}

/// Samples of lines from `first` to `last`.
fn samples(sampling: &Value, first: u64, last: u64) -> u64 {
    let places = sampling["places"].as_array().unwrap().iter();
    let here = places.filter(|place| (first..=last).contains(&place["line"].as_u64().unwrap()));
    here.map(|place| place["time"]["samples"].as_u64().unwrap())
        .sum()
}

#[test]
fn work_in_known_parts_has_shares_within_their_intervals() {
    let bench = Bench::new();
    bench.compile(PROGRAM, &["-O1"]);
    record(&bench, "run");
    let sampling = sampling(&bench, "run");
    // A loop and its sum are the work of two lines; the C compiler divides them as it likes.
    let long = samples(&sampling, LONG - 1, LONG) as f64;
    let short = samples(&sampling, SHORT - 1, SHORT) as f64;
    let all = long + short;
    assert!(all >= 50.0, "{sampling:#}");
    // Six standard deviations: by chance once in 10^8 runs. The rest is for a busy machine.
    let deviation = (0.75 * 0.25 / all).sqrt();
    let share = long / all;
    assert!(
        (share - 0.75).abs() < 6.0 * deviation + 0.05,
        "{share} of {all} samples"
    );
    let libraries = sampling["libraries"].as_array().unwrap().iter();
    let mut sorts = libraries.filter(|library| {
        library["module"].as_str().unwrap().starts_with("libc.so")
            && library["called_at"]["line"] == SORT
    });
    let sort = sorts.next().unwrap_or_else(|| panic!("{sampling:#}"));
    assert!(
        sort["function"].as_str().unwrap().contains("sort"),
        "{sort}"
    );
    // What a line takes is in between its bounds, and all lines together take what there is.
    let lines = sampling["lines"].as_array().unwrap();
    for line in lines {
        let estimate = &line["time"]["estimate"];
        if let Some(seconds) = estimate["seconds"].as_f64() {
            assert!(estimate["low_seconds"].as_f64().unwrap() <= seconds);
            assert!(seconds <= estimate["high_seconds"].as_f64().unwrap());
        }
    }
    let text = bench.ok(&["report", "run"]);
    assert!(text.contains("COMPUTING TIME BY LINE"), "{text}");
    assert!(text.contains(&format!("prog.upc:{LONG}")), "{text}");
    bench.ok(&["convert", "run", "--to", "folded", "-o", "run.folded"]);
    let folded = std::fs::read_to_string(bench.path("run.folded")).unwrap();
    assert!(
        folded.contains(&format!("main (prog.upc:{LONG})")),
        "{folded}"
    );
}

#[test]
fn names_outlive_the_program_and_another_build_gives_none() {
    let bench = Bench::new();
    bench.compile(PROGRAM, &["-O1"]);
    record(&bench, "run");
    // With all lines two lines further down.
    bench.compile(&format!("\n\n{PROGRAM}"), &["-O1"]);
    let kept = sampling(&bench, "run");
    assert!(samples(&kept, LONG - 1, LONG) > 0, "{kept:#}");
    std::fs::remove_file(bench.path("run/symbols.json")).unwrap();
    let lost = sampling(&bench, "run");
    assert_eq!(
        lost["places"],
        serde_json::json!([]),
        "no line of another build"
    );
    let modules = lost["modules"].as_array().unwrap().iter();
    let mut notes = modules.filter_map(|module| module["note"].as_str());
    assert!(
        notes.any(|note| note.contains("has changed since the run")),
        "{lost:#}"
    );
    let text = bench.ok(&["report", "run"]);
    assert!(text.contains("has changed since the run"), "{text}");
}

#[test]
fn a_program_without_debug_information_shows_its_functions() {
    let bench = Bench::new();
    bench.compile(PROGRAM, &["-O1", "-g0"]);
    record(&bench, "run");
    let sampling = sampling(&bench, "run");
    let lines = sampling["lines"].as_array().unwrap().iter();
    let mut functions = lines.map(|line| line["place"]["function"].as_str().unwrap());
    assert!(functions.any(|function| function == "main"), "{sampling:#}");
    assert_eq!(sampling["places"], serde_json::json!([]));
    let text = bench.ok(&["report", "run"]);
    assert!(text.contains("no debug information"), "{text}");
}

/// Nothing is sampled while a program blocks all signals; the report says for how long.
#[test]
fn time_without_samples_is_told() {
    let bench = Bench::new();
    let program = PROGRAM.replace(
        "    sink = sum;\n    unsigned",
        "    sink = sum;\n    sigset_t all;\n    sigfillset(&all);\n    sigprocmask(SIG_BLOCK, &all, 0);\n    \
         for (long i = 0; i < 100000000; i++) sum = sum * 0.999999 + 3e-9;\n    sink = sum;\n    unsigned",
    );
    let program = format!("#include <signal.h>\n{program}");
    bench.compile(&program, &["-O1"]);
    record(&bench, "run");
    let found = sampling(&bench, "run");
    let missing = found["missing_seconds"].as_f64().unwrap();
    let sampled: f64 = found["call_paths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|path| path["seconds"].as_f64().unwrap())
        .sum();
    // 100 of 180 million iterations, and the sorting.
    assert!(missing > 0.3 * sampled, "{missing} {sampled}");
    let report = bench.ok(&["report", "run"]);
    let told = "samples are missing for ";
    assert!(
        report.contains(told) && report.contains("see the remark"),
        "{report}"
    );
    let long = found["lines"].as_array().unwrap().iter();
    let long = long.map(|line| line["time"]["estimate"]["high_seconds"].as_f64());
    assert!(long.flatten().all(|high| high > missing), "{found:#}");
}
