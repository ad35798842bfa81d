//! The cube by itself, and what the summary says about all of it.

use pgas_cube::model::{Aggregation, CallPathId, MetricId};

use super::Check;

impl Check<'_> {
    pub(super) fn trees(&self) {
        self.values();
        self.children();
        self.times();
        self.efficiency();
    }

    fn values(&self) {
        let cube = self.cube;
        for (metric, path, row) in cube.rows() {
            let is_sound = row.iter().all(|value| value.is_finite() && *value >= 0.0);
            self.must(is_sound, || {
                let metric = &cube.metrics[metric.0].unique_name;
                format!("{metric} at call path {} is negative or no number", path.0)
            });
        }
    }

    fn children(&self) {
        let cube = self.cube;
        let is_sum = |metric: MetricId| cube.aggregation(metric) == Aggregation::Sum;
        for parent in (0..cube.metrics.len()).map(MetricId).filter(|&m| is_sum(m)) {
            let all = (0..cube.metrics.len()).map(MetricId);
            let children: Vec<MetricId> = all
                .filter(|child| cube.metrics[child.0].parent == Some(parent) && is_sum(*child))
                .collect();
            if children.is_empty() {
                continue;
            }
            let name = &cube.metrics[parent.0].unique_name;
            for path in (0..cube.call_paths.len()).map(CallPathId) {
                for thread in 0..cube.threads.len() {
                    let of = |metric| cube.row(metric, path).map_or(0.0, |row| row[thread]);
                    let parts: f64 = children.iter().map(|&child| of(child)).sum();
                    let whole = of(parent);
                    let what = || {
                        let path = path.0;
                        format!("children of {name} at call path {path} on thread {thread}")
                    };
                    match name == "time" {
                        true => self.equal(parts, whole, what),
                        // Bytes and counts are not seconds: what they may differ by is relative.
                        false if parts > whole * (1.0 + super::ROUNDING) => {
                            self.at_most(parts, whole, what);
                        }
                        false => {}
                    }
                }
            }
        }
    }

    fn times(&self) {
        let cube = self.cube;
        let wall = self.summary.wall_seconds;
        let threads = cube.metric("time").map(|time| cube.per_thread(time));
        for (thread, seconds) in threads.into_iter().flatten().enumerate() {
            self.at_most(seconds, wall, || {
                format!("time of thread {thread} in the length of the run")
            });
        }
    }

    fn efficiency(&self) {
        let efficiency = self.summary.efficiency;
        let factors = [
            efficiency.load_balance,
            efficiency.communication_efficiency,
            efficiency.parallel_efficiency,
        ];
        for factor in factors {
            let is_share = (-super::ROUNDING..=1.0 + super::ROUNDING).contains(&factor);
            self.must(is_share, || format!("efficiency factor {factor}"));
        }
        self.equal(factors[0] * factors[1], factors[2], || {
            "load balance times communication efficiency is not parallel efficiency".into()
        });
        let computation = self.cube.metric("computation");
        let useful = computation.map_or(0.0, |metric| self.cube.total(metric));
        let available = self.summary.wall_seconds * f64::from(self.summary.threads);
        self.equal(factors[2] * available, useful, || {
            "computation that efficiency is made from, and the metric".into()
        });
    }
}
