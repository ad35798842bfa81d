//! `pgastool score`: what is predicted of a filter is what a run with it gives.

use crate::bench::{Bench, UNEVEN, contains, last_line};
use serde_json::Value;
use std::fs;

/// Two tiny functions that are called all the time, one on the way to an operation, one that does
/// real work.
const CHATTY: &str = r#"#include <upc.h>
#include <stdio.h>

shared int cells[THREADS];

int tiny(int x) { return x * 3 + 1; }
int small(int x) { return tiny(x) ^ tiny(x + 1); }
void put(int value) { cells[(MYTHREAD + 1) % THREADS] = value; }

int work(int rounds) {
    int i, sum = 0;
    for (i = 0; i < rounds; i++) sum += small(i);
    return sum;
}

int main(void) {
    int round, sum = 0;
    for (round = 0; round < 10; round++) {
        sum += work(5000);
        put(sum);
        upc_barrier;
    }
    if (MYTHREAD == 0) printf("sum %d\n", sum);
    return 0;
}
"#;

/// Compiles with `options` and records all that happens on two threads; returns the experiment.
fn measured(bench: &Bench, options: &[&str]) -> String {
    bench.compile_all(CHATTY, options);
    let out = bench.ok(&["run", "-n", "2", "--throttle=off", "./prog"]);
    last_line(&out).to_string()
}

fn score(bench: &Bench, arguments: &[&str]) -> Value {
    let mut all = vec!["score", "--format", "json"];
    all.extend(arguments);
    let told = bench.told(&all);
    assert!(matches!(told.status, Some(0 | 1)), "{}", told.err);
    let score: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(score["sufficient"], told.status == Some(0));
    score
}

fn region<'a>(score: &'a Value, name: &str) -> &'a Value {
    let mut regions = score["regions"].as_array().unwrap().iter();
    regions.find(|region| region["name"] == name).unwrap()
}

#[test]
fn the_proposed_filter_does_what_was_predicted() {
    let bench = Bench::new();
    let chatty = measured(&bench, &[]);
    let text = bench.ok(&[
        "score",
        &chatty,
        "--max-overhead",
        "0.5",
        "-o",
        "quiet.filter",
    ]);
    contains(
        &text,
        &[
            "tiny (prog.upc:6)",
            "upc_barrier",
            "EXCLUDE tiny",
            "compile --filter quiet.filter",
        ],
    );
    let filter = fs::read_to_string(bench.path("quiet.filter")).unwrap();
    contains(
        &filter,
        &["SCOREP_REGION_NAMES_BEGIN", "EXCLUDE tiny", "EXCLUDE small"],
    );
    assert!(
        !filter.contains("EXCLUDE main") && !filter.contains("upc_"),
        "{filter}"
    );

    let before = score(&bench, &[&chatty, "--max-overhead", "0.5"]);
    assert_eq!(before["sufficient"], true);
    for (name, kind, calls) in [
        ("tiny", "USR", 200_000),
        ("small", "USR", 100_000),
        ("put", "COM", 20),
        ("upc_barrier", "PGAS", 20),
    ] {
        let region = region(&before, name);
        assert_eq!(region["type"], kind, "{name}");
        // The runtime has a barrier of its own at the end.
        let found = region["calls"].as_u64().unwrap();
        assert!((calls..=calls + 2).contains(&found), "{name}: {found}");
        assert_eq!(region["events"], 2 * found, "{name}");
    }

    let quiet = measured(&bench, &["--filter", "quiet.filter"]);
    let after = score(&bench, &[&quiet, "--max-overhead", "0.5"]);
    assert_eq!(after["now"]["events"], before["proposal"]["events"]);
    assert_eq!(after["sufficient"], true);
    assert_eq!(after["proposal"]["exclude"], serde_json::json!([]));
    assert!(
        after["now"]["worst_overhead_percent"].as_f64().unwrap() <= 0.5,
        "{after}"
    );
    assert!(before["now"]["worst_overhead_percent"].as_f64().unwrap() > 0.5);
}

#[test]
fn another_filter_can_be_tried() {
    let bench = Bench::new();
    let chatty = measured(&bench, &[]);
    bench.write(
        "mine.filter",
        "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE put upc_put *mall # no \
         tiny\nSCOREP_REGION_NAMES_END\n",
    );
    let arguments = [
        &*chatty,
        "--filter",
        "mine.filter",
        "--max-overhead",
        "0.5",
        "-o",
        "both.filter",
    ];
    let tried = score(&bench, &arguments);
    for (name, recorded) in [("small", false), ("upc_put", false), ("upc_barrier", true)] {
        assert_eq!(region(&tried, name)["recorded"], recorded, "{name}");
    }
    // The written filter has the rules of both.
    let both = fs::read_to_string(bench.path("both.filter")).unwrap();
    contains(&both, &["*mall # no tiny", "EXCLUDE tiny"]);
    for (filter, outlook) in [("mine.filter", "filter"), ("both.filter", "proposal")] {
        let run = measured(&bench, &["--filter", filter]);
        let events = score(&bench, &[&run])["now"]["events"].clone();
        assert_eq!(events, tried[outlook]["events"], "{filter}");
    }
}

