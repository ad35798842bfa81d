//! Reads the stream of one thread, a stretch of time after another, and collects what other threads are needed for.

use pgas_earl::{
    BarrierRecord, CollectiveRecord, EventSource, LockAcquisition, LockRelease, Observer, PathId,
    Span, Walker,
};
use pgas_trace::model::{Attributes, Event, Operation, ThreadId};

use crate::class::Bytes;
use crate::paths::Discovered;

/// A change of a lock's owner, in the order of the thread's events.
#[derive(Debug)]
pub enum LockRecord {
    Acquired(LockAcquisition),
    Released(LockRelease),
}

/// What has a number on its thread.
#[derive(Debug)]
pub enum Numbered<R> {
    Record(R),
    /// So many numbers were passed while recording was off.
    Skipped(u64),
}

/// What one thread contributes to compound events in one stretch of time; paths are the thread's own.
#[derive(Debug, Default)]
pub struct Batch {
    pub discovered: Discovered,
    pub barriers: Vec<Numbered<BarrierRecord>>,
    pub collectives: Vec<Numbered<CollectiveRecord>>,
    pub locks: Vec<LockRecord>,
    /// No barrier or collective operation that has a number comes after this batch.
    pub numbers_end: bool,
}

/// Why a stream could not be read to its end.
#[derive(Debug)]
pub enum Failure<E> {
    /// The storage could not be read.
    Source(E),
    /// The events contradict the model.
    Stream(pgas_earl::Error),
}

#[derive(Debug)]
struct Collector {
    thread: ThreadId,
    batch: Batch,
    /// By path.
    bytes: Vec<Bytes>,
    /// Ticks from which on instances cannot be numbered, since events are missing.
    numbered_until: u64,
}

impl Observer for Collector {
    #[inline]
    fn enter(&mut self, _: u64, path: PathId, operation: Operation, attributes: &Attributes) {
        match *attributes {
            Attributes::Transfer { partner, bytes } => {
                let me = self.thread;
                let counted = self.bytes(path);
                match operation {
                    Operation::Get | Operation::Memget | Operation::NonBlockingGet => {
                        counted.get(me, partner, bytes)
                    }
                    _ => counted.put(me, partner, bytes),
                }
            }
            Attributes::Copy {
                source,
                destination,
                bytes,
            } => {
                let me = self.thread;
                let counted = self.bytes(path);
                counted.get(me, source, bytes);
                counted.put(me, destination, bytes);
            }
            _ => {}
        }
    }

    fn exit(&mut self, span: Span, _: PathId, _: Operation, attributes: &Attributes) {
        if let Attributes::Skipped {
            barriers,
            collectives,
        } = *attributes
        {
            if span.end < self.numbered_until {
                self.batch.barriers.push(Numbered::Skipped(barriers));
                self.batch.collectives.push(Numbered::Skipped(collectives));
            }
        }
    }

    fn barrier(&mut self, record: BarrierRecord) {
        if record.span.end < self.numbered_until {
            self.batch.barriers.push(Numbered::Record(record));
        }
    }

    fn collective(&mut self, record: CollectiveRecord) {
        if record.span.end < self.numbered_until {
            self.batch.collectives.push(Numbered::Record(record));
        }
    }

    fn acquired(&mut self, record: LockAcquisition) {
        self.batch.locks.push(LockRecord::Acquired(record));
    }

    fn released(&mut self, record: LockRelease) {
        self.batch.locks.push(LockRecord::Released(record));
    }
}

impl Collector {
    fn bytes(&mut self, path: PathId) -> &mut Bytes {
        if path.index() >= self.bytes.len() {
            self.bytes.resize(path.index() + 1, Bytes::default());
        }
        &mut self.bytes[path.index()]
    }
}

/// The reader of one thread's stream. Readers work side by side on different cores: no two may share a cache line, nor
/// the pair of lines that processors fetch together.
#[derive(Debug)]
#[repr(align(128))]
pub struct Reader<S> {
    source: S,
    walker: Walker,
    collector: Collector,
    /// Read, but later than the stretch that was asked for.
    ahead: Option<Event>,
    ended: bool,
    known_sites: usize,
    /// The program's own path needs no discovery.
    known_paths: usize,
}

impl<S: EventSource> Reader<S> {
    pub fn new(thread: ThreadId, source: S) -> Self {
        let numbered_until = source.gap().unwrap_or(u64::MAX);
        Reader {
            source,
            walker: Walker::new(thread),
            collector: Collector {
                thread,
                batch: Batch::default(),
                bytes: Vec::new(),
                numbered_until,
            },
            ahead: None,
            ended: false,
            known_sites: 0,
            known_paths: 1,
        }
    }

    /// Takes events up to and including `until` (ticks), but at most `at_most` of them. Returns how many.
    pub fn advance(&mut self, until: u64, at_most: u64) -> Result<u64, Failure<S::Error>> {
        let mut taken = 0;
        while taken < at_most && !self.ended {
            let event = match self.ahead.take() {
                Some(event) => event,
                None => match self.source.next_event() {
                    Some(event) => event.map_err(Failure::Source)?,
                    None => {
                        self.walker.finish(&mut self.collector);
                        self.ended = true;
                        break;
                    }
                },
            };
            if event.time > until {
                self.ahead = Some(event);
                break;
            }
            let source = &self.source;
            self.walker
                .step(&event, |id| source.site(id), &mut self.collector)
                .map_err(Failure::Stream)?;
            taken += 1;
        }
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
        let latest = self.walker.position().span.map_or(0, |span| span.end);
        self.collector.batch.numbers_end = self.ended || latest >= self.collector.numbered_until;
        std::mem::swap(batch, &mut self.collector.batch);
    }

    /// Ticks before which no event can come any more; `None` when the stream has ended.
    pub fn reached(&self) -> Option<u64> {
        if self.ended {
            return None;
        }
        let latest = || self.walker.position().span.map_or(0, |span| span.end);
        Some(self.ahead.map_or_else(latest, |event| event.time))
    }

    pub fn walker(&self) -> &Walker {
        &self.walker
    }

    /// By path; shorter than the number of paths where the last ones moved none.
    pub fn bytes(&self) -> &[Bytes] {
        &self.collector.bytes
    }
}
