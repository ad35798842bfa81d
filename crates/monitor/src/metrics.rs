//! Values of the metrics of a thread, and how fast they grow.

use pgas_live::{MetricValue, Snapshot};

use crate::picture::MetricNow;

/// The metrics in a snapshot, compared with the one before; `seconds` is the length of a tick.
pub(crate) fn of(now: &Snapshot, last: Option<&Snapshot>, seconds: f64) -> Vec<MetricNow> {
    let ticks = last.map(|last| now.time.ticks.saturating_sub(last.time.ticks));
    let period = ticks
        .map(|ticks| ticks as f64 * seconds)
        .filter(|&period| period > 0.0);
    let metric = |value: &MetricValue| {
        let shown = shown(value, seconds);
        let before = last.and_then(|last| {
            let mut all = last.metrics.iter().map(|value| self::shown(value, seconds));
            all.find(|before| before.name == shown.name)
        });
        let rate = before
            .zip(period)
            .map(|(before, period)| (shown.value - before.value) / period);
        MetricNow { rate, ..shown }
    };
    now.metrics.iter().map(metric).collect()
}

fn shown(value: &MetricValue, seconds: f64) -> MetricNow {
    let (name, unit, value, integer, is_running) = match value {
        MetricValue::Counter {
            name,
            value,
            is_bytes,
        } => {
            let unit = if *is_bytes { "bytes" } else { "count" };
            (name, unit, *value as f64, Some(*value), None)
        }
        MetricValue::Timer {
            name,
            ticks,
            nanoseconds,
            is_running,
        } => {
            let value = *ticks as f64 * seconds + *nanoseconds as f64 * 1e-9;
            (name, "seconds", value, None, Some(*is_running))
        }
    };
    MetricNow {
        name: name.clone(),
        unit,
        value,
        integer,
        rate: None,
        is_running,
    }
}
