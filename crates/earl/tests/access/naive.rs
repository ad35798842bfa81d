//! The contents of a trace, worked out in the most obvious way with all events in memory.

use std::collections::{BTreeMap, VecDeque};

use pgas_earl::access::EventId;
use pgas_earl::operation::is_collective;
use pgas_trace::Experiment;
use pgas_trace::model::{Attributes, Event, EventKind, Operation, SiteId, ThreadId};

#[derive(Debug, Clone, PartialEq)]
pub struct Naive {
    /// In the order of time.
    pub order: Vec<EventId>,
    pub threads: Vec<Vec<Known>>,
}

/// An event, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    pub event: Event,
    pub operation: Operation,
    pub depth: usize,
    pub enter: Option<u64>,
    pub inferred: bool,
    pub takes: Option<u64>,
    pub gives: Option<u64>,
    pub lock_pointer: Option<EventId>,
    /// Directly behind the event.
    pub stack: Vec<u64>,
    pub barriers: Option<u64>,
    pub collectives: Option<u64>,
    pub notified: bool,
    /// Directly behind the event: (lock, owner's Alock).
    pub owners: Vec<(u64, EventId)>,
}

impl Naive {
    pub fn new(experiment: &Experiment) -> Naive {
        let count = experiment.metadata().threads as usize;
        let mut threads = vec![Vec::new(); count];
        for stream in experiment.streams() {
            let operation = |site: SiteId| stream.site(site).operation;
            // The numbers of events that bridge a gap.
            let mut inferred = Vec::new();
            let mut gap = usize::MAX;
            for (index, block) in stream.blocks().iter().enumerate() {
                if block.gap {
                    gap = gap.min(inferred.len());
                }
                let bridging = stream.bridging_events(index).unwrap();
                inferred.extend((0..bridging).map(|_| true));
                inferred.extend((0..block.events).map(|_| false));
            }
            let events: Vec<Event> = experiment
                .corrected_events(stream)
                .map(Result::unwrap)
                .collect();
            assert_eq!(events.len(), inferred.len());
            threads[stream.thread() as usize] = follow(&events, &inferred, gap, operation);
        }
        let order = order(&threads);
        let mut naive = Naive { order, threads };
        naive.follow_locks();
        naive
    }

    pub fn known(&self, id: EventId) -> &Known {
        &self.threads[id.thread as usize][id.number as usize]
    }

    fn follow_locks(&mut self) {
        let mut owners: BTreeMap<u64, EventId> = BTreeMap::new();
        // Alocks and Rlocks in order.
        let mut changes: BTreeMap<u64, Vec<(EventId, bool)>> = BTreeMap::new();
        for id in self.order.clone() {
            let known = self.known(id).clone();
            let mut pointer = None;
            if let Some(lock) = known.takes {
                let before = changes.entry(lock).or_default();
                pointer = before.last().filter(|(_, takes)| !takes).map(|c| c.0);
                before.push((id, true));
                owners.insert(lock, id);
            }
            if let Some(lock) = known.gives {
                let before = changes.entry(lock).or_default();
                let own = |(event, takes): &&(EventId, bool)| *takes && event.thread == id.thread;
                pointer = before.last().filter(own).map(|c| c.0);
                before.push((id, false));
                if owners
                    .get(&lock)
                    .is_some_and(|owner| owner.thread == id.thread)
                {
                    owners.remove(&lock);
                }
            }
            let known = &mut self.threads[id.thread as usize][id.number as usize];
            known.lock_pointer = pointer;
            known.owners = owners.clone().into_iter().collect();
        }
    }
}

fn follow(
    events: &[Event],
    inferred: &[bool],
    gap: usize,
    operation: impl Fn(SiteId) -> Operation,
) -> Vec<Known> {
    let mut known: Vec<Known> = Vec::new();
    let mut stack: Vec<u64> = Vec::new();
    let (mut barriers, mut collectives, mut notified) = (0, 0, false);
    for (number, (event, &inferred)) in events.iter().zip(inferred).enumerate() {
        let gap = number >= gap;
        let (site, is_enter, attributes) = match event.kind {
            EventKind::Enter { site, attributes } => (site, true, attributes),
            EventKind::Exit { site, attributes } => (site, false, attributes),
        };
        let operation = operation(site);
        let (mut takes, mut gives) = (None, None);
        let enter;
        if is_enter {
            enter = stack.last().copied();
            stack.push(number as u64);
            if let (Operation::Unlock, Attributes::Lock { lock }, false) =
                (operation, attributes, inferred)
            {
                gives = Some(lock);
            }
        } else {
            enter = stack.pop();
            let called = enter.map(|enter| known[enter as usize].event.kind);
            let acquired = match operation {
                Operation::Lock => !inferred,
                Operation::LockAttempt => attributes == Attributes::LockAttempt { acquired: true },
                _ => false,
            };
            if let Some(EventKind::Enter {
                attributes: Attributes::Lock { lock },
                ..
            }) = called.filter(|_| acquired)
            {
                takes = Some(lock);
            }
            match operation {
                _ if inferred => {}
                Operation::Notify => notified = true,
                Operation::Barrier => barriers += 1,
                Operation::Wait => {
                    barriers += u64::from(notified);
                    notified = false;
                }
                Operation::MeasurementStall => {
                    if let Attributes::Skipped {
                        barriers: b,
                        collectives: c,
                    } = attributes
                    {
                        barriers += b;
                        collectives += c;
                        notified &= b == 0;
                    }
                }
                operation if is_collective(operation) => collectives += 1,
                _ => {}
            }
        }
        known.push(Known {
            event: *event,
            operation,
            depth: stack.len() - usize::from(is_enter),
            enter,
            inferred,
            takes,
            gives,
            lock_pointer: None,
            stack: stack.clone(),
            barriers: (!gap).then_some(barriers),
            collectives: (!gap).then_some(collectives),
            notified: notified && !gap,
            owners: Vec::new(),
        });
    }
    known
}

fn order(threads: &[Vec<Known>]) -> Vec<EventId> {
    let mut left: Vec<VecDeque<(u64, &Known)>> = threads
        .iter()
        .map(|events| events.iter().enumerate().map(|(n, k)| (n as u64, k)))
        .map(Iterator::collect)
        .collect();
    let mut order = Vec::new();
    loop {
        let heads = left.iter().enumerate().filter_map(|(thread, events)| {
            let (number, known) = events.front()?;
            let id = EventId::new(thread as ThreadId, *number);
            let takes = match (known.operation, known.event.kind) {
                (Operation::Lock, EventKind::Exit { .. }) => !known.inferred,
                (Operation::LockAttempt, EventKind::Exit { attributes, .. }) => {
                    attributes == Attributes::LockAttempt { acquired: true }
                }
                _ => false,
            };
            Some(((known.event.time, takes, thread), id))
        });
        let Some((_, next)) = heads.min_by_key(|(place, _)| *place) else {
            return order;
        };
        left[next.thread as usize].pop_front();
        order.push(next);
    }
}
