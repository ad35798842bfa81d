//! Timelines around the worst instances of wait states, and exports of events and results for other
//! tools.
//!
//! [`timelines`] takes the instances that an analysis has named from the trace: bars for what each thread was in, waiting
//! told apart, arrows from who was waited for. Only the blocks of the trace in which these windows lie are decoded.
//! [`load_or_make`] keeps them beside the result, so that the trace is read once.

mod bars;
mod cache;
mod error;
pub mod export;
mod found;
mod handovers;
mod instance;
mod paths;
mod records;
mod rows;
mod subjects;
mod times;
mod waits;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use pgas_analyze::patterns::{Formula, PATTERNS};
use pgas_cube::model::Cube;
use pgas_cube::timeline::{Arrow, Place, Row, Timeline};
use pgas_cube::AnalysisResult;
use pgas_earl::access::EventTrace;
use pgas_earl::Span;
use pgas_trace::model::ThreadId;
use pgas_trace::Experiment;
use rayon::prelude::*;

pub use cache::load_or_make;
pub use error::Error;

use bars::Bar;
use found::Found;
use paths::{CallPaths, UNKNOWN};
use records::{Records, Window};
use rows::{Places, RowWait};
use subjects::{subjects, Subject};
use times::Times;
use waits::Wait;

/// An instance that cannot be told from others by times alone is looked for from the beginning of the run, if there are not
/// more events than that before it.
const WORTH_COUNTING: u64 = 20_000_000;
/// How often a window is doubled in search of an operation.
const LONGER_WINDOWS: u32 = 6;
/// Arrows of a timeline at most.
const MOST_ARROWS: usize = 200;

