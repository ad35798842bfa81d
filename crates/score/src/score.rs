//! The score of a run: its regions with what each cost on each thread, and the overhead that is
//! left if some of them are not recorded.
//!
//! The cost of recording is that of the report (`pgas_cost`). Each call has its part of it; no
//! filter changes the cost of the recorder itself at the beginning and end of the run, nor that of
//! accesses to own data that it only looked at. The time that threads waited for their buffers to
//! be written is measured, and taken to be in proportion to the bytes written. Overhead is the cost
//! of calls and of that waiting in relation to the time that the thread would have needed without
//! it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use pgas_cost::{Calls, Cost, OfThread, Recorder, Total};
use pgas_filter::Filter;
use pgas_trace::model::{Operation, ThreadId};
use pgas_trace::{Error, Experiment, Stream};
use rayon::prelude::*;

use crate::tally::{self, PARTS_OF_BYTE, SiteTally};

/// Seconds that an event is taken to cost where the recorder has not measured it.
const ASSUMED_EVENT_COST: f64 = 20e-9;
/// Bytes that an event is taken to need on disk where there is no trace to learn it from.
const ASSUMED_EVENT_BYTES: f64 = 2.0;
/// Records are counted in events, of which each call has two.
const EVENTS_PER_CALL: u64 = 2;
/// However much recording is estimated to cost, a program has done something itself.
const SMALLEST_SHARE_OF_PROGRAM: f64 = 0.01;

/// Kind of a region, in the terms of Score-P's score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A function (or region that the program named) in which no operation of the runtime happens.
    User,
    /// A function (or named region) in which operations of the runtime happen: one on the way to
    /// communication.
    Communicating,
    /// An operation of the PGAS runtime.
    Pgas,
    /// An operation of the C library.
    Library,
    /// A thread stood still because a full buffer had to be written.
    Measurement,
}

impl Kind {
    /// Short name: USR and COM as Score-P has them, PGAS, LIB, and MSR.
    pub fn name(self) -> &'static str {
        match self {
            Kind::User => "USR",
            Kind::Communicating => "COM",
            Kind::Pgas => "PGAS",
            Kind::Library => "LIB",
            Kind::Measurement => "MSR",
        }
    }

    /// Whether it is a function or a region that the program named.
    pub fn is_of_program(self) -> bool {
        matches!(self, Kind::User | Kind::Communicating)
    }
}

/// Figures of a region in one thread, or in several together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Figures {
    /// Events that are in the trace, or, for a time without trace, would be.
    pub events: u64,
    /// Bytes that these take on disk.
    pub bytes: f64,
    /// Calls, recorded or only counted.
    pub calls: u64,
    /// Of these, how many were only counted because the function was throttled.
    pub throttled: u64,
    /// Of these, how many the program counted by itself.
    pub counted: u64,
    /// Seconds in the region itself, without what it called.
    pub seconds: f64,
    /// Seconds from call to return, summed over all calls.
    pub inclusive_seconds: f64,
    /// Seconds of CPU time that recording it took.
    pub cost_seconds: f64,
}

impl Figures {
    /// Mean time from call to return, in seconds; infinite if it was not called.
    pub fn seconds_per_call(&self) -> f64 {
        match self.calls {
            0 => f64::INFINITY,
            calls => self.inclusive_seconds / calls as f64,
        }
    }
}

impl std::ops::AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.bytes += other.bytes;
        self.calls += other.calls;
        self.throttled += other.throttled;
        self.counted += other.counted;
        self.seconds += other.seconds;
        self.inclusive_seconds += other.inclusive_seconds;
        self.cost_seconds += other.cost_seconds;
    }
}

impl std::iter::Sum for Figures {
    fn sum<I: Iterator<Item = Self>>(figures: I) -> Self {
        let mut sum = Figures::default();
        figures.for_each(|part| sum += part);
        sum
    }
}