/// Functions that a run's filter excludes, and that it thus cannot know, stay out of the next run.
#[test]
fn a_proposal_keeps_the_rules_that_the_run_was_recorded_with() {
    let bench = Bench::new();
    bench.compile_all(CHATTY, &[]);
    bench.write(
        "mine.filter",
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE tiny SCOREP_REGION_NAMES_END",
    );
    let run = |filter: &str| {
        let arguments = [
            "run",
            "-n",
            "2",
            "--throttle=off",
            "--filter",
            filter,
            "./prog",
        ];
        last_line(&bench.ok(&arguments)).to_string()
    };
    let first = run("mine.filter");
    let before = score(
        &bench,
        &[&first, "--max-overhead", "0.1", "-o", "next.filter"],
    );
    let exclude = serde_json::json!(["small"]);
    assert_eq!(before["proposal"]["exclude"], exclude, "{before}");
    let next = fs::read_to_string(bench.path("next.filter")).unwrap();
    contains(&next, &["# mine.filter", "EXCLUDE tiny", "EXCLUDE small"]);
    let second = run("next.filter");
    let after = score(&bench, &[&second]);
    assert_eq!(after["filters"][0]["stage"], "run");
    assert_eq!(after["filters"][0]["file"], "next.filter");
    let text = bench.ok(&["score", &second, "--max-overhead", "1000"]);
    contains(
        &text,
        &[
            "\nExcluded        functions and operations that next.filter excludes (run --filter): not \
             recorded, not in this table; each call of them still cost a look\n",
        ],
    );
    assert_eq!(after["now"]["events"], before["proposal"]["events"]);
}

/// Sums tell as much as a trace: of calls that were throttled, and of a run without a trace.
#[test]
fn throttled_runs_and_profiles_can_be_scored() {
    let bench = Bench::new();
    bench.compile_all(CHATTY, &[]);
    let run = |options: &[&str]| {
        let mut arguments = vec!["run", "-n", "2"];
        arguments.extend(options);
        arguments.push("./prog");
        let experiment = last_line(&bench.ok(&arguments)).to_string();
        score(&bench, &[&experiment, "--max-overhead", "0.1"])
    };
    let traced = run(&["--throttle=off"]);
    let throttled = run(&["--throttle=1000,100000"]);
    let profile = run(&["--profile"]);
    assert_eq!(profile["partly_without_trace"], true);
    for name in ["tiny", "small", "put", "upc_put", "upc_barrier", "work"] {
        let (traced, throttled, profile) = (
            region(&traced, name),
            region(&throttled, name),
            region(&profile, name),
        );
        for other in [throttled, profile] {
            assert_eq!(other["calls"], traced["calls"], "{name}");
            assert_eq!(other["type"], traced["type"], "{name}");
            assert!(other["cost_seconds"].as_f64().unwrap() > 0.0, "{name}");
        }
        // As many events as a trace would have.
        assert_eq!(profile["events"], traced["events"], "{name}");
        let calls = throttled["calls"].as_u64().unwrap();
        let counted = throttled["throttled_calls"].as_u64().unwrap();
        let events = throttled["events"].as_u64().unwrap();
        assert_eq!(events, 2 * (calls - counted), "{name}");
    }
    let counted = region(&throttled, "tiny")["throttled_calls"].as_u64();
    assert!(counted > Some(150_000), "{counted:?}");
    // The two functions are what costs, however that is known.
    for score in [&traced, &profile] {
        let exclude = score["proposal"]["exclude"].as_array().unwrap();
        assert!(exclude.contains(&Value::from("tiny")), "{score}");
    }
    for score in [&throttled, &profile] {
        assert_eq!(score["cost_is_assumed"], false);
        let regions = score["regions"].as_array().unwrap().iter();
        let regions: f64 = regions.map(|r| r["seconds"].as_f64().unwrap()).sum();
        let threads = score["threads"].as_array().unwrap().iter();
        let threads: f64 = threads.map(|t| t["seconds"].as_f64().unwrap()).sum();
        assert!(regions <= 1.001 * threads, "{regions} of {threads}");
    }
}

