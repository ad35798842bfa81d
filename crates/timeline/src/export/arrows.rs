//! Arrows from those who waited to those who were waited for, while events are gone through in the
//! order of time: at barriers and collective operations as soon as all threads have left them, at
//! locks when they are taken.

use std::collections::HashMap;

use pgas_analyze::patterns::PATTERNS;
use pgas_earl::access::{EventType, Occurrence};
use pgas_earl::{BarrierInstance, BarrierRecord, CollectiveInstance, CollectiveRecord};
use pgas_earl::{Span, SplitNotify};
use pgas_trace::Clocks;
use pgas_trace::model::{Operation, SyncMode, ThreadId};

use crate::paths::UNKNOWN;
use crate::waits::{Wait, in_barrier, in_collective};

/// A thread waited until another one came, or gave a lock back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    pub waiting: ThreadId,
    pub waited_for: ThreadId,
    /// Ticks at which the wait was over.
    pub time: u64,
    /// Ticks that it lasted.
    pub ticks: u64,
    /// Metric id.
    pub metric: &'static str,
}

/// Operations that not all threads have left.
#[derive(Debug)]
pub struct Arrows {
    threads: usize,
    clocks: Clocks,
    barriers: HashMap<u64, Vec<Option<BarrierRecord>>>,
    collectives: HashMap<u64, Vec<Option<CollectiveRecord>>>,
    /// By thread: the notify whose wait is still to come.
    notified: HashMap<ThreadId, u64>,
    /// By lock: who gave it back last, and when.
    released: HashMap<u64, (ThreadId, u64)>,
}

impl Arrows {
    pub fn new(threads: usize, clocks: Clocks) -> Self {
        Arrows {
            threads,
            clocks,
            barriers: HashMap::new(),
            collectives: HashMap::new(),
            notified: HashMap::new(),
            released: HashMap::new(),
        }
    }

    /// Takes the next event; returns the waits that are known to be over by it.
    pub fn take(&mut self, occurrence: &Occurrence) -> Vec<Release> {
        let event = &occurrence.event;
        let (thread, time) = (event.id.thread, event.time);
        let span = occurrence.enter.map(|(_, begin)| Span::new(begin, time));
        match event.event_type {
            EventType::LockReleased { lock } => {
                self.released.insert(lock, (thread, time));
                Vec::new()
            }
            EventType::LockAcquired { lock } => self.acquired(lock, thread, span),
            EventType::Enter { .. } if event.operation() == Operation::Notify => {
                self.notified.insert(thread, time);
                Vec::new()
            }
            EventType::Enter { .. } => Vec::new(),
            _ => match (occurrence.barrier, occurrence.collective, span) {
                (Some(number), _, Some(span)) => {
                    self.left_barrier(number, thread, span, event.operation())
                }
                (_, Some(number), Some(span)) => {
                    self.left_collective(number, thread, span, occurrence)
                }
                _ => Vec::new(),
            },
        }
    }

    fn acquired(&mut self, lock: u64, thread: ThreadId, span: Option<Span>) -> Vec<Release> {
        let Some((owner, time)) = self.released.get(&lock).copied() else {
            return Vec::new();
        };
        match span {
            Some(span) if owner != thread && time > span.begin => vec![Release {
                waiting: thread,
                waited_for: owner,
                time,
                ticks: time - span.begin,
                metric: "lock_contention",
            }],
            _ => Vec::new(),
        }
    }

    fn left_barrier(
        &mut self,
        number: u64,
        thread: ThreadId,
        span: Span,
        operation: Operation,
    ) -> Vec<Release> {
        if operation == Operation::Notify {
            return Vec::new();
        }
        // A notify that lies before the stretch came early enough for nobody to wait for it in the
        // stretch.
        let notified = self.notified.remove(&thread).unwrap_or(0);
        let notify = (operation == Operation::Wait).then_some(SplitNotify {
            path: UNKNOWN,
            span: Span::new(notified, notified),
        });
        let record = BarrierRecord {
            path: UNKNOWN,
            span,
            notify,
            value: None,
            nested: Vec::new(),
            no_core: Vec::new(),
        };
        let members = add(&mut self.barriers, number, thread, record, self.threads);
        members.map_or_else(Vec::new, |members| {
            releases(in_barrier(
                &BarrierInstance { number, members },
                &self.clocks,
            ))
        })
    }

    fn left_collective(
        &mut self,
        number: u64,
        thread: ThreadId,
        span: Span,
        occurrence: &Occurrence,
    ) -> Vec<Release> {
        let (root, sync_in, sync_out) = match occurrence.event.event_type {
            EventType::CollectiveExit {
                root,
                sync_in,
                sync_out,
                ..
            } => (root, sync_in, sync_out),
            _ => (None, SyncMode::None, SyncMode::None),
        };
        let operation = occurrence.event.operation();
        let record = CollectiveRecord {
            operation,
            path: UNKNOWN,
            span,
            root,
            sent: 0,
            received: 0,
            sync_in,
            sync_out,
            nested: Vec::new(),
            no_core: Vec::new(),
            contains_barrier: false,
        };
        let members = add(&mut self.collectives, number, thread, record, self.threads);
        let Some(members) = members else {
            return Vec::new();
        };
        let called = |m: &CollectiveRecord| (m.operation, m.root, m.sync_in, m.sync_out);
        if members
            .iter()
            .any(|member| called(member) != called(&members[0]))
        {
            // The threads disagree about what they did together.
            return Vec::new();
        }
        releases(in_collective(
            &CollectiveInstance {
                number,
                operation,
                root,
                sync_in,
                sync_out,
                members,
            },
            &self.clocks,
        ))
    }
}

/// Adds what a thread contributed; returns what all have once it is complete.
fn add<R>(
    open: &mut HashMap<u64, Vec<Option<R>>>,
    number: u64,
    thread: ThreadId,
    record: R,
    threads: usize,
) -> Option<Vec<R>> {
    let members = open
        .entry(number)
        .or_insert_with(|| (0..threads).map(|_| None).collect());
    if let Some(member) = members.get_mut(thread as usize) {
        *member = Some(record);
    }
    if members.iter().any(Option::is_none) {
        return None;
    }
    open.remove(&number)?.into_iter().collect()
}

fn releases(waits: Vec<Wait>) -> Vec<Release> {
    let releases = waits.into_iter().filter_map(|wait| {
        let pattern = PATTERNS[wait.pattern];
        Some(Release {
            waiting: wait.thread,
            waited_for: wait.against.filter(|_| pattern.waits_for_one())?,
            time: wait.span.end,
            ticks: wait.ticks(),
            metric: pattern.id,
        })
    });
    releases.collect()
}