/// A function, a region that the program named, or an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Kind of region in the trace; of an operation, which one.
    pub operation: Operation,
    /// Group of regions that it counts for.
    pub kind: Kind,
    /// Name of the function or region; of an operation, as in the source language.
    pub name: String,
    /// Where a function is defined; empty for operations, which are those of all calls.
    pub file: String,
    /// Line in `file`; 0 if unknown.
    pub line: u32,
    /// By thread, in the order of [`Score::threads`].
    pub threads: Vec<Figures>,
}

impl Region {
    /// Over all threads.
    pub fn total(&self) -> Figures {
        self.threads.iter().copied().sum()
    }

    /// Bytes on the thread that has most.
    pub fn max_bytes(&self) -> f64 {
        self.threads.iter().map(|f| f.bytes).fold(0.0, f64::max)
    }

    fn ends_the_recording(&self) -> bool {
        use Operation::{CollectiveExit, NoncollectiveExit};
        matches!(self.operation, CollectiveExit | NoncollectiveExit)
    }

    /// Whether it is recorded under `filter`.
    pub fn is_kept_by(&self, filter: &Filter) -> bool {
        match self.kind {
            Kind::User | Kind::Communicating => filter.includes_function(&self.name, &self.file),
            // Whatever the calls that end a recording are named.
            Kind::Pgas if self.ends_the_recording() => true,
            Kind::Pgas | Kind::Library => filter.includes_operation(&self.name),
            Kind::Measurement => true,
        }
    }
}

/// One thread of the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThreadInfo {
    /// Number of the thread in the program.
    pub thread: ThreadId,
    /// From the beginning of its recording to the end, in seconds.
    pub seconds: f64,
    /// Cost of an event on this thread, in seconds, in the recorder alone.
    pub event_cost: f64,
    /// Cost of recording a call of a function and of an operation on this thread, in seconds, all
    /// the way and before any comparison with a plain build.
    pub call_costs: [f64; 2],
}

/// Figures of a run by region, and the cost of recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The threads that recorded something.
    pub threads: Vec<ThreadInfo>,
    /// Those that cost most come first.
    pub regions: Vec<Region>,
    /// Whether the costs of events had to be assumed, since the recorder of some thread has not
    /// measured them.
    pub cost_is_assumed: bool,
    /// Cost of recording the whole run.
    pub cost: Cost,
    /// Of that, seconds that no filter changes: the recorder's own work at the beginning and the
    /// end, calls that were left out already, and accesses to own data.
    pub unchanged_seconds: f64,
    /// Whether there are times of which there is no trace: events and bytes of those are what a
    /// trace would have had.
    pub partly_without_trace: bool,
    /// By thread: seconds that it had no core.
    no_core: Vec<f64>,
}

/// The overhead of calls and full buffers, as a share: what they took by the time that would have
/// been needed without them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overhead {
    /// Of all threads together.
    pub mean: f64,
    /// Of the thread that has most.
    pub worst: f64,
    /// Number of the thread with the largest overhead.
    pub worst_thread: ThreadId,
}

/// Figures that remain if some regions are not recorded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// Events of all threads that are still recorded.
    pub events: u64,
    /// Bytes that these take on disk, of all threads.
    pub bytes: f64,
    /// Bytes of the thread that has most.
    pub max_bytes: f64,
    /// Cost of recording on all threads together, in seconds of CPU time, including the part that
    /// no filter changes.
    pub cost_seconds: f64,
    /// Share of that cost in the CPU time, in percent; where the CPU time is not known, in the
    /// time of all threads.
    pub cost_percent: f64,
    /// Seconds that all threads together wait for full buffers.
    pub stall_seconds: f64,
    /// Overhead of calls and full buffers that remains.
    pub overhead: Overhead,
}

/// Cost and bytes of one thread.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Load {
    /// Seconds of everything but waiting for buffers.
    pub(crate) cost: f64,
    pub(crate) bytes: f64,
}

impl Load {
    pub(crate) fn of(figures: &Figures) -> Self {
        Load {
            cost: figures.cost_seconds,
            bytes: figures.bytes,
        }
    }
}

