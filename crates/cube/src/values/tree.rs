//! Roots, children and subtrees of a tree of which each entry names its parent.

/// A forest over the indices `0..len()`. Entries below one another are in depth-first order, so
/// that a subtree is one slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    parents: Vec<Option<usize>>,
    roots: Vec<usize>,
    /// Children of all entries, one entry's together.
    children: Vec<usize>,
    /// Where an entry's children begin in `children`; one more than there are entries.
    first: Vec<usize>,
    /// Depth first, a parent before its children.
    order: Vec<usize>,
    /// Where each entry stands in `order`.
    position: Vec<usize>,
    /// Entries in each subtree, the entry itself included.
    size: Vec<usize>,
    depth: Vec<usize>,
}

impl Tree {
    /// A parent must have a smaller index than its children; one that has not counts as none.
    pub fn new(parents: impl IntoIterator<Item = Option<usize>>) -> Self {
        let parents: Vec<_> = parents
            .into_iter()
            .enumerate()
            .map(|(entry, parent)| parent.filter(|&p| p < entry))
            .collect();
        let count = parents.len();
        let mut first = vec![0; count + 1];
        for parent in parents.iter().flatten() {
            first[parent + 1] += 1;
        }
        for entry in 0..count {
            first[entry + 1] += first[entry];
        }
        let mut next = first.clone();
        let mut children = vec![0; first[count]];
        let mut roots = Vec::new();
        let mut depth = vec![0; count];
        for (entry, parent) in parents.iter().enumerate() {
            match *parent {
                None => roots.push(entry),
                Some(parent) => {
                    children[next[parent]] = entry;
                    next[parent] += 1;
                    depth[entry] = depth[parent] + 1;
                }
            }
        }
        let mut size = vec![1; count];
        for (entry, parent) in parents.iter().enumerate().rev() {
            if let Some(parent) = *parent {
                size[parent] += size[entry];
            }
        }
        let mut order = Vec::with_capacity(count);
        let mut position = vec![0; count];
        let mut open: Vec<usize> = roots.iter().rev().copied().collect();
        while let Some(entry) = open.pop() {
            position[entry] = order.len();
            order.push(entry);
            open.extend(children[first[entry]..first[entry + 1]].iter().rev());
        }
        Tree {
            parents,
            roots,
            children,
            first,
            order,
            position,
            size,
            depth,
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether the tree has no entries.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// In the order of their indices.
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// In the order of their indices; none for an entry that does not exist.
    pub fn children(&self, entry: usize) -> &[usize] {
        match entry < self.len() {
            true => &self.children[self.first[entry]..self.first[entry + 1]],
            false => &[],
        }
    }

    /// The entry above; `None` for a root and for an entry that does not exist.
    pub fn parent(&self, entry: usize) -> Option<usize> {
        self.parents.get(entry).copied().flatten()
    }

    /// 0 for a root.
    pub fn depth(&self, entry: usize) -> usize {
        self.depth.get(entry).copied().unwrap_or(0)
    }

    /// All entries, depth first, a parent before its children.
    pub fn depth_first(&self) -> &[usize] {
        &self.order
    }

    /// Place of `entry` in [`Tree::depth_first`].
    pub fn position(&self, entry: usize) -> Option<usize> {
        self.position.get(entry).copied()
    }

    /// `entry` and all below it, depth first; nothing for an entry that does not exist.
    pub fn subtree(&self, entry: usize) -> &[usize] {
        match entry < self.len() {
            true => &self.order[self.position[entry]..][..self.size[entry]],
            false => &[],
        }
    }

    /// From the root to `entry`, both included.
    pub fn path(&self, entry: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut next = Some(entry).filter(|&e| e < self.len());
        while let Some(entry) = next {
            path.push(entry);
            next = self.parents[entry];
        }
        path.reverse();
        path
    }

    /// Makes exclusive values inclusive: each becomes the sum over its subtree.
    pub fn add_up(&self, values: &mut [f64]) {
        self.fold_up(values, |a, b| a + b);
    }

    /// The same with another operation than a sum.
    pub fn fold_up(&self, values: &mut [f64], combine: impl Fn(f64, f64) -> f64) {
        for entry in (0..self.len().min(values.len())).rev() {
            if let Some(parent) = self.parents[entry] {
                values[parent] = combine(values[parent], values[entry]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_subtrees() {
        let tree = Tree::new([None, Some(0), None, Some(0), Some(1)]);
        assert_eq!(tree.roots(), [0, 2]);
        assert_eq!(tree.children(0), [1, 3]);
        assert_eq!(tree.depth_first(), [0, 1, 4, 3, 2]);
        assert_eq!(tree.subtree(1), [1, 4]);
        assert_eq!(tree.subtree(0), [0, 1, 4, 3]);
        assert_eq!(tree.path(4), [0, 1, 4]);
        assert_eq!((tree.depth(4), tree.position(4)), (2, Some(2)));
        let mut values = [1.0, 2.0, 4.0, 8.0, 16.0];
        tree.add_up(&mut values);
        assert_eq!(values, [27.0, 18.0, 4.0, 8.0, 16.0]);
    }

    #[test]
    fn what_is_not_there_is_empty() {
        let tree = Tree::new([Some(0), Some(7)]);
        assert_eq!(tree.roots(), [0, 1]);
        assert_eq!(tree.children(9), [0usize; 0]);
        assert_eq!(tree.subtree(9), [0usize; 0]);
        assert_eq!(tree.path(9), [0usize; 0]);
        assert!(Tree::new([]).is_empty());
    }

    #[test]
    fn a_chain_may_be_long() {
        let count = 200_000;
        let tree = Tree::new((0..count).map(|i: usize| i.checked_sub(1)));
        assert_eq!(tree.subtree(0).len(), count);
        assert_eq!(tree.depth(count - 1), count - 1);
    }
}
