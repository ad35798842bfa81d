//! Compile, run, analyse, report: what comes out, where, and in which form.

use crate::bench::{Bench, UNEVEN, contains, last_line};
use serde_json::Value;
use std::fs;

#[test]
fn the_whole_cycle() {
    let bench = Bench::with_program();
    let out = bench.ok(&["run", "-n", "3", "./prog"]);
    let name = last_line(&out);
    assert!(out.starts_with("sum 10\n"), "{out}");
    let (prefix, stamp) = name.split_at("pgas_prog_3_".len());
    assert_eq!(prefix, "pgas_prog_3_");
    let digits: Vec<usize> = stamp
        .split('-')
        .map(|d| {
            assert!(d.bytes().all(|b| b.is_ascii_digit()), "{name}");
            d.len()
        })
        .collect();
    assert_eq!(digits, [8, 6], "{name}");
    assert!(bench.path(name).join("experiment.json").is_file());

    assert_eq!(bench.ok(&["analyze", name]).trim_end(), name);
    let text = bench.ok(&["report", name]);
    contains(&text, &["prog", "upc_barrier", "prog.upc:17", "main"]);
    assert!(
        !text.contains('\u{1b}'),
        "colour without a terminal: {text}"
    );
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let cube = bench.ok(&["report", name, "--format", "cube"]);
    contains(&cube, &["<?xml", "<cube", "wait_at_barrier", "</cube>"]);
}

#[test]
fn the_json_report_keeps_its_contract() {
    let bench = Bench::new();
    // Steps that are long beside what a busy machine does to a sleeping thread.
    bench.compile(&UNEVEN.replace("usleep(2000", "usleep(10000"), &[]);
    bench.measure("4");
    bench.ok(&["analyze"]);
    let report = bench.json();
    assert_eq!(report["schema"], 1);
    contains(report["program"].as_str().unwrap(), &["prog"]);
    assert_eq!(report["threads"], 4);
    assert!(report["wall_seconds"].as_f64().unwrap() > 0.04);

    let metrics = report["metrics"].as_object().unwrap();
    for id in [
        "time",
        "computation",
        "pgas",
        "one_sided",
        "collective",
        "synchronization",
        "barrier",
        "wait_at_barrier",
        "split_phase_wait",
        "barrier_completion",
        "lock",
        "lock_contention",
        "fence",
        "allocation",
        "wait_at_alloc",
        "no_core",
        "measurement",
        "visits",
        "bytes_put",
        "bytes_get",
        "imbalance",
    ] {
        let metric = metrics
            .get(id)
            .unwrap_or_else(|| panic!("no metric {id} in {metrics:?}"));
        contains("s occ bytes", &[metric["unit"].as_str().unwrap()]);
        let per_thread: Vec<f64> = metric["per_thread"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| v.as_f64().unwrap())
            .collect();
        assert_eq!(per_thread.len(), 4, "{id}");
        assert!(per_thread.iter().all(|&v| v >= 0.0), "{id}: {per_thread:?}");
        let total = metric["total"].as_f64().unwrap();
        assert!(
            (per_thread.iter().sum::<f64>() - total).abs() <= 1e-9 * total.max(1.0),
            "{id}"
        );
    }
    // Thread 3 sleeps longest: the others wait for it, thread 0 most.
    let waits = &metrics["wait_at_barrier"]["per_thread"];
    let wait = |thread: usize| waits[thread].as_f64().unwrap();
    assert!(wait(0) > wait(3), "{waits}");

    assert!(!report["call_paths"].as_array().unwrap().is_empty());
    let finding = &report["findings"][0];
    assert_eq!(finding["metric"], "wait_at_barrier");
    assert_eq!(finding["region"], "upc_barrier");
    assert_eq!(finding["line"], 17);
    contains(finding["file"].as_str().unwrap(), &["prog.upc"]);
    assert_eq!(finding["culprit_thread"], 3);
    let cause = finding["cause"].as_str().unwrap().to_lowercase();
    contains(&cause, &["thread 3", "work"]);
    for (key, is_right) in [
        ("seconds", Value::is_f64 as fn(&Value) -> bool),
        ("percent", Value::is_f64),
        ("advice", Value::is_string),
    ] {
        assert!(is_right(&finding[key]), "{key} in {finding}");
    }
    for factor in [
        "load_balance",
        "communication_efficiency",
        "parallel_efficiency",
    ] {
        let value = report["efficiency"][factor].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&value), "{factor} {value}");
    }
}

