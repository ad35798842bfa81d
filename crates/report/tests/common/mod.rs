//! Results as an analysis would give them, made by code: a run of the integer sort with waiting, and variations of it.
#![allow(dead_code)]

use pgas_cube::clocks::{ClockSummary, ClockViolations, NodeClock};
use pgas_cube::model::{
    CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId, Thread, Unit,
};
use pgas_cube::recording::{Recording, RecordingCost, Throttled, WaitStates};
use pgas_cube::summary::{Efficiency, Finding, InstanceStatistics, Summary, WorstInstance};
use pgas_cube::AnalysisResult;

/// (unique name, display name, unit, parent)
const METRICS: [(&str, &str, Unit, Option<&str>); 23] = [
    ("time", "Time", Unit::Seconds, None),
    ("computation", "Computation", Unit::Seconds, Some("time")),
    ("pgas", "PGAS", Unit::Seconds, Some("time")),
    ("one_sided", "One-sided", Unit::Seconds, Some("pgas")),
    ("collective", "Collective", Unit::Seconds, Some("pgas")),
    (
        "late_broadcast",
        "Late broadcast",
        Unit::Seconds,
        Some("collective"),
    ),
    (
        "synchronization",
        "Synchronization",
        Unit::Seconds,
        Some("pgas"),
    ),
    ("barrier", "Barrier", Unit::Seconds, Some("synchronization")),
    (
        "wait_at_barrier",
        "Wait at barrier",
        Unit::Seconds,
        Some("barrier"),
    ),
    (
        "barrier_completion",
        "Barrier completion",
        Unit::Seconds,
        Some("barrier"),
    ),
    ("lock", "Lock", Unit::Seconds, Some("synchronization")),
    (
        "lock_contention",
        "Lock contention",
        Unit::Seconds,
        Some("lock"),
    ),
    ("allocation", "Allocation", Unit::Seconds, Some("pgas")),
    (
        "wait_at_alloc",
        "Wait at allocation",
        Unit::Seconds,
        Some("allocation"),
    ),
    ("measurement", "Measurement", Unit::Seconds, Some("time")),
    ("visits", "Visits", Unit::Occurrences, None),
    ("bytes_put", "Bytes put", Unit::Bytes, None),
    (
        "bytes_put_local",
        "Bytes put, local",
        Unit::Bytes,
        Some("bytes_put"),
    ),
    (
        "bytes_put_remote",
        "Bytes put, remote",
        Unit::Bytes,
        Some("bytes_put"),
    ),
    ("bytes_get", "Bytes got", Unit::Bytes, None),
    (
        "bytes_get_local",
        "Bytes got, local",
        Unit::Bytes,
        Some("bytes_get"),
    ),
    (
        "bytes_get_remote",
        "Bytes got, remote",
        Unit::Bytes,
        Some("bytes_get"),
    ),
    ("imbalance", "Load imbalance", Unit::Seconds, None),
];

/// A result under construction: severities are added to a metric and all those that contain it.
pub struct Run {
    pub cube: Cube,
    pub findings: Vec<Finding>,
    pub instances: Vec<InstanceStatistics>,
    pub remarks: Vec<String>,
    pub recording: Recording,
}

impl Run {
    pub fn new(threads: usize) -> Self {
        let mut cube = Cube::default();
        cube.metrics = METRICS
            .iter()
            .map(|(unique, display, unit, parent)| Metric {
                display_name: (*display).into(),
                unique_name: (*unique).into(),
                unit: *unit,
                url: format!("@mirror@patterns.html#{unique}"),
                description: format!("{display}, over all threads."),
                parent: parent.map(metric_id),
            })
            .collect();
        cube.machine = "cluster".into();
        cube.nodes = vec!["node-1".into()];
        cube.threads = (0..threads)
            .map(|number| Thread {
                name: format!("thread {number}"),
                node: 0,
                process: number as u32,
            })
            .collect();
        cube.attributes
            .insert("started".into(), "2026-11-21 14:30:00".into());
        Run {
            cube,
            findings: Vec::new(),
            instances: Vec::new(),
            remarks: Vec::new(),
            recording: Recording::default(),
        }
    }

    pub fn call_path(&mut self, parent: Option<usize>, name: &str, file: &str, line: u32) -> usize {
        self.cube.regions.push(Region {
            name: name.into(),
            module: if name.starts_with("upc_") {
                "UPC"
            } else {
                file
            }
            .into(),
            begin_line: line,
            end_line: line,
            description: String::new(),
        });
        self.cube.call_paths.push(CallPath {
            region: RegionId(self.cube.regions.len() - 1),
            parent: parent.map(CallPathId),
            file: file.into(),
            line,
        });
        self.cube.call_paths.len() - 1
    }

