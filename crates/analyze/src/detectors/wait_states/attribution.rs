//! Attributes parts of threads' time in one compound event to wait states.
//!
//! A pattern states waiting as parts of a thread's time in the operation. These parts are cut to
//! the operation, and reduced by regions inside of it (a stall of the measurement is not the
//! program's wait) and by the time that an earlier pattern has claimed. So a severity never exceeds
//! the time that its thread spent in the operation, and no second is counted twice, no matter what
//! a pattern's formula states.

use pgas_earl::{PathId, Span};
use pgas_trace::model::ThreadId;

/// Time that one thread lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// The thread that lost the time.
    pub thread: ThreadId,
    /// Call path of the operation in that thread.
    pub path: PathId,
    /// Ticks lost.
    pub ticks: u64,
    /// When the loss began, in ticks.
    pub begin: u64,
    /// When it ended, in ticks; not all of the time between need be lost.
    pub end: u64,
    /// The thread by whose clock it ended (or began).
    pub against: Option<ThreadId>,
    /// Where its parts lie among those of its pattern: the first, and how many.
    parts: (usize, usize),
}

#[derive(Debug)]
struct Operation {
    thread: ThreadId,
    path: PathId,
    span: Span,
    /// Parts that cannot be claimed any more; not sorted.
    taken: Vec<Span>,
    /// When the thread had no core.
    no_core: Vec<Span>,
}

/// Attribution on the time of the threads that take part in one compound event.
#[derive(Debug, Default)]
pub struct Attribution {
    operations: Vec<Operation>,
    /// How many of `operations` take part; the others keep their buffers.
    members: usize,
    charges: Vec<Charge>,
    /// The parts of time that the charges are made of.
    parts: Vec<Span>,
    waited_for: Option<ThreadId>,
    against: Option<ThreadId>,
    until_last_exit: Option<u64>,
    is_of_some_threads: bool,
}

impl Attribution {
    /// Starts a new compound event of all threads, still without members.
    pub fn clear(&mut self) {
        self.members = 0;
        self.is_of_some_threads = false;
        self.next_pattern();
    }

    /// Starts a new compound event of some of the threads, still without members.
    pub fn clear_for_some_threads(&mut self) {
        self.clear();
        self.is_of_some_threads = true;
    }

    /// Whether the compound event has some of the threads only, so that it is no instance between
    /// two synchronisations of all.
    pub fn is_of_some_threads(&self) -> bool {
        self.is_of_some_threads
    }

    /// Adds a member: the time that a thread spent in the operation, the regions inside of it, and
    /// when it had no core.
    pub fn member(
        &mut self,
        thread: ThreadId,
        path: PathId,
        span: Span,
        nested: &[Span],
        no_core: &[Span],
    ) {
        let (mut taken, mut without) = match self.operations.get_mut(self.members) {
            Some(old) => (
                std::mem::take(&mut old.taken),
                std::mem::take(&mut old.no_core),
            ),
            None => (Vec::new(), Vec::new()),
        };
        taken.clear();
        taken.extend_from_slice(nested);
        without.clear();
        without.extend_from_slice(no_core);
        let operation = Operation {
            thread,
            path,
            span,
            taken,
            no_core: without,
        };
        match self.operations.get_mut(self.members) {
            Some(old) => *old = operation,
            None => self.operations.push(operation),
        }
        self.members += 1;
    }

    /// Starts the next pattern on the same event: what was charged so far stays taken.
    pub fn next_pattern(&mut self) {
        self.charges.clear();
        self.parts.clear();
        self.waited_for = None;
        self.against = None;
        self.until_last_exit = None;
    }

    /// Charges `member` (its number in the order of [`Attribution::member`]; the thread, where all
    /// threads take part) with the part from `begin` to `end`, in ticks. Nothing happens if
    /// that is empty.
    pub fn wait(&mut self, member: usize, begin: u64, end: u64) {
        let Some(operation) = self.operations[..self.members].get_mut(member) else {
            return;
        };
        let (begin, end) = (begin.max(operation.span.begin), end.min(operation.span.end));
        if begin >= end {
            return;
        }
        let first = self.parts.len();
        let ticks = free_parts(&mut operation.taken, begin, end, &mut self.parts);
        operation.taken.push(Span::new(begin, end));
        if ticks == 0 {
            return;
        }
        self.charges.push(Charge {
            thread: operation.thread,
            path: operation.path,
            ticks,
            begin,
            end,
            against: self.against.or(self.waited_for),
            parts: (first, self.parts.len() - first),
        });
    }

    /// Charges every member with the time without a core that nothing has claimed yet: where it
    /// waited for others, it had no use for one.
    pub fn no_core(&mut self) {
        for member in 0..self.members {
            let spans = std::mem::take(&mut self.operations[member].no_core);
            for span in &spans {
                self.wait(member, span.begin, span.end);
            }
            self.operations[member].no_core = spans;
        }
    }

    /// States which thread's clock says how long the waits are that are charged from now on, if it
    /// is not the one that was waited for.
    pub fn measured_against(&mut self, thread: ThreadId) {
        self.against = Some(thread);
    }

    /// States which thread the others waited for, before they are charged with that.
    pub fn waited_for(&mut self, thread: ThreadId) {
        self.waited_for = Some(thread);
    }

    /// States what the published definition of completion counts in this instance: ticks from each
    /// thread's exit to the last one, summed. A figure beside the charges, since that time lies
    /// outside of the operation.
    pub fn last_exit_after(&mut self, ticks: u64) {
        self.until_last_exit = Some(ticks);
    }

