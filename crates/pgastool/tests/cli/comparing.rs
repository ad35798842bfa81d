//! Comparing runs: repeated ones that know their noise, an edited program that is recognised,
//! limits for automatic checks, and runs that failed.

use crate::bench::{Bench, contains, keeps_schema, last_line};
use serde_json::Value;

/// Two threads do something, and then it is edited: other lines, another name, and half a second
/// more.
const BEFORE: &str = r#"#include <upc.h>
#include <unistd.h>

void work(int round) {
    usleep(1000);
}

int main(void) {
    int round;
    for (round = 0; round < 5; round++) {
        work(round);
        upc_barrier;
    }
    return 0;
}
"#;

fn edited() -> String {
    let slower = "usleep(MYTHREAD == 1 ? 101000 : 1000)";
    let edited = BEFORE.replace("usleep(1000)", slower);
    edited
        .replace("work", "compute")
        .replace("void", "/* edited */\n\nvoid")
}

fn compared(bench: &Bench, arguments: &[&str]) -> (Option<i32>, Value, String) {
    let mut all = vec!["diff", "--format", "json"];
    all.extend(arguments);
    let told = bench.told(&all);
    let value = serde_json::from_str(&told.out).unwrap_or_else(|error| panic!("{error}: {told:?}"));
    (told.status, value, told.err)
}

/// The injected half second is far above what a machine with other work scatters.
#[test]
fn repeated_runs_tell_a_regression_from_noise() {
    let bench = Bench::new();
    for (source, directory) in [(BEFORE.to_owned(), "before"), (edited(), "after")] {
        bench.compile(&source, &[]);
        let out = bench.ok(&["run", "--repeat", "3", "-n", "2", "-o", directory, "./prog"]);
        assert_eq!(last_line(&out), directory);
        for run in ["repeat-01", "repeat-02", "repeat-03"] {
            assert!(
                bench
                    .path(directory)
                    .join(run)
                    .join("experiment.json")
                    .is_file()
            );
        }
        assert_eq!(last_line(&bench.ok(&["analyze", directory])), directory);
    }
    let limits = [
        "--fail-on",
        "wall_time+50",
        "--fail-on",
        "wait_at_barrier+50",
    ];
    let (status, value, said) = compared(&bench, &[&["before", "after"][..], &limits].concat());
    keeps_schema(&value, "diff-1");
    assert_eq!(status, Some(1), "{value}");
    contains(&said, &["the limit wall_time+50 is exceeded"]);
    assert_eq!(value["noise_is_known"], true);
    assert_eq!(value["before"]["runs"].as_array().unwrap().len(), 3);
    assert_eq!(value["wall_seconds"]["verdict"], "worse");
    let change = value["wall_seconds"]["change"].as_f64().unwrap();
    assert!(
        change > 0.4,
        "half a second was injected, {change} s were seen"
    );
    // The function is recognised under its new name and in its new lines.
    let places = value["places"].as_array().unwrap();
    let place = places
        .iter()
        .find(|place| place["region"] == "compute")
        .unwrap();
    assert!(place["change"]["before"].as_f64().unwrap() > 0.0, "{place}");
    assert_eq!(place["change"]["verdict"], "worse");
    assert!(
        places.iter().all(|place| place["region"] != "work"),
        "{places:?}"
    );
    contains(&value["notes"].to_string(), &["compute is taken for work"]);

    // The other way round it became better, and nothing fails.
    let (status, value, _) = compared(&bench, &[&["after", "before"][..], &limits].concat());
    assert_eq!(
        (status, &value["wall_seconds"]["verdict"]),
        (Some(0), &"better".into())
    );

    let text = bench.ok(&["diff", "before", "after", "--by", "line", "--top", "3"]);
    contains(&text, &["Run time", "worse", "TIME BY LINE", "prog.upc:"]);
    // Files of severities alone, several of them, and one of each sort.
    let file = |run: &str| format!("{run}/analysis/profile.cube");
    let two = format!("{},before/repeat-02", file("before/repeat-01"));
    let (status, value, _) = compared(&bench, &[&two, &file("after/repeat-01"), "--by", "thread"]);
    assert_eq!(status, Some(0));
    assert_eq!(value["before"]["runs"].as_array().unwrap().len(), 2);
    assert_eq!(value["noise_is_known"], false);
    assert_eq!(value["wall_seconds"]["verdict"], "unknown");

    // Other commands take the run whose time is the median, and say so.
    let told = bench.told(&["report", "before"]);
    assert_eq!(told.status, Some(0));
    contains(
        &told.err,
        &["before has 3 runs; the one whose time is the median is"],
    );

    // The page of one side says the same about all runs of both.
    let page = ["report", "after", "--format", "html", "--compare", "before"];
    let page = bench.ok(&page);
    contains(&page, &["\"noise_is_known\":true", "before/repeat-03"]);
    let severities = file("before/repeat-01");
    let page = [
        "report",
        "after",
        "--format",
        "html",
        "--compare",
        &severities,
    ];
    contains(
        &bench.refused(&page),
        &["has severities alone", "pgastool diff"],
    );
}

