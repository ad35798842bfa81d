//! Finds the instance that the analysis has called the worst one, in records that begin anywhere in the run.
//!
//! Instances have numbers only for who has counted from the beginning. Here it is known when the first thread began to
//! wait, who was waited for, and how long all waited together. From the moments that this leaves open, and from whether
//! a thread that was in no operation then had left the instance before or came to it later, a few assignments of records
//! to the instance follow. The one for which the patterns give the time that the analysis found is it. If none does, the
//! same is asked of all instances by number, in records that begin with the run; if there are none, nothing is drawn as
//! waiting.

use pgas_analyze::patterns::Formula;
use pgas_earl::{BarrierInstance, BarrierRecord, CollectiveInstance, CollectiveRecord};
use pgas_earl::{PathId, Span};
use pgas_trace::model::{Operation, SyncMode, ThreadId};
use pgas_trace::Clocks;

use crate::found::{is_it, is_own, Found};
use crate::handovers::{by_waits, handovers, lock};
use crate::paths::UNKNOWN;
use crate::records::{Records, Window};
use crate::subjects::Subject;
use crate::waits::{self, Wait};

/// Other instances of a window that are looked at in either direction.
const NEIGHBOURS: isize = 128;
/// Moments that are tried at most, besides those that it mostly is.
const MOST_MOMENTS: usize = 64;

/// Two kinds of records that are numbered.
trait Numbered: Clone {
    fn arrival(&self) -> u64;
    fn span(&self) -> Span;
    fn path(&self) -> PathId;
    /// The waits of an instance; `None` if that cannot be one.
    fn waits(members: Vec<Self>) -> Option<Vec<Wait>>;
    /// What stands for a thread that had left before anything that is known.
    fn earlier(like: &Self) -> Self;
    /// What stands for a thread that came later than anything that is known.
    fn later(like: &Self) -> Option<Self>;
    /// Whether these can be of one instance.
    fn belong_together(members: &[Self]) -> bool;
}

impl Numbered for BarrierRecord {
    fn arrival(&self) -> u64 {
        BarrierRecord::arrival(self)
    }

    fn span(&self) -> Span {
        self.span
    }

    fn path(&self) -> PathId {
        self.path
    }

    fn waits(members: Vec<Self>) -> Option<Vec<Wait>> {
        Some(waits::in_barrier(&BarrierInstance { number: 0, members }))
    }

    fn earlier(_: &Self) -> Self {
        BarrierRecord {
            path: UNKNOWN,
            span: Span::new(0, 0),
            notify: None,
            value: None,
            nested: Vec::new(),
            no_core: Vec::new(),
        }
    }

    fn later(_: &Self) -> Option<Self> {
        // Nobody leaves a barrier before all have come.
        None
    }

    fn belong_together(members: &[Self]) -> bool {
        let first_exit = members.iter().map(|member| member.span.end).min();
        members.iter().map(|m| m.arrival()).max() <= first_exit
    }
}

impl Numbered for CollectiveRecord {
    fn arrival(&self) -> u64 {
        self.span.begin
    }

    fn span(&self) -> Span {
        self.span
    }

    fn path(&self) -> PathId {
        self.path
    }

    fn waits(members: Vec<Self>) -> Option<Vec<Wait>> {
        let called = |m: &Self| (m.operation, m.root, m.sync_in, m.sync_out);
        let first = called(members.first()?);
        if members.iter().any(|member| called(member) != first) {
            return None;
        }
        let (operation, root, sync_in, sync_out) = first;
        Some(waits::in_collective(&CollectiveInstance {
            number: 0,
            operation,
            root,
            sync_in,
            sync_out,
            members,
        }))
    }

    fn earlier(like: &Self) -> Self {
        CollectiveRecord {
            path: UNKNOWN,
            span: Span::new(0, 0),
            nested: Vec::new(),
            no_core: Vec::new(),
            ..like.clone()
        }
    }

    fn later(like: &Self) -> Option<Self> {
        let may_leave = like.operation != Operation::CollectiveExit
            && like.sync_in != SyncMode::All
            && like.sync_out != SyncMode::All;
        may_leave.then(|| CollectiveRecord {
            path: UNKNOWN,
            span: Span::new(u64::MAX, u64::MAX),
            nested: Vec::new(),
            no_core: Vec::new(),
            ..like.clone()
        })
    }

    fn belong_together(_: &[Self]) -> bool {
        // That they are the same operation is checked with the waits.
        true
    }
}

/// Which record of a thread that was in none at a moment is taken.
#[derive(Debug, Clone, Copy)]
enum Absent {
    /// The one before: it had left.
    Before,
    /// The one behind: it came later.
    Behind,
    /// Threads up to this one had left, the others came later.
    Split(ThreadId),
}

