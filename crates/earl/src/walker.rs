//! Follows the stream of one thread, event by event, and keeps the states that events change: the
//! region stack, the call tree with the exclusive time of each path, the open halves of split-phase
//! barriers, the locks held.
//!
//! The thread's part of an operation that involves other threads goes to an [`Observer`] as a
//! record as soon as it is complete. A walker never looks back or ahead further than one notify, so
//! its memory is that of its call tree.

mod posts;
mod transfers;

use pgas_trace::model::{
    Attributes, Event, EventKind, Operation, Site, SiteId, SyncMode, ThreadId,
};
use serde::{Deserialize, Serialize};

use self::posts::GroupNumbers;
use self::transfers::Transfers;
use crate::calltree::{CallTree, MAX_DEPTH, MAX_PATHS, PathId};
use crate::error::Error;
use crate::interval::{Interval, ROOM};
use crate::normalise::{Item, Normaliser};
use crate::operation::{completes_transfers, is_collective, is_recorded, waits, waits_for_post};
use crate::posting;
use crate::record::{
    BarrierRecord, CollectiveRecord, Completion, FlagWaitBegin, LockAcquisition, LockRelease, Post,
    PostWait, Posted, Span, SplitNotify,
};
use crate::sites::{SiteTable, SourceSite};
use crate::syncpoint::{Matched, SyncPoint, SyncPointKind};

/// Receives the findings of a walker, in order of time. Every method does nothing unless it is
/// implemented.
#[allow(unused_variables)]
pub trait Observer {
    /// A region was entered; `path` is its call path.
    fn enter(&mut self, time: u64, path: PathId, operation: Operation, attributes: &Attributes) {}
    /// A region was left.
    fn exit(&mut self, span: Span, path: PathId, operation: Operation, attributes: &Attributes) {}
    /// A call path comes up that is new; its number is the next one. `enter` follows.
    fn discovered(&mut self, time: u64, path: PathId, operation: Operation, view: &View) {}
    /// A call of a function of the program, or one of its own regions, is over. It follows `exit`.
    fn call_ended(&mut self, span: Span, path: PathId, view: &View) {}
    /// The thread left a plain barrier or the wait of a split phase.
    fn barrier(&mut self, record: BarrierRecord) {}
    /// The thread left a collective operation.
    fn collective(&mut self, record: CollectiveRecord) {}
    /// The thread took a lock.
    fn acquired(&mut self, record: LockAcquisition) {}
    /// The thread is giving a lock back.
    fn released(&mut self, record: LockRelease) {}
    /// The thread begins to wait for a flag; `awaited` follows when it has.
    fn flag_wait_begins(&mut self, begin: FlagWaitBegin) {}
    /// The thread writes something that others may wait for, or posts.
    fn posted(&mut self, post: Post) {}
    /// The thread has waited for what others write or post.
    fn awaited(&mut self, wait: PostWait) {}
    /// The thread has waited until transfers of its own were done.
    fn completed(&mut self, record: Completion) {}
    /// The thread has come to a synchronisation point. `activity` is what it did since the one
    /// before (or its first event): exclusive ticks for each call path that it spent time in,
    /// in the order of the first time.
    fn sync_point(&mut self, point: SyncPoint, activity: &[(PathId, u64)]) {}
}

/// State of the walker at the moment of a call to an observer.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    tree: &'a CallTree,
    totals: &'a [PathTotals],
    since_sync_point: &'a Interval,
}

impl View<'_> {
    /// Call paths that the thread has taken so far.
    pub fn tree(&self) -> &CallTree {
        self.tree
    }

    /// Activity of the thread since its latest synchronisation point, as `sync_point` would report
    /// it now.
    pub fn activity(&self) -> impl Iterator<Item = (PathId, u64)> + '_ {
        let ticks = |path: PathId| self.totals[path.index()].ticks;
        self.since_sync_point.spent(ticks)
    }
}

/// An observer that wants nothing.
impl Observer for () {}

