//! Contributions of one thread to the barriers, collective operations, locks and flags of a stretch of the
//! run, as the analysis of the whole run sees them, read without what lies before the stretch.

use std::collections::VecDeque;

use pgas_earl::access::{EventTrace, ThreadEvents};
use pgas_earl::{
    BarrierRecord, CollectiveRecord, FlagWaitBegin, LockAcquisition, LockRelease, Observer, PathId,
    Post, PostWait, Posted, Span, SplitNotify, Walker,
};
use pgas_trace::model::{Attributes, Event, EventKind, Operation, Site, SiteId, ThreadId};

use crate::error::Error;
use crate::paths::{CallPaths, UNKNOWN};

/// Records of a kind that are kept: those that came last before the instance, and those after it.
const KEPT: usize = 256;
/// Events behind the stretch that are read in search of the end of an operation that a thread is
/// in.
const MOST_BEHIND: u64 = 1 << 20;

/// A change of a lock's owner.
#[derive(Debug, Clone)]
pub enum LockRecord {
    Acquired(LockAcquisition),
    Released(LockRelease),
}

/// A write to a flag, or a part of a wait for one.
#[derive(Debug, Clone)]
pub enum FlagRecord {
    Begins(FlagWaitBegin),
    Written(Post),
    Awaited(PostWait),
}

/// Records of one thread, in order of time. Call paths are indices into the cube's, or [`UNKNOWN`].
#[derive(Debug, Default)]
pub struct Records {
    pub barriers: VecDeque<BarrierRecord>,
    pub collectives: VecDeque<CollectiveRecord>,
    pub locks: VecDeque<LockRecord>,
    /// Ticks up to which changes of owners were forgotten.
    pub locks_since: u64,
    /// Writes to flags, and waits for them. What is counted cannot be known from a part of the run.
    pub flags: VecDeque<FlagRecord>,
}

/// A part of the run, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub begin: u64,
    /// When the instance began that the window is about.
    pub instance: u64,
    pub end: u64,
}

/// Takes the events from one moment on to a walker, and makes up what it needs of what was before.
pub struct Follower<'t> {
    events: ThreadEvents<'t>,
    pub walker: Walker,
    /// Whether a notify was met, so that a wait is not taken for one whose notify is missing.
    notified: bool,
    /// Whether the next event decides if a notify is the first half of a plain barrier.
    undecided: bool,
    /// Ticks of a notify that lies before the beginning, and was made up.
    made_up: Option<u64>,
}

/// The site of what is made up: a place that no program has.
fn made_up() -> Site {
    Site::operation(Operation::Notify, "", u32::MAX)
}

/// A region that takes no time.
fn of_no_length(site: SiteId) -> [EventKind; 2] {
    let attributes = Attributes::None;
    [
        EventKind::Enter { site, attributes },
        EventKind::Exit { site, attributes },
    ]
}

impl<'t> Follower<'t> {
    /// Follows a thread from `begin` (ticks) on, with the regions that are open then; if it is in a
    /// wait, from where it entered that, since only then it is known whether that is half of a
    /// plain barrier.
    pub fn new(
        trace: &EventTrace<'t>,
        thread: ThreadId,
        mut begin: u64,
        observer: &mut impl Observer,
    ) -> Result<Self, Error> {
        let mut events = trace.thread_events(thread, begin)?;
        let operation = |site: SiteId| Some(events.sites().get(site.0 as usize)?.operation);
        let wait = events
            .open()
            .find(|open| operation(open.site) == Some(Operation::Wait));
        if let Some((entered, _)) = wait.and_then(|wait| wait.enter) {
            begin = entered.min(begin);
            events = trace.thread_events(thread, begin)?;
        }
        let notify = events.notify_before();
        let open: Vec<_> = events.open().collect();
        let walker = match events.reports_barriers_in_halves() {
            true => Walker::new(thread),
            false => Walker::new(thread).with_whole_barriers(),
        };
        let mut follower = Follower {
            events,
            walker,
            notified: notify.is_some(),
            undecided: notify.is_some(),
            made_up: None,
        };
        for open in open {
            let attributes = open
                .enter
                .map_or(Attributes::None, |(_, attributes)| attributes);
            let site = open.site;
            let kind = EventKind::Enter { site, attributes };
            follower.take(Event { time: begin, kind }, observer)?;
        }
        for kind in notify.into_iter().flat_map(of_no_length) {
            follower.take(Event { time: begin, kind }, observer)?;
        }
        Ok(follower)
    }

