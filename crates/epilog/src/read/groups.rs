//! Groups of processes, which communicators are made of.

use rustc_hash::{FxHashMap, FxHashSet};

/// The members of a communicator, as process ranks.
#[derive(Debug)]
pub enum Group {
    Bits(Vec<u8>),
    Listed(Vec<u32>),
    Everyone,
    /// As the group of this number.
    Of(u32),
    /// This many.
    Size(u32),
}

/// Whether all `processes` belong to a group.
pub fn has_all(group: &Group, groups: &FxHashMap<u32, Group>, processes: &FxHashSet<u32>) -> bool {
    match group {
        Group::Everyone => true,
        Group::Size(size) => *size as usize == processes.len(),
        Group::Of(number) => match groups.get(number) {
            // A group is none of another one.
            None | Some(Group::Of(_)) => false,
            Some(group) => has_all(group, groups, processes),
        },
        Group::Listed(listed) => {
            let listed: FxHashSet<u32> = listed.iter().copied().collect();
            processes.is_subset(&listed)
        }
        Group::Bits(bits) => processes.iter().all(|process| {
            let byte = bits.get(*process as usize / 8).copied();
            byte.unwrap_or(0) & (1 << (process % 8)) != 0
        }),
    }
}
