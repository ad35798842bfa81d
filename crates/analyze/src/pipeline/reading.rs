//! Reads the stream of one thread, a stretch of time after another, and collects what other threads
//! are needed for.

use pgas_earl::{
    BarrierRecord, CollectiveRecord, Completion, EventSource, FlagWaitBegin, LockAcquisition,
    LockRelease, Numbered, Observer, PathId, Post, PostWait, Posted, Span, SyncCount, SyncPoint,
    SyncRecord, View, Walker,
};
use pgas_trace::model::{Attributes, Event, Operation, ThreadId};

use crate::model::steps::Numbering;
use crate::model::thread_end::{End, Interruption};
use crate::threads::batch::{Batch, LockRecord, PostRecord};
use crate::threads::calls::{CallCounter, CountedCalls};
use crate::threads::epochs::{Effects, Watcher};
use crate::threads::one_sided::Accesses;
use crate::threads::tasks::TaskCollector;

/// Why a stream could not be read to its end.
#[derive(Debug)]
pub enum Failure<E> {
    /// The storage could not be read.
    Source(E),
    /// The events contradict the model.
    Stream(pgas_earl::Error),
    /// Another process reads the stream, and says this.
    Elsewhere(String),
}

#[derive(Debug)]
struct Collector {
    batch: Batch,
    accesses: Accesses,
    watcher: Watcher,
    /// Ticks from which on instances cannot be numbered, since events are missing.
    numbered_until: u64,
    numbering: Numbering,
    interruption: Interruption,
    calls: CallCounter,
    tasks: TaskCollector,
    /// Times at which recording was off and something was missed that links threads.
    pauses: u64,
    /// By path: when its latest call ended, in ticks.
    last_exits: Vec<u64>,
}

impl Observer for Collector {
    #[inline]
    fn enter(&mut self, time: u64, path: PathId, operation: Operation, attributes: &Attributes) {
        if is_of_tasks(operation) {
            let entered = (operation, attributes);
            self.tasks.enter(time, path, entered, &mut self.batch.tasks);
        }
        // Attributes of a wait say what it waits for, and no data is moved.
        let attributes = match operation {
            Operation::FlagWait | Operation::SignalWait => &Attributes::None,
            _ => attributes,
        };
        self.accesses.enter(path, operation, attributes);
        match attributes {
            Attributes::Transfer { .. } | Attributes::Copy { .. } => {
                self.watcher.access(operation, attributes);
            }
            _ => self.watcher.enter(time, operation),
        }
    }

    #[inline]
    fn exit(&mut self, span: Span, path: PathId, operation: Operation, attributes: &Attributes) {
        self.accesses.exit(span);
        if path.index() >= self.last_exits.len() {
            self.last_exits.resize(path.index() + 1, 0);
        }
        self.last_exits[path.index()] = span.end;
        if is_of_tasks(operation) {
            let left = (operation, attributes);
            self.tasks.exit(span, path, left, &mut self.batch.tasks);
        }
        self.watcher.exit(operation, attributes);
        if let Attributes::Skipped {
            barriers,
            collectives,
        } = *attributes
        {
            self.calls.gap();
            self.pauses += 1;
            if span.end < self.numbered_until {
                let skipped = SyncCount {
                    barriers,
                    collectives,
                };
                let next = Numbered::Skipped(skipped);
                self.batch.synchronisations.push(next);
                self.numbering.skip(skipped);
            }
        }
    }

    #[cold]
    fn discovered(&mut self, time: u64, path: PathId, operation: Operation, view: &View) {
        self.calls.discovered(time, path, operation, view);
    }

    #[inline]
    fn call_ended(&mut self, span: Span, path: PathId, view: &View) {
        self.calls.ended(span, path, view);
    }

    fn barrier(&mut self, record: BarrierRecord) {
        if !self.interruption.barrier(&record) && record.span.end < self.numbered_until {
            let epochs = self.watcher.barrier(&record);
            let next = Numbered::Record(SyncRecord::Barrier(record), epochs);
            self.batch.synchronisations.push(next);
        }
    }

    fn collective(&mut self, record: CollectiveRecord) {
        if !self.interruption.collective(&record) && record.span.end < self.numbered_until {
            let epochs = self.watcher.collective(&record);
            let next = Numbered::Record(SyncRecord::Collective(record), epochs);
            self.batch.synchronisations.push(next);
        }
    }

