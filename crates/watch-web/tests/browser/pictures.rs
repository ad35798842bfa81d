//! Periods of running programs, as `pgastool watch` prints them.

use serde_json::{Value, json};

pub fn place(region: &str, line: u32) -> Value {
    json!({ "region": region, "file": "/home/user/heat/heat.upc", "line": line })
}

/// Seconds of a thread in a period of 1 s, of which it computes a share and waits otherwise.
fn times(computing: f64, communicating: f64) -> Value {
    json!({
        "computing": computing,
        "waiting": { "barrier": (1.0 - computing - communicating).max(0.0) },
        "communicating": { "one_sided": communicating },
        "estimated": 0.0, "recording": 0.0, "paused": 0.0,
    })
}

fn now(thread: u32, activity: &str, computing: f64) -> Value {
    let (region, line, kind) = match activity {
        "waiting" => ("upc_barrier", 12, json!("barrier")),
        "communicating" => ("upc_memput", 30, json!("one_sided")),
        _ => ("step", 9, Value::Null),
    };
    let communicating = if thread % 4 == 3 { 0.1 } else { 0.0 };
    let metric = |name: &str, unit: &str, value: f64, rate: f64, is_running: Value| {
        let integer = (unit == "count").then_some(value as u64);
        json!({ "name": name, "unit": unit, "value": value, "integer": integer, "rate": rate,
                "is_running": is_running })
    };
    json!({
        "thread": thread,
        "activity": activity,
        "kind": kind,
        "seconds": 0.018 + 0.001 * f64::from(thread % 7),
        "place": place(region, line),
        "path": [place("main", 40), place("step", 9), place(region, line)],
        "deeper": 0,
        "held": [],
        "wanted": null,
        "efficiency": computing,
        "times": times(computing, communicating),
        "metrics": [
            metric("cells", "count", 1000.0 * f64::from(thread + 1), 250.0, Value::Null),
            metric("solve", "seconds", 3.5, 0.5, json!(thread == 2)),
        ],
        "process": 4000 + thread,
        "node": if thread < 512 { "n01" } else { "n02" },
    })
}

/// A period of `threads` threads of which thread 2 computes and the others wait for it.
pub fn heat(threads: u32, elapsed: f64) -> Value {
    let all = f64::from(threads);
    let computing = |thread: u32| match thread {
        2 => 0.98,
        _ => 0.14 + 0.3 * f64::from(thread * 37 % 100) / 100.0 * f64::from(u32::from(threads > 4)),
    };
    let threads_now: Vec<Value> = (0..threads)
        .map(|thread| match thread {
            2 => now(thread, "computing", computing(thread)),
            _ => now(thread, "waiting", computing(thread)),
        })
        .collect();
    let waiting: Vec<u32> = (0..threads).filter(|thread| *thread != 2).collect();
    let sum: f64 = (0..threads).map(computing).sum();
    json!({
        "schema": 1,
        "experiment": "/home/user/heat/pgas_heat_4",
        "program": "heat",
        "run": "r1",
        "runtime": "",
        "words": { "one": "thread", "many": "threads", "first": 0 },
        "time_unix_ns": 1_790_000_000_000_000_000_u64 + (elapsed * 1e9) as u64,
        "elapsed": elapsed,
        "period": 1.0,
        "threads": threads,
        "seen": threads,
        "efficiency": sum / all,
        "times": {
            "computing": sum,
            "waiting": { "barrier": 0.86 * (all - sum), "lock": 0.14 * (all - sum) - 0.01 },
            "communicating": { "one_sided": 0.01 },
            "estimated": 0.0, "recording": 0.0, "paused": 0.0,
        },
        "calls_per_second": 24401.0,
        "bytes_per_second": { "own": 0.0, "near": 24_747_008.0, "far": 0.0, "unknown": 0.0 },
        "operations": [
            { "place": place("upc_barrier", 12), "activity": "waiting", "kind": "barrier",
              "seconds": 0.56 * all, "calls": 400.0, "bytes": 0.0, "threads": threads },
            { "place": place("upc_lock", 21), "activity": "waiting", "kind": "lock",
              "seconds": 0.092 * all, "calls": 1000.0, "bytes": 0.0, "threads": threads },
            { "place": place("upc_memput", 30), "activity": "communicating", "kind": "one_sided",
              "seconds": 0.01, "calls": 23001.0, "bytes": 24_747_008.0, "threads": 1 },
        ],
        "waiting": waiting.len(),
        "waits": [{ "place": place("upc_barrier", 12), "kind": "barrier", "threads": waiting,
                    "longest": 0.022, "longest_thread": 3 }],
        "now": threads_now,
        "stuck": [],
        "deadlocks": [],
        "problems": [],
        "ring": null,
        "tasks": null,
        "findings": [program_finding(), thread_finding()],
    })
}