#[test]
fn what_cannot_be_scored_is_an_error() {
    let bench = Bench::new();
    bench.compile_all(UNEVEN, &[]);
    contains(&bench.refused(&["score", "nowhere"]), &["nowhere"]);
    let experiment = bench.measure("2");
    let experiment = experiment.to_str().unwrap();
    for percent in ["0", "-1", "nan", "few"] {
        let err = bench.refused(&["score", experiment, "--max-overhead", percent]);
        contains(&err, &["--max-overhead"]);
    }
    bench.write("bad.filter", "EXCLUDE main\n");
    let err = bench.refused(&["score", experiment, "--filter", "bad.filter"]);
    contains(&err, &["bad.filter:1"]);
    let err = bench.refused(&["score", experiment, "--filter", "none.filter"]);
    contains(&err, &["none.filter"]);
    // An overhead that cannot be reached is an answer, not an error.
    let told = bench.told(&["score", experiment, "--max-overhead", "0.000000001"]);
    assert_eq!(told.status, Some(1), "{}", told.err);
    contains(&told.out, &["cannot", "--operations"]);
}

/// One experiment has one cost, whoever names it: text, HTML, JSON, score and comparison, estimated
/// or measured.
#[test]
fn score_and_reports_name_the_same_cost() {
    let bench = Bench::new();
    bench.compile(CHATTY, &["--no-instrument"]);
    fs::rename(bench.path("prog"), bench.path("plain")).unwrap();
    bench.compile_all(CHATTY, &[]);
    for baseline in [&[][..], &["--baseline", "./plain", "--baseline-runs", "1"]] {
        let mut run = vec!["run", "-n", "2", "--throttle=off"];
        run.extend(baseline);
        run.push("./prog");
        let experiment = last_line(&bench.ok(&run)).to_string();
        bench.ok(&["analyze", &experiment]);
        let report = bench.ok(&["report", &experiment, "--format", "json"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let (of_report, of_score) = (&report["recording"]["cost"], score(&bench, &[&experiment]));
        for key in ["seconds", "fixed_seconds", "percent", "cpu_seconds"] {
            let figures = [of_report, &of_score["cost"]].map(|cost| cost[key].as_f64().unwrap());
            let off = (figures[0] - figures[1]).abs();
            assert!(off <= 1e-6 * figures[0].abs(), "{key}: {figures:?}");
        }
        assert_eq!(
            of_report["baseline"]["runs"],
            of_score["cost"]["baseline"]["runs"]
        );
        for key in ["seconds", "percent"] {
            let (now, whole) = (&of_score["now"], &of_score["cost"]);
            let figures = [&now[format!("cost_{key}")], &whole[key]].map(|f| f.as_f64().unwrap());
            assert!(
                (figures[0] - figures[1]).abs() <= 1e-6 * figures[1],
                "{key}: {figures:?}"
            );
        }
        // The same words, wherever lines break.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = bench.ok(&["score", &experiment, "--max-overhead", "1000"]);
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("Recording took"));
        let sentence = words(line.expect("a line of the cost"));
        let how = match baseline.is_empty() {
            true => "an estimate",
            false => "measured against ./plain",
        };
        assert!(sentence.ends_with(how), "{sentence}");
        // Starting a recorder for so little takes more than a fifth.
        assert!(of_report["percent"].as_f64().unwrap() > 20.0, "{of_report}");
        let report = words(&bench.ok(&["report", &experiment]));
        assert!(
            report.contains(&format!("Recording took {sentence}. Times")),
            "{sentence}: {report}"
        );
        bench.ok(&["report", &experiment, "--format", "html", "-o", "page.html"]);
        let page = words(&fs::read_to_string(bench.path("page.html")).unwrap());
        assert!(page.contains(&sentence), "{sentence}");
    }
}

/// A program that does nothing: recording is most of it, and there is nothing to leave out.
#[test]
fn a_tiny_program_needs_no_filter() {
    let bench = Bench::new();
    bench.compile_all(
        "#include <upc.h>\nint main(void) { upc_barrier; return 0; }\n",
        &[],
    );
    let experiment = last_line(&bench.ok(&["run", "-n", "3", "./prog"])).to_string();
    let score = score(&bench, &[&experiment]);
    assert_eq!(score["sufficient"], true);
    let cost = &score["cost"];
    let (low, high) = (cost["interval"][0].as_f64(), cost["interval"][1].as_f64());
    assert!(high.unwrap() > low.unwrap() + 1.0, "{cost}");
}

/// No filter and no throttling is involved where the program counts by itself.
#[test]
fn what_the_program_counted_is_not_called_throttled() {
    let bench = Bench::new();
    bench.compile(CHATTY, &[]);
    let experiment = last_line(&bench.ok(&["run", "-n", "2", "./prog"])).to_string();
    let put = score(&bench, &[&experiment])["regions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|region| region["name"] == "upc_put")
        .cloned()
        .unwrap();
    assert_eq!(put["calls"], 20);
    assert_eq!(put["counted_calls"], 20);
    assert_eq!(put["throttled_calls"], 0);
    let text = bench.told(&["score", &experiment]).out;
    contains(&text, &["counted by the program itself"]);
    assert!(!text.contains("throttled"), "{text}");
}
