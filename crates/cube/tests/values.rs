//! Values over the three trees, worked out by hand on a small program and, for any cube, from the
//! definition.

mod common;

use Extent::{Exclusive, Inclusive};
use pgas_cube::model::{Aggregation, CallPath, CallPathId, Cube, MetricId, RegionId, Thread};
use pgas_cube::values::{Calls, Extent, SystemId, SystemKind, SystemTree, Values};
use proptest::prelude::*;

const TIME: MetricId = MetricId(0);
const PGAS: MetricId = MetricId(2);
const MAIN: CallPathId = CallPathId(0);

#[test]
fn metrics_and_call_paths_of_the_small_program() {
    let cube = common::small();
    let values = Values::new(&cube);
    let value = |m, extent, calls| values.value(m, extent, calls, SystemTree::ROOT);
    // main: 1.5 + 1.0; the barrier below it: 0.1 + 0.6, of which 0.5 is waiting.
    assert_eq!(value(TIME, Inclusive, Calls::All), 2.5 + (0.1 + 0.6));
    assert_eq!(value(TIME, Inclusive, Calls::Exclusive(MAIN)), 2.5);
    assert_eq!(
        value(TIME, Inclusive, Calls::Inclusive(MAIN)),
        2.5 + (0.1 + 0.6)
    );
    assert_eq!(value(TIME, Exclusive, Calls::All), 0.0);
    assert_eq!(value(PGAS, Inclusive, Calls::All), 0.1 + 0.6);
    assert_eq!(value(PGAS, Exclusive, Calls::All), 0.1 + 0.6 - 0.5);
    assert_eq!(
        values.per_thread(TIME, Inclusive, Calls::Inclusive(MAIN)),
        [1.6, 1.6]
    );
    assert_eq!(
        values.per_thread(PGAS, Exclusive, Calls::Inclusive(MAIN)),
        [0.1, 0.6 - 0.5]
    );
    assert_eq!(values.metrics().roots(), [0, 4]);
    assert_eq!(values.call_paths().children(0), [1]);
}

#[test]
fn the_system_is_a_tree_in_order_of_nodes_processes_and_threads() {
    let mut cube = common::small();
    cube.nodes = vec!["a".into(), "idle".into(), "b".into()];
    let thread = |number: u32, node, process| Thread {
        name: format!("thread {number}"),
        node,
        process,
    };
    cube.threads = vec![thread(0, 2, 1), thread(1, 0, 0), thread(2, 2, 1)];
    let cube = in_main(&cube);
    let values = Values::new(&cube);
    let system = values.system();
    let names: Vec<_> = system.nodes().iter().map(|n| n.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "cluster",
            "a",
            "Process 0",
            "thread 1",
            "b",
            "Process 1",
            "thread 0",
            "thread 2"
        ]
    );
    assert_eq!(system.tree().children(0), [1, 4]);
    assert_eq!(system.nodes()[4].kind, SystemKind::Node(2));
    assert_eq!(system.threads(SystemId(4)), [0, 2]);
    assert_eq!(system.of_thread(1), Some(SystemId(3)));
    let by_node = values.per_system_node(TIME, Inclusive, Calls::Exclusive(MAIN));
    assert_eq!(by_node.inclusive, [6.0, 2.0, 2.0, 2.0, 4.0, 4.0, 1.0, 3.0]);
    assert_eq!(by_node.exclusive, [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 3.0]);
    let on_b = values.value(TIME, Inclusive, Calls::All, SystemId(4));
    assert_eq!(on_b, 4.0);
}

/// The same trees; thread `t` is `t + 1` seconds in main.
fn in_main(cube: &Cube) -> Cube {
    let mut fresh = Cube::default();
    fresh.metrics = cube.metrics.clone();
    fresh.regions = cube.regions.clone();
    fresh.call_paths = cube.call_paths.clone();
    fresh.machine = cube.machine.clone();
    fresh.nodes = cube.nodes.clone();
    fresh.threads = cube.threads.clone();
    for (index, value) in fresh.row_mut(TIME, MAIN).iter_mut().enumerate() {
        *value = index as f64 + 1.0;
    }
    fresh
}

#[test]
fn what_does_not_exist_is_zero() {
    let cube = common::small();
    let values = Values::new(&cube);
    let nowhere = Calls::Inclusive(CallPathId(99));
    for (metric, calls, system) in [
        (MetricId(99), Calls::All, SystemTree::ROOT),
        (TIME, nowhere, SystemTree::ROOT),
        (TIME, Calls::Exclusive(CallPathId(99)), SystemTree::ROOT),
        (TIME, nowhere, SystemId(1)),
        (TIME, Calls::All, SystemId(99)),
    ] {
        assert_eq!(values.value(metric, Exclusive, calls, system), 0.0);
    }
    let empty = Cube::default();
    let values = Values::new(&empty);
    assert_eq!(
        values.value(TIME, Inclusive, Calls::All, SystemTree::ROOT),
        0.0
    );
    assert_eq!(values.per_thread(TIME, Inclusive, Calls::All), [0.0; 0]);
}

