//! Brings cubes onto common trees: what is the same in several of them is there once.

use std::collections::HashMap;
use std::hash::Hash;

use super::AlgebraError;
use crate::model::{
    Aggregation, CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId, Unit,
};

/// Common trees, without values.
#[derive(Debug, Clone, PartialEq)]
pub struct Integrated {
    /// The entries of the first cube in its own order, so that its indices stay valid, then what
    /// only later ones have.
    pub trees: Cube,
    /// By cube: where its entries are in the common trees. Threads keep their numbers.
    pub mappings: Vec<Mapping>,
}

/// From the indices of a cube to those of the common trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// By metric of the cube: its index in the common trees.
    pub metrics: Vec<MetricId>,
    /// By region of the cube: its index in the common trees.
    pub regions: Vec<RegionId>,
    /// By call path of the cube: its index in the common trees.
    pub call_paths: Vec<CallPathId>,
}

impl Mapping {
    /// The rows of the cube that this mapping is of, at their places in the common trees.
    pub fn rows<'a>(
        &'a self,
        cube: &'a Cube,
    ) -> impl Iterator<Item = (MetricId, CallPathId, &'a [f64])> {
        cube.rows().filter_map(|(metric, call_path, row)| {
            let metric = *self.metrics.get(metric.0)?;
            let call_path = *self.call_paths.get(call_path.0)?;
            Some((metric, call_path, row))
        })
    }
}

/// Brings cubes onto common trees.
///
/// - Metrics are the same if their unique names are.
/// - Regions are the same if name and module are.
/// - Call paths are the same if the region, file and line of the call are, and so all the way up.
/// - Threads are the same if their numbers are; those of the first cube that has one keep their
///   node and process.
///
/// Entries of one cube stay apart even if they look the same; the first of them is the partner of
/// the first in another cube, and so on. Attributes are kept if all cubes agree on them; topologies
/// and mirrors of all are kept.
///
/// # Errors
/// [`AlgebraError::NoOperand`], and [`AlgebraError::MetricsDiffer`] if a metric has two units, or
/// is a sum in one cube and a minimum in another.
pub fn integrate(cubes: &[&Cube]) -> Result<Integrated, AlgebraError> {
    let first = cubes.first().ok_or(AlgebraError::NoOperand)?;
    let mut union = Union::default();
    union.trees.attributes = first.attributes.clone();
    union.trees.machine = first.machine.clone();
    union.trees.mirrors = first.mirrors.clone();
    union.trees.topologies = first.topologies.clone();
    let mut mappings = Vec::with_capacity(cubes.len());
    for cube in cubes {
        mappings.push(union.add(cube)?);
    }
    Ok(Integrated {
        trees: union.trees,
        mappings,
    })
}

/// The common trees so far.
#[derive(Default)]
struct Union {
    trees: Cube,
    metrics: HashMap<String, MetricId>,
    regions: HashMap<Nth<(String, String)>, RegionId>,
    call_paths: HashMap<Nth<CallPath>, CallPathId>,
}

/// The n-th entry of a cube that looks like this.
type Nth<T> = (T, usize);

/// Counts entries that look the same.
struct Numbered<T>(HashMap<T, usize>);

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Numbered(HashMap::new())
    }

    fn next(&mut self, entry: T) -> Nth<T> {
        let count = self.0.entry(entry.clone()).or_insert(0);
        *count += 1;
        (entry, *count)
    }
}

impl Union {
    fn add(&mut self, cube: &Cube) -> Result<Mapping, AlgebraError> {
        let (attributes, mirrors) = (&cube.attributes, &mut self.trees.mirrors);
        self.trees
            .attributes
            .retain(|key, value| attributes.get(key) == Some(value));
        for mirror in &cube.mirrors {
            if !mirrors.contains(mirror) {
                mirrors.push(mirror.clone());
            }
        }
        let metrics = self.add_metrics(cube)?;
        let regions = self.add_regions(cube);
        let call_paths = self.add_call_paths(cube, &regions);
        self.add_system(cube);
        for topology in &cube.topologies {
            if !self.trees.topologies.contains(topology) {
                self.trees.topologies.push(topology.clone());
            }
        }
        Ok(Mapping {
            metrics,
            regions,
            call_paths,
        })
    }

