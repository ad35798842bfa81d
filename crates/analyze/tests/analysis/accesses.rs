//! Single accesses: sums by owner against a second count that keeps every event, and runs against
//! walks through memory that were made to be runs, or not to be.

use std::collections::BTreeMap;

use crate::common::numbers::Numbers;
use crate::common::{FILE, find};
use pgas_analyze::one_sided::profile::{PathAccesses, ThreadAccesses};
use pgas_analyze::one_sided::runs::{RunSums, Runs};
use pgas_analyze::one_sided::traffic::{Direction, MOST_OWNERS, Totals};
use pgas_analyze::search::Stretch;
use pgas_earl::{PathId, StreamBuilder};
use pgas_trace::model::{Attributes, EventKind, Operation, ThreadId};
use proptest::prelude::*;

const GET: Operation = Operation::Get;
const PUT: Operation = Operation::Put;

/// Results of thread 0, whose stream this is; the others do nothing.
fn accesses(stream: &StreamBuilder) -> ThreadAccesses {
    let found = find(vec![stream.source()], Stretch::default());
    found.threads[0].accesses.clone()
}

/// A thread that accesses something every 10 ticks, which takes 3 of them.
struct Walker {
    stream: StreamBuilder,
    now: u64,
}

impl Walker {
    fn new() -> Self {
        let mut stream = StreamBuilder::new();
        stream.call(0, "main", FILE, 1);
        Walker { stream, now: 0 }
    }

    /// An access by `line`; address 0 is an unknown one.
    fn access(
        &mut self,
        operation: Operation,
        line: u32,
        owner: ThreadId,
        address: u64,
        bytes: u64,
    ) {
        self.now += 10;
        let transfer = Attributes::transfer_at(owner, bytes, address);
        self.stream
            .begin(self.now, operation, FILE, line, transfer)
            .leave(self.now + 3);
    }

    fn barrier(&mut self) {
        self.now += 10;
        self.stream
            .operation(self.now, self.now + 1, Operation::Barrier, FILE, 99);
    }

    fn runs(&self) -> Vec<Runs> {
        let all = accesses(&self.stream);
        all.paths.values().map(|path| path.runs).collect()
    }
}

fn sums(runs: u64, accesses: u64, bytes: u64, block_bytes: u64, longest: u64) -> RunSums {
    RunSums {
        runs,
        accesses,
        bytes,
        block_bytes,
        ticks: 3 * accesses,
        longest,
    }
}

#[test]
fn a_walk_through_an_array_is_a_run_that_ends_at_a_barrier() {
    let mut walker = Walker::new();
    for (round, length) in [100u64, 3, 50].into_iter().enumerate() {
        for element in 0..length {
            walker.access(GET, 7, 1, 0x1000 + 8 * element, 8);
        }
        if round < 2 {
            walker.barrier();
        }
    }
    // Three elements are none.
    assert_eq!(
        walker.runs(),
        [Runs {
            adjacent: sums(2, 150, 1200, 1200, 100),
            ..Runs::default()
        }]
    );
}

#[test]
fn a_walk_may_go_backwards_or_have_gaps_of_one_size() {
    let mut walker = Walker::new();
    for element in (0..20).rev() {
        walker.access(PUT, 7, 1, 0x1000 + 4 * element, 4);
    }
    for row in 0..10 {
        walker.access(GET, 8, 2, 0x8000 + 800 * row, 8);
    }
    assert_eq!(
        walker.runs(),
        [
            Runs {
                adjacent: sums(1, 20, 80, 80, 20),
                ..Runs::default()
            },
            Runs {
                strided: sums(1, 10, 80, 9 * 800 + 8, 10),
                stride: Some(800),
                ..Runs::default()
            }
        ]
    );
}

#[test]
fn two_arrays_that_one_line_reads_in_turn_are_two_runs() {
    let mut walker = Walker::new();
    for element in 0..30 {
        walker.access(GET, 7, 1, 0x1000 + 8 * element, 8);
        walker.access(GET, 7, 1, 0x9000 + 8 * element, 8);
    }
    assert_eq!(walker.runs()[0].adjacent, sums(2, 60, 480, 480, 30));
}

