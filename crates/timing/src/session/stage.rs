//! One stage: launches on this thread, and thread 0's table of all.

use super::Session;
use super::body::Body;
use super::order::Order;
use super::rows::{Row, Span};
use crate::collectives;
use crate::job::Method;
use crate::operation::Operation;
use crate::processes::Processes;
use crate::ticks;

/// Launches that belong together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) method: Method,
    pub(super) body: Body,
    pub(super) start: u64,
    pub(super) interval: u64,
    pub(super) launches: u32,
    /// Number of the first.
    pub(super) launch: u64,
    /// Ticks by which threads may be late because they share cores; known to thread 0.
    pub(super) tolerance: u64,
}

impl Plan {
    pub(super) fn of(order: Order, method: Method, body: Body) -> Option<Self> {
        let Order::Stage {
            start,
            interval,
            launches,
            launch,
        } = order
        else {
            return None;
        };
        Some(Plan {
            method,
            body,
            start,
            interval,
            launches,
            launch,
            tolerance: 0,
        })
    }

    fn scheduled(&self, number: u64) -> u64 {
        self.start + number * self.interval
    }

    /// Rows that the stage gives: a loop is one.
    fn rows(&self) -> u64 {
        match self.method {
            Method::Loop => 1,
            Method::Window | Method::Barrier => u64::from(self.launches),
        }
    }
}

/// Performs the launches and gathers their times; the rows are complete on thread 0.
pub(super) fn perform<P: Processes + ?Sized>(
    session: &Session<P>,
    plan: &Plan,
    operation: &mut dyn Operation,
) -> Vec<Row> {
    let times = match plan.method {
        Method::Window => window(session, plan, operation),
        Method::Barrier => after_barriers(session, plan, operation),
        Method::Loop => in_a_loop(session, plan, operation),
    };
    let mut words = vec![lateness(session, plan)];
    for [start, end] in times {
        words.push(session.clock.global(start));
        words.push(session.clock.global(end));
    }
    let all = collectives::gather(session.processes, &words);
    match session.processes.thread() {
        0 => (0..plan.rows())
            .map(|row| table_row(plan, row, &all, words.len()))
            .collect(),
        _ => Vec::new(),
    }
}

/// Ticks by which this thread's starts may be late: the error of its clock, and how exactly it can
/// wait.
fn lateness<P: Processes + ?Sized>(session: &Session<P>, plan: &Plan) -> u64 {
    let end = plan.scheduled(u64::from(plan.launches));
    let allowed = session.clock.error(end) + session.reading.lateness;
    ticks::from_seconds(allowed).unsigned_abs()
}

fn table_row(plan: &Plan, number: u64, all: &[u64], words: usize) -> Row {
    let scheduled = plan.scheduled(number);
    let next = plan.scheduled(number + 1);
    let (mut late, mut ended_late) = (0, false);
    let spans = all.chunks(words).map(|words| {
        let at = 1 + 2 * number as usize;
        let span = Span {
            start: words[at],
            end: words[at + 1],
        };
        late = late.max(span.start.saturating_sub(scheduled + words[0]));
        ended_late |= span.end > next;
        span
    });
    let spans = spans.collect();
    // Others than launches at scheduled times cannot be late.
    let counts = plan.method == Method::Window && plan.interval > 0;
    Row {
        scheduled,
        spans,
        late,
        started_late: counts && late > plan.tolerance,
        ended_late: counts && ended_late,
    }
}

fn window<P: Processes + ?Sized>(
    session: &Session<P>,
    plan: &Plan,
    operation: &mut dyn Operation,
) -> Vec<[f64; 2]> {
    let processes = session.processes;
    let mut times = Vec::with_capacity(plan.launches as usize);
    for number in 0..u64::from(plan.launches) {
        let launch = plan.launch + number;
        let start = session.clock.timer(plan.scheduled(number));
        operation.ready(launch);
        processes.wait_until(start);
        times.push(timed(session, plan, operation, launch));
        operation.done(launch);
    }
    times
}

fn after_barriers<P: Processes + ?Sized>(
    session: &Session<P>,
    plan: &Plan,
    operation: &mut dyn Operation,
) -> Vec<[f64; 2]> {
    let mut times = Vec::with_capacity(plan.launches as usize);
    for launch in (plan.launch..).take(plan.launches as usize) {
        operation.ready(launch);
        session.processes.barrier();
        times.push(timed(session, plan, operation, launch));
        operation.done(launch);
    }
    times
}

/// Functions around the operation are in the time of a loop, if it needs them.
fn in_a_loop<P: Processes + ?Sized>(
    session: &Session<P>,
    plan: &Plan,
    operation: &mut dyn Operation,
) -> Vec<[f64; 2]> {
    let processes = session.processes;
    processes.barrier();
    let begin = processes.now();
    for launch in (plan.launch..).take(plan.launches as usize) {
        operation.ready(launch);
        plan.body.perform(processes, operation, launch);
        operation.done(launch);
    }
    let end = processes.now();
    vec![[begin, begin + (end - begin) / f64::from(plan.launches)]]
}

#[inline]
fn timed<P: Processes + ?Sized>(
    session: &Session<P>,
    plan: &Plan,
    operation: &mut dyn Operation,
    launch: u64,
) -> [f64; 2] {
    let start = session.processes.now();
    plan.body.perform(session.processes, operation, launch);
    [start, session.processes.now()]
}
