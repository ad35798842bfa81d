//! Values over the three trees, inclusive or exclusive in each: what a viewer shows when something
//! in a tree is selected.
//!
//! A [`Cube`] stores `s(m, c, t)`: metric `m` with the metrics below it, call path `c` without its
//! callees, thread `t`. All others follow, where `sub(x)` is `x` and everything below it, and
//! `kids(x)` is what is directly below it:
//!
//! | value | formula |
//! |---|---|
//! | metric exclusive | `s(m, c, t) - sum over k in kids(m) of s(k, c, t)` |
//! | call path inclusive | `sum over d in sub(c) of s(m, d, t)` |
//! | machine, node, process | `sum over its threads t of s(m, c, t)` |
//!
//! A metric that is a minimum or maximum ([`Cube::aggregations`]) has the smallest or largest value
//! in place of each sum, and nothing is taken out of it.
//!
//! Sums over all threads are kept for every metric and call path, so that trees are shown and
//! unfolded at once; what names a part of the threads is summed when it is asked for.

mod system;
mod tree;

pub use system::{SystemId, SystemKind, SystemNode, SystemTree};
pub use tree::Tree;

use crate::model::{Aggregation, CallPathId, Cube, MetricId};

/// With what is below, or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// An entry of a tree with everything below it.
    Inclusive,
    /// An entry of a tree without its children.
    Exclusive,
}

/// Which call paths a value is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calls {
    /// The whole program.
    All,
    /// A call path with everything that is called from it.
    Inclusive(CallPathId),
    /// The call path alone.
    Exclusive(CallPathId),
}

/// Both values of every entry of a tree; index is the entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Both {
    /// Values that contain everything below the entry.
    pub inclusive: Vec<f64>,
    /// Values that do not contain the entry's children.
    pub exclusive: Vec<f64>,
}

/// A cube with its trees and sums; see the module.
///
/// Units are those of the metric. Ids that are not in the cube have the value 0.
#[derive(Debug, Clone)]
pub struct Values<'a> {
    cube: &'a Cube,
    metrics: Tree,
    call_paths: Tree,
    system: SystemTree,
    /// Sums over all threads, metric inclusive and call path exclusive; index is metric * call
    /// paths + call path.
    exclusive: Vec<f64>,
    /// The same, call path inclusive.
    inclusive: Vec<f64>,
}

impl<'a> Values<'a> {
    /// Goes over all values once. Keeps two numbers for every pair of a metric and a call path: 16
    /// MB for 100 metrics at 10,000 call paths, whatever the number of threads.
    pub fn new(cube: &'a Cube) -> Self {
        let metrics = Tree::new(cube.metrics.iter().map(|m| m.parent.map(|p| p.0)));
        let call_paths = Tree::new(cube.call_paths.iter().map(|c| c.parent.map(|p| p.0)));
        let count = cube.call_paths.len();
        let mut exclusive = vec![0.0; cube.metrics.len() * count];
        for (metric, call_path, values) in cube.rows() {
            if metric.0 < cube.metrics.len() && call_path.0 < count {
                let aggregation = cube.aggregation(metric);
                exclusive[metric.0 * count + call_path.0] =
                    combined(aggregation, values.iter().copied());
            }
        }
        let mut inclusive = exclusive.clone();
        if count > 0 {
            for (metric, sums) in inclusive.chunks_exact_mut(count).enumerate() {
                let aggregation = cube.aggregation(MetricId(metric));
                call_paths.fold_up(sums, |a, b| aggregation.combine(a, b));
            }
        }
        Values {
            cube,
            metrics,
            call_paths,
            system: SystemTree::new(cube),
            exclusive,
            inclusive,
        }
    }

