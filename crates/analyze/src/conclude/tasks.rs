//! Loads of processors, tasks and channels, in seconds.

use pgas_earl::PathId;
use pgas_result::tasks::{ChannelLoad, ProcessorLoad, TaskLoad, Tasks};
use pgas_trace::model::{Operation, Site, ThreadId};
use rustc_hash::FxHashMap;

use crate::conclude::message_cost::message_cost;
use crate::conclude::seconds::Seconds;
use crate::detectors::tasks::tally::{ChannelSums, TaskSums};
use crate::detectors::wait_states::patterns::{Formula, PATTERNS};
use crate::model::clock::Times;
use crate::model::paths::CallPaths;
use crate::pipeline::search::Found;

/// Part of a processor's time that a call path belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Computing,
    Communicating,
    Idle,
    Rest,
}

/// By call path: its part, and the task that it is in, as the call path of that task's stretches.
struct Places {
    parts: Vec<Part>,
    tasks: Vec<Option<PathId>>,
}

impl Places {
    fn of(paths: &CallPaths) -> Self {
        let mut places = Places {
            parts: Vec::with_capacity(paths.len()),
            tasks: Vec::with_capacity(paths.len()),
        };
        for number in 0..paths.len() {
            let path = PathId(number as u32);
            let operation = paths.operation(path);
            // A caller has a smaller number.
            let caller = paths.node(path).parent.index();
            let task = match operation {
                Some(Operation::Task) => Some(path),
                None => None,
                Some(_) => places.tasks[caller],
            };
            let part = match operation {
                Some(Operation::Idle) => Part::Idle,
                Some(operation) if operation.is_of_tasks() => Part::Communicating,
                _ if task.is_some() => Part::Computing,
                _ => Part::Rest,
            };
            places.parts.push(part);
            places.tasks.push(task);
        }
        places
    }
}

/// The task that a call path is in, as the call path of its stretches.
pub(crate) fn task_around(paths: &CallPaths, mut path: PathId) -> Option<PathId> {
    loop {
        match paths.operation(path)? {
            Operation::Task => return Some(path),
            _ => path = paths.node(path).parent,
        }
    }
}

/// Share of the critical path from which on idle time on it makes it useless.
const IDLE_ON_PATH: f64 = 0.01;

/// Whether the critical path consists of what was done: not of idle time that no event explains,
/// such as that of a processor whose tasks have ended before those of others.
pub(crate) fn is_path_followed(found: &Found) -> bool {
    let paths = found.matcher.paths();
    let (mut all, mut idle) = (0u64, 0u64);
    for (&(path, _), &ticks) in &found.critical.path.ticks {
        all = all.saturating_add(ticks);
        if paths.operation(path) == Some(Operation::Idle) {
            idle = idle.saturating_add(ticks);
        }
    }
    idle as f64 <= IDLE_ON_PATH * all as f64
}

/// States that the critical path cannot be relied on, if so.
pub(super) fn remark(found: &Found) -> Option<String> {
    (!is_path_followed(found)).then(|| {
        "the critical path contains idle time of a processor after its last task or before its \
         first one, and is not to be relied on"
            .into()
    })
}

/// The loads; `None` unless the program has tasks.
pub(super) fn tasks(found: &Found, times: &Times, seconds: &Seconds) -> Option<Tasks> {
    let all = found.matcher.tasks();
    if !all.has_tasks() {
        return None;
    }
    let paths = found.matcher.paths();
    let places = Places::of(paths);
    let counts = all.tasks_by_processor();
    let processors: Vec<ProcessorLoad> = counts
        .enumerate()
        .map(|(thread, tasks)| processor(found, &places, seconds, (thread, tasks)))
        .collect();
    let critical = critical(found, &places);
    let task = |sums: &TaskSums| task(sums, paths, (times, seconds), &critical, found);
    let channel = |sums: &ChannelSums| channel(sums, paths, seconds);
    let computing: f64 = processors.iter().map(|load| load.computing).sum();
    let spans = || found.threads.iter().filter_map(|thread| thread.span);
    let begin = spans().map(|span| span.begin).min().unwrap_or(0);
    let end = spans().map(|span| span.end).max().unwrap_or(0);
    let run_time = seconds.of(end - begin) * processors.len() as f64;
    let efficiency = if run_time > 0.0 {
        computing / run_time
    } else {
        0.0
    };
    Some(Tasks {
        tasks: all.tasks().kept().iter().map(task).collect(),
        omitted_tasks: all.tasks().omitted(),
        channels: all.channels().kept().iter().map(channel).collect(),
        omitted_channels: all.channels().omitted(),
        efficiency,
        speedup: efficiency * processors.len() as f64,
        processors,
        one_processor_seconds: None,
        message_cost: message_cost(all.costs(), times),
    })
}