#[test]
fn parts_of_a_cyclic_array_are_a_run_for_each_owner() {
    let mut walker = Walker::new();
    for index in 0..90 {
        let owner = index % 3 + 1;
        walker.access(GET, 7, owner as u32, 0x1000 + 8 * (index / 3), 8);
    }
    assert_eq!(walker.runs()[0].adjacent, sums(3, 90, 720, 720, 30));
}

#[test]
fn an_element_that_is_read_twice_is_part_of_the_run_and_one_that_is_polled_is_none() {
    let mut walker = Walker::new();
    for element in 0..10 {
        walker.access(GET, 7, 1, 0x1000 + 8 * element, 8);
        walker.access(GET, 7, 1, 0x1000 + 8 * element, 8);
    }
    for _ in 0..1000 {
        walker.access(GET, 8, 1, 0x5000, 8);
    }
    assert_eq!(walker.runs()[0].adjacent, sums(1, 20, 160, 80, 20));
    assert_eq!(walker.runs()[1], Runs::default());
}

#[test]
fn what_the_loop_itself_writes_before_it_reads_it_cannot_be_fetched_before() {
    // a[i + 1] = f(a[i]): nothing can be moved out of the loop.
    let mut chain = Walker::new();
    for element in 0..50 {
        chain.access(GET, 7, 1, 0x1000 + 8 * element, 8);
        chain.access(PUT, 7, 1, 0x1000 + 8 * (element + 1), 8);
    }
    assert_eq!(chain.runs(), [Runs::default(), Runs::default()]);
    // a[i] += 1: a block can be fetched before the loop, and sent after it.
    let mut update = Walker::new();
    for _ in 0..2 {
        for element in 0..50 {
            update.access(GET, 7, 1, 0x1000 + 8 * element, 8);
            update.access(PUT, 7, 1, 0x1000 + 8 * element, 8);
        }
    }
    let both = update.runs();
    assert_eq!(both[0].adjacent, sums(2, 100, 800, 800, 50));
    assert_eq!(both[1].adjacent.accesses, 100);
}

#[test]
fn random_accesses_and_block_transfers_are_no_runs() {
    let mut walker = Walker::new();
    let mut numbers = Numbers(5);
    for block in 0..200 {
        let place = 8 * numbers.below(1 << 30) + 8;
        walker.access(GET, 7, 1 + numbers.below(3) as u32, place, 8);
        walker.access(Operation::Memget, 8, 1, 0x1000 + 4096 * block, 4096);
        // One's own data is a matter of its own.
        walker.access(PUT, 9, 0, 0x1000 + 8 * block, 8);
    }
    assert_eq!(walker.runs(), [Runs::default(); 3]);
}

#[test]
fn without_addresses_a_run_is_what_nothing_interrupts() {
    let mut walker = Walker::new();
    for _ in 0..10 {
        walker.access(GET, 7, 1, 0, 8);
    }
    for _ in 0..6 {
        walker.access(GET, 7, 2, 0, 8);
        walker.access(GET, 8, 3, 0, 8);
    }
    walker.barrier();
    for _ in 0..4 {
        walker.access(GET, 7, 2, 0, 8);
    }
    // Puts between gets, and changing owners: nothing is known.
    for owner in 1..30 {
        walker.access(GET, 9, owner % 2 + 1, 0, 8);
        walker.access(GET, 10, 1, 0, 8);
        walker.access(PUT, 11, 1, 0, 8);
    }
    let runs = walker.runs();
    assert_eq!(runs[0].assumed, sums(3, 20, 160, 160, 10));
    assert_eq!(runs[1].assumed, sums(1, 6, 48, 48, 6));
    assert_eq!(runs[2..], [Runs::default(); 3]);
}

