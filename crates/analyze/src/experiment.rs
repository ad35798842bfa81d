//! Analyses an experiment directory's streams.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use pgas_earl::EventSource;
use pgas_trace::model::{Event, Profile, Site, SiteId, ThreadId};
use pgas_trace::reader::CorrectedEvents;
use pgas_trace::{Clocks, Correction, Experiment, Stream};
use rayon::prelude::*;

use crate::analysis::{conclude, Analysis};
use crate::error::Error;
use crate::reading::Failure;
use crate::recorded::EventCost;
use crate::result::Description;
use crate::search::{search, StreamFailure, Stretch};
use crate::sums::ThreadSums;

/// A description that says more threads is taken to be damaged.
const MOST_THREADS: u32 = 1 << 20;

/// The stream of one thread, which may have none.
struct TraceSource<'a> {
    stream: Option<(&'a Stream, CorrectedEvents<'a>)>,
    clocks: &'a Clocks,
    /// Of all threads; the source adds its own at its end.
    held_events: &'a AtomicU64,
}

impl Drop for TraceSource<'_> {
    fn drop(&mut self) {
        if let Some((_, events)) = &self.stream {
            self.held_events.fetch_add(events.held(), Ordering::Relaxed);
        }
    }
}

impl EventSource for TraceSource<'_> {
    type Error = pgas_trace::Error;

    #[inline]
    fn next_event(&mut self) -> Option<Result<Event, Self::Error>> {
        self.stream.as_mut()?.1.next()
    }

    fn site(&self, id: SiteId) -> Option<&Site> {
        self.stream.as_ref()?.0.sites().get(id.0 as usize)
    }

    fn gap(&self) -> Option<u64> {
        let (stream, _) = self.stream.as_ref()?;
        let blocks = stream.blocks();
        let gap = blocks.iter().position(|block| block.gap)?;
        Some(match gap.checked_sub(1) {
            Some(before) => self
                .clocks
                .to_reference(stream.thread(), blocks[before].last_time),
            None => 0,
        })
    }
}

/// Searches an experiment for wait states. `progress` is told the share that is done, 0 to 1.
///
/// # Errors
/// [`Error`]: a stream cannot be read, or its events contradict each other. A stream that merely ends early is no
/// error: what is there is analysed, and a remark in the summary says so.
pub fn analyze(experiment: &Experiment, progress: &dyn Fn(f64)) -> Result<Analysis, Error> {
    let metadata = experiment.metadata();
    let threads = metadata.threads;
    let path = || experiment.directory().to_owned();
    if threads > MOST_THREADS {
        return Err(Error::TooManyThreads {
            path: path(),
            found: threads,
            limit: MOST_THREADS,
        });
    }
    let streams = experiment.streams();
    if let Some(stranger) = streams.iter().find(|stream| stream.thread() >= threads) {
        return Err(Error::UnknownThread {
            path: stranger.path().to_owned(),
            thread: stranger.thread(),
            threads,
        });
    }
    let total = experiment.event_count();
    let has_sums = streams
        .iter()
        .any(|stream| stream.profile_range().is_some());
    if total == 0 && !has_sums {
        return Err(Error::NoEvents { path: path() });
    }
    let stream_of = |thread: ThreadId| streams.iter().find(|stream| stream.thread() == thread);
    let mut by_thread: Vec<Option<&Stream>> = vec![None; threads as usize];
    for stream in streams {
        by_thread[stream.thread() as usize] = Some(stream);
    }
    let clocks = experiment.clocks();
    let held_events = AtomicU64::new(0);
    let sources = by_thread
        .iter()
        .map(|stream| TraceSource {
            stream: stream.map(|stream| (stream, experiment.corrected_events(stream))),
            clocks,
            held_events: &held_events,
        })
        .collect();
    let mut found = search(sources, clocks, Stretch::default(), &mut |events| {
        progress((events as f64 / total as f64).min(1.0));
    })
    .map_err(|StreamFailure { thread, failure }| match failure {
        Failure::Source(error) => Error::Trace(error),
        Failure::Stream(error) => Error::Stream {
            path: stream_of(thread).map_or_else(path, |stream| stream.path().to_owned()),
            error,
        },
    })?;
    let sums: Result<Vec<ThreadSums>, Error> = by_thread
        .par_iter()
        .enumerate()
        .map(|(thread, stream)| read_sums(thread as ThreadId, *stream, clocks))
        .collect();
    found.add_sums(&sums?);
    let host = |stream: Option<&Stream>| {
        let property = |key: &str| stream.and_then(|stream| stream.property(key));
        property("host").unwrap_or(&metadata.host).to_owned()
    };
    let locations = by_thread
        .iter()
        .enumerate()
        .map(|(thread, stream)| (host(*stream), thread as u32));
    let description = Description {
        program: program_name(&metadata.program),
        arguments: metadata.arguments.clone(),
        tool_version: env!("CARGO_PKG_VERSION").into(),
        wall_seconds: 0.0,
        started: metadata.started.clone(),
        machine: metadata.host.clone(),
        locations: locations.collect(),
        costs: by_thread
            .iter()
            .map(|stream| stream.and_then(event_cost))
            .collect(),
        held_events: held_events.into_inner(),
    };
    let per_tick = experiment.clock().seconds_per_tick();
    let mut remarks = experiment.all_remarks();
    remarks.extend(refused_counters(streams));
    remarks.extend(unmatched_ends(streams));
    let on_one_node = description.locations.windows(2).all(|w| w[0].0 == w[1].0);
    if on_one_node {
        remarks.extend(shared_cores(threads, metadata.cores));
    }
    Ok(conclude(&found, per_tick, description, remarks))
}

