//! Effects of a filter file, when compiling and when running, and the messages about it.

use crate::bench::{Bench, EACH_AN_EVENT, Told, contains, last_line};
use crate::control::visits;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Two files with a function of the same name, recursion, and operations inside of what can be
/// excluded.
const MAIN: &str = r#"
#include <upc.h>
#include <upc_collective.h>
#include <pupc.h>
shared int a[4 * THREADS], b[4 * THREADS];
unsigned phase;
extern int library(int n);
static int tiny(int n) { return n * 3; }
static int helper(int n) { /* of main.upc */
    upc_barrier;
    return tiny(n) + tiny(n + 1);
}
int walk(int n) {
    int sum = helper(n);
    upc_memget(&sum, &a[MYTHREAD ^ 1], sizeof sum);
    upc_memput(&a[MYTHREAD ^ 1], &sum, sizeof sum);
    return n == 0 ? sum : sum + walk(n - 1);
}
int main(void) {
    phase = pupc_create_event("phase", "");
    int sum = walk(3);
    pupc_event_start(phase);
    sum += library(2);
    upc_all_broadcast(b, a, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    pupc_event_end(phase);
    upc_barrier;
    return sum == 12345;
}
"#;

const LIBRARY: &str = r#"
#include <upc.h>
extern int walk(int n);
static int helper(int n) { /* of library.upc */
    return walk(n);
}
int library(int n) {
    upc_barrier;
    return helper(n) + 1;
}
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("main.upc", MAIN);
    bench.write("library.upc", LIBRARY);
    bench
}

fn compile(bench: &Bench, options: &[&str]) {
    let mut arguments = vec!["compile"];
    arguments.extend(EACH_AN_EVENT);
    arguments.extend(options);
    arguments.extend(["-O1", "-o", "prog", "main.upc", "library.upc"]);
    bench.ok(&arguments);
}

/// Runs `prog` with these options and analyses it.
fn analysed(bench: &Bench, options: &[&str]) -> Value {
    let mut arguments = vec!["run", "-n", "2"];
    arguments.extend(options);
    arguments.push("./prog");
    let told = bench.told(&arguments);
    assert_eq!(told.status, Some(0), "{told:?}");
    bench.ok(&["analyze", last_line(&told.out)]);
    serde_json::from_str(&bench.ok(&["report", "--format", "json", last_line(&told.out)])).unwrap()
}

/// Remaining call paths, with their counts, when some of their steps are excluded.
pub fn without(all: &BTreeMap<String, u64>, excluded: &[&str]) -> BTreeMap<String, u64> {
    let mut left = BTreeMap::new();
    for (path, n) in all {
        let steps: Vec<&str> = path.split('/').collect();
        if !excluded.contains(steps.last().unwrap()) {
            let steps: Vec<&str> = steps
                .into_iter()
                .filter(|step| !excluded.contains(step))
                .collect();
            *left.entry(steps.join("/")).or_insert(0) += n;
        }
    }
    left
}

/// Of the program itself: its end is the runtime's.
fn own(report: &Value) -> BTreeMap<String, u64> {
    let mut visits = visits(report);
    visits.retain(|path, _| path != "program end" && !path.starts_with("program end/"));
    visits
}

/// The same rules at compile time and at run time leave the same: all that is not excluded, as part
/// of its callers.
#[test]
fn a_filter_leaves_out_what_it_says_and_nothing_else() {
    let bench = bench();
    compile(&bench, &[]);
    fs::rename(bench.path("prog"), bench.path("whole")).unwrap();
    let whole = |options: &[&str]| {
        fs::copy(bench.path("whole"), bench.path("prog")).unwrap();
        analysed(&bench, options)
    };
    let all = own(&whole(&[]));
    // walk(3), then walk(2) below the library's helper; a visit for each of two threads.
    assert_eq!(all["main/walk/walk/walk/walk/helper/tiny"], 4);
    assert_eq!(
        all["main/phase/library/helper/walk/walk/walk/upc_memget"],
        2
    );

    let filter = |rules: &str| {
        bench.write(
            "my.filter",
            format!("SCOREP_REGION_NAMES_BEGIN {rules} SCOREP_REGION_NAMES_END\n"),
        );
    };
    for (rules, excluded) in [
        ("EXCLUDE tiny walk", &["tiny", "walk"][..]),
        (
            "EXCLUDE main upc_barrier upc_mem*",
            &["main", "upc_barrier", "upc_memget", "upc_memput"],
        ),
    ] {
        filter(rules);
        let expected = without(&all, excluded);
        assert_eq!(own(&whole(&["--filter", "my.filter"])), expected, "{rules}");
        compile(&bench, &["--filter", "my.filter"]);
        assert_eq!(own(&analysed(&bench, &[])), expected, "{rules}, compiled");
    }
    // Regions that the program names itself are left out by runs alone; and a run takes away from
    // what was compiled.
    filter("EXCLUDE * INCLUDE main");
    let expected = without(
        &all,
        &[
            "tiny",
            "walk",
            "helper",
            "library",
            "phase",
            "main",
            "upc_barrier",
            "upc_memget",
            "upc_memput",
        ],
    );
    let both = analysed(&bench, &["--filter", "my.filter", "--profile"]);
    assert_eq!(own(&both), expected);
}

