//! Cost of a message between tasks, ts + tw L, from the times of sends and receives by size.
//!
//! For each size the median of the sends plus that of the receives is a point, so that operations
//! that lost their core do not count more than others. Its standard error is that of medians of
//! values which are spread as their quartiles say. A line through these points is fitted by least
//! squares with these errors.

use pgas_result::tasks::{MessageCost, SendersCost};
use pgas_statistics::fit::{Bounds, Fit, Point, Shape};

use crate::detectors::tasks::costs::{Costs, Lengths};
use crate::model::clock::Times;
use crate::model::histogram::Histogram;

/// Messages of a size from which on they make a point.
const LEAST_MESSAGES: u64 = 20;
/// How many times as large as the smallest size the largest one must be, so that there is a slope.
const LEAST_RANGE: f64 = 4.0;
/// Probability with which intervals hold the value.
const CONFIDENCE: f64 = 0.95;
/// Standard deviation of a median, times the root of the number of values, by their interquartile
/// range: sqrt(pi / 2) / 1.349 for values that are normally distributed.
const ERROR_OF_MEDIAN: f64 = 0.929;

/// By how much of its value a median is wrong because the histogram has buckets.
const ROUNDING: f64 = 1.0 / 128.0;

/// The cost; `None` if there are fewer than three sizes, or these are too close together.
pub(super) fn message_cost(costs: &Costs, times: &Times) -> Option<MessageCost> {
    let points: Vec<Point> = costs
        .by_bytes()
        .iter()
        .filter_map(|(&bytes, lengths)| point(bytes, lengths, times))
        .collect();
    let (first, last) = (points.first()?, points.last()?);
    if last.x < LEAST_RANGE * first.x.max(1.0) {
        return None;
    }
    let fit = Fit::of(&points, Shape::Linear, Bounds::NotNegative)?;
    let of_senders = costs.by_senders().iter();
    Some(MessageCost {
        ts: fit.constant,
        ts_interval: Some(fit.constant_interval(CONFIDENCE)),
        tw: fit.slope,
        tw_interval: Some(fit.slope_interval(CONFIDENCE)),
        by_senders: of_senders
            .filter_map(|(&senders, lengths)| senders_cost(senders, lengths, times))
            .collect(),
    })
}

fn is_enough(lengths: &Lengths) -> bool {
    lengths.sends.count().min(lengths.receives.count()) >= LEAST_MESSAGES
}

fn point(bytes: u64, lengths: &Lengths, times: &Times) -> Option<Point> {
    if !is_enough(lengths) {
        return None;
    }
    let (send, of_send) = median(&lengths.sends, times);
    let (receive, of_receive) = median(&lengths.receives, times);
    Some(Point {
        x: bytes as f64,
        y: send + receive,
        error: of_send.hypot(of_receive),
    })
}

/// The median in seconds, and its standard error; no less than the clock's resolution allows.
fn median(lengths: &Histogram, times: &Times) -> (f64, f64) {
    let [lower, middle, upper] = lengths.quantiles([25, 50, 75]);
    let spread = upper.saturating_sub(lower).max(1) as f64;
    let error = ERROR_OF_MEDIAN * spread / (lengths.count() as f64).sqrt();
    let error = error.hypot(ROUNDING * middle as f64);
    (times.length(middle as f64), times.length(error))
}

fn senders_cost(senders: u64, lengths: &Lengths, times: &Times) -> Option<SendersCost> {
    is_enough(lengths).then(|| SendersCost {
        senders,
        messages: lengths.sends.count(),
        send_seconds: median(&lengths.sends, times).0,
        receive_seconds: median(&lengths.receives, times).0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(ticks: impl Fn(u64) -> u64, sizes: &[u64]) -> Costs {
        let mut costs = Costs::default();
        for &bytes in sizes {
            for message in 0..100 {
                // One in ten loses its core.
                let lost = if message % 10 == 0 { 1_000_000 } else { 0 };
                costs.send(ticks(bytes) + message % 3 + lost, bytes, 1);
                costs.receive(100 + message % 2, bytes, 1);
            }
        }
        costs
    }

    const TIMES: Times = Times {
        per_tick: 1e-9,
        start: 0,
    };

    #[test]
    fn a_line_through_the_sizes_is_found() {
        let costs = costs(|bytes| 300 + 2 * bytes, &[8, 1024, 4096, 65536]);
        let cost = message_cost(&costs, &TIMES).expect("a cost");
        assert!((cost.ts / 401e-9 - 1.0).abs() < 0.02, "{cost:?}");
        assert!((cost.tw / 2e-9 - 1.0).abs() < 0.02, "{cost:?}");
        let (low, high) = cost.tw_interval.expect("an interval");
        assert!(low <= cost.tw && cost.tw <= high, "{cost:?}");
        assert_eq!(cost.by_senders.len(), 1);
    }

    #[test]
    fn sizes_that_show_no_slope_have_no_cost() {
        let costs = costs(|_| 300, &[8, 9, 10]);
        assert_eq!(message_cost(&costs, &TIMES), None);
    }
}
