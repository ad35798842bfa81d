//! Cubes for the tests: a small one that reads like a real run, and a proptest strategy for any.
#![allow(dead_code)]

use pgas_cube::model::{
    CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId, Thread, Unit,
};
use pgas_cube::topology::{Dimension, Topology};
use proptest::prelude::*;

/// Two threads of a program that waits at a barrier. 0 time, 1 computation, 2 pgas, 3
/// wait_at_barrier, 4 visits.
pub fn small() -> Cube {
    let metric = |name: &str, unit, parent: Option<usize>| Metric {
        display_name: name.replace('_', " "),
        unique_name: name.into(),
        unit,
        url: format!("@mirror@patterns.html#{name}"),
        description: format!("What {name} means.\nIn two lines."),
        parent: parent.map(MetricId),
    };
    let region = |name: &str, module: &str, line| Region {
        name: name.into(),
        module: module.into(),
        begin_line: line,
        end_line: if line == 0 { 0 } else { line + 10 },
        description: String::new(),
    };
    let call_path = |region, parent: Option<usize>, file: &str, line| CallPath {
        region: RegionId(region),
        parent: parent.map(CallPathId),
        file: file.into(),
        line,
    };
    let thread = |number: u32| Thread {
        name: format!("thread {number}"),
        node: 0,
        process: number,
    };
    let mut cube = Cube::default();
    cube.machine = "cluster".into();
    cube.nodes = vec!["node-1".into()];
    cube.threads = vec![thread(0), thread(1)];
    cube.mirrors = vec!["https://example.org/patterns/".into()];
    cube.metrics = vec![
        metric("time", Unit::Seconds, None),
        metric("computation", Unit::Seconds, Some(0)),
        metric("pgas", Unit::Seconds, Some(0)),
        metric("wait_at_barrier", Unit::Seconds, Some(2)),
        metric("visits", Unit::Occurrences, None),
    ];
    cube.regions = vec![region("main", "is.c", 10), region("upc_barrier", "UPC", 0)];
    cube.call_paths = vec![
        call_path(0, None, "is.c", 10),
        call_path(1, Some(0), "is.c", 14),
    ];
    cube.topologies = vec![Topology::line(2)];
    cube.attributes.insert("program".into(), "is".into());
    for (metric, call_path, values) in [
        (0, 0, [1.5, 1.0]),
        (0, 1, [0.1, 0.6]),
        (1, 0, [1.5, 1.0]),
        (2, 1, [0.1, 0.6]),
        (3, 1, [0.0, 0.5]),
        (4, 0, [1.0, 1.0]),
        (4, 1, [8.0, 8.0]),
    ] {
        cube.row_mut(MetricId(metric), CallPathId(call_path))
            .copy_from_slice(&values);
    }
    cube
}

/// Names as programs have them, and worse.
pub fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,12}",
        any::<String>(),
        Just("std::map<std::string, std::vector<int>>::operator[](\"k\" && 'c')".to_owned()),
        Just("größe_数_🙂 </name><cube> & &amp; &#10;".to_owned()),
        "[\\x00-\\x7f]{0,20}",
    ]
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![
        Just(Unit::Seconds),
        Just(Unit::Occurrences),
        Just(Unit::Bytes)
    ]
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        (0u32..1_000_000).prop_map(f64::from),
        0.0..1e6,
        any::<f64>().prop_filter("finite", |v| v.is_finite()),
    ]
}

/// Parents: entry `i` is a root or hangs below an earlier one.
fn parents(count: usize) -> impl Strategy<Value = Vec<Option<usize>>> {
    prop::collection::vec(any::<Option<prop::sample::Index>>(), count).prop_map(|picks| {
        picks
            .iter()
            .enumerate()
            .map(|(i, pick)| pick.filter(|_| i > 0).map(|p| p.index(i)))
            .collect()
    })
}

/// Any grid, with some of the threads on it.
fn topology(threads: usize) -> impl Strategy<Value = Topology> {
    let dimension = (name(), 1usize..9, any::<bool>());
    let dimensions = prop::collection::vec(dimension, 1..4);
    let place = any::<Option<[prop::sample::Index; 3]>>();
    (name(), dimensions, prop::collection::vec(place, threads)).prop_map(
        |(name, dimensions, places)| {
            let dimensions: Vec<_> = dimensions
                .into_iter()
                .map(|(name, size, periodic)| Dimension {
                    name,
                    size,
                    periodic,
                })
                .collect();
            let at = |place: &[prop::sample::Index; 3]| -> Vec<usize> {
                let sizes = dimensions.iter().map(|dimension| dimension.size);
                place
                    .iter()
                    .zip(sizes)
                    .map(|(p, size)| p.index(size))
                    .collect()
            };
            let places = places.iter().enumerate();
            Topology {
                coordinates: places
                    .filter_map(|(thread, place)| Some((thread, at(place.as_ref()?))))
                    .collect(),
                name,
                dimensions,
            }
        },
    )
}