/// Deviations from the event model that the walker tolerates, with the first place of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Anomalies {
    /// Exits of regions that were not open; ignored.
    pub unmatched_exits: Anomaly,
    /// Regions that were closed because a region around them was left (`longjmp`, or lost events).
    pub unwound_regions: Anomaly,
    /// Regions deeper than call paths go, which count as called from the deepest path's caller.
    pub deep_regions: Anomaly,
    /// Regions for whose call path there was no room, which count as called from the program.
    pub crowded_regions: Anomaly,
    /// `upc_wait` without a `upc_notify` before it; no barrier.
    pub waits_without_notify: Anomaly,
    /// `upc_notify` after which no `upc_wait` came before the next one; no barrier.
    pub notifies_without_wait: Anomaly,
}

/// How often something happened, and when and where it was first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Anomaly {
    /// Number of occurrences.
    pub count: u64,
    /// Ticks and site of the first.
    pub first: Option<(u64, SourceSite)>,
}

impl Anomaly {
    fn note(&mut self, time: u64, site: SourceSite) {
        self.count += 1;
        self.first.get_or_insert((time, site));
    }
}

/// How far a walker has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Events taken so far.
    pub events: u64,
    /// Ticks of the first and the latest event; `None` before the first.
    pub span: Option<Span>,
    /// The thread has reached the end of the program that the runtime reports.
    pub program_ended: bool,
}

/// Totals of a call path: exclusive ticks and the number of visits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathTotals {
    /// Exclusive time in ticks.
    pub ticks: u64,
    /// Number of times that the path was entered.
    pub visits: u64,
}

#[derive(Debug)]
struct Frame {
    path: PathId,
    site: SourceSite,
    operation: Operation,
    enter: u64,
    attributes: Attributes,
}

/// A region that was entered and not left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenRegion {
    /// Call path of the region.
    pub path: PathId,
    /// Kind of the region.
    pub operation: Operation,
    /// Ticks.
    pub enter: u64,
    /// Those of its Enter.
    pub attributes: Attributes,
}

/// Further state of an open operation that ends in a record.
#[derive(Debug, Default)]
struct OpenRecord {
    nested: Vec<Span>,
    no_core: Vec<Span>,
    contains_barrier: bool,
    /// The condition of a synchronisation with some threads.
    awaited: Vec<Posted>,
}

#[derive(Debug)]
struct PendingNotify {
    notify: SplitNotify,
    site: SourceSite,
    value: Option<i32>,
}

/// The states of one thread.
#[derive(Debug)]
pub struct Walker {
    thread: ThreadId,
    sites: SiteTable,
    tree: CallTree,
    totals: Vec<PathTotals>,
    stack: Vec<Frame>,
    /// One for every frame whose operation is recorded.
    records: Vec<OpenRecord>,
    /// By site: how many of its regions are open.
    open: Vec<u32>,
    normaliser: Normaliser,
    decided: Vec<Item>,
    pending_notify: Option<PendingNotify>,
    since_sync_point: Interval,
    /// Room for the activity that is being reported.
    activity: Vec<(PathId, u64)>,
    /// Since when the thread has no core, in ticks, while it is in an operation in which it waits.
    no_core_since: Option<u64>,
    /// Locks held and when they were taken.
    held: Vec<(u64, u64)>,
    /// How many locks were taken, and how many given back.
    acquisitions: u64,
    releases: u64,
    /// How many posts were made, and how many waits for posts have ended.
    posts: u64,
    post_waits: u64,
    groups: GroupNumbers,
    transfers: Transfers,
    /// The open part of a synchronisation with some threads, which is no region of its own.
    open_part: Option<SourceSite>,
    events: u64,
    first: Option<u64>,
    /// Time of the latest event that was taken.
    latest: u64,
    /// Time up to which paths are charged; behind `latest` while a notify is undecided.
    now: u64,
    program_ended: bool,
    anomalies: Anomalies,
}