    /// Ticks of the next event.
    pub fn next_time(&mut self) -> Result<Option<u64>, Error> {
        Ok(self.events.next_time()?)
    }

    /// Takes the next event; false if there is none.
    pub fn step(&mut self, observer: &mut impl Observer) -> Result<bool, Error> {
        match self.events.next_event()? {
            Some(event) => self.take(event, observer).map(|()| true),
            None => Ok(false),
        }
    }

    fn take(&mut self, event: Event, observer: &mut impl Observer) -> Result<(), Error> {
        let sites = self.events.sites();
        let (EventKind::Enter { site, .. } | EventKind::Exit { site, .. }) = event.kind;
        match sites.get(site.0 as usize).map(|site| site.operation) {
            Some(Operation::Notify) => {
                self.notified = true;
                self.undecided = true;
            }
            Some(operation) if operation.is_standstill() => {}
            Some(operation) => {
                self.undecided = false;
                let enters = matches!(event.kind, EventKind::Enter { .. });
                if operation == Operation::Wait && enters && !self.notified {
                    self.make_up_notify(event.time, observer)?;
                }
                self.notified |= matches!(operation, Operation::Barrier | Operation::Wait);
            }
            None => {}
        }
        self.walker
            .step(&event, |id| sites.get(id.0 as usize), observer)?;
        Ok(())
    }

    /// The notify of a wait lies before the beginning.
    fn make_up_notify(&mut self, time: u64, observer: &mut impl Observer) -> Result<(), Error> {
        let made_up = made_up();
        let site = SiteId(self.events.sites().len() as u32);
        for kind in of_no_length(site) {
            self.walker
                .step(&Event { time, kind }, |_| Some(&made_up), observer)?;
        }
        self.made_up = Some(time);
        Ok(())
    }

    /// Whether there must be a step more to know what the last one means.
    pub fn is_undecided(&self) -> bool {
        self.undecided
    }

    /// Whether a notify was made up.
    pub fn is_made_up(&self, notify: &SplitNotify) -> bool {
        self.made_up == Some(notify.span.begin) && notify.span.length() == 0
    }
}

/// Collects records.
#[derive(Debug)]
struct Collector {
    records: Records,
    /// When the instance began.
    instance: u64,
    /// Ticks from which on operations cannot be counted, since events are missing, or the thread
    /// was ended in one.
    until: u64,
    interrupted_after: u64,
    /// A notify that was left, whose wait is still to come.
    notified: Option<SplitNotify>,
    /// Operations that end in a record and that the thread is in.
    open: usize,
}

impl Collector {
    fn counts(&self, end: u64) -> bool {
        end < self.until && end <= self.interrupted_after
    }

    fn flag(&mut self, record: FlagRecord) {
        keep(&mut self.records.flags, record, flag_time, self.instance);
    }

    fn lock(&mut self, record: LockRecord) {
        let records = &mut self.records;
        let forgotten = keep(&mut records.locks, record, end_of, self.instance);
        if let Some(forgotten) = forgotten {
            records.locks_since = end_of(&forgotten);
        }
    }
}

/// Adds the next record, and forgets the oldest one that lies before the instance, which is
/// returned, if there are too many.
fn keep<R>(
    records: &mut VecDeque<R>,
    record: R,
    end: impl Fn(&R) -> u64,
    instance: u64,
) -> Option<R> {
    records.push_back(record);
    let is_old = records.front().is_some_and(|first| end(first) < instance);
    match records.len() > KEPT && is_old {
        true => records.pop_front(),
        false => None,
    }
}

fn end_of(record: &LockRecord) -> u64 {
    match record {
        LockRecord::Acquired(acquisition) => acquisition.span.end,
        LockRecord::Released(release) => release.time,
    }
}

fn flag_time(record: &FlagRecord) -> u64 {
    match record {
        FlagRecord::Begins(begin) => begin.time,
        FlagRecord::Written(post) => post.time,
        FlagRecord::Awaited(wait) => wait.span.end,
    }
}

fn is_waited_in(operation: Operation) -> bool {
    pgas_earl::operation::is_collective(operation)
        || pgas_earl::operation::waits_for_post(operation)
        || matches!(
            operation,
            Operation::Barrier | Operation::Wait | Operation::Lock
        )
}

impl Observer for Collector {
    fn enter(&mut self, _: u64, _: PathId, operation: Operation, _: &Attributes) {
        self.open += usize::from(is_waited_in(operation));
    }

