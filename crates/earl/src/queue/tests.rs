//! The queue of synchronisations, with records in every order.

use pgas_trace::model::{Operation, SyncMode};

use super::*;
use crate::barrier::BarrierInstance;
use crate::calltree::PathId;
use crate::collective::{CollectiveInstance, Disagreement};
use crate::record::{BarrierRecord, CollectiveRecord, Span};

fn barrier_at(path: u32, span: Span) -> Numbered<u32> {
    let record = BarrierRecord {
        path: PathId(path),
        span,
        notify: None,
        value: None,
        nested: Vec::new(),
        no_core: Vec::new(),
    };
    Numbered::Record(SyncRecord::Barrier(record), path)
}

/// A barrier that keeps its call path.
fn barrier(path: u32) -> Numbered<u32> {
    barrier_at(path, Span::new(0, 1))
}

fn collective(operation: Operation, root: Option<ThreadId>, begin: u64) -> Numbered<u32> {
    let record = CollectiveRecord {
        operation,
        path: PathId(1),
        span: Span::new(begin, begin + 10),
        root,
        sent: 0,
        received: 0,
        sync_in: SyncMode::Mine,
        sync_out: SyncMode::All,
        nested: Vec::new(),
        no_core: Vec::new(),
        contains_barrier: false,
    };
    Numbered::Record(SyncRecord::Collective(record), begin as u32)
}

fn skipped(barriers: u64, collectives: u64) -> Numbered<u32> {
    Numbered::Skipped(SyncCount {
        barriers,
        collectives,
    })
}

/// The next instance.
fn pop(queue: &mut SyncQueue<u32>) -> Option<SyncInstance<u32>> {
    let mut instance = SyncInstance::default();
    queue.pop(&mut instance).then_some(instance)
}

/// Position of the next instance, and what was kept with its members.
fn next(queue: &mut SyncQueue<u32>) -> Option<(Option<u64>, Vec<u32>)> {
    pop(queue).map(|instance| (instance.position, instance.kept))
}

/// Kind and number of each of the next instances.
fn numbers(queue: &mut SyncQueue<u32>) -> Vec<(Matched, u64)> {
    let instances = std::iter::from_fn(|| pop(queue));
    instances
        .filter_map(|instance| match instance.event {
            SyncEvent::Barrier(barrier) => Some((Matched::Barrier, barrier.number)),
            SyncEvent::Collective(all) => Some((Matched::Collective, all.number)),
            SyncEvent::Disagreement(_) => None,
        })
        .collect()
}

fn next_barrier(queue: &mut SyncQueue<u32>) -> Option<BarrierInstance> {
    match pop(queue)?.event {
        SyncEvent::Barrier(barrier) => Some(barrier),
        other => panic!("{other:?}"),
    }
}

fn next_collective(queue: &mut SyncQueue<u32>) -> Option<CollectiveInstance> {
    match pop(queue)?.event {
        SyncEvent::Collective(instance) => Some(instance),
        other => panic!("{other:?}"),
    }
}

fn disagreement(queue: &mut SyncQueue<u32>) -> Disagreement {
    match pop(queue).map(|instance| instance.event) {
        Some(SyncEvent::Disagreement(disagreement)) => disagreement,
        other => panic!("{other:?}"),
    }
}

#[test]
fn instances_are_complete_when_every_thread_has_come() {
    let mut queue = SyncQueue::new(2);
    queue.push(1, barrier(10));
    queue.push(1, barrier(11));
    assert_eq!(next(&mut queue), None);
    queue.push(0, barrier(20));
    assert_eq!(next(&mut queue), Some((Some(0), vec![20, 10])));
    assert_eq!(next(&mut queue), None);
    assert_eq!((queue.completed(Matched::Barrier), queue.waiting()), (1, 1));
}

