//! The history of one metric of one object.

use std::collections::VecDeque;

use super::Point;
use super::axis::{Axis, Step};
use super::tier::{Mean, Span, trim};

/// Values at the newest points of the axis; NaN where there was none.
#[derive(Debug, Default)]
pub(crate) struct Track {
    fine: VecDeque<f32>,
    medium: VecDeque<f32>,
    coarse: VecDeque<f32>,
    open_medium: Mean,
    open_coarse: Mean,
    /// Periods since the last one with a value.
    pub(crate) silent: u32,
}

impl Track {
    /// Adds the value of a period. Each track gets each step of the axis.
    pub(crate) fn add(&mut self, value: f64, step: &Step) {
        if step.closes_medium {
            self.medium.push_back(self.open_medium.close());
        }
        if step.closes_coarse {
            self.coarse.push_back(self.open_coarse.close());
        }
        if let Some(lengths) = &step.merged {
            self.coarse = merged(&self.coarse, lengths);
        }
        let value = value as f32;
        self.silent = if value.is_nan() {
            self.silent.saturating_add(1)
        } else {
            0
        };
        self.open_medium.add(value, step.period);
        self.open_coarse.add(value, step.period);
        self.fine.push_back(value);
        trim(&mut self.fine, step.left[0]);
        trim(&mut self.medium, step.left[1]);
        trim(&mut self.coarse, step.left[2]);
    }

    /// All points that have a value, the oldest first: the finest that there are of each moment.
    pub(crate) fn points(&self, axis: &Axis) -> Vec<Point> {
        let mut newest_first = Vec::new();
        let mut begin = f64::INFINITY;
        let tiers = [
            (&axis.fine, &self.fine),
            (&axis.medium, &self.medium),
            (&axis.coarse, &self.coarse),
        ];
        for (spans, values) in tiers {
            let mut earliest = begin;
            for (span, value) in spans.iter().rev().zip(values.iter().rev()) {
                newest_first.extend(before(*span, *value, begin));
                earliest = earliest.min(span.start());
            }
            begin = earliest;
        }
        newest_first.reverse();
        newest_first
    }
}

/// The part of a point before `end`; `None` if there is none, or no value.
fn before(span: Span, value: f32, end: f64) -> Option<Point> {
    let elapsed = span.end.min(end);
    let period = (elapsed - span.start()).min(span.length);
    // Ends and lengths are rounded.
    let is_known = !value.is_nan() && period > 1e-6;
    is_known.then(|| Point {
        elapsed,
        period,
        value: f64::from(value),
    })
}

/// Means of each two of the points that have these lengths.
fn merged(values: &VecDeque<f32>, lengths: &[f64]) -> VecDeque<f32> {
    let missing = lengths.len().saturating_sub(values.len());
    let value = |point: usize| match point.checked_sub(missing) {
        Some(index) => values.get(index).copied().unwrap_or(f32::NAN),
        None => f32::NAN,
    };
    let pairs = missing / 2..lengths.len() / 2;
    pairs
        .map(|pair| {
            let mut mean = Mean::default();
            for point in [2 * pair, 2 * pair + 1] {
                mean.add(value(point), lengths[point]);
            }
            mean.close()
        })
        .collect()
}
