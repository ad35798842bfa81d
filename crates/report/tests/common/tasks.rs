//! A program of tasks: a reader sends parts to workers, which send results to a collector, which
//! tells the reader when to go on.

use pgas_result::AnalysisResult;
use pgas_result::tasks::{ChannelLoad, ProcessorLoad, TaskLoad, Tasks};

use super::run::Run;

/// Tasks and channels that a result lists.
const LISTED: usize = 500;
const PROCESSORS: u32 = 4;

/// A run of `tasks` tasks, three at least.
pub fn of_tasks(tasks: usize) -> AnalysisResult {
    let mut run = Run::new(PROCESSORS as usize);
    let root = run.call_path(None, "farm", "", 0);
    let work = run.call_path(Some(root), "worker", "farm.rs", 40);
    run.add("computation", work, &[6.0; PROCESSORS as usize]);
    let mut result = run.result("./farm", &[], 8.0);
    result.summary.models = vec!["tasks".into()];
    result.summary.tasks = Some(loads(tasks as u64));
    result
}

fn loads(number: u64) -> Tasks {
    let last = number - 1;
    let mut tasks: Vec<TaskLoad> = (0..number).map(|task| of_task(task, last)).collect();
    let mut channels = vec![channel(0, &[last], 0, None)];
    for worker in 1..last {
        channels.push(channel(worker, &[0], worker, Some(4)));
    }
    let workers: Vec<u64> = (1..last).take(8).collect();
    channels.push(channel(last, &workers, last, Some(16)));
    let omitted = |length: usize| length.saturating_sub(LISTED) as u64;
    let (omitted_tasks, omitted_channels) = (omitted(tasks.len()), omitted(channels.len()));
    // The collector stays, as those with most time do.
    tasks.swap(1, last as usize);
    tasks.truncate(LISTED);
    channels.truncate(LISTED);
    Tasks {
        processors: (0..PROCESSORS).map(of_processor).collect(),
        tasks,
        omitted_tasks,
        channels,
        omitted_channels,
        efficiency: 0.75,
        speedup: 3.0,
        one_processor_seconds: None,
        message_cost: None,
    }
}

fn of_task(task: u64, last: u64) -> TaskLoad {
    let (name, line) = match task {
        0 => ("read", 12),
        task if task == last => ("collect", 80),
        _ => ("worker", 40),
    };
    TaskLoad {
        task,
        name: name.into(),
        file: "farm.rs".into(),
        line,
        parent: (task > 0).then_some(0),
        processor: (task % u64::from(PROCESSORS)) as u32,
        computing: 1.0 + task as f64 / last as f64,
        communicating: 0.1,
        waiting_input: if task == last { 4.0 } else { 0.5 },
        blocked_in_send: if task == 0 { 3.0 } else { 0.0 },
        waiting_processor: 0.4,
        begin: 0.0,
        end: 8.0,
        critical: None,
    }
}

fn of_processor(thread: u32) -> ProcessorLoad {
    let idle = 0.4 * f64::from(thread);
    ProcessorLoad {
        thread,
        computing: 7.0 - idle,
        communicating: 0.6,
        idle,
        rest: 0.4,
        run_time: 8.0,
        tasks: 25,
    }
}

fn channel(channel: u64, senders: &[u64], receiver: u64, capacity: Option<u64>) -> ChannelLoad {
    ChannelLoad {
        channel,
        file: "farm.rs".into(),
        line: 20 + (channel % 3) as u32,
        capacity,
        senders: senders.to_vec(),
        receiver: Some(receiver),
        messages: 1000 - channel.min(900),
        bytes: 64_000,
        mean_queued: 3.0,
        max_queued: 4,
        send_wait: 0.2,
        receive_wait: 0.3,
    }
}
