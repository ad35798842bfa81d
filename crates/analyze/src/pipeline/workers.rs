//! The cores that work on one search: each takes what there is to read, to match or to replay until
//! nothing is left.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use pgas_earl::EventSource;

use crate::detectors::delay::{Replay, Turn};
use crate::pipeline::contribution::{Contribution, StreamFailure, Taken, advance};
use crate::pipeline::exchange::ExchangeError;
use crate::pipeline::handoff_queue::HandoffQueue;
use crate::pipeline::matcher::InstanceMatcher;
use crate::pipeline::reading::{Failure, Reader};
use crate::pipeline::schedule::{Batches, Schedule, Stretch, Task};
use crate::threads::batch::Batch;

/// Why a search has no result.
#[derive(Debug)]
pub(crate) enum Stop<E> {
    Stream(StreamFailure<E>),
    /// Other processes that were to help cannot be reached any more, or the user has had enough.
    Exchange(ExchangeError),
}

/// A search that is over.
pub(crate) struct Done<S: EventSource> {
    /// All instances were matched by it.
    pub matcher: InstanceMatcher,
    pub replay: Replay,
    /// By thread, at the ends of the streams.
    pub readers: Vec<Reader<S>>,
}

/// Bytes of a message, and where in them a [`Contribution`] begins.
pub(crate) type Message = (Vec<u8>, usize);

/// A search that several cores work on.
pub(crate) struct Workers<'a, S: EventSource> {
    progress: Mutex<Progress<'a, S::Error>>,
    /// There may be something to do for those who found nothing.
    changed: Condvar,
    matcher: Mutex<InstanceMatcher>,
    replay: Mutex<Replay>,
    groups: Vec<Mutex<Vec<Reader<S>>>>,
    /// By group of those after `groups`, which other processes read: messages that have come and
    /// were not decoded.
    come: Vec<Mutex<VecDeque<Message>>>,
    /// Events of one thread in a stretch, at most.
    per_thread: u64,
}

struct Progress<'a, E> {
    schedule: Schedule,
    /// Matched stretches that are to be replayed.
    turns: HandoffQueue<Turn>,
    /// The worker that replayed last.
    replayer: usize,
    events: u64,
    /// Workers that wait for `changed`.
    waiting: usize,
    report: &'a mut (dyn FnMut(u64) + Send),
    /// The first failure, and its stretch.
    failure: Option<(u64, StreamFailure<E>)>,
    /// The error that ended the exchange with other processes.
    lost: Option<ExchangeError>,
    /// A worker has ended unexpectedly.
    panicked: bool,
}

impl<'a, S> Workers<'a, S>
where
    S: EventSource + Send,
    S::Error: Send,
{
    /// Workers on groups of readers, and on `away` more groups that other processes read. `threads`
    /// are those of the program.
    pub fn new(
        groups: Vec<Vec<Reader<S>>>,
        away: usize,
        matcher: InstanceMatcher,
        stretch: Stretch,
        report: &'a mut (dyn FnMut(u64) + Send),
    ) -> Self {
        Workers {
            progress: Mutex::new(Progress {
                schedule: Schedule::new(groups.iter().map(Vec::len), away, stretch),
                turns: HandoffQueue::default(),
                replayer: 0,
                events: 0,
                waiting: 0,
                report,
                failure: None,
                lost: None,
                panicked: false,
            }),
            changed: Condvar::new(),
            replay: Mutex::new(Replay::new(matcher.threads())),
            matcher: Mutex::new(matcher),
            come: (0..away).map(|_| Mutex::default()).collect(),
            groups: groups.into_iter().map(Mutex::new).collect(),
            per_thread: stretch.per_thread.max(1),
        }
    }

    /// Ends the search, with its result or the failure that stopped it.
    pub fn finish(self) -> Result<Done<S>, Stop<S::Error>> {
        let progress = unlocked(self.progress);
        if let Some((_, failure)) = progress.failure {
            return Err(Stop::Stream(failure));
        }
        if let Some(error) = progress.lost {
            return Err(Stop::Exchange(error));
        }
        let readers = self.groups.into_iter().flat_map(unlocked).collect();
        Ok(Done {
            matcher: unlocked(self.matcher),
            replay: unlocked(self.replay),
            readers,
        })
    }

    /// Does what there is to do until the search is over.
    pub fn work(&self, worker: usize) {
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
            // The latest task may have made room for other workers, too.
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
        let message = come.and_then(|messages| lock(messages).pop_front());
        let (bytes, begin) = message.ok_or(ExchangeError::Nonsense)?;
        Contribution::decode(bytes.get(begin..).unwrap_or_default())
    }

    /// The end (ticks) of the next stretch that other processes are to read.
    pub(crate) fn tell(&self) -> Option<u64> {
        self.progress().schedule.tell()
    }

    /// A [`Contribution`] of a group has come from another process.
    pub(crate) fn has_come(&self, group: usize, message: Message) -> Result<(), ExchangeError> {
        let place = group.checked_sub(self.groups.len());
        let messages = place.and_then(|place| self.come.get(place));
        lock(messages.ok_or(ExchangeError::Nonsense)?).push_back(message);
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

/// Something to do.
enum Next {
    /// Replays what was judged.
    Replay(Turn),
    Task(Task),
}

impl<E> Progress<'_, E> {
    /// Next task of `worker` (a number).
    fn pick(&mut self, worker: usize) -> Option<Next> {
        // The replay stays with the worker that has its state at hand, unless much has piled up, or
        // there is nothing else.
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
struct WakeOnPanic<'a, 'b, S: EventSource>(&'a Workers<'b, S>);

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

fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
