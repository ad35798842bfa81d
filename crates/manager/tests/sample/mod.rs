//! Pictures of a program whose times are known: odd threads wait for half of each second.

use std::collections::BTreeMap;

use pgas_monitor::{Bytes, MetricNow, Now, OperationTime, Picture, Place, Times, Wait};

/// Threads of a process, and processes of a node.
pub const THREADS: u32 = 2;
/// Processes of a node.
pub const PROCESSES: u32 = 2;

/// A place in heat.upc.
pub fn place(region: &str, line: u32) -> Place {
    Place {
        region: region.to_owned(),
        file: "/src/heat.upc".to_owned(),
        line,
    }
}

fn times(waiting: f64, scale: f64) -> Times {
    Times {
        computing: scale * (0.9 - waiting),
        waiting: BTreeMap::from([("barrier", scale * waiting)]),
        communicating: BTreeMap::from([("one_sided", scale * 0.1)]),
        ..Times::default()
    }
}

fn operation(threads: f64, waiting: bool) -> OperationTime {
    let (name, activity, kind, seconds) = match waiting {
        true => ("upc_barrier", "waiting", "barrier", 0.5),
        false => ("upc_memget", "communicating", "one_sided", 0.1),
    };
    OperationTime {
        place: place(name, if waiting { 12 } else { 30 }),
        activity,
        kind,
        seconds: seconds * threads,
        calls: 10.0 * threads,
        bytes: if waiting { 0.0 } else { 1000.0 * threads },
        threads: threads as u32,
        wait_states: None,
    }
}

/// What a thread did in the second.
pub fn now(thread: u32) -> Now {
    let waits = thread % 2 == 1;
    let mut operations = vec![operation(1.0, false)];
    operations.extend(waits.then(|| operation(1.0, true)));
    Now {
        thread,
        process: 4711 + thread / THREADS % PROCESSES,
        node: format!("node{}", thread / (THREADS * PROCESSES)),
        activity: if waits { "waiting" } else { "computing" },
        kind: waits.then_some("barrier"),
        seconds: 0.25,
        place: Some(place("step", 9)),
        path: vec![place("main", 50), place("step", 20 + thread % 2)],
        deeper: 0,
        held: if thread == 0 { vec![7] } else { Vec::new() },
        wanted: waits.then_some(7),
        efficiency: Some(if waits { 0.4 } else { 0.9 }),
        times: Some(times(if waits { 0.5 } else { 0.0 }, 1.0)),
        metrics: vec![
            metric("particles", "count", f64::from(thread)),
            metric("sort \"fast\"\\\n", "seconds", 1.5),
        ],
        arrivals: 0,
        calls: operations.iter().map(|one| one.calls).sum(),
        bytes: Bytes {
            near: 1000.0,
            ..Bytes::default()
        },
        operations,
        tasks: None,
    }
}

fn metric(name: &str, unit: &'static str, value: f64) -> MetricNow {
    MetricNow {
        name: name.to_owned(),
        unit,
        value,
        integer: (unit != "seconds").then_some(value as u64),
        rate: Some(1.0),
        is_running: (unit == "seconds").then_some(true),
    }
}

/// One second of a program with this even number of threads.
pub fn picture(second: u32, threads: u32) -> Picture {
    let half = f64::from(threads) / 2.0;
    let mut all = times(0.25, 2.0 * half);
    all.computing = 1.3 * half;
    let wait = Wait {
        place: place("upc_barrier", 12),
        kind: "barrier",
        threads: (0..threads).filter(|thread| thread % 2 == 1).collect(),
        longest: 0.25,
        longest_thread: 1,
    };
    Picture {
        schema: 1,
        experiment: "/tmp/heat \"1\"".to_owned(),
        run: "17".to_owned(),
        runtime: String::new(),
        words: Default::default(),
        time_unix_ns: 1_700_000_000_000_000_000,
        elapsed: f64::from(second),
        period: 1.0,
        threads,
        seen: threads,
        efficiency: all.efficiency(),
        times: all,
        calls_per_second: 30.0 * half,
        bytes_per_second: Bytes {
            near: 2000.0 * half,
            ..Bytes::default()
        },
        operations: vec![operation(half, true), operation(2.0 * half, false)],
        waiting: threads / 2,
        waits: vec![wait],
        now: (0..threads).map(now).collect(),
        stuck: Vec::new(),
        deadlocks: Vec::new(),
        problems: Vec::new(),
        ring: None,
        tasks: None,
    }
}