/// The timelines of the worst instances in a result of this experiment, in the order of findings. `progress` is told the
/// share that is done, 0 to 1.
///
/// Memory: what all threads contributed to synchronisation in the windows, and at most some thousand bars for each of at
/// most 32 windows.
///
/// # Errors
/// [`Error`]: a block of the trace that a window lies in is damaged, or its events contradict each other.
pub fn timelines(
    experiment: &Experiment,
    result: &AnalysisResult,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Vec<Timeline>, Error> {
    let trace = EventTrace::new(experiment)?;
    let times = Times::of(experiment, &trace)?;
    let subjects = subjects(result, &times);
    if subjects.is_empty() || trace.time_range().is_none() {
        return Ok(Vec::new());
    }
    let maker = Maker {
        trace: &trace,
        cube: &result.cube,
        paths: CallPaths::new(&result.cube),
        times,
    };
    let windows = subjects
        .par_iter()
        .map(|subject| maker.search_window(subject));
    let windows: Vec<Window> = windows.collect::<Result<_, Error>>()?;
    let work = (trace.threads() + subjects.len()).max(1) as f64;
    let done = AtomicUsize::new(0);
    let told = || progress(done.fetch_add(1, Ordering::Relaxed) as f64 / work);
    // By thread, then by subject.
    let by_thread: Vec<Vec<Records>> = (0..trace.threads() as ThreadId)
        .into_par_iter()
        .map(|thread| {
            let records = maker.records(thread, &windows);
            told();
            records
        })
        .collect::<Result<_, Error>>()?;
    let mut by_subject: Vec<Vec<Records>> = subjects.iter().map(|_| Vec::new()).collect();
    for records in by_thread {
        for (of_subject, records) in by_subject.iter_mut().zip(records) {
            of_subject.push(records);
        }
    }
    let all = subjects.par_iter().zip(&windows).zip(by_subject);
    let timelines = all.map(|((subject, window), threads)| {
        let clocks = experiment.clocks();
        let mut found = instance::find(subject, &threads, *window, clocks);
        drop(threads);
        // Time without a core may end before all threads have come to the operation; a wait for them does not.
        let attempts = match subject.pattern().map(|pattern| pattern.formula) {
            Some(Formula::Any(_)) => LONGER_WINDOWS,
            _ => 1,
        };
        let mut window = *window;
        for _ in 0..attempts {
            if found.is_some() || trace.events_before_at_least(window.begin) > WORTH_COUNTING {
                break;
            }
            window.end = window.end.saturating_add(window.end - window.begin);
            window.begin = 0;
            let threads = 0..trace.threads() as ThreadId;
            let threads = threads.map(|thread| records::read(&trace, thread, window, &maker.paths));
            let threads = threads.collect::<Result<Vec<_>, Error>>()?;
            found = instance::find(subject, &threads, window, clocks);
            if trace.events_before_at_least(window.end) > WORTH_COUNTING {
                break;
            }
        }
        let timeline = maker.timeline(subject, found.unwrap_or_default());
        told();
        timeline
    });
    timelines.collect()
}

struct Maker<'a, 't> {
    trace: &'a EventTrace<'t>,
    cube: &'a Cube,
    paths: CallPaths<'a>,
    times: Times,
}

impl Maker<'_, '_> {
    /// Where the instance, and what was before it, is looked for.
    fn search_window(&self, subject: &Subject) -> Result<Window, Error> {
        let length = subject.longest.max(1);
        let mut window = Window {
            begin: subject.begin.saturating_sub(length.saturating_mul(2)),
            instance: subject.begin,
            end: subject
                .begin
                .saturating_add(length)
                .saturating_add(length / 8 + 1),
        };
        // It was in the operation for longer than it waited, if something else happened in it, and it may have come later
        // than the first one.
        let Some(thread) = subject.longest_thread else {
            return Ok(window);
        };
        for _ in 0..LONGER_WINDOWS {
            let records = records::read(self.trace, thread, window, &self.paths)?;
            if let Some(left) = records.leaves(subject.path(), subject.begin) {
                window.end = window.end.max(left);
                break;
            }
            window.end = window.end.saturating_add(window.end - window.begin);
        }
        Ok(window)
    }

    /// What a thread contributed in each window.
    fn records(&self, thread: ThreadId, windows: &[Window]) -> Result<Vec<Records>, Error> {
        let windows = windows.iter();
        windows
            .map(|&window| records::read(self.trace, thread, window, &self.paths))
            .collect()
    }

    fn timeline(&self, subject: &Subject, found: Found) -> Result<Timeline, Error> {
        let ends = found
            .own
            .iter()
            .flat_map(|wait| &wait.parts)
            .map(|part| part.end);
        let instance_end = ends
            .max()
            .unwrap_or(subject.begin.saturating_add(subject.longest));
        let (begin, end) = window(subject, &found, instance_end);
        let threads = self.trace.threads();
        let mut waited = vec![0u64; threads];
        for wait in found.own.iter().chain(&found.others) {
            if let Some(waited) = waited.get_mut(wait.charge.thread as usize) {
                let inside = wait.parts.iter().map(|part| {
                    let (from, to) = (part.begin.max(begin), part.end.min(end));
                    to.saturating_sub(from)
                });
                *waited += inside.sum::<u64>();
            }
        }
        let mut needed = vec![subject.last_thread];
        needed.extend(subject.longest_thread);
        // Who waited, and who was waited for, in other instances.
        needed.extend(found.own.iter().filter_map(|wait| wait.charge.against));
        let rows = rows::choose(&waited, &needed);
        let mut places = Places::default();
        let mut waits: HashMap<ThreadId, Vec<RowWait>> = HashMap::new();
        for (wait, of_instance) in found
            .own
            .iter()
            .map(|wait| (wait, true))
            .chain(found.others.iter().map(|wait| (wait, false)))
        {
            let thread = wait.charge.thread;
            let is_seen = wait.charge.begin < end && wait.charge.end > begin;
            if is_seen && rows.binary_search(&thread).is_ok() && wait.charge.path != UNKNOWN {
                let wait = self.row_wait(wait, of_instance, &mut places);
                waits.entry(thread).or_default().push(wait);
            }
        }
        let mut drawn = Vec::with_capacity(rows.len());
        for &thread in &rows {
            let waits = waits.remove(&thread).unwrap_or_default();
            let window = (begin, end);
            let bars = rows::draw(self.trace, thread, window, rows.len(), waits, &mut places)?;
            let bars = bars.into_iter().map(|bar| self.bar(bar)).collect();
            drawn.push(Row { thread, bars });
        }
        Ok(Timeline {
            metric: subject.metric.clone(),
            call_path: subject.call_path.0,
            begin_seconds: self.times.seconds(begin),
            end_seconds: self.times.seconds(end),
            instance_begin_seconds: self.times.seconds(subject.begin),
            instance_end_seconds: self.times.seconds(instance_end),
            places: places.into_vec(),
            omitted_threads: (threads - rows.len()) as u32,
            arrows: self.arrows(&found, &rows, (begin, end)),
            rows: drawn,
        })
    }

    fn row_wait(&self, wait: &Wait, of_instance: bool, places: &mut Places) -> RowWait {
        let path = pgas_cube::model::CallPathId(wait.charge.path.index());
        let call = self.cube.call_paths.get(path.0);
        let region = call.and_then(|call| self.cube.regions.get(call.region.0));
        let place = Place {
            region: region.map_or_else(String::new, |region| region.name.clone()),
            file: call.map_or_else(String::new, |call| call.file.clone()),
            line: call.map_or(0, |call| call.line),
        };
        RowWait {
            pattern: wait.pattern,
            depth: self.paths.depth(path).saturating_add(1),
            place: places.number(place),
            parts: wait.parts.clone(),
            of_instance,
        }
    }

    fn bar(&self, bar: Bar) -> pgas_cube::timeline::Bar {
        pgas_cube::timeline::Bar {
            begin_seconds: self.times.seconds(bar.begin),
            end_seconds: self.times.seconds(bar.end),
            depth: bar.depth,
            activity: bar.activity,
            place: bar.place,
            merged: bar.merged,
            metric: bar.pattern.map(|pattern| PATTERNS[pattern].id.to_owned()),
            of_instance: bar.of_instance,
        }
    }

    /// From who was waited for to who waited, those of the instance first.
    fn arrows(&self, found: &Found, rows: &[ThreadId], (begin, end): (u64, u64)) -> Vec<Arrow> {
        let is_drawn = |thread: ThreadId| rows.binary_search(&thread).is_ok();
        let waits = found.own.iter().chain(&found.others);
        let arrows = waits.filter_map(|wait| {
            let pattern = PATTERNS[wait.pattern];
            let late = wait.charge.against?;
            let time = wait.charge.end;
            // An arrow ends at a bar.
            let is_waiting = |part: &Span| part.begin.max(begin) < part.end.min(end);
            let is_seen = pattern.waits_for_one()
                && wait.charge.path != UNKNOWN
                && wait.parts.iter().any(is_waiting)
                && begin < time
                && time <= end
                && is_drawn(late)
                && is_drawn(wait.charge.thread)
                && late != wait.charge.thread;
            is_seen.then(|| Arrow {
                from_thread: late,
                from_seconds: self.times.seconds(time),
                to_thread: wait.charge.thread,
                to_seconds: self.times.seconds(time),
                metric: pattern.id.to_owned(),
            })
        });
        arrows.take(MOST_ARROWS).collect()
    }
}

/// From before the cause to behind the instance, but not so much that the instance becomes small: from when the late thread
/// was last free, at most twice the length of the instance before it.
fn window(subject: &Subject, found: &Found, instance_end: u64) -> (u64, u64) {
    let length = instance_end.saturating_sub(subject.begin).max(1);
    let margin = length / 10 + 1;
    let earliest = subject.begin.saturating_sub(length.saturating_mul(2));
    let latest = subject.begin.saturating_sub(margin);
    let cause = found
        .cause_begin
        .map_or(earliest, |begin| begin.saturating_sub(margin));
    (
        cause.clamp(earliest, latest),
        instance_end.saturating_add(margin),
    )
}