    fn add_metrics(&mut self, cube: &Cube) -> Result<Vec<MetricId>, AlgebraError> {
        let mut mapping: Vec<MetricId> = Vec::with_capacity(cube.metrics.len());
        for (index, metric) in cube.metrics.iter().enumerate() {
            let aggregation = cube.aggregation(MetricId(index));
            if let Some(&known) = self.metrics.get(&metric.unique_name) {
                let first = kind(&self.trees.metrics[known.0], self.trees.aggregation(known));
                let second = kind(metric, aggregation);
                if first != second {
                    return Err(AlgebraError::MetricsDiffer {
                        metric: metric.unique_name.clone(),
                        first,
                        second,
                    });
                }
                mapping.push(known);
                continue;
            }
            let new = MetricId(self.trees.metrics.len());
            let parent = metric.parent.and_then(|p| mapping.get(p.0).copied());
            self.metrics.insert(metric.unique_name.clone(), new);
            self.trees.metrics.push(Metric {
                parent,
                ..metric.clone()
            });
            if aggregation != Aggregation::Sum {
                self.trees.aggregations.insert(new, aggregation);
            }
            mapping.push(new);
        }
        Ok(mapping)
    }

    fn add_regions(&mut self, cube: &Cube) -> Vec<RegionId> {
        let mut numbered = Numbered::new();
        let place = |region: &Region| {
            let key = numbered.next((region.name.clone(), region.module.clone()));
            let regions = &mut self.trees.regions;
            *self.regions.entry(key).or_insert_with(|| {
                regions.push(region.clone());
                RegionId(regions.len() - 1)
            })
        };
        cube.regions.iter().map(place).collect()
    }

    fn add_call_paths(&mut self, cube: &Cube, regions: &[RegionId]) -> Vec<CallPathId> {
        let mut numbered = Numbered::new();
        let mut mapping: Vec<CallPathId> = Vec::with_capacity(cube.call_paths.len());
        for call_path in &cube.call_paths {
            let placed = CallPath {
                region: regions
                    .get(call_path.region.0)
                    .copied()
                    .unwrap_or(RegionId(0)),
                parent: call_path.parent.and_then(|p| mapping.get(p.0).copied()),
                ..call_path.clone()
            };
            let call_paths = &mut self.trees.call_paths;
            let key = numbered.next(placed);
            let id = match self.call_paths.get(&key) {
                Some(&known) => known,
                None => {
                    call_paths.push(key.0.clone());
                    let new = CallPathId(call_paths.len() - 1);
                    self.call_paths.insert(key, new);
                    new
                }
            };
            mapping.push(id);
        }
        mapping
    }

    fn add_system(&mut self, cube: &Cube) {
        let trees = &mut self.trees;
        for name in &cube.nodes {
            // A first cube may have nodes of one name, which stay apart.
            if trees.threads.is_empty() || !trees.nodes.contains(name) {
                trees.nodes.push(name.clone());
            }
        }
        let known = trees.threads.len();
        for thread in cube.threads.iter().skip(known) {
            let mut thread = thread.clone();
            if known > 0 {
                let name = cube.nodes.get(thread.node);
                let node = name.and_then(|name| trees.nodes.iter().position(|n| n == name));
                thread.node = node.unwrap_or(0);
            }
            trees.threads.push(thread);
        }
    }
}

fn kind(metric: &Metric, aggregation: Aggregation) -> String {
    let unit = match metric.unit {
        Unit::Seconds => "seconds",
        Unit::Occurrences => "occurrences",
        Unit::Bytes => "bytes",
    };
    match aggregation {
        Aggregation::Sum => unit.to_owned(),
        Aggregation::Minimum => format!("a minimum of {unit}"),
        Aggregation::Maximum => format!("a maximum of {unit}"),
    }
}
