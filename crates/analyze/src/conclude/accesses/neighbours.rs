//! Neighbours in an array that is dealt out to the threads in turn: loops give each thread its own
//! elements, and it accesses those next to them, which are others'. In one block for each thread
//! nearly all of them are its own, and the loops follow. That an access goes to a neighbour is
//! known from the compiler (`upc_forall` by `&a[i]`, an access to `a[i + 1]`).

use std::collections::BTreeSet;

use pgas_result::accesses::ArrayLayout;
use pgas_trace::samples::SharedArray;

use crate::conclude::accesses::distribution::{
    AT_LEAST, Element, LEAST_BURSTS, NEARLY_ALL, element_bytes, interval, is_remote, named,
};
use crate::threads::one_sided::sampled::Sampled;

/// One block for each thread, if the accesses to others' elements are mostly to neighbours of own
/// ones.
pub(super) fn judge(
    sampled: &Sampled,
    array: &SharedArray,
    elements: &[Element],
    threads: u64,
) -> Option<ArrayLayout> {
    let remote: Vec<&Element> = elements.iter().filter(is_remote).collect();
    let bursts: BTreeSet<u32> = remote.iter().map(|e| e.access.burst).collect();
    let users: BTreeSet<u32> = remote.iter().map(|e| e.access.thread).collect();
    let size = element_bytes(array, elements);
    let count = array.elements.checked_mul(array.element_bytes)? / size;
    let is_cyclic = array.block.checked_mul(array.element_bytes)? == size;
    if !is_cyclic || bursts.len() < LEAST_BURSTS || users.len() < 2 {
        return None;
    }
    let better = count.div_ceil(threads).max(1);
    let local = |element: &&Element| {
        let distances = sampled.distances(element.access.place);
        let index = i128::from(element.offset / size);
        let fits = |distance: &&i64| {
            let own = (index - i128::from(**distance)).rem_euclid(i128::from(threads));
            own == i128::from(element.access.thread)
        };
        // At each end of a block, elements within this distance are others'.
        let farthest = distances
            .iter()
            .filter(fits)
            .map(|d| d.unsigned_abs())
            .max();
        farthest.map_or(0.0, |d| 1.0 - d.min(better) as f64 / better as f64)
    };
    let all: f64 = remote.iter().map(|e| e.access.weight).sum();
    let weights = remote.iter().map(|e| e.access.weight * local(e));
    let share = weights.sum::<f64>() / all;
    let (low, high) = interval(share, bursts.len() as f64);
    if share < NEARLY_ALL || low < AT_LEAST {
        return None;
    }
    Some(ArrayLayout {
        elements: count,
        element_bytes: size,
        block: 1,
        better_block: better,
        one_block_each: true,
        samples: remote.len() as u64,
        local_percent: 100.0 * share,
        low_percent: 100.0 * low,
        high_percent: 100.0 * high,
        loops_follow: true,
        ..named(array, elements)
    })
}
