//! Pictures of a program of tasks.

use pgas_monitor::{ChannelNow, Picture, ProcessorNow, TaskNow, TasksNow};

use super::sample;

/// A second of a program with a reader on thread 0 that sends to a smoother on thread 1, which
/// cannot keep up.
pub fn picture(second: u32, threads: u32) -> Picture {
    let processor = |thread| ProcessorNow {
        thread,
        load: Some(0.5),
        idle: Some(0.5),
        memory: Some(1 << 20),
    };
    let channel = ChannelNow {
        channel: 3,
        place: sample::place("create channel", 28),
        capacity: Some(4),
        senders: vec![1],
        receiver: Some(2),
        thread: 1,
        sends: 10.0,
        receives: 5.0,
        sent_bytes: 80.0,
        received_bytes: 40.0,
        send_seconds: 0.8,
        receive_seconds: 0.1,
        produced: 10,
        consumed: 5,
        queued: 5,
    };
    Picture {
        tasks: Some(TasksNow {
            processors: (0..threads).map(processor).collect(),
            tasks: vec![task(1, "reader", "sending"), task(2, "smoother", "running")],
            channels: vec![channel],
            ..TasksNow::default()
        }),
        ..sample::picture(second, threads)
    }
}

fn task(number: u32, function: &str, state: &'static str) -> TaskNow {
    TaskNow {
        task: u64::from(number),
        place: sample::place(function, 30),
        thread: number - 1,
        state,
        seconds: 0.25,
        channel: (state == "sending").then_some(3),
        usual: None,
        computing: 0.4,
        communicating: 0.1,
        load: Some(0.5),
    }
}