pub fn program_finding() -> Value {
    json!({ "level": "program", "share": 0.64, "known_after": 5.5, "meanwhile": null })
}

pub fn thread_finding() -> Value {
    json!({ "level": "thread", "kind": "barrier", "place": place("upc_barrier", 12), "thread": 2,
            "share": 0.8, "known_after": 9.3, "meanwhile": "computing in step at heat.upc:9" })
}

/// Threads 0 and 1 wait for each other's locks, thread 2 for one of thread 0, thread 3 is stuck in
/// the barrier.
pub fn deadlock(elapsed: f64) -> Value {
    let mut picture = heat(4, elapsed);
    let wait = |thread: u32, line: u32, lock: u32, holder: u32| {
        json!({ "thread": thread, "place": place("upc_lock", line), "lock": lock,
                "holder": holder, "seconds": 8.2 })
    };
    picture["deadlocks"] = json!([{ "waits": [wait(0, 12, 2, 1), wait(1, 19, 1, 0)] }]);
    picture["stuck"] = json!([{
        "thread": 3, "place": place("upc_barrier", 41), "seconds": 8.2, "usual": 0.0031,
        "lock": null, "holder": null, "others": ["2 waiting in upc_lock at heat.upc:19, 8.2 s"],
    }]);
    picture["problems"] = json!(["the page of thread 9 is damaged"]);
    for (thread, held, wanted) in [(0, json!([1]), 2), (1, json!([2]), 1), (2, json!([]), 1)] {
        let now = &mut picture["now"][thread];
        now["activity"] = json!("waiting");
        now["kind"] = json!("lock");
        now["seconds"] = json!(8.2);
        now["place"] = place("upc_lock", if thread == 0 { 12 } else { 19 });
        now["held"] = held;
        now["wanted"] = json!(wanted);
    }
    let at = |line: u32, threads: Value| {
        json!({ "place": place("upc_lock", line), "kind": "lock", "threads": threads,
                "longest": 8.2, "longest_thread": threads[0] })
    };
    picture["waiting"] = json!(4);
    let barrier = json!({ "place": place("upc_barrier", 41), "kind": "barrier", "threads": [3],
                          "longest": 8.2, "longest_thread": 3 });
    picture["waits"] = json!([at(19, json!([1, 2])), at(12, json!([0])), barrier]);
    picture
}

/// The curve of a run so far, a point a second.
pub fn history(seconds: u32) -> Vec<Value> {
    (1..=seconds)
        .map(|second| {
            let efficiency = 0.55 + 0.3 * (f64::from(second) / 9.0).sin();
            json!({ "elapsed": f64::from(second), "period": 1.0, "efficiency": efficiency,
                    "computing": 4.0 * efficiency, "waiting": 3.8 * (1.0 - efficiency),
                    "communicating": 0.2 * (1.0 - efficiency), "calls_per_second": 24000.0 })
        })
        .collect()
}

/// A reader that sends to a smoother, which cannot keep up; and a task that waits for nobody.
pub fn pipeline(elapsed: f64) -> Value {
    let mut picture = heat(4, elapsed);
    let task = |task: u32, function: &str, state: &str, load: f64| {
        let channel = (state != "running").then_some(1);
        json!({ "task": task, "place": place(function, 30), "thread": task, "state": state,
                "seconds": 0.2, "channel": channel, "usual": null, "computing": load,
                "communicating": 0.0, "load": load })
    };
    let processor = |thread: u32, load: f64| json!({ "thread": thread, "load": load, "idle": 1.0 - load, "memory": 3_145_728 });
    let smoother = json!({ "task": 2, "place": place("smoother", 31) });
    let reader = json!({ "task": 1, "place": place("reader", 30) });
    picture["tasks"] = json!({
        "processors": [processor(0, 0.1), processor(1, 0.98)],
        "tasks": [task(1, "reader", "sending", 0.1), task(2, "smoother", "running", 0.98)],
        "channels": [{ "channel": 1, "place": place("create channel", 28), "capacity": 4,
            "senders": [1], "receiver": 2, "thread": 2, "sends": 50.0, "receives": 50.0,
            "sent_bytes": 1024.0, "received_bytes": 1024.0, "send_seconds": 0.9,
            "receive_seconds": 0.01, "produced": 104, "consumed": 100, "queued": 4 }],
        "omitted_tasks": 3,
        "omitted_channels": 0,
        "stuck": [{ "task": 7, "place": place("collector", 33), "thread": 0, "state": "receiving",
            "channel": 5, "channel_place": place("create channel", 29), "seconds": 9.0,
            "usual": null, "is_deadlocked": true, "others": [] }],
    });
    picture["findings"] = json!([program_finding(), {
        "level": "channel", "slow": "consumer", "channel": 1, "place": place("create channel", 28),
        "producer": reader, "consumer": smoother, "share": 0.9, "known_after": 4.2,
        "meanwhile": null,
    }]);
    picture
}