impl Score {
    /// Counts what `experiment` holds. `progress` is told the share that has been read, from 0 to
    /// 1.
    ///
    /// # Errors
    /// If a stream is damaged.
    pub fn read(experiment: &Experiment, progress: &(dyn Fn(f64) + Sync)) -> Result<Self, Error> {
        let all_events = experiment.event_count().max(1) as f64;
        let done = AtomicU64::new(0);
        let block_done = |events: u64| {
            let before = done.fetch_add(events, Ordering::Relaxed);
            progress((before + events) as f64 / all_events);
        };
        let streams: Vec<&Stream> = experiment
            .streams()
            .iter()
            .filter(|stream| span(stream).is_some())
            .collect();
        let tallies: Vec<Vec<SiteTally>> = streams
            .par_iter()
            .map(|stream| tally::tally(stream, &block_done))
            .collect::<Result<_, _>>()?;
        Ok(Self::assemble(experiment, &streams, &tallies))
    }

    fn assemble(experiment: &Experiment, streams: &[&Stream], tallies: &[Vec<SiteTally>]) -> Self {
        let recorders = Recorders::of(streams);
        let clock = experiment.clock();
        let bytes_per_event = bytes_per_event(tallies);
        let priced: Vec<OfThread> = streams
            .iter()
            .zip(tallies)
            .zip(&recorders.all)
            .map(|((stream, tally), recorder)| {
                let sites = stream.sites().iter().zip(tally);
                let calls: Vec<_> = sites
                    .map(|(site, tally)| (pgas_cost::Kind::of(site.operation), tally.calls()))
                    .collect();
                recorder.price(&calls)
            })
            .collect();
        let mut total = Total::default();
        priced.iter().for_each(|thread| total.add(thread));
        let threads: Vec<ThreadInfo> = streams
            .iter()
            .zip(&recorders.all)
            .map(|(stream, recorder)| ThreadInfo {
                thread: stream.thread(),
                seconds: span(stream).map_or(0.0, |(first, last)| clock.duration(last - first)),
                event_cost: event_cost(stream).unwrap_or(ASSUMED_EVENT_COST),
                call_costs: recorder.recorded_call(),
            })
            .collect();
        let metadata = experiment.metadata();
        let cost = total.conclude(
            threads.iter().map(|thread| thread.seconds).sum(),
            metadata.cpu_seconds,
            metadata.baseline.as_ref(),
        );
        let elsewhere: f64 = priced.iter().map(|thread| thread.elsewhere).sum();
        let mut score = Score {
            regions: Vec::new(),
            cost_is_assumed: recorders.are_assumed,
            unchanged_seconds: cost.fixed_seconds + elsewhere * cost.scale,
            partly_without_trace: tallies.iter().flatten().any(|tally| tally.beyond > 0),
            no_core: vec![0.0; threads.len()],
            threads,
            cost,
        };
        let mut regions: BTreeMap<(Operation, &str, &str), Region> = BTreeMap::new();
        for (index, (stream, tally)) in streams.iter().zip(tallies).enumerate() {
            let costs = priced[index].places.iter();
            for ((site, tally), cost) in stream.sites().iter().zip(tally).zip(costs) {
                let seconds = |ticks: u128| ticks as f64 * clock.seconds_per_tick();
                let exclusive = seconds(u128::try_from(tally.exclusive).unwrap_or(0));
                if site.operation == Operation::NoCore {
                    score.no_core[index] += exclusive;
                    continue;
                }
                let kind = kind_of(site.operation, tally.communicates);
                let (name, file, line) = match kind.is_of_program() {
                    true if site.name.is_empty() => (site.operation.name(), "", 0),
                    true => (site.name.as_str(), site.file.as_str(), site.line),
                    false => (site.region_name(), "", 0),
                };
                let region = regions
                    .entry((site.operation, name, file))
                    .or_insert_with(|| Region {
                        operation: site.operation,
                        kind,
                        name: name.to_owned(),
                        file: file.to_owned(),
                        line,
                        threads: vec![Figures::default(); streams.len()],
                    });
                region.kind = region.kind.max(kind);
                let figures = Figures {
                    events: tally.events + EVENTS_PER_CALL * tally.beyond,
                    bytes: tally.bytes as f64 / PARTS_OF_BYTE as f64
                        + (EVENTS_PER_CALL * tally.beyond) as f64 * bytes_per_event,
                    calls: tally.recorded + tally.throttled + tally.counted + tally.beyond,
                    throttled: tally.calls_by_way().0,
                    counted: tally.calls_by_way().1,
                    seconds: exclusive,
                    inclusive_seconds: seconds(tally.inclusive),
                    cost_seconds: cost * score.cost.scale,
                };
                region.threads[index] += figures;
            }
        }
        score.regions = regions
            .into_values()
            .filter(|region| region.threads.iter().any(|f| *f != Figures::default()))
            .collect();
        // Stable, so that equal costs stay in the order of names.
        let cost = |region: &Region| region.total().cost_seconds;
        score.regions.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
        score
    }

