//! Random programs whose accesses are known, those that nobody records too.

use crate::common::numbers::Numbers;
use SyncMode::{All, Mine, None as NoSync};
use pgas_trace::model::SyncMode;

/// Bytes of each access; addresses are multiples of it.
pub const SIZE: u64 = 8;
/// Place that collective operations read in each thread's data, and the one that they write in
/// thread 0's.
pub const SOURCE: u64 = 1;
pub const DESTINATION: u64 = 2;
/// Few places are often touched by several threads, many seldom.
const PLACES: [u64; 2] = [4, 16];
/// Places of programs in which threads mostly write unrelated data, once each, and all of it in
/// sight: data that is read without having been written, or written twice without having been read,
/// shows that there are unseen accesses.
const PLACES_APART: u64 = 30;

/// How an access is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    /// Through a pointer-to-shared.
    Shared,
    /// By upc_memget or upc_memput.
    Block,
    /// Through a pointer to private.
    Cast,
    /// In a function of an object without instrumentation.
    Uninstrumented,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Access {
    pub is_write: bool,
    pub owner: u32,
    pub place: u64,
    pub how: How,
}

/// Operation of all threads together. A line is one place in the source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Item {
    /// In a function of its own, if that has a number.
    Barrier { line: u32, function: Option<u32> },
    Collective {
        line: u32,
        entry: SyncMode,
        exit: SyncMode,
    },
}

#[derive(Debug, Clone)]
pub struct Program {
    pub threads: u32,
    pub items: Vec<Item>,
    /// Before each item and after the last one: by thread, what it accesses.
    pub gaps: Vec<Vec<Vec<Access>>>,
    /// Whether all threads come to the end together, as they do unless one ends the program for
    /// all.
    pub ends: bool,
}

impl Program {
    pub fn random(numbers: &mut Numbers) -> Self {
        let threads = 2 + numbers.below(2) as u32;
        // Kinds of accesses that the program has at all.
        let apart = numbers.chance(4);
        let casts = numbers.chance(3) && !apart;
        let uninstrumented = numbers.chance(4) && !apart;
        let blocks = numbers.chance(2);
        let remote = match apart {
            true => 1,
            false => numbers.of(&[2, 3, 6, 12]),
        };
        let places = match apart {
            true => PLACES_APART,
            false => numbers.of(&PLACES),
        };
        let dense = numbers.of(&[2, 3, 5]);
        let access = |numbers: &mut Numbers, me: u32| {
            let how = match numbers.below(4) {
                0 if casts => How::Cast,
                1 if uninstrumented => How::Uninstrumented,
                2 if blocks => How::Block,
                _ => How::Shared,
            };
            let owner = match numbers.chance(remote) {
                true => numbers.below(u64::from(threads)) as u32,
                false => me,
            };
            Access {
                is_write: match apart {
                    true => !numbers.chance(8),
                    false => numbers.chance(2),
                },
                owner,
                place: numbers.below(places),
                how,
            }
        };
        let length = 1 + numbers.index(6);
        let body: Vec<Item> = (0..length).map(|_| item(numbers)).collect();
        let rounds = match apart {
            true => 1,
            false => 1 + numbers.index(4),
        };
        let items: Vec<Item> = (0..rounds).flat_map(|_| body.iter().copied()).collect();
        // Rounds are mostly alike, as in a loop.
        let gap = |numbers: &mut Numbers| -> Vec<Vec<Access>> {
            let of = |me: u32, numbers: &mut Numbers| -> Vec<Access> {
                let count = if numbers.chance(dense) {
                    1 + numbers.below(2)
                } else {
                    0
                };
                (0..count).map(|_| access(numbers, me)).collect()
            };
            (0..threads).map(|me| of(me, numbers)).collect()
        };
        let of_body: Vec<_> = (0..length).map(|_| gap(numbers)).collect();
        let mut gaps: Vec<_> = (0..items.len())
            .map(|number| match numbers.chance(8) {
                true => gap(numbers),
                false => of_body[number % length].clone(),
            })
            .collect();
        gaps.push(gap(numbers));
        Program {
            threads,
            items,
            gaps,
            ends: numbers.chance(2),
        }
    }

    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.gaps.iter().flatten().flatten()
    }
}

fn item(numbers: &mut Numbers) -> Item {
    if numbers.chance(4) {
        let (entry, exit) = numbers.of(&[
            (All, All),
            (All, All),
            (All, Mine),
            (Mine, All),
            (Mine, Mine),
            (All, NoSync),
            (NoSync, All),
        ]);
        let mode = |mode: SyncMode| mode as u32;
        return Item::Collective {
            line: 50 + 3 * mode(entry) + mode(exit),
            entry,
            exit,
        };
    }
    match numbers.chance(6) {
        // Two callers of one line.
        true => Item::Barrier {
            line: 70,
            function: Some(numbers.below(2) as u32),
        },
        false => Item::Barrier {
            line: numbers.of(&[30, 31, 32, 40, 51, 55]),
            function: None,
        },
    }
}
