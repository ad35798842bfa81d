//! How the clocks of different nodes stand against each other: the minimum round-trip method.
//!
//! A thread writes a number into another thread's memory, which answers with its clock; the thread
//! reads its own clock before and after. The answer was given somewhere in between, so the shorter
//! an exchange took, the better the two clocks are known: the shortest one of many counts, and half
//! of its round trip is the error. Of each node only the first thread takes part, since threads of
//! a node share a clock. With `linear`, one node after another is compared with that of
//! thread 0; with `ring`, each with the node before it, all at once, which takes as long for a
//! thousand nodes as for two but adds the errors up along the ring.
//!
//! Messages between threads go through shared memory of the program's own model
//! ([`Cells`]). Thread 0 finds out which threads share nodes, gives out the tasks, and lets
//! everybody go on together at the end. A thread that does not answer costs the comparison and some
//! patience, never the program.

use std::time::{Duration, Instant};

use pgas_clocks::Search;
use pgas_trace_format::model::ClockComparison;

use crate::settings::Order;

/// A few 64-bit words in the shared memory of each thread, all zero at first.
///
/// Writes of one thread are seen by all others in their order. A word may be seen half written.
pub(crate) trait Cells {
    fn read(&self, thread: u32, cell: u32) -> u64;
    fn write(&self, thread: u32, cell: u32, value: u64);
}

/// Words of each thread that comparisons use: [`ROUNDS`] times as many as there are kinds.
pub(crate) const CELLS: u32 = ROUNDS * KINDS;
/// How often clocks are compared: when a program begins and when it ends. Each time has words of
/// its own, so that what is left of the first cannot be taken for the second's.
pub(crate) const ROUNDS: u32 = 2;
const KINDS: u32 = 8;
const _: () = assert!(
    CELLS == 16,
    "PGAS_CELLS in pgas_measure.h and pgas_upc_cells.upc"
);

/// Words of a thread, by their meaning.
#[derive(Debug, Clone, Copy)]
#[repr(u32)]
enum Cell {
    /// Written by the thread itself: which clock it reads. Not zero once it is there.
    Hello = 0,
    /// By itself: its clock when it came, which its answers count from.
    Base = 1,
    /// By thread 0: whom to compare with, if anybody.
    Task = 2,
    /// That it may go on, and how things are ([`Release`]).
    Release = 3,
    /// By the thread that compares itself with this one: the number of an exchange, or
    /// [`FINISHED`].
    Request = 4,
    /// By the thread that this one compares itself with: its clock, and the number of the exchange.
    Answer = 5,
}

/// Bits of an answer that are the number of the exchange.
const NUMBER_BITS: u32 = 24;
const NUMBER: u64 = (1 << NUMBER_BITS) - 1;
/// Instead of the number of an exchange: there will be no more.
const FINISHED: u64 = NUMBER;
/// Number of nodes from which on they are compared in a ring: one after another, some milliseconds
/// each, would by then keep the program waiting for longer than a tenth of a second.
const RING_FROM: usize = 64;
/// Looks at a word, while nothing happens, after which others may have the core: more than a
/// network needs for an answer, for threads that exchange messages; few for those that wait until
/// others have done that.
const LOOKS_FOR_ANSWER: u32 = 4096;
const LOOKS_FOR_NEWS: u32 = 64;

/// How clocks are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) order: Order,
    /// Number of later exchanges that must not be shorter before one counts as the shortest.
    pub(crate) exchanges: u32,
    /// How long to wait for a thread that gives no sign.
    pub(crate) patience: Duration,
}

/// Why a thread may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Release {
    Compared = 1,
    OneNode = 2,
    GivenUp = 3,
}

/// How a comparison ended for one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All threads read the same clock: there is nothing to compare, ever.
    OneNode,
    /// Comparison that this thread made; `None` if others made it for its node.
    Compared(Option<ClockComparison>),
    /// That thread gave no sign.
    GivenUp(u32),
}

/// Whom a thread compares itself with, and who compares itself with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Task {
    reference: Option<u32>,
    follower: Option<u32>,
}

impl Task {
    /// Never zero.
    fn to_word(self) -> u64 {
        let part = |thread: Option<u32>| thread.map_or(0, |thread| u64::from(thread) + 1);
        1 | part(self.reference) << 1 | part(self.follower) << 32
    }

    fn from_word(word: u64) -> Self {
        let part = |bits: u64| u32::try_from(bits.checked_sub(1)?).ok();
        Task {
            reference: part((word & 0xffff_ffff) >> 1),
            follower: part(word >> 32),
        }
    }
}

