//! Distribution that does not fit the use: an array's elements are dealt out to the threads in turn
//! while each thread works on a piece of it, or the other way round. Found from samples of
//! accesses: if another block size would give nearly all of the sampled elements to the threads
//! that access them, the array should have that one.

use std::collections::{BTreeMap, BTreeSet};

use pgas_earl::PathId;
use pgas_result::accesses::{ArrayLayout, DistributionPlace, ThreadShare};
use pgas_trace::model::ThreadId;
use pgas_trace::samples::SharedArray;

use super::Basis;
use crate::conclude::accesses::neighbours;
use crate::threads::one_sided::sampled::{Access, Place, Sampled};

/// Share of the samples that a better block size must make local, and the lower end of its
/// interval.
pub(super) const NEARLY_ALL: f64 = 0.9;
pub(super) const AT_LEAST: f64 = 0.75;
/// Share that a block for each thread may have less than the best size, and is still proposed: it
/// is the simplest.
const SIMPLER: f64 = 0.02;
/// Bursts of samples from which on an array is judged.
pub(super) const LEAST_BURSTS: usize = 12;
/// Time that an access to another thread's data takes at least, in seconds.
const SECONDS_OF_ACCESS: f64 = 1e-9;
/// Share of a thread's piece of an array from which on it is all that is used.
const WHOLE: f64 = 0.7;
/// Share of a call path's accesses that go to an array for which it is one of its places.
const LEAST_PART: f64 = 0.05;
/// Largest divisor that is looked for by trying.
const MOST_TRIED: u64 = 1 << 20;
/// Standard deviations of an interval of 95 %.
const DEVIATIONS: f64 = 1.96;

/// A sampled access to an array.
pub(super) struct Element {
    pub access: Access,
    /// Bytes from the beginning of the array, in the order of its indices.
    pub offset: u64,
}

pub(super) fn search(basis: &Basis) -> Vec<ArrayLayout> {
    let sampled = basis.sampled;
    let threads = basis.found.threads.len() as u64;
    let arrays = distinct(&sampled.arrays, threads);
    let mut elements: BTreeMap<usize, Vec<Element>> = BTreeMap::new();
    for access in &sampled.accesses {
        let found = arrays.iter().enumerate().find_map(|(number, array)| {
            let sample = &access.sample;
            Some((
                number,
                offset(array, threads, sample.partner, sample.address)?,
            ))
        });
        if let Some((number, offset)) = found {
            let of_array = elements.entry(number).or_default();
            of_array.push(Element {
                access: *access,
                offset,
            });
        }
    }
    let judged = elements.iter().filter_map(|(&number, elements)| {
        let array = arrays[number];
        let found = judge(array, elements, threads);
        let mut found = found.or_else(|| neighbours::judge(sampled, array, elements, threads))?;
        found.places = places(basis, sampled, elements, &found);
        let seconds = found.places.iter().map(|place| place.seconds).sum::<f64>();
        // Where there are no samples, the time of accesses that the program counts is not known, but
        // what it is at least.
        let accesses = found.places.iter().flat_map(|place| &place.threads);
        let accesses = accesses.map(|thread| thread.accesses as f64).sum::<f64>();
        let ticks = seconds.max(SECONDS_OF_ACCESS * accesses) / basis.times.per_tick;
        basis.is_notable(ticks).then_some(found)
    });
    judged.collect()
}

/// Whether threads use others' whole pieces of arrays at a call path, and not their boundaries.
pub(super) fn whole_pieces(basis: &Basis, path: PathId) -> bool {
    let threads = basis.found.threads.len() as u64;
    let arrays = distinct(&basis.sampled.arrays, threads);
    let Some(site) = basis.found.matcher.paths().site(path) else {
        return false;
    };
    let place = Place::of(site);
    let mut pieces: BTreeMap<(ThreadId, ThreadId, usize), Piece> = BTreeMap::new();
    for access in &basis.sampled.accesses {
        let sample = &access.sample;
        if basis.sampled.places[access.place] != place || sample.partner == access.thread {
            continue;
        }
        let is_in =
            |array: &&SharedArray| offset(array, threads, sample.partner, sample.address).is_some();
        let Some(number) = arrays.iter().position(is_in) else {
            return false;
        };
        let key = (access.thread, sample.partner, number);
        let piece = pieces.entry(key).or_insert(Piece {
            begin: u64::MAX,
            end: 0,
            samples: 0,
        });
        piece.begin = piece.begin.min(sample.address);
        piece.end = piece.end.max(sample.address.saturating_add(sample.bytes));
        piece.samples += 1;
    }
    let (mut all, mut whole) = (0, 0);
    for ((_, _, number), piece) in pieces {
        let bytes = local_bytes(arrays[number], threads) as f64;
        all += piece.samples;
        if (piece.end - piece.begin) as f64 >= WHOLE * bytes {
            whole += piece.samples;
        }
    }
    all > 0 && f64::from(whole) >= NEARLY_ALL * f64::from(all)
}

/// Range of addresses that one thread uses in another thread's part of an array.
struct Piece {
    begin: u64,
    end: u64,
    samples: u32,
}

