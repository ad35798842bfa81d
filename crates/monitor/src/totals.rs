//! Metrics of all threads together: sums, means and maxima.

use std::collections::BTreeMap;

use crate::picture::{MetricNow, Picture};

/// A metric over all threads that have it.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricTotal {
    /// Its name.
    pub name: String,
    /// As [`MetricNow::unit`].
    pub unit: &'static str,
    /// Number of threads that have it.
    pub threads: u32,
    /// Sum of the values.
    pub sum: f64,
    /// Smallest value.
    pub least: f64,
    /// Largest value.
    pub most: f64,
    /// The thread with the largest value.
    pub most_thread: u32,
    /// Sum of the increases per second; `None` if it is new on all threads.
    pub rate: Option<f64>,
}

impl MetricTotal {
    /// Mean of the values.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.threads.max(1))
    }

    fn begin(thread: u32, first: &MetricNow) -> Self {
        MetricTotal {
            name: first.name.clone(),
            unit: first.unit,
            threads: 0,
            sum: 0.0,
            least: first.value,
            most: first.value,
            most_thread: thread,
            rate: None,
        }
    }

    fn add(&mut self, thread: u32, metric: &MetricNow) {
        self.threads += 1;
        self.sum += metric.value;
        self.least = self.least.min(metric.value);
        if metric.value > self.most {
            (self.most, self.most_thread) = (metric.value, thread);
        }
        if let Some(rate) = metric.rate {
            *self.rate.get_or_insert(0.0) += rate;
        }
    }
}

/// The metrics of a picture, by name.
pub fn metrics(picture: &Picture) -> Vec<MetricTotal> {
    let mut by_name: BTreeMap<&str, MetricTotal> = BTreeMap::new();
    for now in &picture.now {
        for metric in &now.metrics {
            by_name
                .entry(&metric.name)
                .or_insert_with(|| MetricTotal::begin(now.thread, metric))
                .add(now.thread, metric);
        }
    }
    by_name.into_values().collect()
}