    fn acquired(&mut self, record: LockAcquisition) {
        if !self.interruption.acquired(&record) {
            self.batch.locks.push(LockRecord::Acquired(record));
        }
    }

    fn released(&mut self, record: LockRelease) {
        self.batch.locks.push(LockRecord::Released(record));
    }

    fn flag_wait_begins(&mut self, begin: FlagWaitBegin) {
        self.batch.posts.push(PostRecord::Begins(begin));
    }

    fn posted(&mut self, post: Post) {
        if post.what == Posted::Task {
            return self.tasks.posted(post.number);
        }
        self.batch.posts.push(PostRecord::Posted(post));
    }

    fn awaited(&mut self, wait: PostWait) {
        if self.interruption.awaited(&wait) {
            return;
        }
        if wait.operation == Operation::Idle {
            self.tasks.idled(wait, &mut self.batch.tasks);
        } else {
            self.batch.posts.push(PostRecord::Awaited(wait));
        }
    }

    fn completed(&mut self, record: Completion) {
        if !self.interruption.covers(record.span.end) {
            self.batch.completions.push(record);
        }
    }

    fn sync_point(&mut self, point: SyncPoint, activity: &[(PathId, u64)]) {
        let numbered = point.time < self.numbered_until && !self.interruption.covers(point.time);
        let kind = self.numbering.step(point, numbered);
        self.batch.steps.push(point.time, kind, activity);
        self.calls.spent(activity);
    }
}

/// Whether a region is a stretch of a task, one of its operations, or idle time.
#[inline]
fn is_of_tasks(operation: Operation) -> bool {
    matches!(operation, Operation::Task | Operation::Idle) || operation.is_of_tasks()
}

/// Events that are read at once: enough that the cost of each is that of a loop, and few enough
/// that a thousand readers need little memory and what one of them reads stays in a core's nearest
/// cache.
const AHEAD: usize = 128;

/// The reader of one thread's stream. Readers work side by side on different cores: no two may
/// share a cache line, nor the pair of lines that processors fetch together.
#[derive(Debug)]
#[repr(align(128))]
pub struct Reader<S> {
    source: S,
    walker: Walker,
    collector: Collector,
    /// Events that were read at once, of which those from `next` on are still to be taken.
    ahead: Vec<Event>,
    next: usize,
    ended: bool,
    known_sites: usize,
    /// The program's own path needs no discovery.
    known_paths: usize,
}

impl<S: EventSource> Reader<S> {
    /// Reads the stream of `thread` from its first event on.
    pub fn new(thread: ThreadId, source: S) -> Self {
        let numbered_until = source.gap().unwrap_or(u64::MAX);
        let interruption = Interruption::new(source.interrupted_after());
        let walker = match source.reports_barriers_in_halves() {
            true => Walker::new(thread),
            false => Walker::new(thread).with_whole_barriers(),
        };
        Reader {
            source,
            walker,
            collector: Collector {
                batch: Batch::default(),
                accesses: Accesses::new(thread),
                watcher: Watcher::new(thread),
                numbered_until,
                numbering: Numbering::default(),
                calls: CallCounter::new(numbered_until.min(interruption.begin())),
                tasks: TaskCollector::default(),
                last_exits: Vec::new(),
                interruption,
                pauses: 0,
            },
            ahead: Vec::with_capacity(AHEAD),
            next: 0,
            ended: false,
            known_sites: 0,
            known_paths: 1,
        }
    }

    /// Takes events up to and including `until` (ticks), but at most `at_most` of them. Returns how
    /// many. A thread that is then in an operation in which it may wait for others is followed
    /// out of it: until it has left a barrier that others left long ago, nothing of what they
    /// did since can be judged, and all of it has to be kept.
    pub fn advance(&mut self, until: u64, at_most: u64) -> Result<u64, Failure<S::Error>> {
        let mut taken = 0;
        while taken < at_most && !self.ended {
            if self.next == self.ahead.len() {
                self.ahead.clear();
                self.next = 0;
                let filled = self.source.fill(&mut self.ahead, AHEAD);
                filled.map_err(Failure::Source)?;
                if self.ahead.is_empty() {
                    self.walker.finish(&mut self.collector);
                    self.collector.accesses.finish();
                    self.ended = true;
                    break;
                }
            }
            let begin = self.next;
            let room = usize::try_from(at_most - taken).unwrap_or(usize::MAX);
            let end = self.ahead.len().min(begin.saturating_add(room));
            let source = &self.source;
            for event in &self.ahead[begin..end] {
                if event.time > until && !self.walker.is_synchronising() {
                    break;
                }
                self.walker
                    .step(event, |id| source.site(id), &mut self.collector)
                    .map_err(Failure::Stream)?;
                self.next += 1;
            }
            taken += (self.next - begin) as u64;
            if self.next < end {
                break;
            }
        }
        self.source.rest();
        Ok(taken)
    }

