//! The search itself: all streams are read side by side, one stretch of time after another; what they contribute is
//! matched while the next stretch is read, and replayed while the next one is matched. Nothing is kept per event.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use pgas_earl::EventSource;
use pgas_trace::model::ThreadId;
use pgas_trace::Clocks;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::detectors::batch::Batch;
use crate::detectors::delay::critical::Critical;
use crate::detectors::delay::{Replay, Turn};
use crate::detectors::iterations::calls::CallLoops;
pub use crate::detectors::profile::{Oddity, ThreadProfile};
use crate::pipeline::distributed::message::{self, Contribution};
use crate::pipeline::distributed::{ExchangeError, Lead};
use crate::pipeline::handoff_queue::HandoffQueue;
use crate::pipeline::matcher::InstanceMatcher;
use crate::pipeline::reading::{Failure, Reader};
use crate::pipeline::schedule::{Batches, Schedule, Task};
use crate::pipeline::thread_profile::profile;

/// How much is read before it is judged. The result does not depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    /// Events of all threads in one stretch of time, on average.
    pub events: u64,
    /// Events of one thread, at most.
    pub per_thread: u64,
}

impl Stretch {
    /// What suits a number of threads: turns that are long enough for each of them.
    pub fn for_threads(threads: usize) -> Self {
        Stretch {
            events: (threads as u64).saturating_mul(96).max(1 << 16),
            per_thread: 1 << 17,
        }
    }
}

impl Default for Stretch {
    fn default() -> Self {
        Stretch::for_threads(1)
    }
}

/// Everything that was found, in ticks.
#[derive(Debug)]
pub struct Found {
    /// Index is the thread.
    pub threads: Vec<ThreadProfile>,
    pub matcher: InstanceMatcher,
    pub critical: Critical,
    /// Loops whose iterations are calls.
    pub call_loops: CallLoops,
    /// Names of the counters that sums have.
    pub counters: Vec<String>,
}

/// A stream that could not be followed, and whose it is.
#[derive(Debug)]
pub struct StreamFailure<E> {
    pub thread: ThreadId,
    pub failure: Failure<E>,
}