/// Arrays whose memory belongs to no other one, as far as is known: memory that was freed may have
/// become another one.
fn distinct(arrays: &[SharedArray], threads: u64) -> Vec<&SharedArray> {
    let mut known: Vec<&SharedArray> = Vec::new();
    for array in arrays {
        if !known.contains(&array) {
            known.push(array);
        }
    }
    let range = |array: &SharedArray| {
        let bytes = local_bytes(array, threads);
        (array.address, array.address.saturating_add(bytes))
    };
    let overlap = |a: &SharedArray, b: &SharedArray| {
        let (a, b) = (range(a), range(b));
        a.0 < b.1 && b.0 < a.1
    };
    let alone = |array: &&SharedArray| {
        let mut others = known.iter().filter(|other| *other != array);
        !others.any(|other| overlap(array, other))
    };
    known.iter().copied().filter(alone).collect()
}

/// Bytes of the array on one thread, at most.
fn local_bytes(array: &SharedArray, threads: u64) -> u64 {
    let blocks = match array.block {
        0 => 1,
        block => array.elements.div_ceil(block).div_ceil(threads),
    };
    let block = if array.block == 0 {
        array.elements
    } else {
        array.block
    };
    blocks
        .saturating_mul(block)
        .saturating_mul(array.element_bytes)
}

/// Bytes from the beginning of the array to an address on a thread, in the order of the indices;
/// `None` if that is elsewhere.
fn offset(array: &SharedArray, threads: u64, owner: ThreadId, address: u64) -> Option<u64> {
    let local = address.checked_sub(array.address)?;
    if local >= local_bytes(array, threads) || u64::from(owner) >= threads {
        return None;
    }
    let block = array.block.checked_mul(array.element_bytes)?;
    if block == 0 {
        return (owner == 0).then_some(local);
    }
    let row = (local / block)
        .checked_mul(threads)?
        .checked_add(u64::from(owner))?;
    let offset = row.checked_mul(block)?.checked_add(local % block)?;
    (offset < array.elements.checked_mul(array.element_bytes)?).then_some(offset)
}

/// The better block size of an array, if there is one.
fn judge(array: &SharedArray, elements: &[Element], threads: u64) -> Option<ArrayLayout> {
    let bursts: BTreeSet<u32> = elements.iter().map(|e| e.access.burst).collect();
    let users: BTreeSet<ThreadId> = elements
        .iter()
        .filter(is_remote)
        .map(|e| e.access.thread)
        .collect();
    // Blocks on one thread were asked for.
    if bursts.len() < LEAST_BURSTS || users.len() < 2 || array.block == 0 {
        return None;
    }
    let size = element_bytes(array, elements);
    let count = array.elements.checked_mul(array.element_bytes)? / size;
    let block = array.block.checked_mul(array.element_bytes)? / size;
    let all: f64 = elements.iter().map(|e| e.access.weight).sum();
    let local = |block: u64| {
        let owner = |e: &Element| (e.offset / size / block) % threads;
        let local = elements
            .iter()
            .filter(|e| owner(e) == u64::from(e.access.thread));
        local.map(|e| e.access.weight).sum::<f64>() / all
    };
    let one_each = count.div_ceil(threads).max(1);
    let mut sizes = vec![one_each, 1];
    if block == 1 {
        // The default is no choice, so any other size may be meant: rows of a matrix, say.
        sizes.extend(divisors(count).filter(|&size| size < one_each));
    }
    let mut best: Option<(u64, f64)> = None;
    for better in sizes {
        let share = local(better);
        let than = best.map_or(0.0, |(_, share)| share + SIMPLER);
        if better != block && share > than {
            best = Some((better, share));
        }
    }
    let (better, share) = best?;
    let (low, high) = interval(share, bursts.len() as f64);
    if share < NEARLY_ALL || low < AT_LEAST || local(block) > share / 2.0 {
        return None;
    }
    Some(ArrayLayout {
        elements: count,
        element_bytes: size,
        block,
        better_block: better,
        one_block_each: better == one_each,
        local_percent: 100.0 * share,
        low_percent: 100.0 * low,
        high_percent: 100.0 * high,
        ..named(array, elements)
    })
}

/// Fields of the suggested layout that are the same for any better block size.
pub(super) fn named(array: &SharedArray, elements: &[Element]) -> ArrayLayout {
    ArrayLayout {
        name: array.name.clone(),
        file: array.file.clone(),
        line: array.line,
        samples: elements.len() as u64,
        own_recorded: elements.iter().any(|e| !is_remote(&e)),
        ..ArrayLayout::default()
    }
}

pub(super) fn is_remote(element: &&Element) -> bool {
    element.access.sample.partner != element.access.thread
}

/// The size of an element: of allocated memory, that of most accesses.
pub(super) fn element_bytes(array: &SharedArray, elements: &[Element]) -> u64 {
    if !array.name.is_empty() {
        return array.element_bytes;
    }
    let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
    for element in elements {
        *sizes.entry(element.access.sample.bytes.max(1)).or_default() += 1;
    }
    let block = array.block * array.element_bytes;
    let fitting = sizes.into_iter().filter(|(size, _)| block % size == 0);
    fitting
        .max_by_key(|&(_, count)| count)
        .map_or(1, |(size, _)| size)
}