    /// Exchanges an emptied batch for what was collected since the last call.
    pub fn exchange(&mut self, batch: &mut Batch) {
        let sites = self.walker.sites();
        let nodes = self.walker.tree().nodes();
        let discovered = &mut self.collector.batch.discovered;
        for number in self.known_sites..sites.len() {
            let site = sites.site(pgas_earl::SourceSite(number as u32));
            discovered.sites.push(site.clone());
        }
        discovered.nodes.extend(&nodes[self.known_paths..]);
        self.known_sites = sites.len();
        self.known_paths = nodes.len();
        self.collector.calls.take(&mut self.collector.batch.marks);
        let latest = self.walker.position().span.map_or(0, |span| span.end);
        self.collector.batch.tasks_since = self.collector.tasks.open_since();
        self.collector.batch.numbers_end = self.ended || latest >= self.collector.numbered_until;
        std::mem::swap(batch, &mut self.collector.batch);
        self.collector.batch.make_room(batch);
    }

    /// Ticks before which no event can come any more; `None` when the stream has ended.
    pub fn reached(&self) -> Option<u64> {
        if self.ended {
            return None;
        }
        let latest = || self.walker.position().span.map_or(0, |span| span.end);
        let next = self.ahead.get(self.next);
        Some(next.map_or_else(latest, |event| event.time))
    }

    /// How the trace ends; only when it was read to its end. `names` are the common numbers of its
    /// paths.
    pub fn end(&self, names: &[PathId]) -> End {
        self.collector.interruption.end(&self.walker, names)
    }

    /// Whether the instances that the thread took part in can be counted.
    pub fn is_numbered(&self) -> bool {
        self.collector.numbered_until == u64::MAX
    }

    /// The states of the thread after the events read so far.
    pub fn walker(&self) -> &Walker {
        &self.walker
    }

    /// Calls of functions and regions; only when the stream was read to its end. `left`: so did the
    /// program.
    pub fn calls(&self, names: &[PathId], left: bool) -> Vec<CountedCalls> {
        let cut = !left || !self.is_numbered();
        self.collector.calls.result(names, cut)
    }

    /// Effects of the thread's activity after its latest synchronisation.
    pub fn rest(&self) -> Effects {
        self.collector.watcher.rest()
    }

    /// How often recording was switched off while something happened that links threads.
    pub fn pauses(&self) -> u64 {
        self.collector.pauses
    }

    /// By path: when its latest call ended, in ticks; 0 if none did.
    pub fn last_exits(&self) -> &[u64] {
        &self.collector.last_exits
    }

    /// One-sided accesses of the thread so far, by its own call paths.
    pub fn accesses(&self) -> &Accesses {
        &self.collector.accesses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_earl::StreamBuilder;

    #[test]
    fn a_thread_is_followed_out_of_a_barrier_but_no_further() {
        let mut stream = StreamBuilder::new();
        stream.call(0, "main", "a.upc", 1);
        stream.operation(5, 7_000, Operation::Barrier, "a.upc", 2);
        stream.operation(7_001, 7_002, Operation::Barrier, "a.upc", 3);
        let mut reader = Reader::new(0, stream.source());
        let mut read = |until, at_most| {
            let taken = reader.advance(until, at_most).expect("no failure");
            let mut batch = Batch::default();
            reader.exchange(&mut batch);
            (taken, batch.synchronisations.len(), reader.reached())
        };
        assert_eq!(read(4, 100), (1, 0, Some(5)));
        assert_eq!(read(10, 100), (2, 1, Some(7_001)));
        // It is ahead of the others now.
        assert_eq!(read(20, 100), (0, 0, Some(7_001)));
        assert_eq!(read(7_001, 1), (1, 0, Some(7_002)));
        assert_eq!(read(7_001, 100), (1, 1, None));
    }
}