#[test]
fn what_a_thread_has_skipped_is_left_out_for_all() {
    let mut queue = SyncQueue::new(3);
    for thread in 0..3 {
        queue.push(thread, barrier(10 + thread));
    }
    assert_eq!(next(&mut queue), Some((Some(0), vec![10, 11, 12])));
    // Of 1 to 5, thread 0 has none, thread 1 the last two, thread 2 the last.
    queue.push(0, skipped(5, 0));
    queue.push(1, skipped(1, 0));
    queue.push(1, skipped(2, 0));
    queue.push(1, barrier(21));
    queue.push(1, barrier(22));
    queue.push(2, skipped(4, 0));
    queue.push(2, barrier(23));
    assert_eq!(next(&mut queue), None);
    for thread in 0..3 {
        queue.push(thread, barrier(30 + thread));
    }
    assert_eq!(next(&mut queue), Some((Some(6), vec![30, 31, 32])));
    let partial = queue.partial(Matched::Barrier);
    assert_eq!((partial.count, partial.first), (2, Some(PathId(21))));
    assert_eq!((queue.completed(Matched::Barrier), queue.waiting()), (7, 0));
    // As many as there may be are passed by at once.
    for thread in 0..3 {
        queue.push(thread, skipped(u64::MAX, 0));
        queue.end(thread);
    }
    assert_eq!(next(&mut queue), None);
    let unmatched = queue.unmatched(Matched::Barrier).map(|u| u.count);
    assert_eq!((unmatched.collect(), queue.waiting()), (vec![0, 0, 0], 0));
}

#[test]
fn nothing_piles_up_behind_a_thread_that_has_ended() {
    let mut queue = SyncQueue::new(3);
    for thread in 0..3 {
        queue.push(thread, barrier(1));
    }
    queue.push(0, barrier(2));
    queue.end(1);
    assert_eq!(next(&mut queue), Some((Some(0), vec![1, 1, 1])));
    for record in 3..1000 {
        queue.push(0, barrier(record));
        queue.push(2, barrier(record));
    }
    queue.end(0);
    queue.end(2);
    assert_eq!((queue.waiting(), next(&mut queue)), (0, None));
    let unmatched = queue.unmatched(Matched::Barrier);
    let unmatched: Vec<_> = unmatched.map(|u| (u.count, u.first)).collect();
    assert_eq!(
        unmatched,
        [(998, Some(PathId(2))), (0, None), (997, Some(PathId(3)))]
    );
}

#[test]
fn a_thread_that_never_came_ends_it_at_once() {
    let mut queue = SyncQueue::new(2);
    queue.push(0, barrier(5));
    queue.end(1);
    assert_eq!(queue.waiting(), 0);
    let unmatched = queue.unmatched(Matched::Barrier).map(|u| u.count);
    assert_eq!(unmatched.collect::<Vec<_>>(), [1, 0]);
}

/// The end of each is looked at for itself: all lanes for each would be 10^11 steps here.
#[test]
fn very_many_threads_end_without_waiting_for_each_other() {
    let threads = 1 << 18;
    let mut queue = SyncQueue::new(threads as usize);
    queue.push(0, barrier(1));
    for thread in 0..threads {
        queue.end(thread);
    }
    assert_eq!(next(&mut queue), None);
    let unmatched = queue.unmatched(Matched::Barrier);
    assert_eq!(unmatched.map(|of| of.count).sum::<u64>(), 1);
}