/// Finds the instance and its neighbours. Index of `threads` is the thread; what they did was read in `window`, and if
/// that begins with the run, their operations can be counted.
pub fn find(
    subject: &Subject,
    threads: &[Records],
    window: Window,
    clocks: &Clocks,
) -> Option<Found> {
    let end = window.end;
    let handovers = handovers(threads, end, clocks);
    let mut found = match instance_and_neighbours(subject, threads, window.begin == 0) {
        Some(found) => found,
        None => by_waits(subject, &handovers)?,
    };
    let own = found
        .own
        .iter()
        .map(|wait| (wait.pattern, wait.charge))
        .collect::<Vec<_>>();
    let locks = handovers.into_iter().flatten();
    found
        .others
        .extend(locks.filter(|wait| !own.contains(&(wait.pattern, wait.charge))));
    Some(found)
}

fn instance_and_neighbours(
    subject: &Subject,
    threads: &[Records],
    is_counted: bool,
) -> Option<Found> {
    let before =
        |count: fn(&Records) -> u64| is_counted.then(|| threads.iter().map(count).collect());
    let barriers = || Kind {
        threads: of_kind(threads, |records| records.barriers.iter()),
        before: before(|records| records.barriers_before),
    };
    let collectives = || Kind {
        threads: of_kind(threads, |records| records.collectives.iter()),
        before: before(|records| records.collectives_before),
    };
    match subject.pattern()?.formula {
        Formula::Lock(_) => lock(subject, threads),
        Formula::Barrier(_) | Formula::Any(_) => {
            let (barriers, collectives) = (barriers(), collectives());
            let found = numbered(subject, &barriers);
            // The end of the program is a barrier that is recorded as a collective operation.
            match found {
                Some(found) => Some(with_neighbours(
                    subject,
                    found,
                    &barriers.threads,
                    &collectives.threads,
                )),
                None => numbered(subject, &collectives).map(|found| {
                    with_neighbours(subject, found, &collectives.threads, &barriers.threads)
                }),
            }
        }
        Formula::Collective(_) | Formula::Allocation(_) => {
            let (barriers, collectives) = (barriers(), collectives());
            numbered(subject, &collectives).map(|found| {
                with_neighbours(subject, found, &collectives.threads, &barriers.threads)
            })
        }
    }
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

/// Records of one kind.
struct Kind<'r, R> {
    /// By thread, in order.
    threads: Vec<Vec<&'r R>>,
    /// By thread: how many there are before the first one; `None` if that is not known.
    before: Option<Vec<u64>>,
}

/// An instance among records.
struct Anchor {
    /// By thread: its record; before the first or behind the last one if that is not known.
    members: Vec<isize>,
    own: Vec<Wait>,
    others: Vec<Wait>,
}

fn numbered<R: Numbered>(subject: &Subject, kind: &Kind<R>) -> Option<Anchor> {
    let threads = &kind.threads;
    let is_it = |members: Vec<isize>| anchor(subject, threads, members);
    if let Some(before) = &kind.before {
        let first = before.iter().copied().max().unwrap_or(0);
        let ends = before.iter().zip(threads);
        // Some threads may come later than the window ends.
        let end = ends
            .map(|(before, records)| before + records.len() as u64)
            .max();
        return (first..end.unwrap_or(0)).find_map(|number| {
            let members = before.iter().map(|before| (number - before) as isize);
            is_it(members.collect())
        });
    }
    let reference = threads.get(subject.longest_thread.unwrap_or(subject.last_thread) as usize);
    let reference = reference
        .into_iter()
        .flatten()
        .find(|r| r.path() == subject.path() && r.span().end > subject.begin);
    let (first, last) = match reference {
        Some(record) => (record.arrival().min(subject.begin), record.span().end),
        None => (subject.begin, subject.begin.saturating_add(subject.longest)),
    };
    // Mostly it is the arrival of the thread that was waited for.
    let arrivals_of = |thread: usize| {
        let records = threads.get(thread).into_iter().flatten();
        let arrivals = records.map(|record| record.arrival());
        arrivals.filter(|arrival| (first..=last).contains(arrival))
    };
    let mut moments: Vec<u64> = arrivals_of(subject.last_thread as usize).collect();
    moments.push(subject.begin);
    moments.push(last);
    let mut others: Vec<u64> = (0..threads.len()).flat_map(arrivals_of).collect();
    others.sort_unstable_by_key(|arrival| arrival.abs_diff(subject.begin));
    others.dedup();
    moments.extend(others.into_iter().take(MOST_MOMENTS));
    let rules = [
        Absent::Before,
        Absent::Behind,
        Absent::Split(subject.last_thread),
    ];
    let moments = moments
        .into_iter()
        .flat_map(|moment| [(moment, true), (moment, false)]);
    for (moment, is_left) in moments {
        for rule in rules {
            if let Some(anchor) = is_it(assign(threads, moment, is_left, rule)) {
                return Some(anchor);
            }
        }
    }
    None
}

