//! Fine-grained programs as people write them first: with all defaults, the fault that each has is
//! found at its line, advice fits, and none is given that says nothing, or would change results.

mod measured;

use std::path::{Path, PathBuf};

use measured::{Measured, measure, pgastool, succeed};
use serde_json::Value;

fn source(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/first_programs");
    folder.join(name)
}

/// The line of a source that has a comment with this word.
fn line(name: &str, word: &str) -> u64 {
    let text = std::fs::read_to_string(source(name)).expect("the source");
    let marker = format!("/* {word} */");
    let at = text.lines().position(|line| line.contains(&marker));
    at.unwrap_or_else(|| panic!("no {marker} in {name}")) as u64 + 1
}

/// The whole cycle with each access and call as an event: these programs are too short for samples
/// to say what accesses cost.
fn run(name: &str, threads: u32) -> Measured {
    run_with(name, threads, &[])
}

fn run_with(name: &str, threads: u32, options: &[&str]) -> Measured {
    let folder = tempfile::tempdir().expect("a folder");
    let mut compile = pgastool(folder.path());
    compile
        .args(["compile", "--upcc", "embedded", "--accesses", "all"])
        .args(["--functions", "all", "-O2", "-T"])
        .arg(threads.to_string())
        .args(["-o", "prog", "-lm"])
        .args(options)
        .arg(source(name));
    succeed(&mut compile);
    let run = measure(
        folder.path(),
        &folder.path().join("prog"),
        &[],
        threads,
        "e",
    );
    says_something(&run);
    run
}

/// No advice that no program of two threads, or none at all, can follow.
fn says_something(run: &Measured) {
    for finding in run.report["findings"].as_array().expect("findings") {
        let text = format!("{} {}", finding["cause"], finding["advice"]);
        for nothing in ["thread after it", "thread before it", "hift the index"] {
            assert!(!text.contains(nothing), "{nothing}: {finding:#}");
        }
    }
}

/// Findings on what the program does. How long threads wait at barriers depends on what else the
/// machine has to do.
fn on_accesses(run: &Measured) -> Vec<&Value> {
    let all = run.report["findings"].as_array().expect("findings");
    all.iter()
        .filter(|finding| finding["metric"] == "one_sided")
        .collect()
}

fn at(run: &Measured, line: u64) -> Vec<&Value> {
    let found = on_accesses(run).into_iter();
    found.filter(|finding| finding["line"] == line).collect()
}

fn has(finding: &Value, field: &str, words: &str) {
    let text = finding[field].as_str().expect("text");
    assert!(text.contains(words), "'{words}' is not in: {text}");
}

/// No finding on accesses at the line proposes a block transfer.
fn proposes_no_block(run: &Measured, line: u64) {
    for finding in at(run, line) {
        let advice = finding["advice"].as_str().expect("text");
        assert!(
            !advice.contains("upc_memget") && !advice.contains("upc_memput"),
            "{finding:#}"
        );
    }
}

#[test]
fn rows_of_an_array_that_is_dealt_out_by_elements_are_found_first() {
    for threads in [2, 4] {
        let run = run("jacobi.upc", threads);
        let found = on_accesses(&run);
        let first = found[0];
        let block = 128 * 128 / threads;
        assert_eq!(first["kind"], "wrong_side", "{first:#}");
        assert_eq!(first["line"], line("jacobi.upc", "SWEEP"), "{first:#}");
        let declared = line("jacobi.upc", "ARRAYS");
        has(
            first,
            "cause",
            &format!("jacobi.upc:{declared}, 16384 elements of 8 bytes, block size 1)"),
        );
        has(first, "advice", &format!("shared [*], here [{block}]"));
        // Both arrays have it, each once, and nothing else is said of the same accesses.
        assert_eq!(found.len(), 2, "{found:#?}");
        let arrays = run.report["accesses"]["distributions"]
            .as_array()
            .expect("arrays");
        for array in arrays {
            let share = |field: &str| array[field].as_f64().expect("a number");
            assert_eq!(array["better_block"], block, "{array:#}");
            assert!(share("low_percent") > 85.0, "{array:#}");
            assert!(share("low_percent") <= share("local_percent"), "{array:#}");
            assert!(share("local_percent") <= share("high_percent"), "{array:#}");
        }
        let mut names: Vec<&str> = arrays
            .iter()
            .filter_map(|array| array["name"].as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["a", "b"]);
    }
}