impl Walker {
    /// The states of `thread` before its first event.
    pub fn new(thread: ThreadId) -> Self {
        let mut totals = Vec::with_capacity(ROOM);
        totals.push(PathTotals {
            ticks: 0,
            visits: 1,
        });
        Walker {
            thread,
            sites: SiteTable::default(),
            tree: CallTree::with_limit(MAX_PATHS),
            totals,
            stack: Vec::with_capacity(ROOM),
            records: Vec::with_capacity(ROOM),
            open: Vec::with_capacity(ROOM),
            normaliser: Normaliser::default(),
            decided: Vec::new(),
            pending_notify: None,
            since_sync_point: Interval::default(),
            activity: Vec::with_capacity(ROOM),
            no_core_since: None,
            held: Vec::new(),
            acquisitions: 0,
            releases: 0,
            posts: 0,
            post_waits: 0,
            groups: GroupNumbers::default(),
            transfers: Transfers::default(),
            open_part: None,
            events: 0,
            first: None,
            latest: 0,
            now: 0,
            program_ended: false,
            anomalies: Anomalies::default(),
        }
    }

    /// For a runtime that reports barriers as such: a notify and a wait at one place are two halves
    /// nevertheless.
    #[must_use]
    pub fn with_whole_barriers(mut self) -> Self {
        self.normaliser = Normaliser::for_whole_barriers();
        self
    }

    /// The thread that is followed.
    pub fn thread(&self) -> ThreadId {
        self.thread
    }

    /// Distinct sites of the events taken so far.
    pub fn sites(&self) -> &SiteTable {
        &self.sites
    }

    /// Call paths that the thread has taken so far.
    pub fn tree(&self) -> &CallTree {
        &self.tree
    }

    /// By path: what is charged to it. The program's own path is visited once.
    pub fn totals(&self) -> &[PathTotals] {
        &self.totals
    }

    /// Contradictions to the event model that were found so far.
    pub fn anomalies(&self) -> &Anomalies {
        &self.anomalies
    }

    /// Number and times of the events taken so far.
    pub fn position(&self) -> Position {
        Position {
            events: self.events,
            span: self.first.map(|first| Span::new(first, self.latest)),
            program_ended: self.program_ended,
        }
    }

    /// Path of the innermost open region.
    #[inline]
    pub fn current_path(&self) -> PathId {
        self.stack.last().map_or(PathId::PROGRAM, |f| f.path)
    }