/// Reads all streams (index is the thread) to their ends; their times are those of `clocks`' reference. `progress` is told
/// the number of events read so far. As many cores take part as the current pool of [`rayon`] has threads.
pub fn search<S>(
    sources: Vec<S>,
    clocks: &Clocks,
    stretch: Stretch,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Found, StreamFailure<S::Error>>
where
    S: EventSource + Send,
    S::Error: Send,
{
    search_with(sources, None, clocks, stretch, progress).map_err(|stop| match stop {
        Stop::Stream(failure) => failure,
        // There is nobody to exchange anything with.
        Stop::Exchange(error) => StreamFailure {
            thread: 0,
            failure: Failure::Elsewhere(error.to_string()),
        },
    })
}

/// Why a search has no result.
#[derive(Debug)]
pub(crate) enum Stop<E> {
    Stream(StreamFailure<E>),
    /// Other processes that were to help cannot be reached any more, or the user has had enough.
    Exchange(ExchangeError),
}

/// As [`search`], where `sources` are those of the first threads, and other processes that `lead` knows read the streams
/// of all others. With a lead, its cores take part, and the calling thread exchanges messages.
pub(crate) fn search_with<S>(
    sources: Vec<S>,
    mut lead: Option<&mut Lead>,
    clocks: &Clocks,
    stretch: Stretch,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Found, Stop<S::Error>>
where
    S: EventSource + Send,
    S::Error: Send,
{
    let elsewhere = lead.as_ref().map_or(0, |lead| lead.threads());
    let threads = sources.len() + elsewhere;
    let workers = match &lead {
        Some(lead) => lead.cores().current_num_threads(),
        None => rayon::current_num_threads(),
    };
    let groups = groups(sources, 0, GROUPS * workers);
    let per_thread = stretch.per_thread.max(1);
    let away = match &mut lead {
        Some(lead) => lead
            .open(groups.len(), per_thread)
            .map_err(Stop::Exchange)?,
        None => 0,
    };
    let search = Search {
        progress: Mutex::new(Progress {
            schedule: Schedule::new(groups.iter().map(Vec::len), away, stretch),
            turns: HandoffQueue::default(),
            replayer: 0,
            events: 0,
            waiting: 0,
            report: progress,
            failure: None,
            lost: None,
            panicked: false,
        }),
        changed: Condvar::new(),
        matcher: Mutex::new(InstanceMatcher::new(threads, clocks)),
        replay: Mutex::new(Replay::new(threads)),
        come: (0..away).map(|_| Mutex::default()).collect(),
        groups: groups.into_iter().map(Mutex::new).collect(),
        per_thread,
    };
    let all = &search;
    match &mut lead {
        Some(lead) => lead.cores().in_place_scope(|scope| {
            for worker in 0..workers {
                scope.spawn(move |_| all.work(worker));
            }
            if let Err(error) = lead.relay(all) {
                all.give_up(error);
            }
        }),
        None => rayon::scope(|scope| {
            for worker in 0..workers {
                scope.spawn(move |_| all.work(worker));
            }
        }),
    }
    let progress = search.progress.into_inner();
    let progress = progress.unwrap_or_else(PoisonError::into_inner);
    if let Some((_, failure)) = progress.failure {
        return Err(Stop::Stream(failure));
    }
    if let Some(error) = progress.lost {
        return Err(Stop::Exchange(error));
    }
    let matcher = search.matcher.into_inner();
    let mut matcher = matcher.unwrap_or_else(PoisonError::into_inner);
    let replay = search.replay.into_inner();
    let path = matcher.conclude(replay.unwrap_or_else(PoisonError::into_inner));
    let unlocked = |group: Mutex<_>| group.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut readers: Vec<Reader<S>> = search.groups.into_iter().flat_map(unlocked).collect();
    let paths = matcher.paths();
    if let Some(lead) = &mut lead {
        lead.ask_for_profiles(paths).map_err(Stop::Exchange)?;
    }
    let mut threads: Vec<ThreadProfile> = readers
        .par_iter_mut()
        .enumerate()
        .map(|(thread, reader)| profile(reader, paths.names(thread), paths.len()))
        .collect();
    if let Some(lead) = &mut lead {
        threads.extend(lead.profiles().map_err(Stop::Exchange)?);
    }
    let critical = Critical::of(path, matcher.severities(), &threads);
    let call_loops = CallLoops::of(matcher.detectors().iterations.calls(), &threads, paths);
    Ok(Found {
        call_loops,
        threads,
        matcher,
        critical,
        counters: Vec::new(),
    })
}

/// Groups of readers for each core.
const GROUPS: usize = 16;

/// Readers of threads from `first` on, at most so many groups. A group is taken on by one core together, so that a thousand
/// threads do not mean as many tasks; groups are small enough that no core has to wait long for another one's.
fn groups<S: EventSource>(sources: Vec<S>, first: usize, most: usize) -> Vec<Vec<Reader<S>>> {
    let size = sources.len().div_ceil(most).max(1);
    let mut groups: Vec<Vec<Reader<S>>> = Vec::new();
    for (number, source) in sources.into_iter().enumerate() {
        if number % size == 0 {
            groups.push(Vec::with_capacity(size));
        }
        if let Some(group) = groups.last_mut() {
            group.push(Reader::new((first + number) as ThreadId, source));
        }
    }
    groups
}

/// A search that several cores work on.
pub(crate) struct Search<'a, S: EventSource> {
    progress: Mutex<Progress<'a, S::Error>>,
    /// There may be something to do for those who found nothing.
    changed: Condvar,
    matcher: Mutex<InstanceMatcher>,
    replay: Mutex<Replay>,
    groups: Vec<Mutex<Vec<Reader<S>>>>,
    /// Of the groups behind these, which other processes read: messages that have come and were not looked at.
    come: Vec<Mutex<VecDeque<Vec<u8>>>>,
    /// Events of one thread in a stretch, at most.
    per_thread: u64,
}

struct Progress<'a, E> {
    schedule: Schedule,
    /// What was judged and is to be replayed.
    turns: HandoffQueue<Turn>,
    /// Who replayed last.
    replayer: usize,
    events: u64,
    /// Workers that wait for `changed`.
    waiting: usize,
    report: &'a mut (dyn FnMut(u64) + Send),
    /// The first failure, and its stretch.
    failure: Option<(u64, StreamFailure<E>)>,
    /// What ended the exchange with other processes.
    lost: Option<ExchangeError>,
    /// A worker has ended unexpectedly.
    panicked: bool,
}

