//! The worst instance of a wait state: what the result says of it, and what else the records of its
//! threads tell about the time around it.

use pgas_analyze::patterns::PATTERNS;
use pgas_earl::{BarrierInstance, BarrierRecord, CollectiveInstance, CollectiveRecord};
use pgas_earl::{PathId, Span};
use pgas_result::summary::InstanceTimes;
use pgas_trace::Clocks;
use pgas_trace::model::ThreadId;

use crate::flags::flag_waits;
use crate::handovers::{asked, handovers};
use crate::records::{Records, Window};
use crate::times::Times;
use crate::waits::{self, Wait};

/// Other instances of a window that are looked at in either direction.
const NEIGHBOURS: isize = 128;

/// The worst instance of a wait state.
#[derive(Debug)]
pub struct Instance {
    /// Metric id of the wait state.
    pub metric: String,
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// The thread that was waited for.
    pub last_thread: ThreadId,
    /// Threads in the operation, and when; of a lock the waiting one alone.
    members: Vec<(ThreadId, Span)>,
    /// The waits that the analysis counted.
    pub waits: Vec<Wait>,
}

impl Instance {
    /// An instance of a result; `None` if this version does not know its wait state, or nobody
    /// waited.
    pub fn of(times: &InstanceTimes, clock: &Times) -> Option<Self> {
        let pattern = PATTERNS.iter().position(|p| p.id == times.metric)?;
        let span = |begin, end| Span::new(clock.at(begin), clock.at(end));
        let members = times.members.iter();
        let waits = times.waits.iter().map(|wait| Wait {
            pattern,
            thread: wait.thread,
            path: PathId(times.call_path as u32),
            against: wait.against,
            span: span(wait.begin_seconds, wait.end_seconds),
            parts: wait.parts.iter().map(|&(b, e)| span(b, e)).collect(),
        });
        let instance = Instance {
            metric: times.metric.clone(),
            call_path: times.call_path,
            last_thread: times.last_thread,
            members: members
                .map(|m| (m.thread, span(m.begin_seconds, m.end_seconds)))
                .collect(),
            waits: waits.collect(),
        };
        (!instance.waits.is_empty()).then_some(instance)
    }

    /// From when the first thread waited to when the last wait was over, in ticks.
    pub fn span(&self) -> Span {
        let spans = || self.waits.iter().map(|wait| wait.span);
        let begin = spans().map(|span| span.begin).min().unwrap_or(0);
        let parts = self.waits.iter().flat_map(|wait| &wait.parts);
        Span::new(begin, parts.map(|part| part.end).max().unwrap_or(begin))
    }

    /// The thread that waited longest.
    pub fn longest_thread(&self) -> Option<ThreadId> {
        let longest = self.waits.iter().rev().max_by_key(|wait| wait.ticks());
        longest.map(|wait| wait.thread)
    }

    /// The part of the run around it in which its cause and other waiting are looked for.
    pub fn window(&self) -> Window {
        let span = self.span();
        let length = span.length().max(1);
        let ends = self.members.iter().map(|(_, member)| member.end);
        Window {
            begin: span.begin.saturating_sub(length.saturating_mul(2)),
            instance: span.begin,
            end: ends.fold(span.end, u64::max).saturating_add(length / 8 + 1),
        }
    }

    fn is_own(&self, wait: &Wait) -> bool {
        let is_same = |own: &Wait| {
            (own.pattern, own.thread, own.path, own.span)
                == (wait.pattern, wait.thread, wait.path, wait.span)
        };
        self.waits.iter().any(is_same)
    }
}

/// Waiting around an instance.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Waits of other patterns, call paths and instances.
    pub others: Vec<Wait>,
    /// When the thread that was waited for was last free of any other: it left the operation
    /// before, or it asked for the lock. In ticks; `None` if that is not known.
    pub cause_begin: Option<u64>,
}

/// Waiting around an instance. Index of `threads` is the thread.
pub fn surroundings(instance: &Instance, threads: &[Records], clocks: &Clocks) -> Surroundings {
    let barriers = of_kind(threads, |records| records.barriers.iter());
    let collectives = of_kind(threads, |records| records.collectives.iter());
    // The end of the program is a barrier that is recorded as a collective operation.
    let mut found = around(instance, &barriers, &collectives, clocks)
        .or_else(|| around(instance, &collectives, &barriers, clocks))
        .unwrap_or_else(|| Surroundings {
            others: Vec::new(),
            cause_begin: lock_asked(instance, threads),
        });
    let end = instance.window().end;
    found.others.extend(handovers(threads, end, clocks));
    found.others.extend(flag_waits(threads, end, clocks));
    found.others.retain(|wait| !instance.is_own(wait));
    found
}

