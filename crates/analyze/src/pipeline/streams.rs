//! Streams of an experiment, as the search takes them: the events of each thread with times of the
//! common clock, and what there are only sums of. A process reads all of them, or its share.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use pgas_earl::EventSource;
use pgas_trace::model::{Event, Profile, Site, SiteId, ThreadId};
use pgas_trace::reader::{BlockMemory, CorrectedEvents};
use pgas_trace::{Clocks, Correction, Experiment, Stream};
use rayon::prelude::*;

use crate::pipeline::contribution::StreamFailure;
use crate::pipeline::error::Error;
use crate::pipeline::reading::Failure;
use crate::pipeline::sums::ThreadSums;
use crate::threads::stacks::{StackCollector, ThreadStacks};

/// Bytes of unpacked blocks that all streams together may hold while they are not read.
const HELD_BLOCKS: usize = 64 << 20;

/// The streams of some threads of an experiment.
pub(crate) struct Share<'a> {
    experiment: &'a Experiment,
    /// Number of the first thread.
    first: usize,
    /// By thread from there on; some may have none.
    streams: Vec<Option<&'a Stream>>,
    memory: BlockMemory,
    held_events: AtomicU64,
}

impl<'a> Share<'a> {
    pub fn new(experiment: &'a Experiment, threads: Range<usize>) -> Self {
        let mut streams = vec![None; threads.len()];
        for stream in experiment.streams() {
            let place = (stream.thread() as usize).checked_sub(threads.start);
            if let Some(own) = place.and_then(|place| streams.get_mut(place)) {
                *own = Some(stream);
            }
        }
        let memory = BlockMemory::new(HELD_BLOCKS, streams.len());
        Share {
            experiment,
            first: threads.start,
            streams,
            memory,
            held_events: AtomicU64::new(0),
        }
    }

    /// By thread: its events from the beginning.
    pub fn sources(&self) -> Vec<TraceSource<'_>> {
        let events = |stream| {
            self.experiment
                .corrected_events(stream)
                .sharing(&self.memory)
        };
        let source = |stream: &Option<&'a Stream>| TraceSource {
            stream: stream.map(|stream| (stream, events(stream))),
            clocks: self.experiment.clocks(),
            held_events: &self.held_events,
        };
        self.streams.iter().map(source).collect()
    }

    /// Events that would have run backwards and were held, of all sources that are gone.
    pub fn held_events(&self) -> u64 {
        self.held_events.load(Ordering::Relaxed)
    }

    /// By thread: what there are sums of.
    ///
    /// # Errors
    /// [`Error::Trace`], [`Error::Stream`].
    pub fn sums(&self) -> Result<Vec<ThreadSums>, Error> {
        let streams = self.streams.par_iter().enumerate();
        let read = streams.map(|(number, stream)| {
            let thread = (self.first + number) as ThreadId;
            read_sums(thread, *stream, self.experiment.clocks())
        });
        read.collect()
    }

    /// By thread: where samples found it.
    ///
    /// # Errors
    /// [`Error::Trace`].
    pub fn stacks(&self) -> Result<Vec<ThreadStacks>, Error> {
        let streams = self.streams.par_iter();
        streams.map(|stream| read_stacks(*stream)).collect()
    }
}

/// All samples of a thread.
pub(crate) fn read_stacks(stream: Option<&Stream>) -> Result<ThreadStacks, Error> {
    let mut collector = StackCollector::default();
    if let Some(stream) = stream {
        for block in stream.stack_samples() {
            collector.add(&block?, stream.sites());
        }
    }
    Ok(collector.finish())
}

/// A failure to read a stream of an experiment, with the name of the file.
pub(crate) fn failed(experiment: &Experiment, failure: StreamFailure<pgas_trace::Error>) -> Error {
    match failure.failure {
        Failure::Source(error) => Error::Trace(error),
        Failure::Stream(error) => {
            let mut streams = experiment.streams().iter();
            let own = streams.find(|stream| stream.thread() == failure.thread);
            let path = own.map_or(experiment.directory(), Stream::path);
            Error::Stream {
                path: path.to_owned(),
                error,
            }
        }
        Failure::Elsewhere(message) => Error::Elsewhere(message),
    }
}

/// The events of one thread, which may have none.
pub(crate) struct TraceSource<'a> {
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

    fn fill(&mut self, events: &mut Vec<Event>, at_most: usize) -> Result<(), Self::Error> {
        match &mut self.stream {
            Some((_, stream)) => stream.fill(events, at_most),
            None => Ok(()),
        }
    }

    fn rest(&mut self) {
        if let Some((_, stream)) = &mut self.stream {
            stream.rest();
        }
    }

    fn site(&self, id: SiteId) -> Option<&Site> {
        self.stream.as_ref()?.0.sites().get(id.0 as usize)
    }

    fn reports_barriers_in_halves(&self) -> bool {
        let stream = self.stream.as_ref();
        stream.is_none_or(|(stream, _)| stream.reports_barriers_in_halves())
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

    fn interrupted_after(&self) -> Option<u64> {
        let (stream, _) = self.stream.as_ref()?;
        let ticks = stream.interrupted_after()?;
        Some(self.clocks.to_reference(stream.thread(), ticks))
    }
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
