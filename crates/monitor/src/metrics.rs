//! Counters and timers of the program's own, between two looks at a page.

use pgas_live::{MetricValue, Snapshot};

use crate::picture::MetricNow;

/// The metrics of a page, with their change since the look before; `tick` is in seconds.
pub(crate) fn metrics(last: Option<&Snapshot>, now: &Snapshot, tick: f64) -> Vec<MetricNow> {
    let all = now.metrics.iter().enumerate();
    all.map(|(number, metric)| {
        let before = last.and_then(|last| {
            let before = last.metrics.get(number)?;
            let ticks = now.time.ticks.saturating_sub(last.time.ticks);
            (name(before) == name(metric)).then_some((before, ticks as f64 * tick))
        });
        one(metric, before, tick)
    })
    .collect()
}

/// `before` is the metric at the last look, and the seconds since then.
fn one(metric: &MetricValue, before: Option<(&MetricValue, f64)>, tick: f64) -> MetricNow {
    let now = value(metric, tick);
    let rate = before.filter(|(_, period)| *period > 0.0);
    let rate = rate.map(|(before, period)| (now - value(before, tick)) / period);
    let (unit, is_running) = match metric {
        MetricValue::Counter { .. } => ("count", None),
        MetricValue::Timer { is_running, .. } => ("seconds", Some(*is_running)),
    };
    MetricNow {
        name: name(metric).to_owned(),
        unit,
        value: now,
        rate,
        is_running,
    }
}

fn name(metric: &MetricValue) -> &str {
    match metric {
        MetricValue::Counter { name, .. } | MetricValue::Timer { name, .. } => name,
    }
}

fn value(metric: &MetricValue, tick: f64) -> f64 {
    match metric {
        MetricValue::Counter { value, .. } => *value as f64,
        MetricValue::Timer { ticks, .. } => *ticks as f64 * tick,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_needs_a_value_before() {
        let counter = |value| MetricValue::Counter {
            name: "particles".to_owned(),
            value,
        };
        let first = one(&counter(10), None, 1e-9);
        assert_eq!(
            (first.value, first.rate, first.is_running),
            (10.0, None, None)
        );
        let fewer = one(&counter(4), Some((&counter(10), 2.0)), 1e-9);
        assert_eq!((fewer.value, fewer.rate), (4.0, Some(-3.0)));
    }

    #[test]
    fn timers_are_in_seconds() {
        let timer = |ticks| MetricValue::Timer {
            name: "sort".to_owned(),
            ticks,
            is_running: true,
        };
        let now = one(&timer(3_000), Some((&timer(1_000), 4.0)), 1e-3);
        assert_eq!((now.unit, now.value, now.rate), ("seconds", 3.0, Some(0.5)));
        assert_eq!(now.is_running, Some(true));
    }
}
