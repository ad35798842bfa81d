//! Findings: what each costs, and all together.

use std::collections::BTreeMap;

use pgas_cube::model::MetricId;

use super::Check;
use crate::model::summary::Finding;

impl Check<'_> {
    pub(super) fn findings(&self) {
        let summary = self.summary;
        for (number, finding) in summary.findings.iter().enumerate() {
            self.finding(number, finding);
        }
        self.sums();
    }

    fn finding(&self, number: usize, finding: &Finding) {
        let what = |figure: &str| format!("{figure} of finding {number} ({})", finding.metric);
        let Some(metric) = self.cube.metric(&finding.metric) else {
            self.note(what("metric unknown"));
            return;
        };
        let whole = self.at(metric, finding.call_path);
        self.at_most(finding.seconds, whole, || {
            format!("{} at {}", what("cost"), self.name(finding.call_path))
        });
        let percent = self.percent(finding.seconds);
        self.equal(finding.percent, percent, || what("share"));
        if let Some(saved) = finding.saves_seconds {
            self.at_most(saved, self.summary.wall_seconds, || what("saving"));
        }
        if let Some(worst) = &finding.worst {
            // Instances are whole where operations that cannot be nest in each other.
            let whole = self.of_instances(finding).unwrap_or(finding.seconds);
            self.at_most(worst.seconds, whole.max(finding.seconds), || {
                what("worst instance")
            });
        }
        let all = self.summary.findings.len();
        for &other in &finding.overlaps {
            let is_mutual = self
                .summary
                .findings
                .get(other)
                .is_some_and(|other| other.overlaps.contains(&number));
            self.must(is_mutual && other != number && other < all, || {
                format!("finding {number} overlaps with {other}, but not the other way round")
            });
        }
    }

    /// All instances of a finding's wait state at its call path, in seconds.
    fn of_instances(&self, finding: &Finding) -> Option<f64> {
        let mut all = self.summary.instances.iter();
        let own = all.find(|i| i.metric == finding.metric && i.call_path == finding.call_path)?;
        let spread = own.spread?.instances;
        Some(spread.mean * spread.count as f64)
    }

    /// Findings about different seconds come to no more than their metric, neither at one call path
    /// nor in all.
    fn sums(&self) {
        let mut at_paths: BTreeMap<(MetricId, usize), f64> = BTreeMap::new();
        let mut in_all: BTreeMap<MetricId, f64> = BTreeMap::new();
        for (metric, call_path, seconds) in self.separate() {
            let mut metric = Some(metric);
            while let Some(id) = metric {
                *at_paths.entry((id, call_path)).or_default() += seconds;
                *in_all.entry(id).or_default() += seconds;
                metric = self.cube.metrics[id.0].parent;
            }
        }
        for ((metric, call_path), seconds) in at_paths {
            let whole = self.at(metric, call_path);
            self.at_most(seconds, whole, || {
                let metric = &self.cube.metrics[metric.0].unique_name;
                format!("findings on {metric} at {}", self.name(call_path))
            });
        }
        for (metric, seconds) in in_all {
            let whole = self.cube.total(metric);
            self.at_most(seconds, whole, || {
                let metric = &self.cube.metrics[metric.0].unique_name;
                format!("findings on {metric} in all")
            });
        }
    }

    /// Metric, call path and seconds of findings, where of those that overlap the largest stands
    /// for all.
    fn separate(&self) -> Vec<(MetricId, usize, f64)> {
        let findings = &self.summary.findings;
        let larger = |a: usize, b: usize| {
            let by_cost = findings[a].seconds.total_cmp(&findings[b].seconds);
            by_cost.then(b.cmp(&a)).is_gt()
        };
        let stands = |number: usize, finding: &Finding| {
            let others = finding
                .overlaps
                .iter()
                .filter(|&&other| other < findings.len());
            others.copied().all(|other| !larger(other, number))
        };
        let separate = findings.iter().enumerate();
        separate
            .filter(|(number, finding)| stands(*number, finding))
            .filter_map(|(_, finding)| {
                let metric = self.cube.metric(&finding.metric)?;
                Some((metric, finding.call_path, finding.seconds))
            })
            .collect()
    }
}
