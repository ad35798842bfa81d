//! Transport between processors that are threads of one process: an inbox for each.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use crossbeam_utils::{Backoff, CachePadded};
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::transport::{Arrival, Transport};

/// Longer than most waits for a message of another process.
const BEFORE_REPORT: Duration = Duration::from_millis(1);

const RUNNING: u8 = 0;
const QUIET: u8 = 1;
const STOPPED: u8 = 2;

/// Inboxes of the processors, and how many of these are awake.
///
/// A processor sends only while it is awake, and counts a sleeping receiver as awake in the same
/// step. Therefore the count reaches zero only when all sleep and no parcel is under way.
pub struct Threads<P> {
    inboxes: Vec<CachePadded<Inbox<P>>>,
    /// Number of the first processor here.
    first: usize,
    /// Processors of all processes.
    total: usize,
    /// Called when all here are asleep, if others elsewhere may send something.
    when_idle: Option<fn()>,
    awake: CachePadded<AtomicUsize>,
    state: AtomicU8,
}

struct Inbox<P> {
    /// Whether there may be parcels: read without the lock.
    filled: AtomicBool,
    contents: Mutex<Contents<P>>,
    bell: Condvar,
}

struct Contents<P> {
    parcels: VecDeque<P>,
    asleep: bool,
}

impl<P> Threads<P> {
    /// A transport between `processors` threads, all of them awake.
    #[cfg(test)]
    pub fn new(processors: usize) -> Self {
        Self::part(0..processors, processors, None)
    }

    /// The threads of this process among `total` processors of all. `when_idle` is called when all
    /// here have been asleep for a while.
    pub fn part(own: Range<usize>, total: usize, when_idle: Option<fn()>) -> Self {
        let processors = own.len();
        Self {
            first: own.start,
            total,
            when_idle,
            inboxes: (0..processors)
                .map(|_| CachePadded::new(Inbox::new()))
                .collect(),
            awake: CachePadded::new(AtomicUsize::new(processors)),
            state: AtomicU8::new(RUNNING),
        }
    }

    /// Takes what is in an inbox, without a lock if that is nothing.
    fn take(&self, me: usize, parcels: &mut VecDeque<P>) -> bool {
        let inbox = self.inbox(me);
        inbox.filled.load(Ordering::Acquire) && inbox.empty(&mut inbox.contents.lock(), parcels)
    }

    /// Most messages follow each other closely, and waking a thread takes long.
    fn spin(&self, me: usize) {
        let backoff = Backoff::new();
        let inbox = self.inbox(me);
        while !inbox.filled.load(Ordering::Acquire) && !backoff.is_completed() {
            backoff.snooze();
        }
    }

    fn sleep(&self, me: usize, parcels: &mut VecDeque<P>) -> Arrival {
        let inbox = self.inbox(me);
        let mut contents = inbox.contents.lock();
        if inbox.empty(&mut contents, parcels) {
            return Arrival::Parcels;
        }
        contents.asleep = true;
        if self.awake.fetch_sub(1, Ordering::AcqRel) == 1 {
            contents = self.last_asleep(inbox, contents);
        }
        self.sleep_until_woken(inbox, contents, parcels)
    }

    /// Reports take time that the next parcel would have to wait for, so they wait a little.
    fn last_asleep<'a>(
        &self,
        inbox: &'a Inbox<P>,
        mut contents: MutexGuard<'a, Contents<P>>,
    ) -> MutexGuard<'a, Contents<P>> {
        let Some(when_idle) = self.when_idle else {
            drop(contents);
            self.end(QUIET);
            return inbox.contents.lock();
        };
        if contents.asleep && self.state.load(Ordering::Acquire) == RUNNING {
            inbox.bell.wait_for(&mut contents, BEFORE_REPORT);
        }
        if contents.asleep && self.awake.load(Ordering::Acquire) == 0 {
            drop(contents);
            when_idle();
            contents = inbox.contents.lock();
        }
        contents
    }

    fn inbox(&self, processor: usize) -> &Inbox<P> {
        &self.inboxes[processor - self.first]
    }

    fn sleep_until_woken(
        &self,
        inbox: &Inbox<P>,
        mut contents: MutexGuard<'_, Contents<P>>,
        parcels: &mut VecDeque<P>,
    ) -> Arrival {
        loop {
            match self.state.load(Ordering::Acquire) {
                QUIET => return Arrival::Quiet,
                STOPPED => return Arrival::Stopped,
                _ if inbox.empty(&mut contents, parcels) => return Arrival::Parcels,
                _ => inbox.bell.wait(&mut contents),
            }
        }
    }

    /// The first reason to end is the one that all see.
    fn end(&self, state: u8) {
        let _ = self
            .state
            .compare_exchange(RUNNING, state, Ordering::AcqRel, Ordering::Acquire);
        for inbox in &self.inboxes {
            let _contents = inbox.contents.lock();
            inbox.bell.notify_all();
        }
    }
}

