//! The options of `pgastool run` that choose how it is recorded.

use crate::bench::{Bench, Told, contains, last_line};
use serde_json::{Value, json};
use std::fs;

fn settings(bench: &Bench, experiment: &str) -> Value {
    let text = fs::read_to_string(bench.path(experiment).join("experiment.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["recording"].clone()
}

/// The largest and smallest values that `run` lets pass are understood by the recorder, which
/// complains of others.
#[test]
fn the_recorder_understands_what_the_command_line_accepts() {
    let bench = Bench::with_program();
    for (options, kept) in [
        (&[][..], Value::Null),
        (
            &["--buffer", "4K", "--compress", "19", "--sync-io"][..],
            json!({"buffer": "4096", "compress": "19", "sync-io": "1"}),
        ),
        (
            &[
                "--buffer=64M",
                "--compress=none",
                "--throttle=off",
                "--trace-limit=8G",
            ],
            json!({"buffer": "67108864", "compress": "none", "throttle": "off", "trace-limit": "8589934592"}),
        ),
        (
            &["--throttle", "1,4294967295"],
            json!({"throttle": "1,4294967295"}),
        ),
        (
            &["--throttle", "4294967295,1"],
            json!({"throttle": "4294967295,1"}),
        ),
        (&["--profile"], json!({"mode": "profile"})),
        (
            &["--counters", "task-clock, page-faults"],
            json!({"counters": "task-clock,page-faults"}),
        ),
        (&["--addresses"], json!({"addresses": "1"})),
        (&["--clocks", "auto"], json!({"clocks": "auto"})),
        (&["--clocks", "ring,10000"], json!({"clocks": "ring,10000"})),
        (&["--clocks", "linear,1"], json!({"clocks": "linear,1"})),
        (&["--clocks", "off"], json!({"clocks": "off"})),
    ] {
        let mut arguments = vec!["run", "-n", "2"];
        arguments.extend(options);
        arguments.push("./prog");
        let told = bench.told(&arguments);
        assert_eq!(told.status, Some(0), "{options:?}: {}", told.err);
        assert!(!told.err.contains("PGAS_"), "{options:?}: {}", told.err);
        assert_eq!(settings(&bench, last_line(&told.out)), kept, "{options:?}");
    }
}

#[test]
fn what_the_environment_says_stays_where_no_option_says_otherwise() {
    let bench = Bench::with_program();
    let run = |options: &[&str]| {
        let mut arguments = vec!["run", "-n", "1"];
        arguments.extend(options);
        arguments.push("./prog");
        let mut command = bench.command(&arguments);
        command
            .env("PGAS_BUFFER", "64K")
            .env("PGAS_COMPRESS", "much");
        let told = Told::of(&mut command);
        assert_eq!(told.status, Some(0), "{}", told.err);
        (settings(&bench, last_line(&told.out)), told.err)
    };
    let (kept, err) = run(&[]);
    assert_eq!(kept, json!({"buffer": "65536"}));
    contains(&err, &["PGAS_COMPRESS=much"]);
    let (kept, err) = run(&["--buffer=8K", "--compress=3"]);
    assert_eq!(kept, json!({"buffer": "8192", "compress": "3"}));
    assert!(!err.contains("PGAS_COMPRESS"), "{err}");
}

#[test]
fn nonsense_is_refused_before_anything_starts() {
    let bench = Bench::with_program();
    for (options, parts) in [
        (&["--buffer", "1K"][..], &["--buffer", "4K to 64M"][..]),
        (&["--compress", "fast"], &["--compress", "1 to 19"]),
        (&["--throttle", "1000"], &["--throttle", "100000,10"]),
        (&["--trace-limit", "0"], &["--trace-limit", "--profile"]),
        (
            &["--profile", "--trace-limit", "1G"],
            &["--profile", "--trace-limit"],
        ),
        (&["--counters", "cycles,"], &["--counters", "commas"]),
        (&["--clocks", "ring,0"], &["--clocks", "linear or ring"]),
        (
            &["--no-measure", "--profile"],
            &["--no-measure", "--profile"],
        ),
    ] {
        let mut arguments = vec!["run", "-n", "1"];
        arguments.extend(options);
        arguments.push("./prog");
        contains(&bench.refused(&arguments), parts);
    }
    assert_eq!(bench.experiments(), [""; 0]);
}

/// Counters that are not available are reported before the program starts, and the program runs.
#[test]
fn counters_that_are_refused_are_named_and_the_program_runs() {
    let bench = Bench::with_program();
    let told = bench.told(&[
        "run",
        "-n",
        "2",
        "--counters",
        "cycels,page-faults",
        "./prog",
    ]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    contains(&told.out, &["sum 10"]);
    contains(&told.err, &["cannot count cycels", "perf list"]);
    let experiment = bench.path(last_line(&told.out));
    let experiment = pgas_trace::Experiment::open(&experiment).unwrap();
    for stream in experiment.streams() {
        let refused = stream.property("counters_refused").unwrap();
        contains(refused, &["cycels: there is no counter of that name"]);
        let can_count = pgas_measure::counters::check(["page-faults"])
            .refused
            .is_empty();
        assert_eq!(stream.property("counters").is_some(), can_count);
    }
}