impl<'a, S> Search<'a, S>
where
    S: EventSource + Send,
    S::Error: Send,
{
    /// Does what there is to do until the search is over.
    fn work(&self, worker: usize) {
        let _others = WakeOnPanic(self);
        let mut progress = self.progress();
        while !progress.is_over() {
            let Some(task) = progress.pick(worker) else {
                progress.waiting += 1;
                let woken = self.changed.wait(progress);
                progress = woken.unwrap_or_else(PoisonError::into_inner);
                progress.waiting -= 1;
                continue;
            };
            // What was done last may have made room for others, too.
            if progress.waiting > 0 {
                self.changed.notify_all();
            }
            drop(progress);
            progress = match task {
                Next::Replay(turn) => self.replay(turn),
                Next::Task(Task::Match { batches, safe }) => self.matches(batches, safe),
                Next::Task(Task::Read {
                    group,
                    stretch,
                    until,
                    batches,
                }) => self.read(group, stretch, until, batches),
            };
        }
        self.changed.notify_all();
    }

    fn read(
        &self,
        group: usize,
        stretch: u64,
        until: u64,
        mut batches: Vec<Batch>,
    ) -> MutexGuard<'_, Progress<'a, S::Error>> {
        let read = match self.groups.get(group) {
            Some(readers) => advance(&mut lock(readers), until, self.per_thread, &mut batches),
            None => match self.take_message(group) {
                Ok(Contribution::Read { read, batches: own }) => {
                    batches = own;
                    Ok(read)
                }
                Ok(Contribution::Failed { thread, message }) => Err(StreamFailure {
                    thread,
                    failure: Failure::Elsewhere(message),
                }),
                Err(error) => {
                    self.give_up(error);
                    return self.progress();
                }
            },
        };
        let mut progress = self.progress();
        match read {
            Ok(Taken {
                events: taken,
                safe,
            }) => {
                progress.schedule.has_read(group, batches, taken, safe);
                progress.events += taken;
                let events = progress.events;
                (progress.report)(events);
            }
            Err(failure) => progress.has_failed(group, stretch, failure),
        }
        if progress.failure.is_some() && progress.schedule.stopped() {
            progress.schedule.stop();
        }
        progress
    }

    fn matches(
        &self,
        mut batches: Batches,
        safe: Option<u64>,
    ) -> MutexGuard<'_, Progress<'a, S::Error>> {
        let sizes: Vec<usize> = batches.iter().map(Vec::len).collect();
        let mut all: Vec<Batch> = batches.iter_mut().flat_map(|b| b.drain(..)).collect();
        let turn = self.progress().turns.empty();
        let turn = lock(&self.matcher).take(&mut all, safe, turn);
        let mut all = all.into_iter();
        for (group, size) in batches.iter_mut().zip(sizes) {
            group.extend(all.by_ref().take(size));
        }
        let mut progress = self.progress();
        progress.schedule.has_matched(batches);
        progress.turns.add(turn);
        progress
    }

    fn replay(&self, mut turn: Turn) -> MutexGuard<'_, Progress<'a, S::Error>> {
        lock(&self.replay).take(&mut turn);
        let mut progress = self.progress();
        progress.turns.done(turn);
        progress
    }

    fn progress(&self) -> MutexGuard<'_, Progress<'a, S::Error>> {
        lock(&self.progress)
    }

    /// The next of what a group contributes that another process reads.
    fn take_message(&self, group: usize) -> Result<Contribution, ExchangeError> {
        let come = group.checked_sub(self.groups.len());
        let come = come.and_then(|place| self.come.get(place));
        let bytes = come.and_then(|messages| lock(messages).pop_front());
        message::decode_rest(&bytes.unwrap_or_default())
    }

    /// The end (ticks) of the next stretch that other processes are to read.
    pub(crate) fn tell(&self) -> Option<u64> {
        self.progress().schedule.tell()
    }

    /// What a group contributes has come from another process, as [`Contribution`].
    pub(crate) fn has_come(&self, group: usize, bytes: Vec<u8>) -> Result<(), ExchangeError> {
        let place = group.checked_sub(self.groups.len());
        let messages = place.and_then(|place| self.come.get(place));
        lock(messages.ok_or(ExchangeError::Nonsense)?).push_back(bytes);
        let mut progress = self.progress();
        progress.schedule.has_come(group);
        if progress.waiting > 0 {
            self.changed.notify_all();
        }
        Ok(())
    }

    /// Ends the search without a result.
    pub(crate) fn give_up(&self, error: ExchangeError) {
        let mut progress = self.progress();
        progress.lost.get_or_insert(error);
        progress.schedule.stop();
        self.changed.notify_all();
    }

    /// Whether nothing is left to do.
    pub(crate) fn is_over(&self) -> bool {
        self.progress().is_over()
    }
}

