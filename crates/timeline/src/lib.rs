//! Timelines around the worst instances of wait states, and exports of events and results for other
//! tools.
//!
//! [`timelines`] takes the instances that an analysis has named from the trace: bars for what each
//! thread was in, waiting distinguished, arrows from who was waited for. Only the blocks of the
//! trace in which these windows lie are decoded. [`load_or_make`] keeps them beside the result, so
//! that the trace is read once.

mod bars;
mod cache;
mod error;
pub mod export;
mod flags;
mod handovers;
mod instance;
mod paths;
mod records;
mod rows;
mod times;
mod waits;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use pgas_analyze::patterns::PATTERNS;
use pgas_cube::model::Cube;
use pgas_earl::Span;
use pgas_earl::access::EventTrace;
use pgas_result::AnalysisResult;
use pgas_result::timeline::{Arrow, Place, Row, Timeline};
use pgas_trace::model::ThreadId;
use pgas_trace::{Experiment, Numbered};
use rayon::prelude::*;

pub use cache::load_or_make;
pub use error::Error;

use bars::Bar;
use instance::{Instance, Surroundings, surroundings};
use paths::{CallPaths, UNKNOWN};
use records::{Records, Window};
use rows::RowWait;
use times::Times;
use waits::Wait;

/// Arrows of a timeline at most.
const MOST_ARROWS: usize = 200;

/// The timelines of the worst instances in a result of this experiment, in the order of findings.
/// `progress` gets the share that is done, 0 to 1.
///
/// Memory: what all threads contributed to synchronisation in the windows, and at most some
/// thousand bars for each of at most 32 windows.
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
    let instances = result.summary.worst_instances.iter();
    let instances: Vec<Instance> = instances
        .filter_map(|of_result| Instance::of(of_result, &times))
        .collect();
    if instances.is_empty() || trace.time_range().is_none() {
        return Ok(Vec::new());
    }
    let maker = Maker {
        trace: &trace,
        cube: &result.cube,
        paths: CallPaths::new(&result.cube),
        times,
    };
    let windows: Vec<Window> = instances.iter().map(Instance::window).collect();
    let work = (trace.threads() + instances.len()).max(1) as f64;
    let done = AtomicUsize::new(0);
    let report = || progress(done.fetch_add(1, Ordering::Relaxed) as f64 / work);
    // By thread, then by instance.
    let by_thread: Vec<Vec<Records>> = (0..trace.threads() as ThreadId)
        .into_par_iter()
        .map(|thread| {
            let records = maker.records(thread, &windows);
            report();
            records
        })
        .collect::<Result<_, Error>>()?;
    let mut by_instance: Vec<Vec<Records>> = instances.iter().map(|_| Vec::new()).collect();
    for records in by_thread {
        for (of_instance, records) in by_instance.iter_mut().zip(records) {
            of_instance.push(records);
        }
    }
    let all = instances.par_iter().zip(by_instance);
    let timelines = all.map(|(instance, threads)| {
        let around = surroundings(instance, &threads, experiment.clocks());
        drop(threads);
        let timeline = maker.timeline(instance, &around);
        report();
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
    /// Records of a thread in each window.
    fn records(&self, thread: ThreadId, windows: &[Window]) -> Result<Vec<Records>, Error> {
        let windows = windows.iter();
        windows
            .map(|&window| records::read(self.trace, thread, window, &self.paths))
            .collect()
    }

    fn timeline(&self, instance: &Instance, around: &Surroundings) -> Result<Timeline, Error> {
        let (begin, end) = window(instance, around);
        let threads = self.trace.threads();
        let mut waited = vec![0u64; threads];
        let all_waits = || instance.waits.iter().chain(&around.others);
        for wait in all_waits() {
            if let Some(waited) = waited.get_mut(wait.thread as usize) {
                let inside = wait.parts.iter().map(|part| {
                    let (from, to) = (part.begin.max(begin), part.end.min(end));
                    to.saturating_sub(from)
                });
                *waited += inside.sum::<u64>();
            }
        }
        let mut needed = vec![instance.last_thread];
        needed.extend(instance.longest_thread());
        // Threads that other threads waited for.
        needed.extend(instance.waits.iter().filter_map(|wait| wait.against));
        let rows = rows::choose(&waited, &needed);
        let mut places = Numbered::default();
        let mut waits: HashMap<ThreadId, Vec<RowWait>> = HashMap::new();
        for (number, wait) in all_waits().enumerate() {
            let thread = wait.thread;
            let is_seen = wait.span.begin < end && wait.span.end > begin;
            if is_seen && rows.binary_search(&thread).is_ok() && wait.path != UNKNOWN {
                let of_instance = number < instance.waits.len();
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
            metric: instance.metric.clone(),
            call_path: instance.call_path,
            begin_seconds: self.times.seconds(begin),
            end_seconds: self.times.seconds(end),
            instance_begin_seconds: self.times.seconds(instance.span().begin),
            instance_end_seconds: self.times.seconds(instance.span().end),
            places: places.into_values(),
            omitted_threads: (threads - rows.len()) as u32,
            arrows: self.arrows(all_waits(), &rows, (begin, end)),
            rows: drawn,
        })
    }

    fn row_wait(&self, wait: &Wait, of_instance: bool, places: &mut Numbered<Place>) -> RowWait {
        let path = pgas_cube::model::CallPathId(wait.path.index());
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
            place: places.number(&place) as usize,
            parts: wait.parts.clone(),
            of_instance,
        }
    }

    fn bar(&self, bar: Bar) -> pgas_result::timeline::Bar {
        pgas_result::timeline::Bar {
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
    fn arrows<'w>(
        &self,
        waits: impl Iterator<Item = &'w Wait>,
        rows: &[ThreadId],
        (begin, end): (u64, u64),
    ) -> Vec<Arrow> {
        let is_drawn = |thread: ThreadId| rows.binary_search(&thread).is_ok();
        let arrows = waits.filter_map(|wait| {
            let pattern = PATTERNS[wait.pattern];
            let late = wait.against?;
            let time = wait.span.end;
            // An arrow ends at a bar.
            let is_waiting = |part: &Span| part.begin.max(begin) < part.end.min(end);
            let is_seen = pattern.waits_for_one()
                && wait.path != UNKNOWN
                && wait.parts.iter().any(is_waiting)
                && begin < time
                && time <= end
                && is_drawn(late)
                && is_drawn(wait.thread)
                && late != wait.thread;
            is_seen.then(|| Arrow {
                from_thread: late,
                from_seconds: self.times.seconds(time),
                to_thread: wait.thread,
                to_seconds: self.times.seconds(time),
                metric: pattern.id.to_owned(),
            })
        });
        arrows.take(MOST_ARROWS).collect()
    }
}

/// From before the cause to behind the instance, but not so much that the instance becomes small:
/// from when the late thread was last free, at most twice the length of the instance before it.
fn window(instance: &Instance, around: &Surroundings) -> (u64, u64) {
    let span = instance.span();
    let length = span.length().max(1);
    let margin = length / 10 + 1;
    let earliest = span.begin.saturating_sub(length.saturating_mul(2));
    let latest = span.begin.saturating_sub(margin);
    let cause = around
        .cause_begin
        .map_or(earliest, |begin| begin.saturating_sub(margin));
    (
        cause.clamp(earliest, latest),
        span.end.saturating_add(margin),
    )
}
