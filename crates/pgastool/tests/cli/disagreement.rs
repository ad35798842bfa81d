//! Programs whose threads do not do the same, up to the end that this takes with them: what came
//! before is analysed, and the message says which threads did what where, in contrast to the
//! others.

use std::fs;

use crate::bench::{Bench, contains};

const THREADS: &str = "4";

/// Remarks of the report on a program of four threads, with the lines `BODY` in main. The program
/// ends as `status`.
fn remarks(body: &str, status: i32) -> (Bench, Vec<String>) {
    let bench = Bench::new();
    bench.compile(
        &format!(
            "#include <upc.h>\n#include <upc_collective.h>\n#include <stdlib.h>\nshared int \
             value[THREADS], sum;\nshared [4] int part[THREADS][4], source[THREADS][4];\nstatic \
             void add(void) {{ upc_all_reduceI(&sum, value, UPC_ADD, THREADS, 1, NULL, \
             UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); }}\nint main(void) {{\nupc_lock_t *lock = \
             upc_all_lock_alloc();\nupc_barrier;\n{body}\nreturn 0;\n}}\n"
        ),
        &[],
    );
    let run = bench.told(&["run", "-n", THREADS, "-o", "experiment", "./prog"]);
    assert_eq!(run.status, Some(status), "{run:?}");
    let analyse = bench.told(&["analyze"]);
    assert_eq!(analyse.status, Some(0), "{analyse:?}");
    let remarks = bench.json()["remarks"].clone();
    let remarks: Vec<String> = serde_json::from_value(remarks).unwrap();
    // The first remark comes before the headline of the report, and as a warning of the analysis.
    let text = bench.ok(&["report"]);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let top = words(&text);
    let headline = top.find("HOW EFFICIENT").expect("a report");
    if let Some(first) = remarks.first() {
        assert!(top[..headline].contains(&words(first)), "{text}");
        contains(&analyse.err, &[&format!("warning: {first}")]);
    }
    (bench, remarks)
}