/// All blocks of sums of a thread.
fn read_sums(
    thread: ThreadId,
    stream: Option<&Stream>,
    clocks: &Clocks,
) -> Result<ThreadSums, Error> {
    let mut sums = ThreadSums::new(thread);
    let Some(stream) = stream else {
        return Ok(sums);
    };
    for profile in stream.profiles() {
        let mut profile = profile?;
        if let Some(correction) = clocks.correction(thread) {
            correct(&mut profile, correction);
        }
        let added = sums.add(&profile, stream.sites());
        added.map_err(|error| Error::Stream {
            path: stream.path().to_owned(),
            error,
        })?;
    }
    Ok(sums)
}

/// Sums in ticks of the reference clock.
fn correct(profile: &mut Profile, correction: &Correction) {
    for entry in &mut profile.entries {
        entry.ticks = correction.duration(entry.ticks, profile.last_time);
    }
    profile.first_time = correction.to_reference(profile.first_time);
    profile.last_time = correction
        .to_reference(profile.last_time)
        .max(profile.first_time);
}

/// What the recorder of a stream measured about itself; `None` if it did not, or says what cannot be understood.
fn event_cost(stream: &Stream) -> Option<EventCost> {
    let property = |key: &str| stream.property(key)?.trim().parse::<u64>().ok();
    let event = property("event_cost")?;
    let clock = property("clock_cost").unwrap_or(0);
    // Recorders that do not say it have spared such calls two readings of the clock.
    let spared = || event.saturating_sub(clock).saturating_mul(2);
    Some(EventCost {
        event,
        clock,
        throttled: property("throttled_cost").unwrap_or_else(spared),
    })
}

/// Ends of regions of the program that were not of a region that was open.
fn unmatched_ends(streams: &[Stream]) -> Option<String> {
    let number = |stream: &Stream| {
        stream
            .property("unmatched_ends")?
            .trim()
            .parse::<u64>()
            .ok()
    };
    let ends = streams
        .iter()
        .filter_map(number)
        .fold(0, u64::saturating_add);
    (ends > 0).then(|| {
        format!(
            "{ends} times a region of the program was ended (pupc_event_end) that was not open: a region ends with the \
             function in which it begins, so functions that only start and end regions must not be recorded \
             (`#pragma pupc off`, or a filter)"
        )
    })
}

/// Counters that were asked for and that there are none of: each reason once.
fn refused_counters(streams: &[Stream]) -> Vec<String> {
    let mut reasons: Vec<&str> = streams
        .iter()
        .filter_map(|stream| stream.property("counters_refused"))
        .filter(|reason| !reason.trim().is_empty())
        .collect();
    reasons.sort_unstable();
    reasons.dedup();
    let remark = |reason: &str| format!("counters were asked for and not recorded: {reason}");
    reasons.into_iter().map(remark).collect()
}

/// What follows from having fewer cores than threads.
fn shared_cores(threads: u32, cores: Option<u32>) -> Option<String> {
    let cores = cores.filter(|&cores| cores < threads)?;
    let have = match cores {
        1 => "one core".to_owned(),
        n => format!("{n} cores"),
    };
    Some(format!(
        "{threads} threads shared {have}: a thread that has to wait for a core shows as one that computes longer, and \
         waiting for it as waiting at barriers and locks; with a core for each thread there is less of both"
    ))
}

/// The last part of the path that the program was started with.
fn program_name(program: &str) -> String {
    let name = Path::new(program).file_name();
    name.map_or_else(
        || program.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