/// By line of the call path: accesses by owner and direction, and those beyond what is
/// distinguished.
#[derive(Debug, Default, PartialEq)]
struct Counted {
    owners: BTreeMap<(ThreadId, Direction), Totals>,
}

/// Counts again, from all events at once.
fn count(stream: &StreamBuilder) -> BTreeMap<u32, Counted> {
    struct Open {
        line: u32,
        begin: u64,
        nested: u64,
        sides: Vec<(ThreadId, Direction, u64)>,
        /// Which side gets the time.
        timed: usize,
    }
    let mut open: Vec<Open> = Vec::new();
    let mut counted: BTreeMap<u32, Counted> = BTreeMap::new();
    for event in stream.events() {
        match event.kind {
            EventKind::Enter { site, attributes } => {
                let site = &stream.sites()[site.0 as usize];
                let (sides, timed) = match attributes {
                    Attributes::Transfer { partner, bytes, .. } => match site.operation {
                        Operation::Get | Operation::Memget => {
                            (vec![(partner, Direction::Get, bytes)], 0)
                        }
                        _ => (vec![(partner, Direction::Put, bytes)], 0),
                    },
                    Attributes::Copy {
                        source,
                        destination,
                        bytes,
                        ..
                    } if source == destination => (vec![(source, Direction::Within, bytes)], 0),
                    Attributes::Copy {
                        source,
                        destination,
                        bytes,
                        ..
                    } => (
                        vec![
                            (source, Direction::Get, bytes),
                            (destination, Direction::Put, bytes),
                        ],
                        usize::from(source == 0),
                    ),
                    _ => (vec![], 0),
                };
                let line = site.line;
                open.push(Open {
                    line,
                    begin: event.time,
                    nested: 0,
                    sides,
                    timed,
                });
            }
            EventKind::Exit { .. } => {
                let region = open.pop().unwrap();
                let whole = event.time - region.begin;
                for (number, (owner, direction, bytes)) in region.sides.into_iter().enumerate() {
                    let owners = &mut counted.entry(region.line).or_default().owners;
                    let ticks = match number == region.timed {
                        true => whole - region.nested,
                        false => 0,
                    };
                    owners.entry((owner, direction)).or_default().add(&Totals {
                        accesses: 1,
                        bytes,
                        ticks,
                    });
                }
                if let Some(outer) = open.last_mut() {
                    outer.nested += whole;
                }
            }
        }
    }
    counted
}

