//! Position of a call path's row in the files of a metric: not its id, but its place in an
//! enumeration of the call tree that depends on the metric.

use crate::values::Tree;

/// Call paths in the order of their positions.
pub(super) fn order(tree: &Tree, inclusive: bool) -> Vec<usize> {
    if !inclusive {
        return tree.depth_first().to_vec();
    }
    // The children of a call path are numbered together, then what is below each of them.
    let mut order = Vec::with_capacity(tree.len());
    for &root in tree.roots() {
        order.push(root);
        for &call_path in tree.subtree(root) {
            order.extend(tree.children(call_path));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_enumerations() {
        // 0 has 1 and 2; 1 has 3 and 4; 2 has 5; 6 is a second root.
        let parents = [None, Some(0), Some(0), Some(1), Some(1), Some(2), None];
        let tree = Tree::new(parents);
        assert_eq!(order(&tree, false), [0, 1, 3, 4, 2, 5, 6]);
        assert_eq!(order(&tree, true), [0, 1, 2, 3, 4, 5, 6]);
        // 0 has 1 and 4; 1 has 2; 2 has 3; 4 has 5.
        let tree = Tree::new([None, Some(0), Some(1), Some(2), Some(0), Some(4)]);
        assert_eq!(order(&tree, true), [0, 1, 4, 2, 3, 5]);
    }
}