/// What was read of a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Taken {
    pub events: u64,
    /// No event before these ticks can come any more; `None`: all streams have ended.
    pub safe: Option<u64>,
}

/// Reads the streams of a group up to `until` (ticks); the batches are empty, one for each.
pub(crate) fn advance<S: EventSource>(
    readers: &mut [Reader<S>],
    until: u64,
    per_thread: u64,
    batches: &mut [Batch],
) -> Result<Taken, StreamFailure<S::Error>> {
    let mut taken = Taken {
        events: 0,
        safe: None,
    };
    for (reader, batch) in readers.iter_mut().zip(batches) {
        let thread = reader.walker().thread();
        let events = reader.advance(until, per_thread);
        taken.events += events.map_err(|failure| StreamFailure { thread, failure })?;
        reader.exchange(batch);
        taken.safe = match (taken.safe, reader.reached()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    Ok(taken)
}

/// Something to do.
enum Next {
    /// Replays what was judged.
    Replay(Turn),
    Task(Task),
}

impl<E> Progress<'_, E> {
    /// What `worker` (a number) should do.
    fn pick(&mut self, worker: usize) -> Option<Next> {
        // The replay stays with the worker that has its state at hand, unless much has piled up, or there is nothing else.
        let own = self.replayer == worker || !self.turns.has_room();
        if let Some(turn) = own.then(|| self.turns.pick()).flatten() {
            self.replayer = worker;
            return Some(Next::Replay(turn));
        }
        self.schedule.hold_matching(!self.turns.has_room());
        if let Some(task) = self.schedule.pick(worker) {
            return Some(Next::Task(task));
        }
        self.turns.pick().map(Next::Replay)
    }

    /// Whether nothing is left to do.
    fn is_over(&self) -> bool {
        let given_up = self.failure.is_some() || self.lost.is_some() || self.panicked;
        self.schedule.finished() && (given_up || self.turns.is_idle())
    }

    /// Of several failures in the first stretch that has one, the first thread's is kept.
    fn has_failed(&mut self, group: usize, stretch: u64, failure: StreamFailure<E>) {
        let place = (stretch, failure.thread);
        let earlier = |(at, kept): &(u64, StreamFailure<E>)| (*at, kept.thread) < place;
        if !self.failure.as_ref().is_some_and(earlier) {
            self.failure = Some((stretch, failure));
        }
        self.schedule.has_failed(group, stretch);
    }
}

/// Nobody waits for a worker that has ended unexpectedly.
struct WakeOnPanic<'a, 'b, S: EventSource>(&'a Search<'b, S>);

impl<S: EventSource> Drop for WakeOnPanic<'_, '_, S> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut progress = lock(&self.0.progress);
            progress.panicked = true;
            progress.schedule.stop();
            drop(progress);
            self.0.changed.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<E: fmt::Display> fmt::Display for StreamFailure<E> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.failure {
            Failure::Source(error) => write!(f, "thread {}: {error}", self.thread),
            Failure::Stream(error) => error.fmt(f),
            Failure::Elsewhere(message) => f.write_str(message),
        }
    }
}
