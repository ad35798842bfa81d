//! The integer sort on four threads, with waiting, and the same run after it was killed.

use pgas_cube::model::Thread;
use pgas_result::AnalysisResult;
use pgas_result::causes::{Causes, CriticalCallPath, CriticalPath, Effect, RootCause};
use pgas_result::distribution::{Distribution, Spread};
use pgas_result::summary::{Finding, FindingKind, InstanceStatistics, WorstInstance};

use super::run::Run;

/// Integer sort, class W, on four threads: thread 3 has most keys, the others wait for it at the
/// barrier.
pub fn integer_sort() -> AnalysisResult {
    let mut run = Run::new(4);
    let root = run.call_path(None, "is", "", 0);
    let main = run.call_path(Some(root), "main", "is.c", 612);
    let rank = run.call_path(Some(main), "rank", "is.c", 398);
    let alloc = run.call_path(Some(rank), "upc_all_alloc", "is.c", 405);
    let barrier = run.call_path(Some(rank), "upc_barrier", "is.c", 441);
    let memget = run.call_path(Some(rank), "upc_memget", "is.c", 458);
    let lock = run.call_path(Some(rank), "upc_lock", "is.c", 472);
    let verify = run.call_path(Some(main), "full_verify", "is.c", 520);
    let last = run.call_path(Some(verify), "upc_barrier", "is.c", 544);

    run.add("computation", main, &[0.042, 0.039, 0.041, 0.044]);
    run.add("computation", rank, &[0.512, 0.498, 0.505, 0.902]);
    run.add("computation", verify, &[0.061, 0.060, 0.062, 0.071]);
    run.add("wait_at_alloc", alloc, &[0.0, 0.0431, 0.0429, 0.0377]);
    run.add("allocation", alloc, &[0.0512, 0.0021, 0.0019, 0.0022]);
    run.add("wait_at_barrier", barrier, &[0.3812, 0.3907, 0.3854, 0.0]);
    run.add(
        "barrier_completion",
        barrier,
        &[0.0002, 0.0001, 0.0003, 0.0004],
    );
    run.add("barrier", barrier, &[0.0011, 0.0012, 0.0009, 0.0013]);
    run.add("one_sided", memget, &[0.118, 0.121, 0.119, 0.147]);
    run.add("lock_contention", lock, &[0.0061, 0.0, 0.0058, 0.0049]);
    run.add("lock", lock, &[0.0002, 0.0003, 0.0002, 0.0002]);
    run.add("wait_at_barrier", last, &[0.010, 0.011, 0.009, 0.0]);
    run.add("barrier", last, &[0.0002, 0.0002, 0.0002, 0.0002]);
    run.add("measurement", rank, &[0.0, 0.0, 0.0004, 0.0]);
    run.add("imbalance", rank, &[0.0; 4]);
    run.add("imbalance", rank, &[0.298, 0.0, 0.0, 0.0]);
    run.add("bytes_get_remote", memget, &[3.1e6, 3.1e6, 3.2e6, 4.4e6]);
    run.add("bytes_get_local", memget, &[1.0e6, 1.0e6, 1.1e6, 1.4e6]);
    for (call_path, visits) in [
        (root, 1.0),
        (main, 1.0),
        (rank, 11.0),
        (alloc, 11.0),
        (barrier, 11.0),
        (memget, 11264.0),
        (lock, 11.0),
        (verify, 1.0),
        (last, 1.0),
    ] {
        run.add("visits", call_path, &[visits; 4]);
    }

    let finding = |metric: &str, seconds: f64, region: &str, line, call_path| Finding {
        kind: match metric {
            "one_sided" => FindingKind::Cost,
            "imbalance" => FindingKind::Imbalance,
            _ => FindingKind::Wait,
        },
        saves_seconds: None,
        overlaps: Vec::new(),
        metric: metric.into(),
        seconds,
        percent: seconds / 4.72 * 100.0,
        region: region.into(),
        function: "rank".into(),
        file: "is.c".into(),
        line,
        call_path,
        culprit_thread: None,
        cause: String::new(),
        advice: String::new(),
        worst: None,
    };
    run.causes = Some(Causes {
        critical_path: CriticalPath {
            seconds: 1.176,
            changes: 21,
            by_thread: vec![0.07, 0.0, 0.006, 1.1],
            call_paths: vec![
                CriticalCallPath {
                    call_path: rank,
                    seconds: 0.902,
                    imbalance_seconds: 0.298,
                },
                CriticalCallPath {
                    call_path: memget,
                    seconds: 0.147,
                    imbalance_seconds: 0.0,
                },
                CriticalCallPath {
                    call_path: alloc,
                    seconds: 0.005,
                    imbalance_seconds: 0.0,
                },
            ],
        },
        root_causes: vec![
            RootCause {
                call_path: rank,
                thread: 3,
                short_term_seconds: 1.08,
                long_term_seconds: 0.02,
                effects: vec![Effect {
                    metric: "wait_at_barrier".into(),
                    call_path: barrier,
                    seconds: 1.1,
                }],
            },
            RootCause {
                call_path: rank,
                thread: 0,
                short_term_seconds: 0.02,
                long_term_seconds: 0.1,
                effects: vec![Effect {
                    metric: "wait_at_alloc".into(),
                    call_path: alloc,
                    seconds: 0.12,
                }],
            },
        ],
    });
    run.findings = vec![
        Finding {
            saves_seconds: Some(0.3861),
            overlaps: Vec::new(),
            culprit_thread: Some(3),
            cause: "Thread 3 came last at 10 of 11 barriers. Before, it computed in rank \
                    (is.c:398) for 902 ms, the others for 505 ms on average."
                .into(),
            advice: "Give thread 3 fewer keys: distribute by the number of keys, not by their \
                     range."
                .into(),
            worst: Some(WorstInstance {
                at_seconds: 0.913,
                seconds: 0.142,
                last_thread: 3,
                number: Some(9),
                longest_thread: Some(0),
                longest_seconds: Some(0.049),
            }),
            ..finding("wait_at_barrier", 1.1573, "upc_barrier", 441, barrier)
        },
        Finding {
            cause: "11,264 calls a thread get 312 bytes each on average; most of their 11.2 µs is \
                    the call, not the transfer."
                .into(),
            advice: "Get all keys of one thread with one upc_memget into a private buffer.".into(),
            ..finding("one_sided", 0.505, "upc_memget", 458, memget)
        },
        Finding {
            culprit_thread: Some(3),
            cause: "Thread 3 computes 298 ms longer than the average.".into(),
            advice: "Balance the keys.".into(),
            region: "rank".into(),
            ..finding("imbalance", 0.298, "rank", 398, rank)
        },
        Finding {
            culprit_thread: Some(0),
            cause: "Thread 0 allocates for all and came 11 ms after the others: it computed in \
                    rank."
                .into(),
            advice: "Allocate once, before the loop over iterations.".into(),
            worst: Some(WorstInstance {
                at_seconds: 0.087,
                seconds: 0.019,
                last_thread: 0,
                number: Some(1),
                longest_thread: Some(2),
                longest_seconds: Some(0.008),
            }),
            ..finding("wait_at_alloc", 0.1237, "upc_all_alloc", 405, alloc)
        },
        Finding {
            culprit_thread: Some(3),
            cause: "Thread 3 came last: it computed in full_verify (is.c:520).".into(),
            advice: "Balance the keys.".into(),
            function: "full_verify".into(),
            ..finding("wait_at_barrier", 0.030, "upc_barrier", 544, last)
        },
        Finding {
            culprit_thread: Some(1),
            cause: "Thread 1 held the lock.".into(),
            advice: "Hold it for a shorter time.".into(),
            ..finding("lock_contention", 0.0168, "upc_lock", 472, lock)
        },
    ];
    run.instances = vec![
        InstanceStatistics {
            metric: "wait_at_barrier".into(),
            call_path: barrier,
            instances: 11,
            worst: run.findings[0].worst.clone(),
            last_counts: vec![0, 1, 0, 10],
            spread: Some(Spread {
                instances: distribution(
                    11,
                    [0.071, 0.095, 0.104, 0.119, 0.142, 0.142],
                    1.1573 / 11.0,
                ),
                threads: distribution(
                    33,
                    [0.002, 0.030, 0.035, 0.041, 0.048, 0.049],
                    1.1573 / 33.0,
                ),
                until_last_exit: None,
            }),
        },
        InstanceStatistics {
            metric: "wait_at_alloc".into(),
            call_path: alloc,
            instances: 11,
            worst: run.findings[3].worst.clone(),
            last_counts: vec![11, 0, 0, 0],
            spread: None,
        },
    ];
    run.result("is", &["-c", "W"], 1.214)
}

/// `figures`: minimum, quartiles, 95 %, maximum.
pub fn distribution(count: u64, figures: [f64; 6], mean: f64) -> Distribution {
    let [
        minimum,
        lower_quartile,
        median,
        upper_quartile,
        percentile_95,
        maximum,
    ] = figures;
    Distribution {
        count,
        minimum,
        lower_quartile,
        median,
        upper_quartile,
        percentile_95,
        maximum,
        mean,
    }
}

/// The integer sort after `kill -9`.
pub fn killed() -> AnalysisResult {
    let mut result = integer_sort();
    result.summary.remarks = vec![
        "The program was killed by signal 9 after 1.21 s; what its threads had not written yet is \
         lost."
            .into(),
        "Thread 2: streams/thread-0002.pgt ends early, at 1.102 s (byte 104,448 of 104,911, in \
         the middle of a block). Barriers after that are not judged."
            .into(),
    ];
    result
}
