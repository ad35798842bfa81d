//! Smaller call trees: without what is below some call paths, or with nothing but that.

use super::AlgebraError;
use crate::model::{CallPath, CallPathId, Cube, RegionId};
use crate::values::Tree;

/// Takes call paths away with all that is called from them; their values go to the call path above.
/// Totals stay the same.
///
/// # Errors
/// [`AlgebraError::NothingAbove`] for a root.
pub fn prune(cube: &Cube, call_paths: &[CallPathId]) -> Result<Cube, AlgebraError> {
    let mut pruned = vec![false; cube.call_paths.len()];
    for path in call_paths {
        if let Some(pruned) = pruned.get_mut(path.0) {
            *pruned = true;
        }
    }
    // Where the values of each call path go.
    let mut target: Vec<usize> = Vec::with_capacity(pruned.len());
    for (index, call_path) in cube.call_paths.iter().enumerate() {
        let above = call_path.parent.map(|parent| parent.0);
        // A parent that went away has handed its values on.
        let is_gone = pruned[index] || above.is_some_and(|parent| target[parent] != parent);
        match (is_gone, above) {
            (false, _) => target.push(index),
            (true, Some(parent)) => target.push(target[parent]),
            (true, None) => {
                let region = cube.regions.get(call_path.region.0);
                return Err(AlgebraError::NothingAbove {
                    region: region.map(|r| r.name.clone()).unwrap_or_default(),
                });
            }
        }
    }
    let kept: Vec<usize> = (0..target.len()).filter(|&p| target[p] == p).collect();
    let target: Vec<_> = target.into_iter().map(Some).collect();
    Ok(with_call_paths(cube, &kept, &target))
}

/// The call tree with these call paths as its roots, and what is called from them. A root that is
/// below another one stays where it is. Totals become those of the call paths.
///
/// # Errors
/// [`AlgebraError::NothingChosen`] if there is none.
pub fn reroot(cube: &Cube, roots: &[CallPathId]) -> Result<Cube, AlgebraError> {
    let tree = Tree::new(cube.call_paths.iter().map(|c| c.parent.map(|p| p.0)));
    let mut target = vec![None; tree.len()];
    for root in roots {
        for &path in tree.subtree(root.0) {
            target[path] = Some(path);
        }
    }
    let kept: Vec<usize> = target.iter().flatten().copied().collect();
    if kept.is_empty() {
        return Err(AlgebraError::NothingChosen);
    }
    Ok(with_call_paths(cube, &kept, &target))
}

/// The cube with the call paths of `kept`, which is sorted; the values of each call path go to its
/// `target`, if it has one. Regions without a call path are left out.
fn with_call_paths(cube: &Cube, kept: &[usize], target: &[Option<usize>]) -> Cube {
    let mut new_path = vec![None; target.len()];
    for (new, &old) in kept.iter().enumerate() {
        new_path[old] = Some(CallPathId(new));
    }
    let mut is_used = vec![false; cube.regions.len()];
    for &path in kept {
        is_used[cube.call_paths[path].region.0] = true;
    }
    let mut result = cube.without_values();
    result.regions.clear();
    let mut new_region = vec![RegionId(0); cube.regions.len()];
    for (index, region) in cube.regions.iter().enumerate() {
        if is_used[index] {
            new_region[index] = RegionId(result.regions.len());
            result.regions.push(region.clone());
        }
    }
    let call_path = |&path: &usize| {
        let call_path = &cube.call_paths[path];
        CallPath {
            region: new_region[call_path.region.0],
            parent: call_path.parent.and_then(|parent| new_path[parent.0]),
            ..call_path.clone()
        }
    };
    result.call_paths = kept.iter().map(call_path).collect();
    for (metric, path, values) in cube.rows() {
        let target = target.get(path.0).copied().flatten();
        let Some(path) = target.and_then(|target| new_path[target]) else {
            continue;
        };
        let aggregation = cube.aggregation(metric);
        for (sum, value) in result.row_mut(metric, path).iter_mut().zip(values) {
            *sum = aggregation.combine(*sum, *value);
        }
    }
    result.drop_zero_rows();
    result
}
