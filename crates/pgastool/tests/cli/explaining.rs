//! `pgastool explain`: the page of a metric, close names for a typo, and all pages as one document.

use crate::bench::{Bench, contains};
use std::fs;

#[test]
fn a_metric_is_explained_by_id_and_by_name() {
    let bench = Bench::new();
    let page = bench.ok(&["explain", "wait_at_barrier"]);
    contains(
        &page,
        &[
            "Wait at barrier",
            "FORMULA",
            "CAUSE",
            "REMEDY",
            "upc_barrier;",
        ],
    );
    assert!(
        page.lines().all(|line| line.chars().count() <= 100),
        "{page}"
    );
    assert_eq!(bench.ok(&["explain", "Wait", "at", "barrier"]), page);
    assert_eq!(bench.ok(&["explain", "Wait-at-barrier"]), page);
    contains(
        &bench.ok(&["explain", "delay_long_term"]),
        &["Delay: root causes"],
    );
}

#[test]
fn what_can_be_explained_is_listed() {
    let list = Bench::new().ok(&["explain"]);
    contains(
        &list,
        &[
            "lock_contention  ",
            "Load imbalance",
            "unrelated_barrier",
            "load_balance",
        ],
    );
}

#[test]
fn close_names_are_offered_for_a_typo() {
    let bench = Bench::new();
    let told = bench.refused(&["explain", "wait_at_barier"]);
    contains(&told, &["no metric or kind of finding", "wait_at_barrier"]);
    let told = bench.refused(&["explain", "zzz\u{1b}[31m"]);
    contains(&told, &["pgastool explain` lists"]);
    assert!(
        !told.contains("\u{1b}[31mzzz") && !told.contains("zzz\u{1b}"),
        "{told:?}"
    );
}

#[test]
fn the_reference_is_one_page_whose_anchors_are_the_metrics_of_a_result() {
    let bench = Bench::with_program();
    assert_eq!(bench.ok(&["explain", "--html", "-o", "patterns.html"]), "");
    let page = fs::read_to_string(bench.path("patterns.html")).unwrap();
    bench.measure("2");
    bench.ok(&["analyze"]);
    let report = bench.json();
    for metric in report["metrics"].as_object().unwrap().keys() {
        contains(&page, &[&format!(" id=\"{metric}\"")]);
    }
    for source in ["http://", "src=", "<link", "@import", "<script"] {
        assert!(!page.contains(source), "{source}");
    }
}

#[test]
fn in_a_locale_without_utf_8_a_page_is_ascii() {
    let bench = Bench::new();
    let mut command = bench.command(&["explain", "lock_contention"]);
    let out = command.env("LC_ALL", "C").output().unwrap().stdout;
    assert!(out.is_ascii());
    contains(
        &String::from_utf8(out).unwrap(),
        &["waiter  -- work --####"],
    );
}

/// Headers, constants and functions that the examples need and do not define.
const AROUND: &str = "#include <upc.h>
#include <upc_collective.h>
#include <stddef.h>
#include <bupc_extensions.h>
#define N 64
#define CHUNK 16
double sum_of_row(int), update_border(double *), next(double), first(double), second(double), \
                      value(int);
long examine(int), evaluate(int), measure(int);
int lines_of(int), all_lines(void);
void update_inside(double *, int), use_borders(shared double *, double *), compute(), \
                      write_output(), write_log(void),
    read_parameters(shared const void *), transform_line(int), set_up(shared const void *, \
                      size_t), own_work(void),
    long_work(void), f(), g(), store(int), produce(int), \
                      exchange_borders(shared double *, shared double *);
";

#[test]
fn the_examples_are_upc_that_compiles_without_a_warning() {
    let bench = Bench::new();
    let mut arguments = vec![
        "compile",
        "--no-instrument",
        "--upcc",
        "embedded",
        "--",
        "-Wall",
        "-fsyntax-only",
    ];
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/patterns");
    let mut names = Vec::new();
    for entry in fs::read_dir(pages).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        for (number, block) in page.split("```c\n").skip(1).enumerate() {
            let name = format!("{stem}_{number}.upc");
            bench.write(
                &name,
                format!("{AROUND}{}", block.split("```").next().unwrap()),
            );
            names.push(name);
        }
    }
    assert!(names.len() > 30, "{names:?}");
    arguments.extend(names.iter().map(String::as_str));
    let told = bench.told(&arguments);
    assert_eq!((told.status, told.err.as_str()), (Some(0), ""));
}