#[test]
fn a_run_compared_with_itself_is_the_same() {
    let bench = Bench::with_program();
    let experiment = bench.measure("2");
    let experiment = experiment.to_str().unwrap();
    contains(
        &bench.refused(&["diff", experiment, experiment]),
        &["not analysed", "pgastool analyze"],
    );
    bench.ok(&["analyze"]);
    let limits = ["--fail-on", "time+0", "--fail-on", "wall_time+0"];
    for by in ["region", "line", "call-path", "thread"] {
        let arguments = [&[experiment, experiment, "--by", by][..], &limits].concat();
        let (status, value, _) = compared(&bench, &arguments);
        assert_eq!(status, Some(0));
        keeps_schema(&value, "diff-1");
        let places = value["places"].as_array().unwrap();
        assert!(!places.is_empty() && places.iter().all(|place| place["change"]["change"] == 0.0));
        let findings = value["findings"].as_array().unwrap();
        assert!(findings.iter().all(|finding| finding["status"] == "stays"));
    }
    let text = bench.ok(&["diff", experiment, experiment]);
    contains(&text, &["One run on a side", "--repeat"]);
}

/// A program of which every run but the first one fails.
#[test]
fn failed_repeats_are_reported_and_left_out() {
    let bench = Bench::new();
    let source = r#"#include <upc.h>
#include <stdio.h>
int main(void) {
    int status = 0;
    if (MYTHREAD == 0) {
        FILE *first = fopen("ran", "r");
        status = first ? 3 : 0;
        fclose(first ? first : fopen("ran", "w"));
    }
    upc_barrier;
    return status;
}
"#;
    bench.compile(source, &[]);
    let run = ["run", "--repeat", "2", "-n", "2", "-o", "runs", "./prog"];
    let told = bench.told(&run);
    assert_eq!(told.status, Some(3), "{told:?}");
    assert_eq!(last_line(&told.out), "runs");
    contains(&told.err, &["exit status 3", "1 of the runs failed"]);
    bench.refused(&run);
    bench.ok(&["analyze", "runs"]);
    let (status, value, said) = compared(&bench, &["runs", "runs"]);
    assert_eq!(status, Some(0));
    contains(
        &said,
        &["runs/repeat-02 ended with exit status 3: left out"],
    );
    contains(&value["notes"].to_string(), &["left out"]);
    assert_eq!(value["before"]["runs"].as_array().unwrap().len(), 1);
    // By its own name it is compared nevertheless.
    let (_, value, said) = compared(&bench, &["runs/repeat-01", "runs/repeat-02"]);
    assert_eq!(value["after"]["runs"].as_array().unwrap().len(), 1);
    contains(&said, &["runs/repeat-02 ended with exit status 3"]);
    std::fs::remove_dir_all(bench.path("runs/repeat-01")).unwrap();
    contains(
        &bench.refused(&["diff", "runs", "runs"]),
        &["no run is left"],
    );
}

#[test]
fn wrong_questions_are_refused_with_what_was_meant() {
    let bench = Bench::with_program();
    let experiment = bench.measure("2");
    let experiment = experiment.to_str().unwrap();
    bench.ok(&["analyze"]);
    let with = |options: &[&str]| {
        let arguments = [&["diff", experiment, experiment][..], options].concat();
        bench.told(&arguments)
    };
    for options in [
        &["--metric", "wait_at_bariers"][..],
        &["--fail-on", "wait_at_bariers+10"],
    ] {
        let told = with(options);
        assert_eq!((told.status, told.out.as_str()), (Some(2), ""), "{told:?}");
        contains(
            &told.err,
            &["no metric `wait_at_bariers`", "wait_at_barrier"],
        );
    }
    for limit in ["time", "time+", "time+-5", "+5"] {
        let told = with(&["--fail-on", limit]);
        assert_eq!(told.status, Some(2), "{told:?}");
        contains(&told.err, &["METRIC+PERCENT"]);
    }
    contains(
        &bench.refused(&["diff", "nothing", experiment]),
        &["nothing is not an experiment"],
    );
    contains(
        &bench
            .told(&["run", "--repeat", "0", "-n", "1", "./prog"])
            .err,
        &["0 is not in 1..=1000"],
    );
}