/// Any cube that keeps the rules of the model.
pub fn cube() -> impl Strategy<Value = Cube> {
    (1usize..6, 1usize..5, 1usize..12, 1usize..4, 0usize..5)
        .prop_flat_map(|(metrics, regions, call_paths, nodes, extra_threads)| {
            let threads = nodes + extra_threads;
            (
                prop::collection::btree_map(name(), name(), 0..4),
                prop::collection::vec(name(), 0..3),
                (
                    prop::collection::vec((name(), unit(), name(), name()), metrics),
                    parents(metrics),
                ),
                prop::collection::vec((name(), name(), 0u32..1000, name()), regions),
                (
                    prop::collection::vec((0..regions, name(), 0u32..1000), call_paths),
                    parents(call_paths),
                ),
                (name(), prop::collection::vec(name(), nodes)),
                prop::collection::vec((name(), 0u32..3), threads),
                prop::collection::btree_map(
                    (0..metrics, 0..call_paths),
                    prop::collection::vec(value(), threads),
                    0..20,
                ),
                prop::collection::vec(topology(threads), 0..3),
            )
        })
        .prop_map(
            |(
                attributes,
                mirrors,
                metrics,
                regions,
                call_paths,
                system,
                threads,
                rows,
                topologies,
            )| {
                let nodes = system.1.len();
                let count = threads.len();
                let mut cube = Cube::default();
                cube.attributes = attributes;
                cube.mirrors = mirrors;
                cube.metrics = (metrics.0.into_iter().zip(metrics.1).enumerate())
                    .map(
                        |(i, ((display_name, unit, url, description), parent))| Metric {
                            unique_name: format!("metric_{i}_{display_name}"),
                            display_name: format!("x{display_name}"),
                            unit,
                            url,
                            description,
                            parent: parent.map(MetricId),
                        },
                    )
                    .collect();
                cube.regions = regions
                    .into_iter()
                    .map(|(name, module, line, description)| Region {
                        name,
                        module,
                        begin_line: line,
                        end_line: line * 2,
                        description,
                    })
                    .collect();
                cube.call_paths = (call_paths.0.into_iter().zip(call_paths.1))
                    .map(|((region, file, line), parent)| CallPath {
                        region: RegionId(region),
                        parent: parent.map(CallPathId),
                        file,
                        line,
                    })
                    .collect();
                cube.topologies = topologies;
                cube.machine = system.0;
                cube.nodes = system.1;
                cube.threads = (threads.into_iter().enumerate())
                    .map(|(i, (name, process))| Thread {
                        name,
                        // Every node has a thread.
                        node: i * nodes / count,
                        process,
                    })
                    .collect();
                for ((metric, call_path), values) in rows {
                    cube.row_mut(MetricId(metric), CallPathId(call_path))
                        .copy_from_slice(&values);
                }
                cube
            },
        )
}

/// Control characters as their pictures, as the file has them.
pub fn visible(text: &str, lines: bool) -> String {
    let text = if lines {
        text.replace("\r\n", "\n")
    } else {
        text.to_owned()
    };
    text.chars()
        .map(|c| match c {
            '\n' | '\t' if lines => c,
            '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap(),
            '\x7f' => '\u{2421}',
            '\u{80}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
            _ => c,
        })
        .collect()
}

/// The cube that a file can hold: rows of zeros are not there, and control characters are visible.
pub fn as_files_have(cube: &Cube) -> Cube {
    let one = |text: &String| visible(text, false);
    let many = |text: &String| visible(text, true);
    let mut expected = Cube::default();
    expected.attributes = (cube.attributes.iter())
        .map(|(key, value)| (one(key), one(value)))
        .collect();
    expected.mirrors = cube.mirrors.iter().map(one).collect();
    expected.metrics = cube.metrics.clone();
    expected.regions = cube.regions.clone();
    expected.call_paths = cube.call_paths.clone();
    expected.topologies = cube.topologies.clone();
    for topology in &mut expected.topologies {
        topology.name = one(&topology.name);
        for dimension in &mut topology.dimensions {
            dimension.name = one(&dimension.name);
        }
    }
    expected.aggregations = cube.aggregations.clone();
    expected.machine = one(&cube.machine);
    expected.nodes = cube.nodes.iter().map(one).collect();
    expected.threads = cube.threads.clone();
    for metric in &mut expected.metrics {
        metric.display_name = one(&metric.display_name);
        metric.unique_name = one(&metric.unique_name);
        metric.url = one(&metric.url);
        metric.description = many(&metric.description);
    }
    for region in &mut expected.regions {
        region.name = one(&region.name);
        region.module = one(&region.module);
        region.description = many(&region.description);
    }
    for call_path in &mut expected.call_paths {
        call_path.file = one(&call_path.file);
    }
    for thread in &mut expected.threads {
        thread.name = one(&thread.name);
    }
    for (metric, call_path, values) in cube.rows() {
        if values.iter().any(|v| *v != 0.0) {
            expected.row_mut(metric, call_path).copy_from_slice(values);
        }
    }
    expected
}

/// Failures are shown, not kept in files beside the tests.
pub fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