    /// Adds a counter with a value per call path and thread.
    pub fn counter(&mut self, name: &str, values: &[(usize, &[f64])]) {
        self.cube.metrics.push(Metric {
            display_name: name.into(),
            unique_name: name.into(),
            unit: match name {
                "task-clock" => Unit::Seconds,
                _ => Unit::Occurrences,
            },
            url: String::new(),
            description: format!("Counter {name}."),
            parent: None,
        });
        let metric = MetricId(self.cube.metrics.len() - 1);
        for (call_path, values) in values {
            let row = self.cube.row_mut(metric, CallPathId(*call_path));
            row.copy_from_slice(values);
        }
        self.recording.counters.push(name.into());
    }

    pub fn add(&mut self, metric: &str, call_path: usize, values: &[f64]) {
        let mut metric = Some(metric_id(metric));
        while let Some(id) = metric {
            let row = self.cube.row_mut(id, CallPathId(call_path));
            for (sum, value) in row.iter_mut().zip(values) {
                *sum += value;
            }
            metric = self.cube.metrics[id.0].parent;
        }
    }

    pub fn result(self, program: &str, arguments: &[&str], wall_seconds: f64) -> AnalysisResult {
        let computation = self.cube.per_thread(metric_id("computation"));
        let most = computation.iter().copied().fold(0.0, f64::max);
        let mean = computation.iter().sum::<f64>() / computation.len() as f64;
        AnalysisResult {
            summary: Summary {
                schema: 1,
                program: program.into(),
                arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
                threads: self.cube.threads.len() as u32,
                wall_seconds,
                efficiency: Efficiency {
                    load_balance: mean / most,
                    communication_efficiency: most / wall_seconds,
                    parallel_efficiency: mean / wall_seconds,
                },
                findings: self.findings,
                instances: self.instances,
                remarks: self.remarks,
                recording: self.recording,
                clocks: None,
            },
            cube: self.cube,
        }
    }
}

/// A run on two nodes whose clocks are known to some microseconds.
pub fn several_nodes() -> AnalysisResult {
    let mut result = balanced(4);
    result.cube.nodes.push("node-2".into());
    for thread in &mut result.cube.threads[2..] {
        thread.node = 1;
    }
    let node = |host: &str, uncertainty, drift, exchanges| NodeClock {
        host: host.into(),
        threads: 2,
        uncertainty_seconds: uncertainty,
        drift_ppm: drift,
        exchanges,
    };
    result.summary.clocks = Some(ClockSummary {
        method: "linear".into(),
        nodes: vec![
            node("node-1", Some(0.0), None, 0),
            node("node-2", Some(1.4e-6), Some(-3.25), 612),
        ],
        waiting_seconds: 0.5,
        below_uncertainty_seconds: 0.01,
        held_events: 0,
        violations: ClockViolations {
            barriers: 3,
            collectives: 0,
            locks: 1,
            unexplained: 0,
            largest_seconds: 9e-7,
        },
    });
    result
}

fn metric_id(name: &str) -> MetricId {
    MetricId(METRICS.iter().position(|m| m.0 == name).unwrap())
}