fn divisors(number: u64) -> impl Iterator<Item = u64> {
    let small = (2..=MOST_TRIED).take_while(move |small| small.saturating_mul(*small) <= number);
    let small = small.filter(move |small| number % small == 0);
    small.flat_map(move |small| [small, number / small])
}

/// Wilson's interval of 95 % for a share of N independent observations.
pub(in crate::conclude) fn interval(share: f64, n: f64) -> (f64, f64) {
    let z2 = DEVIATIONS * DEVIATIONS;
    let centre = share + z2 / (2.0 * n);
    let half = DEVIATIONS * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let low = (centre - half) / (1.0 + z2 / n);
    let high = (centre + half) / (1.0 + z2 / n);
    (low.max(0.0), high.min(1.0))
}

/// Where the array is accessed: accesses and time of a call path are those of the samples' share.
fn places(
    basis: &Basis,
    sampled: &Sampled,
    elements: &[Element],
    array: &ArrayLayout,
) -> Vec<DistributionPlace> {
    let mut all: BTreeMap<usize, f64> = BTreeMap::new();
    let mut of_array: BTreeMap<usize, f64> = BTreeMap::new();
    let is_remote = |access: &Access| access.sample.partner != access.thread;
    for access in sampled.accesses.iter().filter(|a| is_remote(a)) {
        *all.entry(access.place).or_default() += access.weight;
    }
    for element in elements.iter().filter(|e| is_remote(&e.access)) {
        *of_array.entry(element.access.place).or_default() += element.access.weight;
    }
    let parts: BTreeMap<&Place, f64> = of_array
        .iter()
        .map(|(place, weight)| (&sampled.places[*place], weight / all[place]))
        .collect();
    let paths = basis.paths().into_iter();
    let places = paths.filter_map(|(path, _)| {
        let place = Place::of(basis.found.matcher.paths().site(path)?);
        // Loops that go by the array's elements become those of its new owners as a whole.
        let follows = array.loops_follow && sampled.follows(&place, &array.name);
        let part = match parts.get(&place).filter(|&&part| part >= LEAST_PART) {
            _ if follows => 1.0,
            part => *part?,
        };
        let threads: Vec<ThreadShare> = basis
            .at(path)
            .map(|(thread, at)| {
                let (all, remote) = (at.all(), at.remote(thread));
                let some = if follows { all } else { remote };
                let counted = basis.counted_seconds(path, thread);
                let counted = counted.filter(|_| some.accesses > 0);
                let recorded = basis.seconds(some.ticks as f64);
                ThreadShare {
                    thread,
                    accesses: (some.accesses as f64 * part).round() as u64,
                    seconds: part * counted.unwrap_or(recorded),
                }
            })
            .collect();
        Some(DistributionPlace {
            call_path: basis.place(path),
            percent: 100.0 * part,
            seconds: threads.iter().map(|thread| thread.seconds).sum(),
            threads,
        })
    });
    places.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_memory_are_indices() {
        let array = SharedArray {
            address: 64,
            element_bytes: 8,
            block: 2,
            elements: 13,
            name: "a".into(),
            ..SharedArray::default()
        };
        // a[0] a[1] on thread 0, a[2] a[3] on 1, a[4] a[5] on 2, a[6] on 0 again; a[12] is the
        // last.
        for (index, owner, at) in [(0, 0, 64), (3, 1, 72), (6, 0, 80), (11, 2, 88), (12, 0, 96)] {
            assert_eq!(offset(&array, 3, owner, at), Some(8 * index), "{index}");
        }
        for (owner, at) in [(0, 63), (0, 104), (1, 96), (3, 64), (0, 112)] {
            assert_eq!(offset(&array, 3, owner, at), None, "{owner} {at}");
        }
        assert_eq!(local_bytes(&array, 3), 48);
    }

    #[test]
    fn arrays_that_share_memory_are_not_known() {
        let array = |address, elements| SharedArray {
            address,
            element_bytes: 8,
            block: 1,
            elements,
            ..SharedArray::default()
        };
        let arrays = [array(64, 16), array(128, 16), array(64, 16), array(160, 4)];
        let distinct = distinct(&arrays, 2);
        assert_eq!(distinct, [&array(64, 16)]);
    }

    #[test]
    fn divisors_come_in_pairs() {
        let mut found: Vec<u64> = divisors(36).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, [2, 3, 4, 6, 9, 12, 18]);
        assert_eq!(divisors(13).count(), 0);
    }

    #[test]
    fn the_interval_is_wilsons() {
        let (low, high) = interval(0.9, 100.0);
        assert!(
            (low - 0.8256).abs() < 1e-3 && (high - 0.9448).abs() < 1e-3,
            "{low} {high}"
        );
        let (low, high) = interval(1.0, 12.0);
        assert!(
            (0.75..0.76).contains(&low) && (0.9999..=1.0).contains(&high),
            "{low}"
        );
    }
}
