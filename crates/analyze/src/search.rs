//! The search itself: all streams are read side by side, one stretch of time after another, and what they
//! contribute is matched and judged while the next stretch is read. Nothing is kept per event.

use std::fmt;

use pgas_earl::walker::{Anomaly, PathTotals};
use pgas_earl::{EventSource, PathId, Span};
use pgas_trace::model::ThreadId;
use pgas_trace::Clocks;
use rayon::prelude::*;

use crate::account::Summed;
use crate::class::Bytes;
use crate::judge::Judge;
use crate::reading::{Batch, Failure, Reader};

/// How much is read before it is judged. The result does not depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    /// Events of all threads in one stretch of time, on average.
    pub events: u64,
    /// Events of one thread, at most.
    pub per_thread: u64,
}

impl Default for Stretch {
    fn default() -> Self {
        Stretch {
            events: 1 << 18,
            per_thread: 1 << 17,
        }
    }
}

/// An oddity of one stream in words that a person can look up: what, how often, where first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oddity {
    pub what: &'static str,
    pub count: u64,
    /// Ticks.
    pub first_time: u64,
    /// Where in the source, e.g. "upc_wait (a.upc:12)".
    pub place: String,
}

/// What is known about one thread. Paths are those of the common tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadProfile {
    /// From its first event to its last, in ticks, and the time of which there are sums; `None` if there is neither.
    pub span: Option<Span>,
    pub events: u64,
    /// By path: exclusive ticks and visits.
    pub totals: Vec<PathTotals>,
    /// By path.
    pub bytes: Vec<Bytes>,
    /// The innermost region that was open at the end, if any was and the program had not ended.
    pub ends_in: Option<PathId>,
    pub oddities: Vec<Oddity>,
    /// By number of the counter, then by path: exclusive counts. Only after [`Found::add_sums`].
    pub counters: Vec<Vec<u64>>,
    /// What is not from events.
    pub summed: Summed,
}

/// Everything that was found, in ticks.
#[derive(Debug)]
pub struct Found {
    /// Index is the thread.
    pub threads: Vec<ThreadProfile>,
    pub judge: Judge,
    /// Names of the counters that sums have.
    pub counters: Vec<String>,
}

/// A stream that could not be followed, and whose it is.
#[derive(Debug)]
pub struct StreamFailure<E> {
    pub thread: ThreadId,
    pub failure: Failure<E>,
}

/// Reads all streams (index is the thread) to their ends; their times are those of `clocks`' reference. `progress` is told the number of events read so far.
pub fn search<S>(
    sources: Vec<S>,
    clocks: &Clocks,
    stretch: Stretch,
    progress: &mut dyn FnMut(u64),
) -> Result<Found, StreamFailure<S::Error>>
where
    S: EventSource + Send,
    S::Error: Send,
{
    let mut readers: Vec<Reader<S>> = sources
        .into_iter()
        .enumerate()
        .map(|(thread, source)| Reader::new(thread as ThreadId, source))
        .collect();
    let mut judge = Judge::new(readers.len(), clocks);
    let mut batches: Vec<Batch> = readers.iter().map(|_| Batch::default()).collect();
    let mut pace = Pace::new(stretch);
    let mut safe = Some(0);
    let mut events = 0;
    loop {
        let until = pace.until(safe);
        let per_thread = stretch.per_thread.max(1);
        let (taken, ()) = rayon::join(
            || advance(&mut readers, until, per_thread),
            || judge.take(&mut batches, safe),
        );
        let taken = taken?;
        events += taken;
        pace.adapt(taken);
        progress(events);
        // Judged next time round, while the stretch after it is read.
        for (reader, batch) in readers.iter_mut().zip(&mut batches) {
            reader.exchange(batch);
        }
        safe = readers.iter().filter_map(Reader::reached).min();
        if safe.is_none() {
            judge.take(&mut batches, None);
            break;
        }
    }
    let paths = judge.paths();
    let threads = readers
        .par_iter_mut()
        .enumerate()
        .map(|(thread, reader)| profile(thread, reader, paths))
        .collect();
    Ok(Found {
        threads,
        judge,
        counters: Vec::new(),
    })
}