#[test]
fn neighbours_of_own_elements_that_are_dealt_out_are_found_first() {
    for threads in [2, 4] {
        let run = run("rod.upc", threads);
        let found = on_accesses(&run);
        let first = found[0];
        assert_eq!(first["kind"], "wrong_side", "{first:#}");
        assert_eq!(first["line"], line("rod.upc", "SWEEP"), "{first:#}");
        has(first, "cause", "deals out neighbours to different threads");
        has(first, "advice", "shared [*], here [4096]");
        assert_eq!(found.len(), 1, "{found:#?}");
        let arrays = run.report["accesses"]["distributions"]
            .as_array()
            .expect("arrays");
        // Own elements alone are accessed of the other one.
        assert_eq!(arrays.len(), 1, "{arrays:#?}");
        assert_eq!(arrays[0]["name"], "now");
        assert_eq!(arrays[0]["loops_follow"], true);
        let remote = |run: &Measured| {
            let bytes = &run.report["metrics"]["bytes_get_remote"]["total"];
            bytes
                .as_f64()
                .unwrap_or_else(|| panic!("{:#}", run.report["metrics"]))
        };
        // As the advice says.
        let blocks = run_with("rod.upc", threads, &["-DLAYOUT=[*]"]);
        assert_eq!(
            blocks.report["accesses"]["distributions"],
            Value::Array(Vec::new())
        );
        let share = 1.0 - remote(&blocks) / remote(&run);
        let said = arrays[0]["local_percent"].as_f64().expect("a number") / 100.0;
        assert!((share - said).abs() < 0.1, "{share} {said}");
    }
}

#[test]
fn iterations_after_throttling_began_have_marks_and_no_values() {
    let run = run("rod.upc", 2);
    let throttled = &run.report["recording"]["throttled"][0];
    assert_eq!(throttled["line"], line("rod.upc", "SWEEP"), "{throttled:#}");
    let since = throttled["since_seconds"].as_f64().expect("a time");
    let phase = &run.report["phases"][0];
    let series = |metric: &str| {
        let mut all = phase["series"].as_array().expect("series").iter();
        let found = all.find(|series| series["metric"] == metric);
        found.unwrap_or_else(|| panic!("no {metric}: {phase:#}"))["values"]
            .as_array()
            .expect("values")
    };
    let (durations, accesses) = (series("duration"), series("one_sided"));
    let seconds = |value: &Value| value.as_f64().expect("seconds");
    assert_eq!(durations.len(), 20, "{phase:#}");
    // Those before it, each with what it was, and none after it.
    let shown = accesses.len();
    assert!(
        accesses.iter().all(|value| seconds(value) > 0.0),
        "{phase:#}"
    );
    let begin = seconds(&phase["begin_seconds"]);
    let end_of =
        |iterations: usize| begin + durations[..iterations].iter().map(seconds).sum::<f64>();
    assert!((1..20).contains(&shown), "{phase:#}");
    assert!(
        end_of(shown) <= since && since <= end_of(shown + 1),
        "{since} {phase:#}"
    );
    let mark = &phase["marks"][0];
    assert_eq!(mark["reason"], "throttled", "{phase:#}");
    assert_eq!(mark["after_iteration"], shown, "{phase:#}");
    assert_eq!(mark["line"], line("rod.upc", "SWEEP"), "{phase:#}");
}

#[test]
fn a_program_whose_arrays_lie_right_is_not_told_to_move_them() {
    for threads in [2, 4] {
        let run = run("rows.upc", threads);
        assert_eq!(
            run.report["accesses"]["distributions"],
            Value::Array(Vec::new())
        );
        assert_eq!(
            run.report["accesses"]["wrong_side"],
            Value::Array(Vec::new())
        );
    }
}

#[test]
fn positions_that_are_read_again_and_again_are_to_be_copied_once() {
    let run = run("nbody.upc", 2);
    let first = on_accesses(&run)[0];
    assert_eq!(first["line"], line("nbody.upc", "POSITIONS"), "{first:#}");
    assert_eq!(first["kind"], "fine_grained", "{first:#}");
    has(first, "cause", "again and again");
    has(first, "advice", "once after each synchronization");
}

#[test]
fn elements_that_are_sent_one_by_one_are_to_be_collected() {
    for threads in [2, 4] {
        let run = run("ssort.upc", threads);
        let first = on_accesses(&run)[0];
        assert_eq!(first["line"], line("ssort.upc", "PUT"), "{first:#}");
        has(first, "advice", "upc_memput");
    }
}

#[test]
fn updates_under_a_lock_are_no_block_transfers() {
    for (name, word) in [
        ("sum.upc", "ADD"),
        ("histogram.upc", "INCREMENT"),
        ("queue.upc", "TAKE"),
    ] {
        let run = run(name, 2);
        let updates = line(name, word);
        proposes_no_block(&run, updates);
        let found = at(&run, updates);
        // A thread that has no core for a while gets no task from the queue, or only one.
        let always = name != "queue.upc";
        assert!(
            !always || !found.is_empty(),
            "{name}: {:#}",
            run.report["findings"]
        );
        for finding in found {
            // Nor does a single access show whether it is part of an update.
            let is_single = finding["cause"]
                .as_str()
                .is_some_and(|cause| cause.starts_with("1 call "));
            if !is_single {
                has(finding, "advice", "upc_atomic.h");
            }
        }
    }
}

#[test]
fn a_transpose_is_to_go_by_tiles() {
    let run = run("transpose.upc", 2);
    let first = on_accesses(&run)[0];
    assert_eq!(first["line"], line("transpose.upc", "ELEMENT"), "{first:#}");
    has(first, "cause", "1.00 KiB from the one before");
    assert_eq!(
        run.report["accesses"]["distributions"],
        Value::Array(Vec::new())
    );
}