/// One thread in one round.
pub(crate) struct Participant<'a, C, F> {
    pub(crate) cells: &'a C,
    /// The thread's clock, read after everything before is done.
    pub(crate) now: F,
    pub(crate) thread: u32,
    pub(crate) threads: u32,
    pub(crate) round: u32,
    /// Equal for threads that read the same clock; not zero.
    pub(crate) identity: u64,
    pub(crate) settings: Settings,
}

impl<C: Cells, F: Fn() -> u64> Participant<'_, C, F> {
    /// Takes part in the round; all threads must call it at about the same time.
    pub(crate) fn run(&self) -> Outcome {
        let base = (self.now)();
        self.set(self.thread, Cell::Base, base);
        self.set(self.thread, Cell::Hello, self.identity);
        match self.thread {
            0 => self.lead(base),
            _ => self.follow(base),
        }
    }

    fn get(&self, thread: u32, cell: Cell) -> u64 {
        self.cells.read(thread, self.round * KINDS + cell as u32)
    }

    fn set(&self, thread: u32, cell: Cell, value: u64) {
        self.cells
            .write(thread, self.round * KINDS + cell as u32, value);
    }

    /// Thread 0.
    fn lead(&self, base: u64) -> Outcome {
        let mut known = vec![self.identity];
        let mut first_of_node = vec![0];
        for thread in 1..self.threads {
            let hello = || Some(self.get(thread, Cell::Hello)).filter(|&word| word != 0);
            let Some(identity) = self.await_some(self.settings.patience, hello) else {
                return self.give_up(thread);
            };
            if !known.contains(&identity) {
                known.push(identity);
                first_of_node.push(thread);
            }
        }
        if first_of_node.len() == 1 {
            self.release_children(Release::OneNode);
            return Outcome::OneNode;
        }
        let ring = match self.settings.order {
            Order::Ring => true,
            Order::Linear => false,
            Order::Automatic => first_of_node.len() >= RING_FROM,
        };
        if ring {
            for (number, &thread) in first_of_node.iter().enumerate().skip(1) {
                let task = Task {
                    reference: Some(first_of_node[number - 1]),
                    follower: first_of_node.get(number + 1).copied(),
                };
                self.set(thread, Cell::Task, task.to_word());
            }
            let own = Task {
                reference: None,
                follower: Some(first_of_node[1]),
            };
            if let Err(silent) = self.exchange(own, base) {
                return self.give_up(silent);
            }
        } else {
            for &thread in &first_of_node[1..] {
                self.set(0, Cell::Request, 0);
                let task = Task {
                    reference: Some(0),
                    follower: None,
                };
                self.set(thread, Cell::Task, task.to_word());
                let own = Task {
                    reference: None,
                    follower: Some(thread),
                };
                if let Err(silent) = self.exchange(own, base) {
                    return self.give_up(silent);
                }
            }
        }
        self.release_children(Release::Compared);
        Outcome::Compared(None)
    }

    fn follow(&self, base: u64) -> Outcome {
        let mut found = None;
        let mut done = false;
        // Others are compared before it; thread 0 gives up by itself if one of them does not
        // answer.
        let patience = 3 * self.settings.patience + Duration::from_millis(10) * self.threads;
        loop {
            enum News {
                Release(u64),
                Task(Task),
            }
            let news = || {
                let release = self.get(self.thread, Cell::Release);
                if release != 0 {
                    return Some(News::Release(release));
                }
                let task = self.get(self.thread, Cell::Task);
                (task != 0 && !done).then(|| News::Task(Task::from_word(task)))
            };
            match self.await_some(patience, news) {
                None => return Outcome::GivenUp(0),
                Some(News::Task(task)) => {
                    done = true;
                    match self.exchange(task, base) {
                        Ok(comparison) => found = comparison,
                        Err(silent) => return Outcome::GivenUp(silent),
                    }
                }
                Some(News::Release(release)) => {
                    if release == Release::GivenUp as u64 {
                        return Outcome::GivenUp(0);
                    }
                    if release == Release::OneNode as u64 {
                        self.release_children(Release::OneNode);
                        return Outcome::OneNode;
                    }
                    self.release_children(Release::Compared);
                    return Outcome::Compared(found);
                }
            }
        }
    }

    /// Along a binary tree, so that the last of many threads does not go on much later than the
    /// first.
    fn release_children(&self, release: Release) {
        let first = u64::from(self.thread) * 2 + 1;
        for child in first..(first + 2).min(u64::from(self.threads)) {
            self.set(child as u32, Cell::Release, release as u64);
        }
    }

    /// Everybody is told directly, since who should pass it on may not be there.
    fn give_up(&self, silent: u32) -> Outcome {
        for thread in 1..self.threads {
            self.set(thread, Cell::Release, Release::GivenUp as u64);
        }
        Outcome::GivenUp(silent)
    }

    /// Exchanges messages until this thread knows its reference's clock and its follower knows this
    /// one's. The error is a thread that gave no sign.
    fn exchange(&self, task: Task, base: u64) -> Result<Option<ClockComparison>, u32> {
        let Task {
            reference,
            mut follower,
        } = task;
        let mut asking = reference;
        // Answers count from the other's base.
        let mut search = Search::new(self.settings.exchanges);
        let mut begin = None;
        let mut answered = 0;
        let began = Instant::now();
        let mut watch = Watch::new(self.settings.patience, LOOKS_FOR_ANSWER);
        while asking.is_some() || follower.is_some() {
            if let Some(other) = asking {
                match begin {
                    None => {
                        begin = Some((self.now)());
                        self.set(other, Cell::Request, search.exchanges() + 1);
                    }
                    Some(sent) => {
                        let answer = self.get(self.thread, Cell::Answer);
                        if answer & NUMBER == search.exchanges() + 1 {
                            let received = (self.now)();
                            // A half-written answer is whole at the second look, and differs.
                            if self.get(self.thread, Cell::Answer) == answer {
                                watch.restart();
                                begin = None;
                                search.add(sent, received, answer >> NUMBER_BITS);
                                if search.is_over(began.elapsed()) {
                                    asking = None;
                                }
                            }
                        }
                    }
                }
            }
            if let Some(other) = follower {
                let request = self.get(self.thread, Cell::Request) & NUMBER;
                if request == FINISHED {
                    follower = None;
                } else if request != answered {
                    watch.restart();
                    let time = (self.now)().saturating_sub(base);
                    self.set(other, Cell::Answer, time << NUMBER_BITS | request);
                    answered = request;
                }
            }
            if watch.has_run_out() {
                return Err(asking.or(follower).unwrap_or(0));
            }
        }
        let Some(reference) = reference else {
            return Ok(None);
        };
        // Not before the own follower has finished, so that the end of the first link is that of
        // all.
        self.set(reference, Cell::Request, FINISHED);
        let other_base = self.get(reference, Cell::Base);
        Ok(search.shortest().map(|meeting| ClockComparison {
            reference,
            ticks: meeting.own,
            reference_ticks: other_base + meeting.other,
            round_trip: meeting.round_trip,
            exchanges: search.exchanges(),
        }))
    }

    fn await_some<T>(&self, patience: Duration, look: impl Fn() -> Option<T>) -> Option<T> {
        let mut watch = Watch::new(patience, LOOKS_FOR_NEWS);
        loop {
            if let Some(found) = look() {
                return Some(found);
            }
            if watch.has_run_out() {
                return None;
            }
        }
    }
}