#[test]
fn functions_of_one_name_are_distinguished_by_their_files() {
    let bench = bench();
    compile(&bench, &[]);
    let all = own(&analysed(&bench, &[]));
    bench.write(
        "my.filter",
        "SCOREP_FILE_NAMES_BEGIN\n  EXCLUDE */library.upc library.upc\nSCOREP_FILE_NAMES_END\n",
    );
    let mut expected = BTreeMap::new();
    for (path, n) in &all {
        if path.ends_with("/library") || path.ends_with("/library/helper") {
            continue;
        }
        // Operations are recorded, whatever file they are called in.
        let path = path.replace("/library/helper", "").replace("/library", "");
        *expected.entry(path).or_insert(0) += n;
    }
    assert!(expected.contains_key("main/phase/walk/helper"));
    assert!(expected.contains_key("main/phase/upc_barrier"));
    assert_eq!(own(&analysed(&bench, &["--filter", "my.filter"])), expected);
    compile(&bench, &["--filter", "my.filter"]);
    assert_eq!(own(&analysed(&bench, &[])), expected);
}

#[test]
fn the_report_says_which_filter_was_in_effect() {
    let bench = bench();
    let of_compile =
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE ti?y # \"x\" \\\\ %d\nSCOREP_REGION_NAMES_END\n";
    bench.write("compile time.filter", of_compile);
    compile(&bench, &["--filter", "compile time.filter"]);
    let of_run = "SCOREP_REGION_NAMES_BEGIN EXCLUDE upc_lock upc_bar* SCOREP_REGION_NAMES_END";
    bench.write("run.filter", of_run);
    let run = bench.told(&["run", "-n", "2", "--filter", "run.filter", "./prog"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let loss = "the filter excludes upc_barrier; the report cannot distinguish waiting at barriers";
    assert_eq!(run.err.matches(loss).count(), 1, "{}", run.err);
    contains(&run.err, &["excludes upc_lock;", "contention for locks"]);

    let experiment = last_line(&run.out);
    let kept = fs::read_to_string(bench.path(experiment).join("experiment.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(
        kept["filters"],
        serde_json::json!([
            { "stage": "compile", "file": "compile time.filter", "rules": of_compile },
            { "stage": "run", "file": "run.filter", "rules": of_run },
        ])
    );
    bench.ok(&["analyze", experiment]);
    let report = bench.ok(&["report", experiment]).replace('\n', " ");
    let words: Vec<&str> = report.split_whitespace().collect();
    contains(
        &words.join(" "),
        &[
            "compiled with the filter compile time.filter: what it excludes counts as part of its \
             callers",
            "recorded with the filter run.filter: what it excludes counts as part of its callers",
            loss,
        ],
    );
}

#[test]
fn a_filter_can_come_from_the_environment() {
    let bench = bench();
    compile(&bench, &[]);
    bench.write(
        "my.filter",
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE walk SCOREP_REGION_NAMES_END",
    );
    let run = |options: &[&str], file: &str| {
        let mut arguments = vec!["run", "-n", "2"];
        arguments.extend(options);
        arguments.push("./prog");
        Told::of(bench.command(&arguments).env("PGAS_FILTER", file))
    };
    let told = run(&[], "my.filter");
    assert_eq!(told.status, Some(0), "{told:?}");
    bench.ok(&["analyze", last_line(&told.out)]);
    let found = visits(&bench.json());
    assert!(found.contains_key("main/helper/tiny"), "{found:?}");
    assert!(!found.contains_key("main/walk"), "{found:?}");

    let told = run(&[], "missing.filter");
    assert_eq!(told.status, Some(2), "{told:?}");
    contains(&told.err, &["missing.filter", "PGAS_FILTER"]);
    // The option counts more.
    assert_eq!(
        run(&["--filter", "my.filter"], "missing.filter").status,
        Some(0)
    );
    // A run that records nothing needs none.
    assert_eq!(run(&["--no-measure"], "missing.filter").status, Some(0));
}

#[test]
fn a_bad_filter_is_refused_before_anything_runs() {
    let bench = bench();
    compile(&bench, &[]);
    bench.write(
        "bad.filter",
        "# a line\nSCOREP_REGION_NAMES_BEGIN\nEXCLUDE [a\n",
    );
    let err = bench.refused(&["run", "-n", "2", "--filter", "bad.filter", "./prog"]);
    contains(&err, &["bad.filter:3:", "`[` without a closing `]`"]);
    let err = bench.refused(&["run", "-n", "2", "--filter", "none.filter", "./prog"]);
    contains(&err, &["cannot read the filter none.filter"]);
    bench.write("bad.filter", b"SCOREP\xff");
    bench.refused(&["run", "-n", "2", "--filter", "bad.filter", "./prog"]);
    bench.refused(&[
        "run",
        "-n",
        "2",
        "--no-measure",
        "--filter",
        "bad.filter",
        "./prog",
    ]);
    assert!(bench.experiments().is_empty(), "{:?}", bench.experiments());
}

#[test]
fn a_compiler_is_asked_for_what_wait_states_need_and_says_what_is_lost() {
    let bench = bench();
    bench.write(
        "my.filter",
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE upc_all_reduce upc_notify upc_memget \
         SCOREP_REGION_NAMES_END",
    );
    let arguments = ["compile", "--filter", "my.filter", "-c", "main.upc"];
    let told = bench.told(&arguments);
    assert_eq!(told.status, Some(0), "{told:?}");
    contains(
        &told.err,
        &[
            "warning: the filter excludes upc_all_reduce; the report cannot distinguish waiting \
             in these collective operations",
            "exclude both or none",
        ],
    );
    assert!(!told.err.contains("upc_memget"), "{}", told.err);
    let told = bench.told(&[
        "compile",
        "--no-instrument",
        "--filter",
        "my.filter",
        "-c",
        "main.upc",
    ]);
    assert_eq!(told.err, "");
}
