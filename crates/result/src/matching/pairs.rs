//! A one-to-one assignment: nothing has two partners.

/// Partners between things that are numbered from 0 on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pairs {
    to_after: Vec<Option<usize>>,
    to_before: Vec<Option<usize>>,
}

impl Pairs {
    /// Nobody has a partner yet.
    pub fn new(before: usize, after: usize) -> Self {
        Pairs {
            to_after: vec![None; before],
            to_before: vec![None; after],
        }
    }

    /// Makes the two partners, unless one of them has one.
    pub fn join(&mut self, before: usize, after: usize) -> bool {
        let free = self.to_after[before].is_none() && self.to_before[after].is_none();
        if free {
            self.to_after[before] = Some(after);
            self.to_before[after] = Some(before);
        }
        free
    }

    pub fn after(&self, before: usize) -> Option<usize> {
        self.to_after[before]
    }

    pub fn before(&self, after: usize) -> Option<usize> {
        self.to_before[after]
    }

    /// Those of the earlier side without a partner.
    pub fn free_before(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.to_after.len()).filter(|&index| self.to_after[index].is_none())
    }

    /// Those of the later side without a partner.
    pub fn free_after(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.to_before.len()).filter(|&index| self.to_before[index].is_none())
    }

    /// All partners, in the order of the earlier side.
    pub fn joined(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let partners = self.to_after.iter().enumerate();
        partners.filter_map(|(before, after)| Some((before, (*after)?)))
    }
}

/// Regions and call paths of the later run that are those of the earlier one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Partners {
    pub regions: Pairs,
    pub call_paths: Pairs,
}