/// When the owner of the lock that was waited for had asked for it.
fn lock_asked(instance: &Instance, threads: &[Records]) -> Option<u64> {
    let [(taker, acquired)] = instance.members[..] else {
        return None;
    };
    let of = |thread: ThreadId| threads.get(thread as usize);
    let released = instance.waits.first()?.span.end;
    asked(of(instance.last_thread)?, of(taker)?, acquired, released)
}

/// By thread: records in order.
fn of_kind<'r, R: 'r, I: Iterator<Item = &'r R>>(
    threads: &'r [Records],
    records: impl Fn(&'r Records) -> I,
) -> Vec<Vec<&'r R>> {
    threads
        .iter()
        .map(|thread| records(thread).collect())
        .collect()
}

/// Two kinds of records that are matched by their order.
trait Numbered: Clone {
    fn arrival(&self) -> u64;
    fn span(&self) -> Span;
    /// The waits of an instance; `None` if these records cannot be one.
    fn waits(members: Vec<Self>, clocks: &Clocks) -> Option<Vec<Wait>>;
}

impl Numbered for BarrierRecord {
    fn arrival(&self) -> u64 {
        BarrierRecord::arrival(self)
    }

    fn span(&self) -> Span {
        self.span
    }

    fn waits(members: Vec<Self>, clocks: &Clocks) -> Option<Vec<Wait>> {
        // Nobody leaves a barrier before all have come.
        let first_exit = members.iter().map(|member| member.span.end).min();
        let is_one = members.iter().map(|m| m.arrival()).max() <= first_exit;
        is_one.then(|| waits::in_barrier(&BarrierInstance { number: 0, members }, clocks))
    }
}

impl Numbered for CollectiveRecord {
    fn arrival(&self) -> u64 {
        self.span.begin
    }

    fn span(&self) -> Span {
        self.span
    }

    fn waits(members: Vec<Self>, clocks: &Clocks) -> Option<Vec<Wait>> {
        let called = |m: &Self| (m.operation, m.root, m.sync_in, m.sync_out);
        let first = called(members.first()?);
        if members.iter().any(|member| called(member) != first) {
            return None;
        }
        let (operation, root, sync_in, sync_out) = first;
        Some(waits::in_collective(
            &CollectiveInstance {
                number: 0,
                operation,
                root,
                sync_in,
                sync_out,
                members,
            },
            clocks,
        ))
    }
}

/// Waiting around an instance that is made of records of the kind `same`; `None` if it is not.
fn around<A: Numbered, B: Numbered>(
    instance: &Instance,
    same: &[Vec<&A>],
    other: &[Vec<&B>],
    clocks: &Clocks,
) -> Option<Surroundings> {
    let place = |&(thread, span): &(ThreadId, Span)| {
        let records = same.get(thread as usize)?;
        let place = records.partition_point(|record| record.span().begin < span.begin);
        (records.get(place)?.span() == span).then_some(place)
    };
    let late = instance.last_thread as usize;
    let places: Vec<Option<usize>> = instance.members.iter().map(place).collect();
    places.iter().flatten().next()?;
    let arrival = |thread: usize| Some(same[thread][places.get(thread).copied()??].arrival());
    let cause_begin = arrival(late).and_then(|arrival| {
        let of_same = same[late].iter().map(|record| record.span().end);
        let of_other = other[late].iter().map(|record| record.span().end);
        of_same.chain(of_other).filter(|&end| end <= arrival).max()
    });
    let mut others = Vec::new();
    // Of threads that came long before or behind the window it is not known what they did next.
    if let Some(members) = places.iter().copied().collect::<Option<Vec<usize>>>() {
        neighbours(same, &members, clocks, &mut others);
        let first = other.iter().enumerate().map(|(thread, records)| {
            let arrival = arrival(thread).unwrap_or(0);
            records.partition_point(|record| record.arrival() < arrival)
        });
        neighbours(other, &first.collect::<Vec<_>>(), clocks, &mut others);
    }
    Some(Surroundings {
        others,
        cause_begin,
    })
}

/// Adds the waits of the instance that has these members, and of those around it.
fn neighbours<R: Numbered>(
    threads: &[Vec<&R>],
    members: &[usize],
    clocks: &Clocks,
    waits: &mut Vec<Wait>,
) {
    let at = |distance: isize| -> Option<Vec<R>> {
        let records = threads.iter().zip(members);
        let records = records.map(|(records, place)| {
            let record = records.get(place.checked_add_signed(distance)?)?;
            Some((*record).clone())
        });
        records.collect()
    };
    let directions: [&mut dyn Iterator<Item = isize>; 2] =
        [&mut (0..=NEIGHBOURS), &mut (-NEIGHBOURS..=-1).rev()];
    for distances in directions {
        for distance in distances {
            match at(distance).and_then(|members| R::waits(members, clocks)) {
                Some(found) => waits.extend(found),
                None => break,
            }
        }
    }
}