    /// Ticks that [`Attribution::last_exit_after`] has stated.
    pub fn until_last_exit(&self) -> Option<u64> {
        self.until_last_exit
    }

    /// Charges of the current pattern.
    pub fn charges(&self) -> &[Charge] {
        &self.charges
    }

    /// The parts of time that a charge of the current pattern is made of, in order: its ticks.
    pub fn parts(&self, charge: &Charge) -> &[Span] {
        let (first, count) = charge.parts;
        self.parts.get(first..first + count).unwrap_or_default()
    }

    /// The members of the event: each thread, and its time in the operation.
    pub fn members(&self) -> impl Iterator<Item = (ThreadId, Span)> + '_ {
        let members = self.operations[..self.members].iter();
        members.map(|operation| (operation.thread, operation.span))
    }

    /// The thread that the pattern states the others waited for.
    pub fn culprit(&self) -> Option<ThreadId> {
        self.waited_for
    }
}

/// Adds what is left between `begin` and `end` without the spans that are taken, which may overlap
/// each other. Returns its ticks.
fn free_parts(taken: &mut [Span], begin: u64, end: u64, parts: &mut Vec<Span>) -> u64 {
    taken.sort_unstable_by_key(|span| span.begin);
    let mut free = 0;
    let mut reached = begin;
    let rest = Span::new(end, end);
    for span in taken.iter().chain([&rest]) {
        let until = span.begin.min(end);
        if until > reached {
            parts.push(Span::new(reached, until));
            free += until - reached;
        }
        reached = reached.max(span.end);
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charged(nested: &[Span], waits: &[(u64, u64)]) -> Vec<u64> {
        let mut attribution = Attribution::default();
        attribution.clear();
        attribution.member(3, PathId(1), Span::new(10, 30), nested, &[]);
        waits
            .iter()
            .map(|&(begin, end)| {
                attribution.next_pattern();
                attribution.wait(0, begin, end);
                attribution.charges().iter().map(|c| c.ticks).sum()
            })
            .collect()
    }

    #[test]
    fn claims_are_cut_to_the_operation() {
        assert_eq!(charged(&[], &[(0, 100)]), [20]);
        assert_eq!(charged(&[], &[(0, 10)]), [0]);
        assert_eq!(charged(&[], &[(25, 12)]), [0]);
    }

    #[test]
    fn no_second_is_charged_twice() {
        assert_eq!(charged(&[], &[(10, 20), (15, 25), (0, 99)]), [10, 5, 5]);
        assert_eq!(charged(&[], &[(12, 20), (10, 30), (10, 30)]), [8, 12, 0]);
    }

    #[test]
    fn regions_inside_are_not_charged() {
        let nested = [Span::new(12, 14), Span::new(20, 21)];
        assert_eq!(charged(&nested, &[(10, 20), (18, 30)]), [8, 9]);
    }

    #[test]
    fn a_charge_is_made_of_what_nobody_took() {
        let mut attribution = Attribution::default();
        let nested = [Span::new(15, 20), Span::new(0, 12), Span::new(18, 19)];
        attribution.member(3, PathId(1), Span::new(10, 30), &nested, &[]);
        attribution.wait(0, 10, 25);
        attribution.wait(0, 11, 40);
        let [first, second] = attribution.charges() else {
            panic!("two charges");
        };
        let spans = |charge: &Charge| -> Vec<_> {
            let parts = attribution.parts(charge).iter();
            parts.map(|part| (part.begin, part.end)).collect()
        };
        assert_eq!(spans(first), [(12, 15), (20, 25)]);
        assert_eq!(spans(second), [(25, 30)]);
    }

    #[test]
    fn members_of_the_event_before_are_forgotten() {
        let mut attribution = Attribution::default();
        attribution.member(0, PathId(1), Span::new(0, 9), &[], &[Span::new(0, 9)]);
        attribution.wait(0, 0, 9);
        attribution.clear();
        attribution.wait(0, 0, 9);
        attribution.no_core();
        assert!(attribution.charges().is_empty());
        attribution.member(1, PathId(1), Span::new(0, 9), &[], &[]);
        attribution.wait(0, 0, 5);
        assert_eq!(attribution.charges()[0].ticks, 5);
        attribution.next_pattern();
        attribution.no_core();
        assert!(attribution.charges().is_empty());
    }

    #[test]
    fn a_core_is_of_no_use_while_waiting() {
        let charged = |no_core: Span, waits: (u64, u64)| {
            let mut attribution = Attribution::default();
            attribution.clear();
            attribution.member(3, PathId(1), Span::new(10, 30), &[], &[no_core]);
            attribution.wait(0, waits.0, waits.1);
            attribution.next_pattern();
            attribution.no_core();
            let lost: u64 = attribution
                .charges()
                .iter()
                .map(|charge| charge.ticks)
                .sum();
            attribution.next_pattern();
            attribution.wait(0, 10, 30);
            let left: u64 = attribution
                .charges()
                .iter()
                .map(|charge| charge.ticks)
                .sum();
            (lost, left)
        };
        assert_eq!(charged(Span::new(22, 30), (10, 18)), (8, 4));
        assert_eq!(charged(Span::new(22, 30), (10, 25)), (5, 0));
        assert_eq!(charged(Span::new(22, 30), (10, 30)), (0, 0));
        assert_eq!(charged(Span::new(10, 12), (10, 10)), (2, 18));
    }
}