#[test]
fn minima_are_compared_and_not_added() {
    let mut cube = common::small();
    cube.aggregations.insert(PGAS, Aggregation::Minimum);
    let row = cube.row_mut(PGAS, MAIN);
    row.copy_from_slice(&[0.0, 0.25]);
    let values = Values::new(&cube);
    let value = |m, extent, calls| values.value(m, extent, calls, SystemTree::ROOT);
    // 0 is no value; nothing is taken out, neither of the minimum nor of the sum above it.
    assert_eq!(value(PGAS, Inclusive, Calls::All), 0.1);
    assert_eq!(value(PGAS, Exclusive, Calls::All), 0.1);
    assert_eq!(value(PGAS, Inclusive, Calls::Exclusive(MAIN)), 0.25);
    assert_eq!(
        value(TIME, Exclusive, Calls::All),
        value(TIME, Inclusive, Calls::All) - 2.5
    );
    assert_eq!(values.per_thread(PGAS, Inclusive, Calls::All), [0.1, 0.25]);
    assert_eq!(cube.total(PGAS), 0.1);
}

/// The formulas of the module, as slow as they are plain.
fn by_definition(
    cube: &Cube,
    metric: usize,
    extent: Extent,
    calls: Calls,
    threads: &[usize],
) -> f64 {
    let is_below = |mut path: usize, top: usize| loop {
        if path == top {
            return true;
        }
        match cube.call_paths[path].parent {
            Some(parent) => path = parent.0,
            None => return false,
        }
    };
    let mut sum = 0.0;
    for path in 0..cube.call_paths.len() {
        let selected = match calls {
            Calls::All => true,
            Calls::Inclusive(top) => is_below(path, top.0),
            Calls::Exclusive(only) => path == only.0,
        };
        for &thread in threads.iter().filter(|_| selected) {
            let at = |m| {
                cube.row(MetricId(m), CallPathId(path))
                    .map_or(0.0, |row| row[thread])
            };
            sum += at(metric);
            for (child, other) in cube.metrics.iter().enumerate() {
                if extent == Exclusive && other.parent == Some(MetricId(metric)) {
                    sum -= at(child);
                }
            }
        }
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_value_is_what_its_formula_says(cube in common::cube()) {
        // Small integers, so that sums are exact in any order.
        let mut exact = cube.clone();
        for (number, (metric, path, values)) in cube.rows().enumerate() {
            for (thread, value) in exact.row_mut(metric, path).iter_mut().enumerate() {
                *value = ((number * 31 + thread * 7 + values.len()) % 1000) as f64;
            }
        }
        let values = Values::new(&exact);
        let systems = values.system().nodes().len();
        for metric in 0..exact.metrics.len() {
            for extent in [Inclusive, Exclusive] {
                for path in 0..=exact.call_paths.len() {
                    let mut choices = vec![Calls::All];
                    if path < exact.call_paths.len() {
                        choices = vec![Calls::Inclusive(CallPathId(path)), Calls::Exclusive(CallPathId(path))];
                    }
                    for calls in choices {
                        let id = MetricId(metric);
                        let by_system = values.per_system_node(id, extent, calls);
                        for system in (0..systems).map(SystemId) {
                            let threads = values.system().threads(system);
                            let expected = by_definition(&exact, metric, extent, calls, threads);
                            prop_assert_eq!(values.value(id, extent, calls, system), expected);
                            prop_assert_eq!(by_system.inclusive[system.0], expected);
                            let by_metric = values.per_metric(calls, system);
                            let of_metric = match extent {
                                Inclusive => by_metric.inclusive[metric],
                                Exclusive => by_metric.exclusive[metric],
                            };
                            prop_assert_eq!(of_metric, expected);
                            let by_path = values.per_call_path(id, extent, system);
                            match calls {
                                Calls::Inclusive(c) => prop_assert_eq!(by_path.inclusive[c.0], expected),
                                Calls::Exclusive(c) => prop_assert_eq!(by_path.exclusive[c.0], expected),
                                Calls::All => {}
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_call_tree_may_be_deep() {
    let mut cube = common::small();
    for index in cube.call_paths.len()..100_000 {
        cube.call_paths.push(CallPath {
            region: RegionId(0),
            parent: Some(CallPathId(index - 1)),
            file: String::new(),
            line: 1,
        });
    }
    cube.row_mut(TIME, CallPathId(99_999))[0] = 1.0;
    let values = Values::new(&cube);
    let below = values.value(
        TIME,
        Inclusive,
        Calls::Inclusive(CallPathId(50_000)),
        SystemTree::ROOT,
    );
    assert_eq!(below, 1.0);
}