    /// Figures that remain if only the regions that `keeps` names are recorded.
    pub fn outlook(&self, keeps: impl Fn(&Region) -> bool) -> Outlook {
        let mut loads = vec![Load::default(); self.threads.len()];
        let mut events = 0;
        for region in self.regions.iter().filter(|region| keeps(region)) {
            for (load, figures) in loads.iter_mut().zip(&region.threads) {
                events += figures.events;
                load.bytes += figures.bytes;
                if region.kind != Kind::Measurement {
                    load.cost += figures.cost_seconds;
                }
            }
        }
        let balance = Balance::new(self);
        let calls: f64 = loads.iter().map(|load| load.cost.max(0.0)).sum();
        let cost_seconds = calls + self.unchanged_seconds;
        // Calls that are not recorded cost no CPU time.
        let time = || self.threads.iter().map(|thread| thread.seconds).sum();
        let whole = self.cost.cpu_seconds.unwrap_or_else(time) - self.cost.seconds + cost_seconds;
        Outlook {
            events,
            bytes: loads.iter().map(|load| load.bytes).sum(),
            max_bytes: loads.iter().map(|load| load.bytes).fold(0.0, f64::max),
            cost_seconds,
            cost_percent: 100.0 * ratio(cost_seconds, whole),
            stall_seconds: balance.stalls(&loads).sum(),
            overhead: balance.overhead(self, &loads),
        }
    }
}

/// Time that each thread would have needed without recording, and its waiting for buffers.
pub(crate) struct Balance {
    program: Vec<f64>,
    stall: Vec<f64>,
    bytes: Vec<f64>,
}

impl Balance {
    pub(crate) fn new(score: &Score) -> Self {
        let count = score.threads.len();
        let mut balance = Balance {
            program: vec![0.0; count],
            stall: vec![0.0; count],
            bytes: vec![0.0; count],
        };
        let mut cost = vec![0.0; count];
        for region in &score.regions {
            for (index, figures) in region.threads.iter().enumerate() {
                cost[index] += figures.cost_seconds;
                balance.bytes[index] += figures.bytes;
                if region.kind == Kind::Measurement {
                    balance.stall[index] += figures.seconds;
                }
            }
        }
        for (index, thread) in score.threads.iter().enumerate() {
            let lost = cost[index] + balance.stall[index] + score.no_core[index];
            balance.program[index] =
                (thread.seconds - lost).max(thread.seconds * SMALLEST_SHARE_OF_PROGRAM);
        }
        balance
    }

    /// Seconds that each thread waits for its buffers if `loads` are recorded.
    fn stalls<'a>(&'a self, loads: &'a [Load]) -> impl Iterator<Item = f64> + 'a {
        loads.iter().enumerate().map(|(index, load)| {
            let share = match self.bytes[index] {
                0.0 => 0.0,
                bytes => (load.bytes / bytes).clamp(0.0, 1.0),
            };
            self.stall[index] * share
        })
    }