impl<P> Inbox<P> {
    fn new() -> Self {
        let contents = Mutex::new(Contents {
            parcels: VecDeque::new(),
            asleep: false,
        });
        Self {
            filled: AtomicBool::new(false),
            contents,
            bell: Condvar::new(),
        }
    }

    /// Moves all parcels; whether there were any.
    fn empty(&self, contents: &mut Contents<P>, parcels: &mut VecDeque<P>) -> bool {
        self.filled.store(false, Ordering::Relaxed);
        let any = !contents.parcels.is_empty();
        parcels.append(&mut contents.parcels);
        any
    }
}

impl<P: Send> Transport<P> for Threads<P> {
    fn processors(&self) -> usize {
        self.total
    }

    fn carry(&self, to: usize, parcel: P) {
        let inbox = self.inbox(to);
        let mut contents = inbox.contents.lock();
        contents.parcels.push_back(parcel);
        inbox.filled.store(true, Ordering::Release);
        if std::mem::take(&mut contents.asleep) {
            self.awake.fetch_add(1, Ordering::AcqRel);
            inbox.bell.notify_one();
        }
    }

    fn collect(&self, me: usize, parcels: &mut VecDeque<P>) {
        self.take(me, parcels);
    }

    fn wait(&self, me: usize, parcels: &mut VecDeque<P>) -> Arrival {
        self.spin(me);
        match self.state.load(Ordering::Acquire) {
            STOPPED => Arrival::Stopped,
            _ if self.take(me, parcels) => Arrival::Parcels,
            _ => self.sleep(me, parcels),
        }
    }

    fn stop(&self) {
        self.end(STOPPED);
    }

    fn hold(&self) {
        self.awake.fetch_add(1, Ordering::AcqRel);
    }

    fn release(&self) -> bool {
        self.awake.fetch_sub(1, Ordering::AcqRel) == 1
    }

    fn is_idle(&self) -> bool {
        self.awake.load(Ordering::Acquire) == 0
    }

    fn quiet(&self) {
        self.end(QUIET);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parcels_of_one_sender_arrive_in_order() {
        let threads = Threads::new(2);
        (0..100).for_each(|number| threads.carry(1, number));
        let mut parcels = VecDeque::new();
        assert_eq!(threads.wait(1, &mut parcels), Arrival::Parcels);
        assert!(parcels.into_iter().eq(0..100));
    }

    #[test]
    fn all_are_quiet_when_the_last_one_waits() {
        let threads = Threads::<u32>::new(3);
        let arrivals = std::thread::scope(|scope| {
            let wait = |me| {
                scope.spawn({
                    let threads = &threads;
                    move || threads.wait(me, &mut VecDeque::new())
                })
            };
            let waits: Vec<_> = (0..3).map(wait).collect();
            waits
                .into_iter()
                .map(|wait| wait.join().unwrap())
                .collect::<Vec<_>>()
        });
        assert_eq!(arrivals, [Arrival::Quiet; 3]);
    }

    #[test]
    fn a_token_that_goes_round_keeps_processors_awake() {
        let threads = Threads::new(3);
        threads.carry(0, 10_000_u32);
        let round = |me: usize| {
            let mut parcels = VecDeque::new();
            let mut seen = 0;
            while threads.wait(me, &mut parcels) == Arrival::Parcels {
                for left in parcels.drain(..).filter(|left| *left > 0) {
                    seen += 1;
                    threads.carry((me + 1) % 3, left - 1);
                }
            }
            seen
        };
        let seen: u32 = std::thread::scope(|scope| {
            let rounds: Vec<_> = (0..3).map(|me| scope.spawn(move || round(me))).collect();
            rounds.into_iter().map(|round| round.join().unwrap()).sum()
        });
        assert_eq!(seen, 10_000);
    }

    #[test]
    fn stopping_ends_waits() {
        let threads = Threads::<u32>::new(2);
        threads.stop();
        assert_eq!(threads.wait(0, &mut VecDeque::new()), Arrival::Stopped);
    }
}