#[test]
fn phases_match_by_number() {
    let plain = |begin, end| barrier_at(1, Span::new(begin, end));
    let mut queue = SyncQueue::new(2);
    queue.push(1, plain(1, 9));
    queue.push(1, plain(11, 19));
    assert!(pop(&mut queue).is_none());
    queue.push(0, plain(8, 9));
    let instance = next_barrier(&mut queue).unwrap();
    assert_eq!((instance.number, instance.last_arrival()), (0, (0, 8)));
    assert!(pop(&mut queue).is_none());
    assert_eq!(queue.completed(Matched::Barrier), 1);
    queue.end(0);
    let left = queue.unmatched(Matched::Barrier).map(|u| u.count);
    assert_eq!(left.collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn instances_match_by_number_whatever_the_order_of_arrival() {
    let mut queue = SyncQueue::new(2);
    queue.push(0, collective(Operation::AllAlloc, None, 5));
    queue.push(0, collective(Operation::Broadcast, Some(1), 30));
    assert_eq!(pop(&mut queue), None);
    queue.push(1, collective(Operation::AllAlloc, None, 7));
    queue.push(1, collective(Operation::Broadcast, Some(1), 20));
    let first = next_collective(&mut queue).unwrap();
    assert_eq!(first.operation, Operation::AllAlloc);
    assert_eq!((first.last_enter(), first.first_exit()), ((1, 7), 15));
    let second = next_collective(&mut queue).unwrap();
    assert_eq!((second.number, second.root), (1, Some(1)));
    assert_eq!(second.last_enter(), (0, 30));
    assert_eq!(pop(&mut queue), None);
    assert_eq!(queue.completed(Matched::Collective), 2);
}

#[test]
fn another_operation_ends_the_matching() {
    let mut queue = SyncQueue::new(2);
    for begin in [0, 20] {
        queue.push(0, collective(Operation::Reduce, Some(0), begin));
    }
    queue.push(1, collective(Operation::Gather, Some(0), 1));
    queue.push(1, collective(Operation::Reduce, Some(0), 20));
    let error = disagreement(&mut queue);
    let called: Vec<_> = error.callers.iter().map(|c| c.operation).collect();
    assert_eq!(called, [Operation::Reduce, Operation::Gather]);
    assert_eq!(pop(&mut queue), None);
    queue.push(0, collective(Operation::Reduce, Some(0), 40));
    queue.push(1, collective(Operation::Reduce, Some(0), 40));
    assert_eq!(pop(&mut queue), None);
    assert_eq!(queue.completed(Matched::Collective), 1);
    assert!(queue.is_exhausted(Matched::Collective));
    let unmatched = queue.unmatched(Matched::Collective).map(|u| u.count);
    assert_eq!(unmatched.collect::<Vec<_>>(), [2, 2]);
    // Barriers are matched all the same.
    queue.push(0, barrier(1));
    queue.push(1, barrier(2));
    assert_eq!(next(&mut queue), Some((None, vec![1, 2])));
}

#[test]
fn another_root_is_a_disagreement_too() {
    let mut queue = SyncQueue::new(3);
    for (thread, root) in [(0, 2), (1, 2), (2, 1)] {
        queue.push(thread, collective(Operation::Broadcast, Some(root), 0));
    }
    let error = disagreement(&mut queue);
    let callers = error.callers.iter().map(|c| (&c.threads[..], c.root));
    assert_eq!(
        callers.collect::<Vec<_>>(),
        [(&[2][..], Some(1)), (&[0, 1][..], Some(2))]
    );
}

fn exchange(begin: u64) -> Numbered<u32> {
    collective(Operation::Exchange, None, begin)
}

#[test]
fn both_kinds_come_in_the_order_of_the_program() {
    use Matched::{Barrier, Collective};
    let mut queue = SyncQueue::new(2);
    for next in [barrier(1), exchange(2), exchange(3), barrier(4)] {
        queue.push(0, next);
    }
    queue.push(1, barrier(1));
    assert_eq!(numbers(&mut queue), [(Barrier, 0)]);
    for next in [exchange(2), exchange(3), barrier(4)] {
        queue.push(1, next);
    }
    let later = [(Collective, 0), (Collective, 1), (Barrier, 1)];
    assert_eq!(numbers(&mut queue), later);
}

#[test]
fn skipped_ones_of_both_kinds_count() {
    use Matched::{Barrier, Collective};
    let mut queue = SyncQueue::new(2);
    // Thread 1 records from the third of five on.
    queue.push(0, skipped(3, 2));
    queue.push(0, exchange(0));
    queue.push(1, skipped(1, 1));
    for next in [barrier(2), exchange(3), barrier(4), exchange(5)] {
        queue.push(1, next);
    }
    assert_eq!(pop(&mut queue).unwrap().position, Some(5));
    let partial = |kind| queue.partial(kind).count;
    assert_eq!((partial(Barrier), partial(Collective)), (2, 1));
    let completed = |kind| queue.completed(kind);
    assert_eq!((completed(Barrier), completed(Collective)), (3, 3));
}

#[test]
fn threads_that_contradict_each_other_are_matched_by_kind() {
    use Matched::{Barrier, Collective};
    let mut queue = SyncQueue::new(2);
    for (own, other) in [(barrier(1), exchange(1)), (exchange(2), barrier(2))] {
        queue.push(0, own);
        queue.push(1, other);
    }
    queue.push(0, skipped(1, 1));
    queue.push(0, exchange(7));
    queue.push(1, skipped(0, 1));
    queue.push(1, exchange(7));
    let matched = [(Barrier, 0), (Collective, 0), (Collective, 2)];
    assert_eq!(numbers(&mut queue), matched);
    queue.end(0);
    queue.end(1);
    assert!(queue.is_exhausted(Barrier) && queue.is_exhausted(Collective));
    assert_eq!(queue.waiting(), 0);
}