    fn exit(&mut self, span: Span, path: PathId, operation: Operation, attributes: &Attributes) {
        self.open -= usize::from(is_waited_in(operation));
        match *attributes {
            Attributes::Skipped {
                barriers,
                collectives,
            } if barriers + collectives > 0 => {
                // Records before skipped synchronisations cannot be counted with later ones.
                let records = &mut self.records;
                if span.end <= self.instance {
                    records.barriers.clear();
                    records.collectives.clear();
                } else {
                    self.until = self.until.min(span.begin);
                }
            }
            _ if operation == Operation::Notify => {
                self.notified = Some(SplitNotify { path, span });
            }
            _ => {}
        }
    }

    fn barrier(&mut self, record: BarrierRecord) {
        self.notified = None;
        if self.counts(record.span.end) {
            let barriers = &mut self.records.barriers;
            keep(barriers, record, |r| r.span.end, self.instance);
        }
    }

    fn collective(&mut self, record: CollectiveRecord) {
        if self.counts(record.span.end) {
            let collectives = &mut self.records.collectives;
            keep(collectives, record, |r| r.span.end, self.instance);
        }
    }

    fn acquired(&mut self, record: LockAcquisition) {
        if record.span.end <= self.interrupted_after {
            self.lock(LockRecord::Acquired(record));
        }
    }

    fn released(&mut self, record: LockRelease) {
        self.lock(LockRecord::Released(record));
    }

    fn flag_wait_begins(&mut self, begin: FlagWaitBegin) {
        self.flag(FlagRecord::Begins(begin));
    }

    fn posted(&mut self, post: Post) {
        if matches!(post.what, Posted::Words(_)) {
            self.flag(FlagRecord::Written(post));
        }
    }

    fn awaited(&mut self, wait: PostWait) {
        let is_flag = matches!(wait.what[..], [Posted::Words(_)]);
        if is_flag && wait.span.end <= self.interrupted_after {
            self.flag(FlagRecord::Awaited(wait));
        }
    }
}

/// Reads what a thread did in a window, and behind it up to the end of the operation that it is in
/// then.
pub fn read(
    trace: &EventTrace,
    thread: ThreadId,
    window: Window,
    paths: &CallPaths,
) -> Result<Records, Error> {
    let mut collector = Collector {
        records: Records::default(),
        instance: window.instance,
        until: u64::MAX,
        interrupted_after: u64::MAX,
        notified: None,
        open: 0,
    };
    let mut follower = Follower::new(trace, thread, window.begin, &mut collector)?;
    collector.until = collector
        .until
        .min(follower.events.gap().unwrap_or(u64::MAX));
    collector.interrupted_after = follower.events.interrupted_after().unwrap_or(u64::MAX);
    let mut behind = 0;
    while let Some(next) = follower.next_time()? {
        if next > window.end {
            behind += 1;
            let is_complete = collector.open == 0 && !follower.is_undecided();
            if is_complete || behind > MOST_BEHIND {
                break;
            }
        }
        follower.step(&mut collector)?;
    }
    follower.walker.finish(&mut collector);
    let translated = paths.translate(&follower.walker);
    let translate =
        |path: &mut PathId| *path = translated.get(path.index()).copied().unwrap_or(UNKNOWN);
    let mut records = std::mem::take(&mut collector.records);
    if let Some(notify) = collector.notified {
        // It has come to the barrier; whether it will wait is not known.
        let end = follower
            .walker
            .position()
            .span
            .map_or(window.end, |span| span.end);
        if collector.counts(end) {
            records.barriers.push_back(BarrierRecord {
                path: UNKNOWN,
                span: Span::new(end, end),
                notify: Some(notify),
                value: None,
                nested: Vec::new(),
                no_core: Vec::new(),
            });
        }
    }
    for record in &mut records.barriers {
        translate(&mut record.path);
        if let Some(notify) = &mut record.notify {
            translate(&mut notify.path);
            if follower.is_made_up(notify) {
                notify.span = Span::new(window.begin, window.begin);
            }
        }
    }
    for record in &mut records.collectives {
        translate(&mut record.path);
    }
    for record in &mut records.flags {
        match record {
            FlagRecord::Begins(_) => {}
            FlagRecord::Written(post) => translate(&mut post.path),
            FlagRecord::Awaited(wait) => translate(&mut wait.path),
        }
    }
    for record in &mut records.locks {
        match record {
            LockRecord::Acquired(acquisition) => translate(&mut acquisition.path),
            LockRecord::Released(release) => translate(&mut release.path),
        }
    }
    Ok(records)
}
