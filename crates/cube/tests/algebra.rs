//! The algebra on results: small cases by hand, and its laws on any cube.

mod common;

use std::collections::BTreeMap;

use pgas_cube::algebra::{AlgebraError, diff, integrate, mean, merge, prune, reroot};
use pgas_cube::cube3::to_string;
use pgas_cube::cubex::{CubexOptions, to_bytes};
use pgas_cube::model::{Aggregation, CallPath, CallPathId, Cube, MetricId, RegionId, Unit};
use pgas_cube::values::{Calls, Extent, SystemTree, Values};
use proptest::prelude::*;

const TIME: MetricId = MetricId(0);
const MAIN: CallPathId = CallPathId(0);
const BARRIER: CallPathId = CallPathId(1);

/// Another run of the small program: a function more, main in another place, a thread more, another
/// counter.
fn other() -> Cube {
    let mut cube = common::small();
    cube.attributes.insert("started".into(), "later".into());
    cube.regions.swap(0, 1);
    for call_path in &mut cube.call_paths {
        call_path.region = RegionId(1 - call_path.region.0);
    }
    cube.call_paths.push(CallPath {
        region: RegionId(0),
        parent: Some(MAIN),
        file: "is.c".into(),
        line: 20,
    });
    cube.metrics[4].unique_name = "cycles".into();
    cube.row_mut(TIME, CallPathId(2))
        .copy_from_slice(&[4.0, 8.0]);
    cube
}

#[test]
fn the_same_is_there_once_and_what_is_new_comes_behind() {
    let (a, b) = (common::small(), other());
    let integrated = integrate(&[&a, &b]).unwrap();
    let trees = &integrated.trees;
    let names: Vec<_> = trees
        .metrics
        .iter()
        .map(|m| m.unique_name.as_str())
        .collect();
    assert_eq!(
        names[..5],
        ["time", "computation", "pgas", "wait_at_barrier", "visits"]
    );
    assert_eq!(names[5..], ["cycles"]);
    assert_eq!(trees.regions, a.regions);
    assert_eq!(trees.call_paths.len(), 3);
    assert_eq!(trees.call_paths[2].line, 20);
    assert_eq!(trees.call_paths[2].region, RegionId(1));
    assert_eq!(integrated.mappings[1].metrics[4], MetricId(5));
    assert_eq!(integrated.mappings[1].regions, [RegionId(1), RegionId(0)]);
    // Only what both say.
    assert_eq!(trees.attributes, a.attributes);
}

#[test]
fn differences_means_and_merged_metrics_by_hand() {
    let (a, b) = (common::small(), other());
    let difference = diff(&a, &b).unwrap();
    assert_eq!(difference.row(TIME, MAIN), None);
    assert_eq!(difference.row(TIME, CallPathId(2)), Some(&[-4.0, -8.0][..]));
    assert_eq!(
        difference.row(MetricId(5), BARRIER),
        Some(&[-8.0, -8.0][..])
    );

    let both = mean(&[&a, &b]).unwrap();
    assert_eq!(both.row(TIME, MAIN), Some(&[1.5, 1.0][..]));
    assert_eq!(both.row(TIME, CallPathId(2)), Some(&[2.0, 4.0][..]));
    assert_eq!(both.row(MetricId(4), BARRIER), Some(&[4.0, 4.0][..]));

    let merged = merge(&[&a, &b]).unwrap();
    assert_eq!(merged.row(TIME, CallPathId(2)), None, "time is the first's");
    assert_eq!(merged.row(MetricId(5), BARRIER), Some(&[8.0, 8.0][..]));
}

#[test]
fn threads_that_a_run_does_not_have_count_as_zero() {
    let small = common::small();
    let mut wide = Cube::default();
    wide.metrics = small.metrics.clone();
    wide.regions = small.regions.clone();
    wide.call_paths = small.call_paths.clone();
    wide.nodes = vec!["node-2".into(), "node-1".into()];
    wide.threads = vec![small.threads[0].clone(); 3];
    wide.threads[2].process = 7;
    wide.row_mut(TIME, MAIN).copy_from_slice(&[1.0, 1.0, 9.0]);
    let difference = diff(&wide, &small).unwrap();
    assert_eq!(difference.row(TIME, MAIN), Some(&[-0.5, 0.0, 9.0][..]));
    let difference = diff(&small, &wide).unwrap();
    assert_eq!(difference.row(TIME, MAIN), Some(&[0.5, 0.0, -9.0][..]));
    assert_eq!(difference.nodes, ["node-1", "node-2"]);
    assert_eq!(
        (difference.threads[2].node, difference.threads[2].process),
        (1, 7)
    );
}