    /// Open regions, outermost first.
    pub fn open_regions(&self) -> impl Iterator<Item = OpenRegion> + '_ {
        self.stack.iter().map(|frame| OpenRegion {
            path: frame.path,
            operation: frame.operation,
            enter: frame.enter,
            attributes: frame.attributes,
        })
    }

    /// Whether the thread is in an operation in which it may wait for others.
    #[inline]
    pub fn is_synchronising(&self) -> bool {
        !self.records.is_empty()
    }

    /// Number of open regions.
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Takes the next event of the stream. `definition` knows the stream's sites.
    #[inline]
    pub fn step<'a>(
        &mut self,
        event: &Event,
        definition: impl FnOnce(SiteId) -> Option<&'a Site>,
        observer: &mut impl Observer,
    ) -> Result<(), Error> {
        if event.time < self.latest {
            return Err(Error::TimeReversed {
                thread: self.thread,
                event: self.events,
                previous: self.latest,
                found: event.time,
            });
        }
        let (id, enter, attributes) = match event.kind {
            EventKind::Enter { site, attributes } => (site, true, attributes),
            EventKind::Exit { site, attributes } => (site, false, attributes),
        };
        let Some(site) = self.sites.resolve(id, definition) else {
            return Err(Error::UnknownSite {
                thread: self.thread,
                event: self.events,
                site: id,
            });
        };
        if self.first.is_none() {
            self.first = Some(event.time);
            self.now = event.time;
        }
        self.latest = event.time;
        self.events += 1;
        let item = Item {
            time: event.time,
            enter,
            site,
            attributes,
        };
        if self.normaliser.passes(self.sites.operation(site)) {
            self.apply(item, observer);
        } else {
            self.decide(Some(item), observer);
        }
        Ok(())
    }

    /// Must be called after the last event: decides what was held back. Regions that are open then
    /// count up to the last event.
    pub fn finish(&mut self, observer: &mut impl Observer) {
        self.decide(None, observer);
        self.charge(self.latest);
        if self.first.is_some() {
            self.sync_point(self.latest, SyncPointKind::End, observer);
        }
    }

    /// Passes an event through the normaliser; `None` is the end of the stream.
    fn decide(&mut self, item: Option<Item>, observer: &mut impl Observer) {
        let mut decided = std::mem::take(&mut self.decided);
        match item {
            Some(item) => self.normaliser.push(item, &mut self.sites, &mut decided),
            None => self.normaliser.finish(&mut decided),
        }
        for item in decided.drain(..) {
            self.apply(item, observer);
        }
        self.decided = decided;
    }

    #[inline]
    fn apply(&mut self, item: Item, observer: &mut impl Observer) {
        self.charge(item.time);
        if item.enter {
            self.enter(item, observer);
        } else {
            self.exit(item, observer);
        }
    }

    /// Charges the time up to `time` to the innermost open region.
    #[inline]
    fn charge(&mut self, time: u64) {
        let spent = time - self.now;
        if spent == 0 {
            return;
        }
        self.now = time;
        let path = self.current_path();
        let ticks = &mut self.totals[path.index()].ticks;
        self.since_sync_point.touch(path, *ticks);
        *ticks += spent;
    }

    #[inline]
    fn enter(&mut self, item: Item, observer: &mut impl Observer) {
        let operation = self.sites.operation(item.site);
        if operation == Operation::NoCore && self.is_waiting() {
            // No region of its own: how much of it is lost is known only when others are.
            self.no_core_since = Some(item.time);
            return;
        }
        if self.is_in_partner_sync() && matches!(operation, Operation::Post | Operation::EventWait)
        {
            return self.enter_part(item, operation, observer);
        }
        let caller = self.current_path();
        let path = self.tree.child(caller, item.site);
        if self.stack.len() >= MAX_DEPTH as usize || self.tree.is_full() {
            self.note_moved(caller, path, &item);
        }
        if path.index() == self.totals.len() {
            self.totals.push(PathTotals::default());
            observer.discovered(item.time, path, operation, &self.view());
        }
        self.totals[path.index()].visits += 1;
        let site = item.site.0 as usize;
        if site >= self.open.len() {
            self.open.resize(site + 1, 0);
        }
        self.open[site] += 1;
        self.transfers.begin(operation);
        if is_recorded(operation) {
            let kind = match operation {
                Operation::Notify | Operation::Barrier => {
                    Some(SyncPointKind::Arrive(Matched::Barrier))
                }
                Operation::Wait | Operation::Lock => Some(SyncPointKind::Begin),
                operation if waits_for_post(operation) => Some(SyncPointKind::Begin),
                operation if is_collective(operation) => {
                    Some(SyncPointKind::Arrive(Matched::Collective))
                }
                _ => None,
            };
            if let Some(kind) = kind {
                self.sync_point(item.time, kind, observer);
            }
            self.records.push(OpenRecord::default());
            self.begin_flag_wait(&item, operation, observer);
            self.enter_group(&item, path, observer);
        } else if operation == Operation::Unlock {
            self.release(&item, path, observer);
        } else if let Some(what) = posting::posted(operation, &item.attributes) {
            self.post(what, item.time, path, observer);
        } else if operation == Operation::NoncollectiveExit {
            self.program_ended = true;
        }
        self.stack.push(Frame {
            path,
            site: item.site,
            operation,
            enter: item.time,
            attributes: item.attributes,
        });
        observer.enter(item.time, path, operation, &item.attributes);
    }

    /// Notes a call whose path is not below its caller's.
    #[cold]
    fn note_moved(&mut self, caller: PathId, path: PathId, item: &Item) {
        if self.tree.node(path).parent == caller {
            return;
        }
        let anomalies = &mut self.anomalies;
        match self.tree.is_deepest(caller) {
            true => anomalies.deep_regions.note(item.time, item.site),
            false => anomalies.crowded_regions.note(item.time, item.site),
        }
    }

    /// Whether the innermost operation is one in which threads wait for others. Of a group's it is
    /// known whether they do.
    fn is_waiting(&self) -> bool {
        let is_for_some = || {
            let record = self.records.last();
            record.is_some_and(|record| !record.awaited.is_empty())
        };
        self.stack.last().is_some_and(|frame| {
            let is_group = frame.operation == Operation::GroupCollective;
            waits(frame.operation) && (!is_group || is_for_some())
        })
    }

    /// The thread has a core again.
    #[cold]
    fn end_no_core(&mut self, since: u64, now: u64) {
        if let Some(record) = self.records.last_mut() {
            record.no_core.push(Span::new(since, now));
        }
    }

    #[inline]
    fn exit(&mut self, item: Item, observer: &mut impl Observer) {
        if let Some(since) = self.no_core_since.take() {
            self.end_no_core(since, item.time);
            if self.sites.operation(item.site) == Operation::NoCore {
                return;
            }
        }
        if self.open_part == Some(item.site) {
            self.open_part = None;
            return;
        }
        while let Some(frame) = self.stack.pop() {
            if frame.site == item.site {
                self.open[frame.site.0 as usize] -= 1;
                self.close(frame, &item, observer);
                return;
            }
            // Not the innermost region: is it one around it? The count answers without searching
            // the stack.
            let is_open = self.open.get(item.site.0 as usize).copied().unwrap_or(0) > 0;
            if !is_open {
                self.stack.push(frame);
                break;
            }
            self.open[frame.site.0 as usize] -= 1;
            if is_recorded(frame.operation) {
                self.records.pop();
            }
            self.anomalies.unwound_regions.note(item.time, frame.site);
            let span = Span::new(frame.enter, item.time);
            self.unwound(&frame, span, observer);
        }
        self.anomalies.unmatched_exits.note(item.time, item.site);
    }

    /// The region of `frame` ends without an exit.
    #[cold]
    fn unwound(&self, frame: &Frame, span: Span, observer: &mut impl Observer) {
        observer.exit(span, frame.path, frame.operation, &Attributes::None);
        if frame.operation.is_user() {
            observer.call_ended(span, frame.path, &self.view());
        }
    }

    /// The region of `frame` ends with `item`.
    #[inline]
    fn close(&mut self, frame: Frame, item: &Item, observer: &mut impl Observer) {
        let span = Span::new(frame.enter, item.time);
        if frame.operation == Operation::MeasurementStall {
            // Recording was off: the second half of a barrier may be among what is missing.
            let skipped =
                matches!(item.attributes, Attributes::Skipped { barriers, .. } if barriers > 0);
            if skipped {
                self.pending_notify = None;
            }
            self.groups.note_gap(&item.attributes);
        }
        if is_recorded(frame.operation) {
            let record = self.records.pop().unwrap_or_default();
            self.record(&frame, span, record, item, observer);
        }
        if let (Some(parent), Some(outer)) = (self.stack.last(), self.records.last_mut()) {
            if is_recorded(parent.operation) {
                outer.nested.push(span);
                outer.contains_barrier |=
                    matches!(frame.operation, Operation::Barrier | Operation::Wait);
            }
        }
        observer.exit(span, frame.path, frame.operation, &item.attributes);
        if frame.operation.is_user() {
            observer.call_ended(span, frame.path, &self.view());
        }
    }

    #[inline]
    fn view(&self) -> View<'_> {
        View {
            tree: &self.tree,
            totals: &self.totals,
            since_sync_point: &self.since_sync_point,
        }
    }

    fn record(
        &mut self,
        frame: &Frame,
        span: Span,
        open: OpenRecord,
        item: &Item,
        observer: &mut impl Observer,
    ) {
        let value = match frame.attributes {
            Attributes::Barrier { value } => value,
            _ => None,
        };
        match frame.operation {
            Operation::Notify => {
                let notify = SplitNotify {
                    path: frame.path,
                    span,
                };
                let pending = PendingNotify {
                    notify,
                    site: frame.site,
                    value,
                };
                if let Some(lost) = self.pending_notify.replace(pending) {
                    self.anomalies
                        .notifies_without_wait
                        .note(lost.notify.span.begin, lost.site);
                }
            }
            Operation::Wait => match self.pending_notify.take() {
                Some(pending) => {
                    let kind = SyncPointKind::Leave(Matched::Barrier);
                    self.transfers.complete_all();
                    self.sync_point(span.end, kind, observer);
                    observer.barrier(BarrierRecord {
                        path: frame.path,
                        span,
                        notify: Some(pending.notify),
                        value: pending.value.or(value),
                        nested: open.nested,
                        no_core: open.no_core,
                    });
                }
                None => self
                    .anomalies
                    .waits_without_notify
                    .note(frame.enter, frame.site),
            },
            Operation::Barrier => {
                let kind = SyncPointKind::Leave(Matched::Barrier);
                self.transfers.complete_all();
                self.sync_point(span.end, kind, observer);
                observer.barrier(BarrierRecord {
                    path: frame.path,
                    span,
                    notify: None,
                    value,
                    nested: open.nested,
                    no_core: open.no_core,
                });
            }
            Operation::Lock => {
                if let Attributes::Lock { lock } = frame.attributes {
                    self.acquire(lock, frame, span, open, false, observer);
                }
            }
            Operation::LockAttempt => {
                let acquired = Attributes::LockAttempt { acquired: true };
                if let (Attributes::Lock { lock }, true) =
                    (frame.attributes, item.attributes == acquired)
                {
                    self.acquire(lock, frame, span, open, true, observer);
                }
            }
            operation if completes_transfers(operation) => {
                self.complete_transfers(operation, frame, span, open, observer);
            }
            operation if waits_for_post(operation) => {
                self.end_wait(operation, frame, span, open, observer);
            }
            operation => self.record_collective(operation, frame, span, open, item, observer),
        }
    }

    fn record_collective(
        &mut self,
        operation: Operation,
        frame: &Frame,
        span: Span,
        open: OpenRecord,
        item: &Item,
        observer: &mut impl Observer,
    ) {
        let (root, sent, received, sync_in, sync_out) = match item.attributes {
            Attributes::Collective {
                root,
                sent,
                received,
                sync_in,
                sync_out,
            } => (root, sent, received, sync_in, sync_out),
            _ => (None, 0, 0, SyncMode::None, SyncMode::None),
        };
        if operation == Operation::CollectiveExit {
            self.program_ended = true;
        }
        let kind = SyncPointKind::Leave(Matched::Collective);
        self.sync_point(span.end, kind, observer);
        observer.collective(CollectiveRecord {
            operation,
            path: frame.path,
            span,
            root,
            sent,
            received,
            sync_in,
            sync_out,
            nested: open.nested,
            no_core: open.no_core,
            contains_barrier: open.contains_barrier,
        });
    }

    fn acquire(
        &mut self,
        lock: u64,
        frame: &Frame,
        span: Span,
        open: OpenRecord,
        attempt: bool,
        observer: &mut impl Observer,
    ) {
        let number = self.acquisitions;
        self.acquisitions += 1;
        match self.held.iter_mut().rfind(|(held, _)| *held == lock) {
            Some((_, since)) => *since = span.end,
            None => self.held.push((lock, span.end)),
        }
        let kind = SyncPointKind::Acquired {
            number,
            lock,
            begin: span.begin,
        };
        self.sync_point(span.end, kind, observer);
        observer.acquired(LockAcquisition {
            number,
            lock,
            path: frame.path,
            span,
            attempt,
            nested: open.nested,
            no_core: open.no_core,
        });
    }

    fn release(&mut self, item: &Item, path: PathId, observer: &mut impl Observer) {
        let Attributes::Lock { lock } = item.attributes else {
            return;
        };
        let number = self.releases;
        self.releases += 1;
        let taken = self.held.iter().rposition(|&(held, _)| held == lock);
        let held = taken.map(|index| item.time - self.held.remove(index).1);
        let kind = SyncPointKind::Released { number, lock, path };
        self.sync_point(item.time, kind, observer);
        observer.released(LockRelease {
            number,
            lock,
            path,
            time: item.time,
            held,
        });
    }

    fn sync_point(&mut self, time: u64, kind: SyncPointKind, observer: &mut impl Observer) {
        let totals = &self.totals;
        let spent = self
            .since_sync_point
            .spent(|path| totals[path.index()].ticks);
        self.activity.clear();
        self.activity.extend(spent);
        self.since_sync_point.begin();
        observer.sync_point(SyncPoint { time, kind }, &self.activity);
    }
}