#[test]
fn reports_go_into_files_whole() {
    let bench = Bench::with_program();
    bench.measure("2");
    bench.ok(&["analyze"]);
    for format in ["text", "json", "cube"] {
        let printed = bench.ok(&["report", "--format", format]);
        assert_eq!(bench.ok(&["report", "--format", format, "-o", "out"]), "");
        let written = fs::read_to_string(bench.path("out")).unwrap();
        assert_eq!(written.trim_end(), printed.trim_end(), "{format}");
    }
    contains(
        &bench.refused(&["report", "-o", "no/such/directory/out"]),
        &["no/such/directory/out"],
    );
    let coloured = bench.ok(&["report", "--color", "always"]);
    assert!(coloured.contains('\u{1b}'));
    let plain = bench.ok(&["report", "--color=never"]);
    assert!(!plain.contains('\u{1b}'));
}

#[test]
fn the_newest_experiment_is_taken() {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "zzz", "./prog"]);
    bench.ok(&["run", "-n", "3", "-o", "aaa", "./prog"]);
    assert_eq!(bench.ok(&["analyze"]).trim_end(), "aaa");
    assert_eq!(bench.json()["threads"], 3);
    bench.ok(&["analyze", "zzz"]);
    let told = bench.told(&["report", "zzz", "--format", "json"]);
    assert_eq!(
        serde_json::from_str::<Value>(&told.out).unwrap()["threads"],
        2
    );
    // Inside of an experiment, that one is meant.
    let mut inside = bench.command(&["report", "--format", "json"]);
    let output = inside.current_dir(bench.path("zzz")).output().unwrap();
    assert_eq!(
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["threads"],
        2
    );
}

#[test]
fn analysing_again_replaces_the_result() {
    let bench = Bench::with_program();
    bench.measure("2");
    bench.ok(&["analyze"]);
    let first = bench.ok(&["report", "--format", "json"]);
    bench.ok(&["analyze"]);
    assert_eq!(bench.ok(&["report", "--format", "json"]), first);
}

#[test]
fn quiet_says_nothing_beside_results() {
    let bench = Bench::with_program();
    let run = bench.told(&["--quiet", "run", "-n", "2", "./prog"]);
    assert_eq!(run.err, "");
    let analyze = bench.told(&["analyze", "--quiet"]);
    assert_eq!((analyze.status, analyze.err.as_str()), (Some(0), ""));
    assert_eq!(analyze.out.trim_end(), last_line(&run.out));
}

#[test]
fn the_demonstration_shows_its_commands_and_the_report() {
    let bench = Bench::new();
    let told = bench.told(&["demo"]);
    assert_eq!(told.status, Some(0), "{}{}", told.out, told.err);
    contains(
        &told.err,
        &[
            "$ pgastool compile --filter is.filter -DCLASS=W -O2 -o is is.c randdp.c",
            "$ pgastool run -n 4 ./is",
            "$ pgastool analyze",
            "$ pgastool report",
        ],
    );
    contains(
        &told.out,
        &["Verification = SUCCESSFUL", "upc_barrier", "is.c:"],
    );
    assert!(bench.path("pgastool-demo-is/is.c").is_file());
    contains(&bench.ok(&["demo", "--list"]), &["is ", "jacobi "]);
    contains(
        &bench.refused(&["demo", "nothing"]),
        &["nothing", "is, jacobi"],
    );
}

#[test]
fn a_demonstration_keeps_sources_that_the_user_changed() {
    let bench = Bench::new();
    fs::create_dir(bench.path("pgastool-demo-jacobi")).unwrap();
    let changed = "#include <stdio.h>\n#include <upc.h>\nint main(void) { upc_barrier; \
                   puts(\"changed\"); return 7; }\n";
    bench.write("pgastool-demo-jacobi/jacobi.upc", changed);
    let told = bench.told(&["demo", "jacobi"]);
    assert_eq!(told.status, Some(7), "{}", told.err);
    contains(&told.out, &["changed"]);
}