    /// The cube that the values are of.
    pub fn cube(&self) -> &'a Cube {
        self.cube
    }

    /// Entries are indices of [`Cube::metrics`].
    pub fn metrics(&self) -> &Tree {
        &self.metrics
    }

    /// Entries are indices of [`Cube::call_paths`].
    pub fn call_paths(&self) -> &Tree {
        &self.call_paths
    }

    /// Machine, nodes, processes and threads of the cube.
    pub fn system(&self) -> &SystemTree {
        &self.system
    }

    /// One value. For the whole machine it takes a step for each metric below `metric`
    /// ([`Calls::All`]: for each root of the call tree too); for a part of it also one for each
    /// value that it is the sum of.
    pub fn value(&self, metric: MetricId, extent: Extent, calls: Calls, system: SystemId) -> f64 {
        self.with_extent(metric, extent, |m| self.metric_inclusive(m, calls, system))
    }

    /// Of every metric. Cost as [`Values::value`] times metrics.
    pub fn per_metric(&self, calls: Calls, system: SystemId) -> Both {
        let count = self.cube.metrics.len();
        let inclusive: Vec<_> = (0..count)
            .map(|m| self.metric_inclusive(m, calls, system))
            .collect();
        let exclusive = (0..count)
            .map(|m| {
                let parts = self.parts(m).map(|k| inclusive[k]);
                remainder(inclusive[m], parts)
            })
            .collect();
        Both {
            inclusive,
            exclusive,
        }
    }

    /// Of every call path. A step for each call path; for a part of the machine, for each value of
    /// its threads.
    pub fn per_call_path(&self, metric: MetricId, extent: Extent, system: SystemId) -> Both {
        let count = self.cube.call_paths.len();
        let of_metric = |m: usize| -> Vec<f64> {
            if system == SystemTree::ROOT {
                return match self.exclusive.get(m * count..(m + 1) * count) {
                    Some(sums) => sums.to_vec(),
                    None => vec![0.0; count],
                };
            }
            let threads = self.system.threads(system);
            let mut sums = vec![0.0; count];
            for (path, values) in self.cube.rows_of(MetricId(m)) {
                if let Some(sum) = sums.get_mut(path.0) {
                    *sum = self.of_threads(m, values, threads);
                }
            }
            sums
        };
        let exclusive = self.vectors_with_extent(metric, extent, of_metric);
        let mut inclusive = exclusive.clone();
        let aggregation = self.cube.aggregation(metric);
        self.call_paths
            .fold_up(&mut inclusive, |a, b| aggregation.combine(a, b));
        Both {
            inclusive,
            exclusive,
        }
    }

    /// Of every thread, in the order of [`Cube::threads`]. A step for each value below `calls`:
    /// some ten milliseconds for 10,000 call paths and 1,024 threads.
    pub fn per_thread(&self, metric: MetricId, extent: Extent, calls: Calls) -> Vec<f64> {
        self.vectors_with_extent(metric, extent, |m| {
            let mut sums = vec![0.0; self.cube.threads.len()];
            let aggregation = self.cube.aggregation(MetricId(m));
            self.for_each_row(MetricId(m), calls, |values| {
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum = aggregation.combine(*sum, *value);
                }
            });
            sums
        })
    }

    /// Of every node of the system tree; index is the [`SystemId`]. `exclusive` is 0 for all but
    /// threads, for all time passes on threads. Cost as [`Values::per_thread`].
    pub fn per_system_node(&self, metric: MetricId, extent: Extent, calls: Calls) -> Both {
        let threads = self.per_thread(metric, extent, calls);
        let nodes = self.system.nodes();
        let mut exclusive = vec![0.0; nodes.len()];
        for (value, node) in exclusive.iter_mut().zip(nodes) {
            if let SystemKind::Thread(thread) = node.kind {
                *value = threads.get(thread).copied().unwrap_or(0.0);
            }
        }
        let mut inclusive = exclusive.clone();
        let aggregation = self.cube.aggregation(metric);
        let tree = self.system.tree();
        tree.fold_up(&mut inclusive, |a, b| aggregation.combine(a, b));
        Both {
            inclusive,
            exclusive,
        }
    }

    fn metric_inclusive(&self, metric: usize, calls: Calls, system: SystemId) -> f64 {
        if metric >= self.cube.metrics.len() {
            return 0.0;
        }
        if system == SystemTree::ROOT {
            let first = metric * self.cube.call_paths.len();
            let at = |sums: &[f64], path: usize| match path < self.cube.call_paths.len() {
                true => sums[first + path],
                false => 0.0,
            };
            return match calls {
                Calls::All => {
                    let roots = self.call_paths.roots().iter();
                    let roots = roots.map(|&root| at(&self.inclusive, root));
                    combined(self.cube.aggregation(MetricId(metric)), roots)
                }
                Calls::Inclusive(path) => at(&self.inclusive, path.0),
                Calls::Exclusive(path) => at(&self.exclusive, path.0),
            };
        }
        let threads = self.system.threads(system);
        let mut sum = 0.0;
        let aggregation = self.cube.aggregation(MetricId(metric));
        self.for_each_row(MetricId(metric), calls, |values| {
            sum = aggregation.combine(sum, self.of_threads(metric, values, threads));
        });
        sum
    }

    fn for_each_row(&self, metric: MetricId, calls: Calls, mut visit: impl FnMut(&[f64])) {
        match calls {
            Calls::All => self
                .cube
                .rows_of(metric)
                .for_each(|(_, values)| visit(values)),
            Calls::Exclusive(path) => self.cube.row(metric, path).into_iter().for_each(visit),
            Calls::Inclusive(path) => {
                for &below in self.call_paths.subtree(path.0) {
                    if let Some(values) = self.cube.row(metric, CallPathId(below)) {
                        visit(values);
                    }
                }
            }
        }
    }

    /// The metrics below `metric` whose values are contained in its own.
    fn parts(&self, metric: usize) -> impl Iterator<Item = usize> + '_ {
        let is_sum = |m: usize| self.cube.aggregation(MetricId(m)) == Aggregation::Sum;
        let children = match is_sum(metric) {
            true => self.metrics.children(metric),
            false => &[],
        };
        children.iter().copied().filter(move |&m| is_sum(m))
    }

    fn of_threads(&self, metric: usize, values: &[f64], threads: &[usize]) -> f64 {
        let values = threads.iter().filter_map(|&t| values.get(t)).copied();
        combined(self.cube.aggregation(MetricId(metric)), values)
    }

    fn with_extent(&self, metric: MetricId, extent: Extent, value: impl Fn(usize) -> f64) -> f64 {
        let whole = value(metric.0);
        match extent {
            Extent::Inclusive => whole,
            Extent::Exclusive => {
                let parts = self.parts(metric.0).map(value);
                remainder(whole, parts)
            }
        }
    }

    fn vectors_with_extent(
        &self,
        metric: MetricId,
        extent: Extent,
        values: impl Fn(usize) -> Vec<f64>,
    ) -> Vec<f64> {
        let whole = values(metric.0);
        if extent == Extent::Inclusive {
            return whole;
        }
        let parts: Vec<_> = self.parts(metric.0).map(values).collect();
        let rest = |(i, &whole): (usize, &f64)| remainder(whole, parts.iter().map(|p| p[i]));
        whole.iter().enumerate().map(rest).collect()
    }
}

/// Remainder of `whole` without `parts`. A difference that is no more than the rounding of sums is
/// 0, so that a metric which consists of its parts does not show a few attoseconds of its own.
pub fn remainder(whole: f64, parts: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut magnitude) = (0.0, whole.abs());
    for part in parts {
        sum += part;
        magnitude += part.abs();
    }
    let rest = whole - sum;
    // Values are sums of up to millions of numbers; their errors are random and grow with the root
    // of that.
    if rest.abs() <= magnitude * 1e-12 {
        0.0
    } else {
        rest
    }
}

fn combined(aggregation: Aggregation, values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |a, b| aggregation.combine(a, b))
}