    pub(crate) fn overhead(&self, score: &Score, loads: &[Load]) -> Overhead {
        let mut overhead = Overhead::default();
        let (mut cost_sum, mut program_sum) = (0.0, 0.0);
        for (index, (load, stall)) in loads.iter().zip(self.stalls(loads)).enumerate() {
            let cost = load.cost.max(0.0) + stall;
            cost_sum += cost;
            program_sum += self.program[index];
            let share = ratio(cost, self.program[index]);
            if index == 0 || share > overhead.worst {
                overhead.worst = share;
                overhead.worst_thread = score.threads[index].thread;
            }
        }
        overhead.mean = ratio(cost_sum, program_sum);
        overhead
    }
}

/// 0 if there is nothing to relate to: a thread that recorded for no time.
fn ratio(cost: f64, program: f64) -> f64 {
    if program > 0.0 { cost / program } else { 0.0 }
}

/// The recorders of all threads.
struct Recorders {
    all: Vec<Recorder>,
    /// Some recorder has not measured what an event costs.
    are_assumed: bool,
}

impl Recorders {
    fn of(streams: &[&Stream]) -> Self {
        let mut are_assumed = false;
        let whole = pgas_cost::recorders(streams.iter().map(|stream| Some(*stream)));
        let all = streams.iter().zip(whole).map(|(stream, whole)| {
            whole.unwrap_or_else(|| {
                const PICOSECONDS: f64 = 1e12;
                let measured = event_cost(stream);
                are_assumed |= measured.is_none();
                let event = measured.unwrap_or(ASSUMED_EVENT_COST) * PICOSECONDS;
                // As in the analysis: recorders that do not say it have spared such calls two
                // readings of the clock.
                let spared = || {
                    let clock = picoseconds(stream, "clock_cost").unwrap_or(0.0);
                    2.0 * (event - clock).max(0.0)
                };
                let throttled = picoseconds(stream, "throttled_cost").unwrap_or_else(spared);
                Recorder::of_events(event, throttled)
            })
        });
        Recorders {
            all: all.collect(),
            are_assumed,
        }
    }
}

fn picoseconds(stream: &Stream, key: &str) -> Option<f64> {
    let value = stream.property(key)?.trim().parse::<u64>().ok()?;
    Some(value as f64)
}

/// In seconds, if the recorder has measured it.
fn event_cost(stream: &Stream) -> Option<f64> {
    Some(picoseconds(stream, "event_cost")? * 1e-12)
}

impl SiteTally {
    fn calls(&self) -> Calls {
        let (throttled, counted) = self.calls_by_way();
        Calls {
            recorded: (self.recorded + self.beyond) as f64,
            throttled: throttled as f64,
            timed: self.throttled_timed as f64,
            counted: match self.is_counted_at_end {
                true => 0.0,
                false => counted as f64,
            },
        }
    }
}

/// The mean of what is there, for calls of which there is no trace.
fn bytes_per_event(tallies: &[Vec<SiteTally>]) -> f64 {
    let (events, bytes) = tallies
        .iter()
        .flatten()
        .fold((0u64, 0u64), |(events, bytes), tally| {
            (events + tally.events, bytes + tally.bytes)
        });
    match events {
        0 => ASSUMED_EVENT_BYTES,
        events => bytes as f64 / PARTS_OF_BYTE as f64 / events as f64,
    }
}

fn kind_of(operation: Operation, communicates: bool) -> Kind {
    match operation {
        Operation::Function | Operation::UserRegion if communicates => Kind::Communicating,
        Operation::Function | Operation::UserRegion => Kind::User,
        Operation::MeasurementStall | Operation::NoCore => Kind::Measurement,
        Operation::Malloc | Operation::Realloc | Operation::MallocFree => Kind::Library,
        _ => Kind::Pgas,
    }
}

/// From the first to the last moment, in ticks, of which a stream knows anything.
fn span(stream: &Stream) -> Option<(u64, u64)> {
    let parts = [stream.time_range(), stream.profile_range()];
    parts
        .into_iter()
        .flatten()
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}