/// Notices that nothing has happened for long, and lets others have the core meanwhile.
struct Watch {
    patience: Duration,
    looks_at_once: u32,
    looks: u32,
    /// When it was looked at first since something happened.
    since: Option<Instant>,
}

impl Watch {
    fn new(patience: Duration, looks_at_once: u32) -> Self {
        Watch {
            patience,
            looks_at_once,
            looks: 0,
            since: None,
        }
    }

    /// Something has happened.
    fn restart(&mut self) {
        self.looks = 0;
        self.since = None;
    }

    fn has_run_out(&mut self) -> bool {
        self.looks += 1;
        if self.looks < self.looks_at_once {
            return false;
        }
        self.looks = 0;
        std::thread::yield_now();
        self.since.get_or_insert_with(Instant::now).elapsed() > self.patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use pgas_clocks::FEW_EXCHANGES;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    /// Shared memory in which a thread that looks in vain lets others run.
    struct Memory(Vec<AtomicU64>);

    impl Cells for Memory {
        fn read(&self, thread: u32, cell: u32) -> u64 {
            let word = &self.0[(thread * CELLS + cell) as usize];
            let value = word.load(Ordering::SeqCst);
            if value == 0 {
                thread::yield_now();
            }
            value
        }

        fn write(&self, thread: u32, cell: u32, value: u64) {
            self.0[(thread * CELLS + cell) as usize].store(value, Ordering::SeqCst);
        }
    }

    /// Reading of a node's clock when the machine's shows `time`.
    fn shown(node: u64, time: u64) -> u64 {
        time + node * 1_000_000_007 + time / 1_000_000 * node
    }

    fn settings(order: Order) -> Settings {
        Settings {
            order,
            exchanges: 20,
            patience: Duration::from_secs(20),
        }
    }

    /// Threads on these nodes, those that are `None` do not come; both rounds.
    fn run(nodes: &[Option<u64>], settings: Settings) -> Vec<[Outcome; 2]> {
        let words = nodes.len() * CELLS as usize;
        let memory = Memory((0..words).map(|_| AtomicU64::new(0)).collect());
        let clock = Clock::choose();
        thread::scope(|scope| {
            let started: Vec<_> = nodes
                .iter()
                .enumerate()
                .map(|(number, &node)| {
                    let memory = &memory;
                    let participant = move |round| Participant {
                        cells: memory,
                        now: move || shown(node.unwrap_or(0), clock.now_in_order()),
                        thread: number as u32,
                        threads: nodes.len() as u32,
                        round,
                        identity: node.unwrap_or(0) + 1,
                        settings,
                    };
                    scope.spawn(move || match node {
                        Some(_) => [0, 1].map(|round| participant(round).run()),
                        None => [Outcome::GivenUp(number as u32); 2],
                    })
                })
                .collect();
            let outcomes = started.into_iter().map(|thread| thread.join());
            outcomes.map(|outcome| outcome.expect("no panic")).collect()
        })
    }

    /// The comparison says what the two clocks really showed at one moment, to within half of its
    /// round trip.
    fn assert_right(comparison: &ClockComparison, own: u64, reference: u64) {
        // The moment by the machine's clock, from the reference's.
        let (mut low, mut high) = (0, comparison.reference_ticks);
        while low < high {
            let middle = low + (high - low) / 2;
            match shown(reference, middle) < comparison.reference_ticks {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let error = comparison.ticks.abs_diff(shown(own, low));
        assert!(
            error <= comparison.round_trip / 2 + 2,
            "wrong by {error}: {comparison:?}"
        );
        assert!(comparison.exchanges >= FEW_EXCHANGES);
    }

    #[test]
    fn each_node_is_compared_with_thread_0s() {
        let nodes = [0, 0, 1, 2, 1].map(Some);
        for round in [0, 1] {
            let outcomes = run(&nodes, settings(Order::Automatic));
            for (thread, outcomes) in outcomes.iter().enumerate() {
                match (thread, outcomes[round]) {
                    (2 | 3, Outcome::Compared(Some(comparison))) => {
                        assert_eq!(comparison.reference, 0);
                        assert_right(&comparison, nodes[thread].unwrap(), 0);
                    }
                    (0 | 1 | 4, Outcome::Compared(None)) => {}
                    other => panic!("{other:?}"),
                }
            }
        }
    }

    #[test]
    fn in_a_ring_each_node_is_compared_with_the_one_before() {
        let nodes = [3, 3, 1, 0, 2].map(Some);
        let outcomes = run(&nodes, settings(Order::Ring));
        for (thread, left) in [(2, 0), (3, 2), (4, 3)] {
            for outcome in outcomes[thread] {
                let Outcome::Compared(Some(comparison)) = outcome else {
                    panic!("thread {thread}: {outcome:?}");
                };
                assert_eq!(comparison.reference, left);
                let reference = nodes[left as usize].unwrap();
                assert_right(&comparison, nodes[thread].unwrap(), reference);
            }
        }
        assert_eq!(outcomes[0], [Outcome::Compared(None); 2]);
        assert_eq!(outcomes[1], [Outcome::Compared(None); 2]);
    }

    #[test]
    fn on_one_node_there_is_nothing_to_compare() {
        for order in [Order::Linear, Order::Ring] {
            let outcomes = run(&[Some(5); 4], settings(order));
            assert_eq!(outcomes, [[Outcome::OneNode; 2]; 4]);
        }
    }

    #[test]
    fn a_thread_that_does_not_come_is_not_waited_for_long() {
        let impatient = Settings {
            patience: Duration::from_millis(50),
            ..settings(Order::Linear)
        };
        let outcomes = run(&[Some(0), Some(1), None, Some(2)], impatient);
        assert_eq!(outcomes[0], [Outcome::GivenUp(2); 2]);
        for outcome in [1, 3].into_iter().flat_map(|thread| outcomes[thread]) {
            assert!(matches!(outcome, Outcome::GivenUp(_)), "{outcome:?}");
        }
    }

    #[test]
    fn tasks_fit_into_a_word() {
        for task in [
            Task {
                reference: Some(0),
                follower: None,
            },
            Task {
                reference: Some((1 << 24) - 1),
                follower: Some((1 << 24) - 2),
            },
        ] {
            assert_ne!(task.to_word(), 0);
            assert_eq!(Task::from_word(task.to_word()), task);
        }
    }
}
