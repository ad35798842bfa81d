//! A stretch of history at one resolution: closed means, and the one that is still open.

use std::collections::VecDeque;

/// End and length of a point, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) end: f64,
    pub(super) length: f64,
}

impl Span {
    pub(super) fn start(self) -> f64 {
        self.end - self.length
    }

    /// This span and the one after it.
    pub(super) fn with(self, next: Span) -> Span {
        Span {
            end: next.end,
            length: self.length + next.length,
        }
    }
}

/// A mean that is still open.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    /// A value counts for as long as its period was.
    pub(super) fn add(&mut self, value: f32, period: f64) {
        if !value.is_nan() {
            self.sum += f64::from(value) * period;
            self.weight += period;
        }
    }

    /// The mean, NaN without a value; the next one begins.
    pub(super) fn close(&mut self) -> f32 {
        let mean = std::mem::take(self);
        match mean.weight > 0.0 {
            true => (mean.sum / mean.weight) as f32,
            false => f32::NAN,
        }
    }
}

/// Removes the oldest until there are at most `most`.
pub(super) fn trim<T>(values: &mut VecDeque<T>, most: usize) {
    while values.len() > most {
        values.pop_front();
    }
}
