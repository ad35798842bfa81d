//! Indices of entries from the ids that a file gives them.

use std::collections::HashMap;

use super::unfit::{Unfit, unfit};

/// The order in which entries get their indices: that of their ids if a parent's is always smaller
/// than its children's, else that of the file, in which a parent always comes first.
pub(super) fn final_order(
    ids: &[usize],
    parents: &[Option<usize>],
    what: &str,
) -> Result<Vec<usize>, Unfit> {
    let in_file: Vec<usize> = (0..ids.len()).collect();
    let mut by_id = in_file.clone();
    by_id.sort_by_key(|&entry| ids[entry]);
    if let Some(pair) = by_id.windows(2).find(|p| ids[p[0]] == ids[p[1]]) {
        let id = ids[pair[0]];
        return unfit(format!("{what} {id} twice"), "ids that are unique");
    }
    let child_first = parents
        .iter()
        .zip(ids)
        .any(|(parent, id)| parent.is_some_and(|p| ids[p] > *id));
    Ok(if child_first { in_file } else { by_id })
}

/// From ids in the file to indices.
pub(super) fn numbers<I>(
    ids: &[usize],
    order: &[usize],
    make: fn(usize) -> I,
) -> HashMap<usize, I> {
    order
        .iter()
        .enumerate()
        .map(|(index, &entry)| (ids[entry], make(index)))
        .collect()
}

/// The index of each entry of the file.
pub(super) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    for (index, &entry) in order.iter().enumerate() {
        inverse[entry] = index;
    }
    inverse
}

/// Takes the entries in their order.
pub(super) fn reordered<T>(entries: &mut Vec<T>, order: &[usize]) -> Vec<T> {
    let mut taken: Vec<Option<T>> = entries.drain(..).map(Some).collect();
    order
        .iter()
        .filter_map(|&entry| taken[entry].take())
        .collect()
}
