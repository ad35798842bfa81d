//! Puts the values of two cubes onto common trees, once it is known what in the one is what in the
//! other.

use pgas_cube::model::{CallPath, CallPathId, Cube, MetricId, RegionId, Thread};

use super::Matched;
use super::metrics::MetricUnion;
use super::pairs::Partners;

pub(super) fn unite(
    before: &Cube,
    after: &Cube,
    partners: &Partners,
    metrics: &MetricUnion,
    mut notes: Vec<String>,
) -> Matched {
    let mut common = Cube::default();
    common.metrics = metrics.metrics.clone();
    common.regions = after.regions.clone();
    common.call_paths = after.call_paths.clone();
    common.nodes = after.nodes.clone();
    common.threads = after.threads.clone();
    let mut regions = Vec::with_capacity(before.regions.len());
    for (index, region) in before.regions.iter().enumerate() {
        regions.push(RegionId(partners.regions.after(index).unwrap_or_else(
            || {
                common.regions.push(region.clone());
                common.regions.len() - 1
            },
        )));
    }
    let mut call_paths: Vec<CallPathId> = Vec::with_capacity(before.call_paths.len());
    for (index, path) in before.call_paths.iter().enumerate() {
        let place = partners.call_paths.after(index).unwrap_or_else(|| {
            common.call_paths.push(CallPath {
                region: regions[path.region.0],
                parent: path.parent.map(|parent| call_paths[parent.0]),
                file: path.file.clone(),
                line: path.line,
            });
            common.call_paths.len() - 1
        });
        call_paths.push(CallPathId(place));
    }
    add_threads(before, &mut common, &mut notes);

    common.aggregations = metrics.aggregations.clone();
    let unmoved: Vec<CallPathId> = (0..after.call_paths.len()).map(CallPathId).collect();
    Matched {
        before: with_values(before, &common, metrics, &call_paths),
        after: place(after, &common, &unmoved),
        before_call_paths: call_paths,
        notes,
    }
}

/// The values of `cube` on trees that contain its own; `call_paths` says where its call paths are
/// there.
pub(crate) fn place(cube: &Cube, common: &Cube, call_paths: &[CallPathId]) -> Cube {
    let metrics = MetricUnion::of(cube, common, &mut Vec::new());
    with_values(cube, common, &metrics, call_paths)
}

fn with_values(
    cube: &Cube,
    common: &Cube,
    metrics: &MetricUnion,
    call_paths: &[CallPathId],
) -> Cube {
    let mut placed = Cube::default();
    placed.attributes = cube.attributes.clone();
    placed.mirrors = cube.mirrors.clone();
    placed.machine = cube.machine.clone();
    placed.metrics = metrics.metrics.clone();
    placed.regions = common.regions.clone();
    placed.call_paths = common.call_paths.clone();
    placed.nodes = common.nodes.clone();
    placed.threads = common.threads.clone();
    placed.topologies = cube.topologies.clone();
    placed.aggregations = metrics.aggregations.clone();
    if metrics.embedded {
        for (metric, call_path, values) in cube.rows() {
            let row = placed.row_mut(metrics.places[metric.0], call_paths[call_path.0]);
            row[..values.len()].copy_from_slice(values);
        }
    } else {
        translate_rows(cube, metrics, call_paths, &mut placed);
    }
    placed
}

/// The same number is the same thread.
fn add_threads(before: &Cube, common: &mut Cube, notes: &mut Vec<String>) {
    let (earlier, later) = (before.threads.len(), common.threads.len());
    if earlier != later {
        notes.push(format!(
            "{earlier} threads before and {later} after: sums over all threads are compared, and \
             single threads only where both have one of that number"
        ));
    }
    for thread in before.threads.iter().skip(later) {
        let host = before.nodes.get(thread.node).cloned().unwrap_or_default();
        let known = common.nodes.iter().position(|node| *node == host);
        let node = known.unwrap_or_else(|| {
            common.nodes.push(host);
            common.nodes.len() - 1
        });
        common.threads.push(Thread {
            node,
            ..thread.clone()
        });
    }
}

/// Values of a run whose tree of metrics is another one.
fn translate_rows(
    cube: &Cube,
    metrics: &MetricUnion,
    call_paths: &[CallPathId],
    placed: &mut Cube,
) {
    for (index, &call_path) in call_paths.iter().enumerate() {
        let rows: Vec<Option<&[f64]>> = (0..cube.metrics.len())
            .map(|metric| cube.row(MetricId(metric), CallPathId(index)))
            .collect();
        if rows.iter().all(Option::is_none) {
            continue;
        }
        for thread in 0..cube.threads.len() {
            let of_thread = |row: &Option<&[f64]>| row.map_or(0.0, |values| values[thread]);
            let values: Vec<f64> = rows.iter().map(of_thread).collect();
            let translated = metrics.translate(cube, &values);
            for (metric, &value) in translated.iter().enumerate() {
                if value != 0.0 {
                    placed.row_mut(MetricId(metric), call_path)[thread] = value;
                }
            }
        }
    }
}
