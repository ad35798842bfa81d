//! One tree of metrics for two cubes: that of the later run, and behind it what only the earlier
//! one has.

use std::collections::BTreeMap;

use pgas_cube::model::{Aggregation, Cube, Metric, MetricId};

/// Behind the name of an earlier run's metric of which the later run has one in another unit.
const OTHER_UNIT: &str = "_before";

/// The common tree, and where the earlier run's metrics are in it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MetricUnion {
    pub metrics: Vec<Metric>,
    /// How values of those are put together that are not sums.
    pub aggregations: BTreeMap<MetricId, Aggregation>,
    /// By metric of the earlier run.
    pub places: Vec<MetricId>,
    /// The earlier run's tree is part of the common one, so that its inclusive values stay what
    /// they are.
    pub embedded: bool,
}

impl MetricUnion {
    /// Metrics are the same if unique name, unit and aggregation are.
    pub fn of(before: &Cube, after: &Cube, notes: &mut Vec<String>) -> Self {
        let mut metrics = after.metrics.clone();
        let mut places: Vec<MetricId> = Vec::with_capacity(before.metrics.len());
        let mut only_before = Vec::new();
        let mut aggregations = after.aggregations.clone();
        for (index, metric) in before.metrics.iter().enumerate() {
            let aggregation = before.aggregation(MetricId(index));
            let known = |name: &str| {
                let same_name = after.metric(name);
                same_name.filter(|&id| {
                    after.metrics[id.0].unit == metric.unit && after.aggregation(id) == aggregation
                })
            };
            let same = known(&metric.unique_name)
                .or_else(|| known(&format!("{}{OTHER_UNIT}", metric.unique_name)))
                .filter(|id| !places.contains(id));
            places.push(same.unwrap_or_else(|| {
                let mut added = metric.clone();
                added.parent = metric.parent.map(|parent| places[parent.0]);
                while metrics.iter().any(|m| m.unique_name == added.unique_name) {
                    added.unique_name.push_str(OTHER_UNIT);
                }
                only_before.push(added.unique_name.clone());
                metrics.push(added);
                if aggregation != Aggregation::Sum {
                    aggregations.insert(MetricId(metrics.len() - 1), aggregation);
                }
                MetricId(metrics.len() - 1)
            }));
        }
        let only_after = (0..after.metrics.len()).filter(|&i| !places.contains(&MetricId(i)));
        let only_after: Vec<_> = only_after
            .map(|index| after.metrics[index].unique_name.clone())
            .collect();
        for (names, run) in [(&only_before, "before"), (&only_after, "after")] {
            if !names.is_empty() {
                notes.push(format!(
                    "only the run {run} has the metrics {}",
                    names.join(", ")
                ));
            }
        }
        let parents_stay = before.metrics.iter().zip(&places).all(|(metric, place)| {
            metrics[place.0].parent == metric.parent.map(|parent| places[parent.0])
        });
        MetricUnion {
            metrics,
            aggregations,
            places,
            embedded: parents_stay,
        }
    }

    /// From the earlier run's values of all metrics, in one call path on one thread, to those of
    /// the common tree. Both are inclusive; where trees differ, a metric that the earlier run
    /// has not is the sum of those below it. Minima and maxima are no part of others.
    pub fn translate(&self, cube: &Cube, values: &[f64]) -> Vec<f64> {
        let mut own = values.to_vec();
        let is_part = |id: MetricId, parent: MetricId, of: &dyn Fn(MetricId) -> Aggregation| {
            of(id) == Aggregation::Sum && of(parent) == Aggregation::Sum
        };
        let of_cube = |id: MetricId| cube.aggregation(id);
        for (index, (metric, value)) in cube.metrics.iter().zip(values).enumerate() {
            if let Some(parent) = metric.parent {
                if is_part(MetricId(index), parent, &of_cube) {
                    own[parent.0] -= value;
                }
            }
        }
        let mut placed = vec![0.0; self.metrics.len()];
        for (place, own) in self.places.iter().zip(own) {
            placed[place.0] += own;
        }
        let of_union = |id: MetricId| self.aggregations.get(&id).copied().unwrap_or_default();
        // Children stand behind their parents.
        for index in (0..self.metrics.len()).rev() {
            if let Some(parent) = self.metrics[index].parent {
                if is_part(MetricId(index), parent, &of_union) {
                    placed[parent.0] += placed[index];
                }
            }
        }
        placed
    }
}