/// The instance that has these members, if it is the one in question.
fn anchor<R: Numbered>(
    subject: &Subject,
    threads: &[Vec<&R>],
    members: Vec<isize>,
) -> Option<Anchor> {
    let waits = instance(threads, &members).and_then(R::waits)?;
    let (own, others): (Vec<_>, Vec<_>) = waits.into_iter().partition(|wait| is_own(subject, wait));
    is_it(subject, &own).then_some(Anchor {
        members,
        own,
        others,
    })
}

/// By thread: the record that it was in at a moment, or what the rule says. Of two that meet at that moment it is the later
/// one if the earlier one `is_left` then.
fn assign<R: Numbered>(
    threads: &[Vec<&R>],
    moment: u64,
    is_left: bool,
    rule: Absent,
) -> Vec<isize> {
    let assigned = threads.iter().enumerate().map(|(thread, records)| {
        let behind = records.partition_point(|record| {
            record.arrival() < moment || (record.arrival() == moment && is_left)
        });
        // A thread has no more records than fit into memory.
        let behind = behind as isize;
        let last = behind - 1;
        let is_in = record(records, last).is_some_and(|record| record.span().end >= moment);
        match rule {
            _ if is_in => last,
            Absent::Before => last,
            Absent::Split(first) if thread as ThreadId <= first => last,
            Absent::Behind | Absent::Split(_) => behind,
        }
    });
    assigned.collect()
}

fn record<'r, R>(records: &[&'r R], place: isize) -> Option<&'r R> {
    records.get(usize::try_from(place).ok()?).copied()
}

/// The records of an instance.
fn instance<R: Numbered>(threads: &[Vec<&R>], members: &[isize]) -> Option<Vec<R>> {
    let places = || threads.iter().zip(members);
    let known = places().find_map(|(records, &place)| record(records, place))?;
    places()
        .map(|(records, &place)| match record(records, place) {
            Some(record) => Some(record.clone()),
            None if place < 0 => Some(R::earlier(known)),
            None => R::later(known),
        })
        .collect()
}

/// Adds what was waited for in the instances before and behind, which have numbers relative to the one that was found.
fn with_neighbours<A: Numbered, B: Numbered>(
    subject: &Subject,
    anchor: Anchor,
    same: &[Vec<&A>],
    other: &[Vec<&B>],
) -> Found {
    let Anchor {
        members,
        own,
        mut others,
    } = anchor;
    let arrivals = same.iter().zip(&members);
    let arrivals: Vec<Option<u64>> = arrivals
        .map(|(records, &place)| Some(record(records, place)?.arrival()))
        .collect();
    let late = subject.last_thread as usize;
    let cause_begin = arrivals.get(late).copied().flatten().and_then(|arrival| {
        let of_same = same[late].iter().map(|record| record.span().end);
        let of_other = other[late].iter().map(|record| record.span().end);
        of_same.chain(of_other).filter(|&end| end <= arrival).max()
    });
    neighbours(same, &members, 1, &mut others);
    // The first one of the other kind that is not before.
    let first = arrivals.iter().zip(other).map(|(arrival, records)| {
        let arrival = (*arrival)?;
        Some(records.partition_point(|record| record.arrival() < arrival) as isize)
    });
    if let Some(first) = first.collect::<Option<Vec<isize>>>() {
        neighbours(other, &first, 0, &mut others);
    }
    Found {
        own,
        others,
        cause_begin,
    }
}

/// The waits of the instances around the one that has these members; behind it from so many on.
fn neighbours<R: Numbered>(
    threads: &[Vec<&R>],
    members: &[isize],
    first: isize,
    waits: &mut Vec<Wait>,
) {
    let at = |distance: isize| -> Option<Vec<R>> {
        let records = threads.iter().zip(members);
        let records = records.map(|(records, &place)| record(records, place + distance).cloned());
        records.collect()
    };
    let directions: [&mut dyn Iterator<Item = isize>; 2] =
        [&mut (first..=NEIGHBOURS), &mut (-NEIGHBOURS..=-1).rev()];
    for distances in directions {
        for distance in distances {
            let members = at(distance).filter(|members| R::belong_together(members));
            match members.and_then(R::waits) {
                Some(found) => waits.extend(found),
                None => break,
            }
        }
    }
}