#[test]
fn metrics_that_only_share_a_name_are_refused() {
    let a = common::small();
    let mut b = common::small();
    b.metrics[0].unit = Unit::Bytes;
    let error = diff(&a, &b).unwrap_err().to_string();
    assert!(
        error.contains("\"time\" is seconds in one") && error.contains("bytes"),
        "{error}"
    );
    b = common::small();
    b.aggregations.insert(TIME, Aggregation::Maximum);
    let error = mean(&[&a, &b]).unwrap_err().to_string();
    assert!(error.contains("a maximum of seconds"), "{error}");
    assert_eq!(mean(&[]), Err(AlgebraError::NoOperand));
}

#[test]
fn cutting_by_hand() {
    let cube = common::small();
    let pruned = prune(&cube, &[BARRIER]).unwrap();
    assert_eq!(pruned.call_paths.len(), 1);
    assert_eq!(pruned.regions.len(), 1);
    assert_eq!(pruned.row(TIME, MAIN), Some(&[1.5 + 0.1, 1.0 + 0.6][..]));
    assert_eq!(pruned.row(MetricId(3), MAIN), Some(&[0.0, 0.5][..]));

    let barrier = reroot(&cube, &[BARRIER]).unwrap();
    assert_eq!(barrier.call_paths.len(), 1);
    assert_eq!(barrier.regions[0].name, "upc_barrier");
    assert_eq!(barrier.call_paths[0].parent, None);
    assert_eq!(barrier.row(TIME, MAIN), Some(&[0.1, 0.6][..]));

    let error = prune(&cube, &[MAIN]).unwrap_err();
    assert!(error.to_string().contains("\"main\" is a root"), "{error}");
    assert_eq!(reroot(&cube, &[]), Err(AlgebraError::NothingChosen));
    assert_eq!(
        reroot(&cube, &[CallPathId(9)]),
        Err(AlgebraError::NothingChosen)
    );
}

/// Any cube, with small integers for values, so that sums are exact in any order, and with names
/// that are their own.
fn exact() -> impl Strategy<Value = Cube> {
    common::cube().prop_map(|cube| {
        let mut exact = common::as_files_have(&cube);
        for (index, metric) in exact.metrics.iter_mut().enumerate() {
            metric.unique_name = format!("metric {index}");
            metric.unit = Unit::Occurrences;
        }
        for (number, (metric, path, _)) in common::as_files_have(&cube).rows().enumerate() {
            for (thread, value) in exact.row_mut(metric, path).iter_mut().enumerate() {
                *value = ((number * 31 + thread * 7) % 64) as f64 + 1.0;
            }
        }
        exact
    })
}

/// Values by names, so that cubes whose trees are in another order can be compared.
fn by_name(cube: &Cube) -> BTreeMap<(String, Vec<String>, usize), u64> {
    let mut values = BTreeMap::new();
    let mut seen = BTreeMap::new();
    let paths: Vec<Vec<String>> = (0..cube.call_paths.len())
        .map(|mut index| {
            let mut path = Vec::new();
            loop {
                let CallPath {
                    region,
                    parent,
                    file,
                    line,
                } = &cube.call_paths[index];
                let region = &cube.regions[region.0];
                path.push(format!(
                    "{:?} {:?} {file:?} {line}",
                    region.name, region.module
                ));
                match parent {
                    Some(parent) => index = parent.0,
                    None => break,
                }
            }
            let count = seen.entry(path.clone()).or_insert(0);
            *count += 1;
            path.push(count.to_string());
            path
        })
        .collect();
    for (metric, path, row) in cube.rows() {
        for (thread, value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            let name = cube.metrics[metric.0].unique_name.clone();
            values.insert((name, paths[path.0].clone(), thread), value.to_bits());
        }
    }
    values
}