fn processor(
    found: &Found,
    places: &Places,
    seconds: &Seconds,
    (thread, tasks): (usize, u64),
) -> ProcessorLoad {
    let profile = &found.threads[thread];
    let ticks = |part: Part| -> u64 {
        let all = profile.totals.iter().zip(&places.parts);
        let own = all.filter(|(_, own)| **own == part);
        own.map(|(totals, _)| totals.ticks).sum()
    };
    let moved = idle_in_operations(found, thread);
    let computing = seconds.of(ticks(Part::Computing));
    let communicating = seconds.of(ticks(Part::Communicating).saturating_sub(moved));
    let idle = seconds.of(ticks(Part::Idle) + moved);
    let rest = seconds.of(ticks(Part::Rest));
    ProcessorLoad {
        thread: thread as u32,
        computing,
        communicating,
        idle,
        rest,
        run_time: computing + communicating + idle + rest,
        tasks,
    }
}

/// Idle ticks of a processor that are attributed to operations in which its tasks waited.
fn idle_in_operations(found: &Found, thread: usize) -> u64 {
    let paths = found.matcher.paths();
    let severities = found.matcher.severities();
    let patterns = PATTERNS.iter().enumerate();
    let of_idle = patterns.filter(|(_, pattern)| matches!(pattern.formula, Formula::Idle(_)));
    of_idle
        .flat_map(|(number, _)| severities.entries(number))
        .filter(|(path, _)| paths.operation(*path) != Some(Operation::Idle))
        .map(|(_, entry)| entry.ticks[thread])
        .sum()
}

/// Critical path by the stretches of tasks and by processor, in ticks; `None` if it is not known.
type CriticalTicks = Option<FxHashMap<(PathId, ThreadId), u64>>;

fn critical(found: &Found, places: &Places) -> CriticalTicks {
    let path = &found.critical.path;
    path.end?;
    if !is_path_followed(found) {
        return None;
    }
    let mut ticks = FxHashMap::default();
    for (&(path, thread), &own) in &path.ticks {
        if let Some(task) = places.tasks[path.index()] {
            *ticks.entry((task, thread)).or_insert(0) += own;
        }
    }
    Some(ticks)
}

fn task(
    sums: &TaskSums,
    paths: &CallPaths,
    (times, seconds): (&Times, &Seconds),
    critical: &CriticalTicks,
    found: &Found,
) -> TaskLoad {
    let site = sums
        .path
        .or(sums.created_at)
        .and_then(|path| paths.site(path));
    let (name, file, line) = place(site);
    // Of several tasks of one function on one processor it is not known whose it is.
    let own = sums.path.map(|path| (path, sums.processor));
    let is_alone = own.is_some_and(|own| found.matcher.tasks().alike(own) == 1);
    // The trace may end in its midst.
    let profile = found.threads.get(sums.processor as usize);
    let cut = sums
        .running_since
        .zip(profile.and_then(|profile| profile.span));
    let running = sums.running + cut.map_or(0, |(since, span)| span.end.saturating_sub(since));
    let end = cut.map_or(sums.end, |(_, span)| span.end);
    let critical = critical.as_ref().filter(|_| is_alone).zip(own);
    TaskLoad {
        task: sums.task,
        name,
        file,
        line,
        parent: sums.parent,
        processor: sums.processor,
        computing: seconds.of(running.saturating_sub(sums.communicating)),
        communicating: seconds.of(sums.communicating.min(running)),
        waiting_input: seconds.of(sums.waiting_input),
        blocked_in_send: seconds.of(sums.blocked_in_send),
        waiting_processor: seconds.of(sums.waiting_processor),
        begin: times.at(sums.begin),
        end: times.at(end),
        critical: critical.map(|(ticks, own)| seconds.of(ticks.get(&own).copied().unwrap_or(0))),
    }
}

fn channel(sums: &ChannelSums, paths: &CallPaths, seconds: &Seconds) -> ChannelLoad {
    let (_, file, line) = place(sums.created_at.and_then(|path| paths.site(path)));
    ChannelLoad {
        channel: sums.channel,
        file,
        line,
        capacity: sums.capacity,
        senders: sums.senders.clone(),
        receiver: sums.receiver,
        messages: sums.messages,
        bytes: sums.bytes,
        mean_queued: sums.queued as f64 / sums.operations.max(1) as f64,
        max_queued: sums.max_queued,
        send_wait: seconds.of(sums.send_wait),
        receive_wait: seconds.of(sums.receive_wait),
    }
}

/// Name, file and line of a site; empty, and 0, without one.
fn place(site: Option<&Site>) -> (String, String, u32) {
    site.map_or_else(Default::default, |site| {
        (site.region_name().into(), site.file.clone(), site.line)
    })
}
