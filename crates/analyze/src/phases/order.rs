//! Brings what all threads have left into the order of the program. Barriers and collective operations are matched
//! each by themselves; the first thread knows in which order they came.

use std::collections::VecDeque;

use pgas_earl::Matched;

use super::parts;
use super::segment::{Lost, Synchronisation};

#[derive(Debug, Clone, Copy)]
enum Expected {
    Instance(parts::Instance),
    Gap,
}

/// How many instances of a kind all threads have passed, those included that not all threads have a record of; and
/// whether there can be no more.
#[derive(Debug, Clone, Copy)]
pub struct Passed {
    pub count: u64,
    pub exhausted: bool,
}

/// Of an instance that every thread has left.
#[derive(Debug)]
pub(crate) enum Instance {
    /// All threads waited for all.
    Full(Synchronisation),
    /// They did not; what they lost belongs to the segment around.
    Partial(Vec<Lost>),
}

/// What comes next in the program.
#[derive(Debug)]
pub(crate) enum Next {
    Instance(Instance),
    /// Some thread has no record of what happened here.
    Gap,
}

/// Instances of one kind that wait for those of the other kind before them, by number.
type Waiting = VecDeque<(u64, Instance)>;

#[derive(Debug, Default)]
pub(crate) struct ProgramOrder {
    expected: VecDeque<Expected>,
    barriers: Waiting,
    collectives: Waiting,
}

impl ProgramOrder {
    /// The first thread left an instance.
    pub fn expect(&mut self, instance: parts::Instance) {
        self.expected.push_back(Expected::Instance(instance));
    }

    /// The first thread has no record of some instances here.
    pub fn gap(&mut self) {
        self.expected.push_back(Expected::Gap);
    }

    /// Takes a barrier that all threads have left, by its number.
    pub fn barrier(&mut self, number: u64, instance: Instance) {
        self.barriers.push_back((number, instance));
    }

    /// Takes a collective operation that all threads have left.
    pub fn collective(&mut self, number: u64, instance: Instance) {
        self.collectives.push_back((number, instance));
    }

    /// The next one in the program, if all threads have left it.
    pub fn next(&mut self, barriers: Passed, collectives: Passed) -> Option<Next> {
        let (number, waiting, passed) = match *self.expected.front()? {
            Expected::Gap => {
                self.expected.pop_front();
                return Some(Next::Gap);
            }
            Expected::Instance((Matched::Barrier, n)) => (n, &mut self.barriers, barriers),
            Expected::Instance((Matched::Collective, n)) => (n, &mut self.collectives, collectives),
        };
        while waiting.front().is_some_and(|&(first, _)| first < number) {
            waiting.pop_front();
        }
        let next = match waiting.front() {
            Some(&(first, _)) if first == number => waiting.pop_front(),
            _ if passed.count > number => None,
            _ => return None,
        };
        self.expected.pop_front();
        Some(match next {
            Some((_, instance)) => Next::Instance(instance),
            None => Next::Gap,
        })
    }

    /// Whether nothing can come any more: what would be next never will be.
    pub fn is_over(&self, barriers: Passed, collectives: Passed) -> bool {
        match self.expected.front() {
            Some(Expected::Instance((Matched::Barrier, _))) => barriers.exhausted,
            Some(Expected::Instance((Matched::Collective, _))) => collectives.exhausted,
            Some(Expected::Gap) => false,
            None => barriers.exhausted && collectives.exhausted,
        }
    }

    /// Forgets everything; nothing comes any more.
    pub fn clear(&mut self) {
        *self = ProgramOrder::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partial(pattern: usize) -> Instance {
        Instance::Partial(vec![Lost {
            pattern,
            path: pgas_earl::PathId(0),
            ticks: 1,
        }])
    }

    fn passed(count: u64) -> Passed {
        Passed {
            count,
            exhausted: false,
        }
    }

    fn numbers(order: &mut ProgramOrder, barriers: u64, collectives: u64) -> Vec<Option<usize>> {
        std::iter::from_fn(|| order.next(passed(barriers), passed(collectives)))
            .map(|next| match next {
                Next::Instance(Instance::Partial(lost)) => Some(lost[0].pattern),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn both_kinds_come_in_the_order_of_the_first_thread() {
        let (barrier, collective) = (Matched::Barrier, Matched::Collective);
        let mut order = ProgramOrder::default();
        for instance in [(barrier, 0), (collective, 0), (collective, 1), (barrier, 1)] {
            order.expect(instance);
        }
        order.barrier(0, partial(10));
        order.barrier(1, partial(11));
        assert_eq!(numbers(&mut order, 2, 0), [Some(10)]);
        order.collective(0, partial(20));
        order.collective(1, partial(21));
        assert_eq!(numbers(&mut order, 2, 2), [Some(20), Some(21), Some(11)]);
    }

    #[test]
    fn what_some_thread_has_no_record_of_is_a_gap() {
        let mut order = ProgramOrder::default();
        order.expect((Matched::Barrier, 0));
        order.gap();
        order.expect((Matched::Barrier, 4));
        order.expect((Matched::Collective, 0));
        // The first barrier is missing on another thread.
        order.barrier(4, partial(14));
        order.collective(0, partial(20));
        assert_eq!(numbers(&mut order, 5, 1), [None, None, Some(14), Some(20)]);
        assert_eq!(numbers(&mut order, 5, 1), []);
        let (mut barriers, mut collectives) = (passed(5), passed(1));
        assert!(!order.is_over(barriers, collectives));
        order.expect((Matched::Barrier, 5));
        barriers.exhausted = true;
        assert!(order.is_over(barriers, collectives));
        order.clear();
        assert!(!order.is_over(barriers, collectives));
        collectives.exhausted = true;
        assert!(order.is_over(barriers, collectives));
    }
}