/// Whether equal siblings, whose order decides who is whose partner, would make a comparison by
/// name fail.
fn has_twins(cube: &Cube) -> bool {
    let mut regions: Vec<_> = cube.regions.iter().map(|r| (&r.name, &r.module)).collect();
    let mut paths: Vec<_> = cube
        .call_paths
        .iter()
        .map(|c| (c.parent, c.region, &c.file, c.line))
        .collect();
    regions.sort();
    paths.sort_by_key(|(p, r, f, l)| (p.map(|p| p.0), r.0, f.to_string(), *l));
    regions.windows(2).any(|w| w[0] == w[1]) || paths.windows(2).any(|w| w[0] == w[1])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..common::config() })]

    #[test]
    fn a_result_does_not_differ_from_itself(cube in common::cube()) {
        let difference = diff(&cube, &cube).unwrap();
        prop_assert_eq!(difference.rows().count(), 0);
        prop_assert_eq!(&difference.call_paths, &cube.call_paths);
    }

    #[test]
    fn the_mean_of_one_is_itself(cube in common::cube()) {
        let expected = common::as_files_have(&cube);
        prop_assert_eq!(mean(&[&expected]).unwrap(), expected);
    }

    #[test]
    fn merging_with_itself_changes_nothing(cube in common::cube()) {
        let expected = common::as_files_have(&cube);
        prop_assert_eq!(merge(&[&expected, &expected]).unwrap(), expected);
    }

    #[test]
    fn the_mean_of_equals_is_each(cube in exact(), count in 1usize..5) {
        prop_assert_eq!(mean(&vec![&cube; count]).unwrap(), cube);
    }

    #[test]
    fn order_decides_no_value_of_a_mean(a in common::cube(), b in common::cube(), c in common::cube()) {
        let mut cubes = [a, b, c];
        for cube in &mut cubes {
            for (index, metric) in cube.metrics.iter_mut().enumerate() {
                metric.unique_name = format!("metric {index}");
                metric.unit = Unit::Seconds;
            }
        }
        prop_assume!(!cubes.iter().any(has_twins));
        let [a, b, c] = &cubes;
        let first = by_name(&mean(&[a, b, c]).unwrap());
        for order in [[b, a, c], [c, b, a], [b, c, a]] {
            prop_assert_eq!(&by_name(&mean(&order).unwrap()), &first);
        }
    }

    #[test]
    fn merging_other_metrics_in_any_order_gives_the_same(a in exact(), b in exact()) {
        let mut b = b;
        for metric in &mut b.metrics {
            metric.unique_name.push('b');
        }
        prop_assume!(!has_twins(&a) && !has_twins(&b));
        let (ab, ba) = (merge(&[&a, &b]).unwrap(), merge(&[&b, &a]).unwrap());
        prop_assert_eq!(by_name(&ab), by_name(&ba));
        // Merging what is in there already changes nothing.
        prop_assert_eq!(merge(&[&ab, &b]).unwrap(), ab);
    }

    #[test]
    fn what_is_taken_away_can_be_added_again(a in exact(), b in exact()) {
        let difference = diff(&a, &b).unwrap();
        for (index, metric) in difference.metrics.iter().enumerate() {
            let total = |cube: &Cube| cube.metric(&metric.unique_name).map_or(0.0, |m| cube.total(m));
            prop_assert_eq!(difference.total(MetricId(index)), total(&a) - total(&b));
        }
        let negative = diff(&b, &a).unwrap();
        let sums = mean(&[&difference, &negative]).unwrap();
        prop_assert!(has_twins(&a) || has_twins(&b) || sums.rows().count() == 0);
    }

    #[test]
    fn pruning_keeps_totals(cube in exact(), picks in prop::collection::vec(any::<prop::sample::Index>(), 1..4)) {
        let below: Vec<_> = (0..cube.call_paths.len())
            .filter(|&path| cube.call_paths[path].parent.is_some())
            .collect();
        prop_assume!(!below.is_empty());
        let chosen: Vec<_> = picks.iter().map(|p| CallPathId(below[p.index(below.len())])).collect();
        let pruned = prune(&cube, &chosen).unwrap();
        prop_assert!(pruned.call_paths.len() < cube.call_paths.len());
        for metric in (0..cube.metrics.len()).map(MetricId) {
            prop_assert_eq!(pruned.per_thread(metric), cube.per_thread(metric));
        }
        to_string(&pruned).unwrap();
    }

    #[test]
    fn a_new_root_has_the_totals_of_its_subtree(cube in exact(), pick in any::<prop::sample::Index>()) {
        let root = CallPathId(pick.index(cube.call_paths.len()));
        let cut = reroot(&cube, &[root]).unwrap();
        let values = Values::new(&cube);
        for metric in (0..cube.metrics.len()).map(MetricId) {
            let expected = values.value(metric, Extent::Inclusive, Calls::Inclusive(root), SystemTree::ROOT);
            prop_assert_eq!(cut.total(metric), expected);
        }
        prop_assert_eq!(cut.call_paths.iter().filter(|c| c.parent.is_none()).count(), 1);
    }

    /// The algebra is closed over both formats.
    #[test]
    fn every_result_can_be_written(a in exact(), b in exact()) {
        for result in [diff(&a, &b), mean(&[&a, &b]), merge(&[&a, &b])] {
            let result = result.unwrap();
            pgas_cube::cube3::check(to_string(&result).unwrap().as_bytes()).unwrap();
            to_bytes(&result, &CubexOptions::default()).unwrap();
        }
    }
}