fn random_stream(seed: u64, owners: u64, steps: u64) -> StreamBuilder {
    let mut numbers = Numbers(seed);
    let mut stream = StreamBuilder::new();
    let mut now = 0;
    stream.call(0, "main", FILE, 1);
    for _ in 0..steps {
        now += numbers.below(9);
        let owner = numbers.below(owners) as u32;
        let bytes = numbers.below(3000);
        let (operation, line) = match numbers.below(6) {
            0 | 1 => (GET, 10),
            2 => (PUT, 11),
            3 => (Operation::Memget, 12),
            4 => (Operation::Memset, 13),
            _ => (Operation::Memcpy, 14),
        };
        let attributes = match operation {
            Operation::Memcpy => Attributes::copy(owner, numbers.below(owners) as u32, bytes),
            _ => Attributes::transfer_at(owner, bytes, numbers.below(3) * 8 * numbers.below(99)),
        };
        stream.begin(now, operation, FILE, line, attributes);
        now += numbers.below(9);
        // The recorder's buffer was full, or the runtime calls something that is recorded.
        let stalls = numbers.chance(8);
        let nested = numbers.chance(8);
        if stalls {
            stream.operation(now, now + 50, Operation::MeasurementStall, "", 0);
            now += 50;
        }
        if nested {
            stream.call(now, "helper", FILE, 30);
            now += 2;
            let inner = Attributes::transfer(owner, 8);
            stream
                .begin(now, GET, FILE, 30 + line, inner)
                .leave(now + 3);
            now += 4;
            stream.leave(now);
        }
        now += numbers.below(9);
        stream.leave(now);
        if numbers.chance(20) {
            stream.operation(now, now + 1, Operation::Barrier, FILE, 99);
            now += 1;
        }
    }
    stream.leave(now);
    stream
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_by_owner_are_those_of_all_events(seed in 1u64.., owners in 1u64..200, steps in 1u64..600) {
        let stream = random_stream(seed, owners, steps);
        let found = accesses(&stream);
        let truth = count(&stream);
        let mut elsewhere: BTreeMap<(ThreadId, Direction), Totals> = BTreeMap::new();
        for (line, at) in by_line(&stream, &found) {
            let truth = truth.get(&line).unwrap();
            let mut scattered = Totals::default();
            for (key, totals) in &truth.owners {
                match at.owners.get(key) {
                    Some(found) => prop_assert_eq!(found, totals, "line {}: {:?}", line, key),
                    None => {
                        prop_assert!(key.0 != 0, "one's own data is always distinguished");
                        scattered.add(totals);
                        elsewhere.entry(*key).or_default().add(totals);
                    }
                }
            }
            let mut found = Totals::default();
            at.scattered.iter().for_each(|totals| found.add(totals));
            prop_assert_eq!(found, scattered, "line {}", line);
            prop_assert!(at.owners.len() <= MOST_OWNERS + 3);
            prop_assert!(at.owners.len() >= truth.owners.len().min(MOST_OWNERS));
        }
        prop_assert_eq!(found.elsewhere, elsewhere);
        let lines = found.paths.len();
        prop_assert_eq!(lines, truth.len());
    }

    /// Walks of known lengths on several lines, mixed at random, with barriers between.
    #[test]
    fn walks_are_found_as_they_were_made(
        seed in 1u64..,
        rounds in prop::collection::vec(prop::collection::vec((1u64..40, 0u32..4, 1u64..5), 1..5), 1..6),
    ) {
        let mut numbers = Numbers(seed);
        let mut walker = Walker::new();
        let mut truth: BTreeMap<u32, Runs> = BTreeMap::new();
        for walks in rounds {
            // (next, left, step, line, owner)
            let mut open: Vec<(u64, u64, u64, u32, u32)> = Vec::new();
            for (number, (length, owner, gap)) in walks.into_iter().enumerate() {
                let line = 10 + number as u32;
                // Far apart, so that no two walks touch.
                let start = (1 + numbers.below(1000)) << 24;
                let (owner, step) = (owner + 1, 8 * gap);
                open.push((start, length, step, line, owner));
                let runs = truth.entry(line).or_default();
                if length >= 4 {
                    let span = (length - 1) * step + 8;
                    let one = sums(1, length, 8 * length, span, length);
                    let one = match gap {
                        1 => Runs { adjacent: one, ..Runs::default() },
                        _ => Runs { strided: one, stride: Some(step), ..Runs::default() },
                    };
                    runs.add(&one);
                }
            }
            while !open.is_empty() {
                let chosen = numbers.below(open.len() as u64) as usize;
                let (next, left, step, line, owner) = &mut open[chosen];
                walker.access(GET, *line, *owner, *next, 8);
                *next += *step;
                *left -= 1;
                if *left == 0 {
                    open.remove(chosen);
                }
            }
            walker.barrier();
        }
        let found = accesses(&walker.stream);
        for (line, at) in by_line(&walker.stream, &found) {
            prop_assert_eq!(at.runs, truth[&line], "line {}", line);
        }
    }
}

/// The paths of a result, by the lines of their sites; all of them lie in one function, or in one
/// below it.
fn by_line<'a>(stream: &StreamBuilder, found: &'a ThreadAccesses) -> Vec<(u32, &'a PathAccesses)> {
    let result = find(vec![stream.source()], Stretch::default());
    let paths = result.matcher.paths();
    let line = |path: &PathId| paths.site(*path).map_or(0, |site| site.line);
    let mut all: Vec<_> = found
        .paths
        .iter()
        .map(|(path, at)| (line(path), at))
        .collect();
    all.sort_by_key(|(line, _)| *line);
    all
}