/// Integer sort, class W, on four threads: thread 3 has most keys, the others wait for it at the barrier.
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
    run.findings = vec![
        Finding {
            culprit_thread: Some(3),
            cause: "Thread 3 came last at 10 of 11 barriers. Before, it computed in rank (is.c:398) for \
                    902 ms, the others for 505 ms on average."
                .into(),
            advice: "Give thread 3 fewer keys: distribute by the number of keys, not by their range.".into(),
            worst: Some(WorstInstance {
                at_seconds: 0.913,
                seconds: 0.142,
                last_thread: 3,
            }),
            ..finding("wait_at_barrier", 1.1573, "upc_barrier", 441, barrier)
        },
        Finding {
            cause: "11,264 calls a thread get 312 bytes each on average; most of their 11.2 µs is the call, \
                    not the transfer."
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
            cause: "Thread 0 allocates for all and came 11 ms after the others: it computed in rank.".into(),
            advice: "Allocate once, before the loop over iterations.".into(),
            worst: Some(WorstInstance {
                at_seconds: 0.087,
                seconds: 0.019,
                last_thread: 0,
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
        },
        InstanceStatistics {
            metric: "wait_at_alloc".into(),
            call_path: alloc,
            instances: 11,
            worst: run.findings[3].worst.clone(),
            last_counts: vec![11, 0, 0, 0],
        },
    ];
    run.result("is", &["-c", "W"], 1.214)
}

fn throttled(region: &str, file: &str, calls: u64, seconds: f64) -> Throttled {
    Throttled {
        region: region.into(),
        file: file.into(),
        line: 7,
        calls,
        timed_calls: calls / 32,
        seconds,
        percent: seconds / 30.0 * 100.0,
    }
}

/// A run with tiny functions, of which so many calls are left that they cost, and counters.
pub fn tiny_functions() -> AnalysisResult {
    let mut run = Run::new(4);
    let root = run.call_path(None, "is", "", 0);
    let main = run.call_path(Some(root), "main", "is.c", 612);
    let key = run.call_path(Some(main), "randlc", "is.c", 101);
    let add = run.call_path(Some(main), "add", "is.c", 7);
    let barrier = run.call_path(Some(main), "upc_barrier", "is.c", 640);
    run.add("computation", main, &[2.5; 4]);
    run.add("computation", key, &[2.9, 3.0, 3.1, 3.3]);
    run.add("computation", add, &[0.9, 1.0, 1.1, 1.2]);
    run.add("wait_at_barrier", barrier, &[0.7, 0.5, 0.3, 0.0]);
    run.add("visits", key, &[12e6; 4]);
    run.counter(
        "cycles",
        &[
            (main, &[6.1e9, 6.0e9, 6.2e9, 6.1e9]),
            (key, &[7.0e9, 7.1e9, 7.3e9, 7.9e9]),
            (barrier, &[1.5e9, 1.1e9, 0.6e9, 0.0]),
        ],
    );
    run.counter(
        "instructions",
        &[
            (main, &[4.1e9, 4.0e9, 4.2e9, 4.1e9]),
            (key, &[15.0e9, 15.1e9, 15.3e9, 15.9e9]),
            (barrier, &[0.2e9, 0.1e9, 0.1e9, 0.0]),
        ],
    );
    run.counter("task-clock", &[(main, &[7.0, 7.0, 7.0, 7.0])]);
    run.recording.throttled = vec![
        throttled("randlc", "is.c", 47_600_000, 12.1),
        throttled(
            "add",
            "src/very/deeply/nested/directory/of/a/library/is.c",
            8_412_345,
            4.2,
        ),
    ];
    run.recording.cost = Some(RecordingCost {
        events: 1_604_412,
        summed_calls: 0,
        throttled_calls: 56_012_345,
        seconds: 1.23,
        percent: 4.1,
    });
    run.result("is", &["-c", "B"], 7.6)
}

/// A run that was recorded without trace.
pub fn without_trace() -> AnalysisResult {
    let mut run = Run::new(2);
    run.recording.wait_states = WaitStates::None;
    let root = run.call_path(None, "cg", "", 0);
    let main = run.call_path(Some(root), "main", "cg.c", 88);
    let barrier = run.call_path(Some(main), "upc_barrier", "cg.c", 131);
    run.add("computation", main, &[7.5, 7.6]);
    run.add("barrier", barrier, &[0.4, 0.3]);
    run.add("visits", barrier, &[200.0, 200.0]);
    run.recording.cost = Some(RecordingCost {
        events: 0,
        summed_calls: 812,
        throttled_calls: 0,
        seconds: 0.00005,
        percent: 0.0003,
    });
    run.remarks = vec![
        "recorded with --profile, as sums by call path: run without it for wait states".into(),
    ];
    run.result("./cg", &[], 7.9)
}

/// All threads equally busy.
pub fn balanced(threads: usize) -> AnalysisResult {
    let mut run = Run::new(threads);
    let root = run.call_path(None, "jacobi", "", 0);
    let main = run.call_path(Some(root), "main", "jacobi.upc", 88);
    let relax = run.call_path(Some(main), "relax", "jacobi.upc", 41);
    let barrier = run.call_path(Some(main), "upc_barrier", "jacobi.upc", 131);
    run.add("computation", main, &vec![0.01; threads]);
    run.add("computation", relax, &vec![7.5; threads]);
    run.add("barrier", barrier, &vec![0.004; threads]);
    run.add("visits", relax, &vec![200.0; threads]);
    run.result("./jacobi", &[], 7.52)
}

/// The integer sort after `kill -9`.
pub fn killed() -> AnalysisResult {
    let mut result = integer_sort();
    result.summary.remarks = vec![
        "The program was killed by signal 9 after 1.21 s; what its threads had not written yet is lost.".into(),
        "Thread 2: streams/thread-0002.pgt ends early, at 1.102 s (byte 104,448 of 104,911, in the middle of \
         a block). Barriers after that are not judged."
            .into(),
    ];
    result
}

/// 1,024 threads, of which 700 has more to do, and a few less.
pub fn many() -> AnalysisResult {
    let threads = 1024;
    let mut run = Run::new(threads);
    run.cube.nodes = (0..16).map(|n| format!("node-{n}")).collect();
    for (number, thread) in run.cube.threads.iter_mut().enumerate() {
        thread.node = number / 64;
    }
    let root = run.call_path(None, "stencil", "", 0);
    let main = run.call_path(Some(root), "main", "stencil.upc", 10);
    let barrier = run.call_path(Some(main), "upc_barrier", "stencil.upc", 30);
    let put = run.call_path(Some(main), "upc_put", "stencil.upc", 25);
    let mut load: Vec<f64> = (0..threads)
        .map(|t| 1800.0 + 400.0 * (t as f64 / 1023.0))
        .collect();
    load[700] = 3900.0;
    load[3] = 900.0;
    let wait: Vec<f64> = load.iter().map(|l| 3900.0 - l).collect();
    run.add("computation", main, &load);
    run.add("wait_at_barrier", barrier, &wait);
    run.add("barrier", barrier, &vec![1.0; threads]);
    run.add("one_sided", put, &vec![99.0; threads]);
    run.add("bytes_put_remote", put, &vec![8e9; threads]);
    run.findings = vec![Finding {
        metric: "wait_at_barrier".into(),
        seconds: wait.iter().sum(),
        percent: 47.4,
        region: "upc_barrier".into(),
        function: "main".into(),
        file: "stencil.upc".into(),
        line: 30,
        call_path: barrier,
        culprit_thread: Some(700),
        cause: "Thread 700 came last at all barriers: it computed in main (stencil.upc:10).".into(),
        advice: "Look at what thread 700 does differently.".into(),
        worst: None,
    }];
    run.result("stencil", &["8192", "8192", "100"], 4000.0)
}

/// Names that want to break the report, or the terminal.
pub fn hostile() -> AnalysisResult {
    let mut run = Run::new(2);
    let long = "solve_system_of_equations_with_preconditioner<std::complex<long double>, \
                std::allocator<std::complex<long double>>>";
    let file = "/home/somebody with spaces/projects/application-2026/src/très/long/chemin/数値計算/multigrid \
                solver/relaxation.upc";
    let root = run.call_path(None, "\x1b]0;owned\x07\x1b[2J", "", 0);
    let mut parent = root;
    for depth in 0..12 {
        parent = run.call_path(Some(parent), &format!("{long}_{depth}"), file, 1000 + depth);
    }
    let rtl = run.call_path(
        Some(parent),
        "evil\u{202e}cnuf\u{200b}\r\n<b>&\"'",
        "<script>.c",
        7,
    );
    let emoji = run.call_path(Some(parent), "計算👩‍👩‍👧‍👦e\u{301}", "größe.c", u32::MAX);
    run.add("computation", parent, &[1.0, 0.5]);
    run.add("computation", rtl, &[1e-7, 2e-8]);
    run.add("computation", emoji, &[0.25, 0.0]);
    run.add("wait_at_barrier", rtl, &[0.0, 0.75]);
    run.cube.metrics[8].display_name = format!("Wait\x1b[5m {long}");
    run.cube.nodes = vec![format!("node\n{long}")];
    run.cube
        .attributes
        .insert("started".into(), format!("yesterday\t{long}"));
    run.findings = vec![Finding {
        metric: "wait_at_barrier".into(),
        seconds: 0.75,
        percent: 30.0,
        region: long.into(),
        function: long.into(),
        file: file.into(),
        line: 1011,
        call_path: rtl,
        culprit_thread: Some(0),
        cause: format!("Thread 0 was in {long}{long} at {file}:1011\x1b[31m."),
        advice: "数値計算の関数名がとても長い場合の例".repeat(5),
        worst: None,
    }];
    run.remarks = vec![format!("lost\x07 {}", "x".repeat(300))];
    run.recording.throttled = vec![
        throttled(long, file, u64::MAX, 1e9),
        throttled("", "", 0, 0.0),
    ];
    run.counter("\x1b[2Jcycles", &[(rtl, &[1e30, 0.0])]);
    run.result(
        "/a/very/long/path/to/the/program/that/was/measured/with a space/in.it",
        &["--key=\"value\"", "\x1b[31mred", "it's", ""],
        1.3,
    )
}