/// Takes every stream further; the number of events taken. Of several failures the first thread's is returned.
fn advance<S>(
    readers: &mut [Reader<S>],
    until: u64,
    per_thread: u64,
) -> Result<u64, StreamFailure<S::Error>>
where
    S: EventSource + Send,
    S::Error: Send,
{
    let taken: Vec<_> = readers
        .par_iter_mut()
        .map(|reader| reader.advance(until, per_thread))
        .collect();
    let mut sum = 0;
    for (thread, taken) in taken.into_iter().enumerate() {
        sum += taken.map_err(|failure| StreamFailure {
            thread: thread as ThreadId,
            failure,
        })?;
    }
    Ok(sum)
}

/// Chooses stretches of time that hold about the wanted number of events.
struct Pace {
    wanted: u64,
    ticks: u64,
}

impl Pace {
    fn new(stretch: Stretch) -> Self {
        Pace {
            wanted: stretch.events.max(1),
            ticks: 1 << 16,
        }
    }

    /// End of the next stretch, when the slowest thread has reached `safe`.
    fn until(&self, safe: Option<u64>) -> u64 {
        safe.unwrap_or(0).saturating_add(self.ticks)
    }

    fn adapt(&mut self, taken: u64) {
        if taken < self.wanted / 2 {
            self.ticks = self.ticks.saturating_mul(2);
        } else if taken > self.wanted.saturating_mul(2) {
            self.ticks = (self.ticks / 2).max(1);
        }
    }
}

fn profile<S: EventSource>(
    thread: usize,
    reader: &Reader<S>,
    paths: &crate::paths::CallPaths,
) -> ThreadProfile {
    let walker = reader.walker();
    let position = walker.position();
    let mut totals = vec![PathTotals::default(); paths.len()];
    for (number, own) in walker.totals().iter().enumerate() {
        let common = &mut totals[paths.translate(thread, PathId(number as u32)).index()];
        common.ticks += own.ticks;
        common.visits += own.visits;
    }
    if position.span.is_none() {
        totals[PathId::PROGRAM.index()].visits = 0;
    }
    let mut bytes = vec![Bytes::default(); paths.len()];
    for (number, own) in reader.bytes().iter().enumerate() {
        bytes[paths.translate(thread, PathId(number as u32)).index()].add(own);
    }
    let cut = walker.depth() > 0 && !position.program_ended;
    ThreadProfile {
        span: position.span,
        events: position.events,
        totals,
        bytes,
        ends_in: cut.then(|| paths.translate(thread, walker.current_path())),
        oddities: oddities(walker),
        counters: Vec::new(),
        summed: Summed::default(),
    }
}

fn oddities(walker: &pgas_earl::Walker) -> Vec<Oddity> {
    let anomalies = walker.anomalies();
    let kinds: [(&'static str, &Anomaly); 4] = [
        (
            "exits of regions that were not entered, which are ignored",
            &anomalies.unmatched_exits,
        ),
        (
            "regions that were left without an exit, which end with the region around them",
            &anomalies.unwound_regions,
        ),
        (
            "upc_wait without a upc_notify before, which are no barriers",
            &anomalies.waits_without_notify,
        ),
        (
            "upc_notify without a upc_wait, which are no barriers",
            &anomalies.notifies_without_wait,
        ),
    ];
    let found = kinds.into_iter().filter_map(|(what, anomaly)| {
        let (first_time, site) = anomaly.first?;
        Some(Oddity {
            what,
            count: anomaly.count,
            first_time,
            place: crate::words::place(walker.sites().site(site)),
        })
    });
    found.collect()
}

impl<E: fmt::Display> fmt::Display for StreamFailure<E> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.failure {
            Failure::Source(error) => write!(f, "thread {}: {error}", self.thread),
            Failure::Stream(error) => error.fmt(f),
        }
    }
}