/// The first remark is about the threads and has these parts, in this order.
fn in_order(remarks: &[String], parts: &[&str]) {
    let mut rest = remarks.first().map_or("", |first| first.as_str());
    for part in parts {
        let at = rest.find(part);
        let at = at.unwrap_or_else(|| panic!("{part:?} is missing or misplaced in {remarks:#?}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn different_collectives() {
    let (bench, remarks) = remarks(
        "add(); add();\nif (MYTHREAD == 3) add();\nelse upc_all_broadcast(part, source, 16, \
         0);\nupc_barrier;",
        1,
    );
    // The allocation of the lock is number 0.
    in_order(
        &remarks,
        &[
            "the threads disagree: thread 3 is in upc_all_reduce (prog.upc:6), called from add, \
             entered as collective operation 3 after ",
            ", while threads 0-2 are in upc_all_broadcast (prog.upc:12), called from main, \
             entered as collective operation 3 after ",
            "matched up to there",
        ],
    );
    // The figures include the operations before, and it is known that the last one was not left.
    let report = bench.json();
    let of = |metric: &str| report["metrics"][metric]["total"].as_f64().unwrap();
    assert!(of("collective_sync_in") + of("collective_sync_out") > 0.0);
    assert!(
        !remarks.iter().any(|r| r.contains("was left by")),
        "{remarks:#?}"
    );
}

#[test]
fn different_roots_and_modes() {
    let (_, remarks) = remarks(
        "upc_all_broadcast(part, &source[MYTHREAD == 2][0], 16, 0);",
        0,
    );
    in_order(
        &remarks,
        &[
            "as collective operation 1 (counted from 0), thread 2 entered upc_all_broadcast \
             (prog.upc:10), called from main, with root 1, after ",
            ", while threads 0, 1 and 3 entered upc_all_broadcast (prog.upc:10), called from \
             main, with root 0, after ",
        ],
    );
}

#[test]
fn different_modes() {
    let (_, remarks) = remarks(
        "upc_all_broadcast(part, source, 16, UPC_IN_NOSYNC | (MYTHREAD ? UPC_OUT_NOSYNC : \
         UPC_OUT_MYSYNC));\nupc_barrier;",
        0,
    );
    in_order(
        &remarks,
        &[
            "thread 0 entered upc_all_broadcast (prog.upc:10), called from main, with IN_NOSYNC \
             and OUT_MYSYNC, after ",
            ", while threads 1-3 entered upc_all_broadcast (prog.upc:10), called from main, with \
             IN_NOSYNC and OUT_NOSYNC, after ",
        ],
    );
}

#[test]
fn different_barrier_values() {
    let (_, remarks) = remarks("upc_barrier 1;\nupc_barrier MYTHREAD == 2 ? 3 : 7;", 1);
    in_order(
        &remarks,
        &[
            "the threads disagree: thread 2 is in upc_barrier (prog.upc:11), called from main, \
             entered as barrier 2 with the value 3 after ",
            ", while threads 0, 1 and 3 are in upc_barrier (prog.upc:11), called from main, \
             entered as barrier 2 with the value 7 after ",
        ],
    );
}

#[test]
fn a_missing_barrier() {
    let (_, remarks) = remarks("if (MYTHREAD != 1)\n  upc_barrier;\nadd();", 1);
    in_order(
        &remarks,
        &[
            "the threads disagree: thread 1 is in upc_all_reduce (prog.upc:6), called from add, \
             entered as collective operation 1 after ",
            ", while threads 0, 2 and 3 are in upc_barrier (prog.upc:11), called from main, \
             entered as barrier 1 after ",
        ],
    );
}

#[test]
fn a_thread_that_exits_early() {
    let (_, remarks) = remarks("if (MYTHREAD == 2) exit(0);\nupc_barrier;", 1);
    in_order(
        &remarks,
        &[
            "the threads disagree: thread 2 has come to the end of the program, after ",
            ", while threads 0, 1 and 3 are in upc_barrier (prog.upc:11), called from main, \
             entered as barrier 1 after ",
        ],
    );
}

#[test]
fn a_lock_that_is_never_released() {
    let (_, remarks) = remarks(
        "if (MYTHREAD == 1) upc_lock(lock);\nupc_barrier;\nif (MYTHREAD >= 2) \
         upc_lock(lock);\nupc_barrier;",
        1,
    );
    in_order(
        &remarks,
        &[
            "threads 0 and 1 are in upc_barrier (prog.upc:13), called from main, entered as \
             barrier 2 after ",
            "threads 2 and 3 are in upc_lock (prog.upc:12), called from main, entered after ",
            "for a lock that thread 1 took in upc_lock (prog.upc:10), called from main, after ",
            "and did not give back",
        ],
    );
    let wrong = |r: &&String| r.contains("took a lock");
    assert_eq!(remarks.iter().find(wrong), None);
}

#[test]
fn a_lock_that_is_kept_to_the_end() {
    let (_, remarks) = remarks("if (MYTHREAD == 1) upc_lock(lock);\nupc_barrier;", 0);
    in_order(
        &remarks,
        &[
            "thread 1 left the program with a lock that it took in upc_lock (prog.upc:10), called \
             from main, after ",
        ],
    );
}

#[test]
fn a_lock_that_another_thread_releases() {
    let (_, remarks) = remarks(
        "if (MYTHREAD == 1) upc_lock(lock);\nupc_barrier;\nif (MYTHREAD == 2) \
         upc_unlock(lock);\nupc_barrier;\nif (MYTHREAD == 3) { upc_lock(lock); upc_unlock(lock); }",
        0,
    );
    in_order(
        &remarks,
        &[
            "thread 2 gave back a lock in upc_unlock (prog.upc:12), called from main, after ",
            "that belonged to thread 1, which took it in upc_lock (prog.upc:10), called from \
             main, after ",
        ],
    );
}

/// One thread ends the program for all, when the others have long come to the barrier: nobody
/// disagrees.
#[test]
fn an_end_for_all() {
    let (_, remarks) = remarks(
        "if (MYTHREAD == 2) { extern int usleep(unsigned); usleep(500000); upc_global_exit(7); \
         }\nupc_barrier;",
        7,
    );
    in_order(
        &remarks,
        &[
            "the traces do not reach the end of the program: threads 0, 1 and 3 are in \
             upc_barrier (prog.upc:11)",
            "what came later is not in the figures",
        ],
    );
    in_order(
        &remarks[1..],
        &[
            "thread 2 left the program in upc_global_exit (prog.upc:10), called from main, after ",
            ", without the other threads",
        ],
    );
}

/// Streams that were cut at different bytes, and one that is not there.
#[test]
fn streams_that_were_cut_differently() {
    let bench = Bench::new();
    bench.compile(
        "#include <upc.h>\nint main(void) { for (int i = 0; i < 4000; i++) upc_barrier; return 0; \
         }\n",
        &[],
    );
    let mut run = bench.command(&["run", "-n", "3", "-o", "experiment", "./prog"]);
    run.env("PGAS_BUFFER", "4096").assert().success();
    let stream = |thread: u32| bench.path(format!("experiment/streams/thread-000{thread}.pgt"));
    let waited = || {
        bench.ok(&["analyze", "experiment"]);
        let report = bench.json();
        let remarks = report["remarks"].to_string();
        let waited: Vec<f64> =
            serde_json::from_value(report["metrics"]["wait_at_barrier"]["per_thread"].clone())
                .unwrap();
        (waited, remarks)
    };
    let (whole, remarks) = waited();
    assert!(
        !remarks.contains("disagree") && !remarks.contains("do not reach"),
        "{remarks}"
    );
    for (thread, share) in [(1, 81), (0, 63), (1, 77)] {
        let bytes = fs::read(stream(thread)).unwrap();
        fs::write(stream(thread), &bytes[..bytes.len() * share / 100]).unwrap();
        let (part, remarks) = waited();
        for (part, whole) in part.iter().zip(&whole) {
            assert!(part <= whole, "{part} {whole}");
        }
        assert!(!remarks.contains("disagree"), "{remarks}");
        contains(
            &remarks,
            &[
                "do not reach the end of the program",
                &format!("thread {thread}"),
            ],
        );
    }
    fs::remove_file(stream(2)).unwrap();
    let (part, remarks) = waited();
    assert_eq!(part, [0.0, 0.0, 0.0]);
    contains(&remarks, &["there are no events of thread 2"]);
}

/// It waited for one that did not come. That is no cost of the barrier that fewer barriers would
/// save.
#[test]
fn standing_in_a_barrier_that_others_never_reached_is_no_cost_of_it() {
    let body = "if (MYTHREAD == 1) {\nusleep(200000);\nupc_global_exit(5);\n}\nupc_barrier;";
    let (bench, _) = remarks(&format!("extern int usleep(unsigned);\n{body}"), 5);
    let report = bench.json();
    let findings = report["findings"].as_array().unwrap().iter();
    let costs: Vec<_> = findings
        .filter(|finding| finding["metric"] == "barrier" && finding["kind"] == "cost")
        .filter(|finding| finding["seconds"].as_f64().unwrap() > 0.1)
        .collect();
    assert!(costs.is_empty(), "{costs:?}");
    // The time is still that of the barrier.
    let paths = report["call_paths"].as_array().unwrap().iter();
    let barrier = paths
        .filter(|path| path["region"] == "upc_barrier")
        .flat_map(|path| path["metrics"]["time"].as_array().unwrap());
    let seconds: f64 = barrier.map(|seconds| seconds.as_f64().unwrap()).sum();
    assert!(seconds > 0.4, "{seconds}");
}
