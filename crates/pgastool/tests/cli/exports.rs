//! `convert --to perfetto`, `folded`, `speedscope`, `csv` and `jsonl`, and the timelines of a real
//! run.

use crate::bench::{Bench, contains};
use pgas_result::AnalysisResult;
use std::fs;

/// Waits at a barrier, in a split phase, for a lock, in a collective operation, and in an
/// allocation.
const PROGRAM: &str = r#"#include <upc.h>
#include <upc_collective.h>
#include <unistd.h>

shared int from[THREADS];
shared int to[THREADS];

void work(int times) { usleep(1000 * times); }

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    int round;
    for (round = 0; round < 3; round++) {
        work(2 * (MYTHREAD + 1));
        upc_all_broadcast(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
        upc_lock(lock);
        work(2);
        upc_unlock(lock);
        work(3 * MYTHREAD);
        upc_barrier;
        if (MYTHREAD == 1) work(4);
        upc_notify;
        upc_wait;
        if (MYTHREAD == 0) work(3);
        (void) upc_all_alloc(THREADS, 8);
    }
    return 0;
}
"#;

#[test]
fn timelines_of_a_real_run_show_what_the_report_says() {
    let bench = Bench::new();
    bench.compile(PROGRAM, &[]);
    bench.ok(&["run", "-n", "3", "-o", "run", "./prog"]);
    bench.ok(&["analyze", "run"]);
    let directory = bench.path("run");
    let result = AnalysisResult::load(&directory).unwrap();
    let timelines = pgas_timeline::load_or_make(&directory, &result, &|_| {}).unwrap();
    let mut seen = Vec::new();
    for timeline in &timelines {
        let of = result.summary.instances.iter().find(|instances| {
            instances.metric == timeline.metric && instances.call_path == timeline.call_path
        });
        let worst = of.and_then(|of| of.worst.as_ref()).unwrap();
        let bars = timeline.rows.iter().flat_map(|row| &row.bars);
        let waited: f64 = bars
            .filter(|bar| bar.of_instance)
            .map(|bar| bar.end_seconds - bar.begin_seconds)
            .sum();
        // Nothing is drawn where the instance cannot be distinguished from others.
        if waited == 0.0 {
            continue;
        }
        // A tick is less than two nanoseconds.
        assert!(
            (waited - worst.seconds).abs() < 2e-9,
            "{}: {waited} of {}",
            timeline.metric,
            worst.seconds
        );
        seen.push(timeline.metric.as_str());
    }
    for metric in [
        "wait_at_barrier",
        "split_phase_wait",
        "lock_contention",
        "collective_sync_in",
        "wait_at_alloc",
    ] {
        assert!(seen.contains(&metric), "{metric}: {seen:?}");
    }
}

#[test]
fn every_format_is_written_under_the_name_of_the_experiment() {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "run", "./prog"]);
    let error = bench.refused(&["convert", "run", "--to", "folded"]);
    contains(&error, &["not analysed", "pgastool analyze"]);
    bench.ok(&["analyze", "run"]);
    for (format, file) in [
        ("perfetto", "run.pftrace"),
        ("folded", "run.folded"),
        ("speedscope", "run.speedscope.json"),
        ("jsonl", "run.jsonl"),
        ("csv", "run.tables"),
    ] {
        let out = bench.ok(&["convert", "run", "--to", format]);
        assert_eq!(out.trim_end(), file);
        assert!(bench.path(file).exists());
    }
    let stacks = fs::read_to_string(bench.path("run.folded")).unwrap();
    contains(&stacks, &["prog;main (prog.upc:", ");work (prog.upc:8) "]);
    let waiting = [
        "convert",
        "run",
        "--to",
        "folded",
        "--metric",
        "wait_at_barrier",
        "-o",
        "w",
    ];
    bench.ok(&waiting);
    contains(
        &fs::read_to_string(bench.path("w")).unwrap(),
        &["upc_barrier (prog.upc:"],
    );
    for (options, words) in [
        (
            &["folded", "--metric", "nothing"][..],
            &["no metric nothing", "wait_at_barrier"][..],
        ),
        (&["csv", "--metric", "time"], &["--metric is for"]),
        (
            &["folded", "--since", "1s"],
            &["--since is for --to perfetto"],
        ),
        (
            &["epilog", "--until", "1s"],
            &["--until is for --to perfetto"],
        ),
        (
            &["perfetto", "--since", "2s", "--until", "1s"],
            &["not before"],
        ),
        (
            &["perfetto", "--since", "1000s"],
            &["no events in that time", "the trace is from"],
        ),
        (&["perfetto", "--names", "shmem"], &["EPILOG"]),
    ] {
        let arguments = [&["convert", "run", "--to"], options].concat();
        contains(&bench.refused(&arguments), words);
    }
}
