//! Models of times: alpha + beta m over the size m, and growth over the number of threads.
//!
//! A point's error is its standard error, but at least 1 % of its value: no machine follows such a
//! model more exactly, and a point that happens to scatter little would outweigh all others.

use crate::results::Results;
use crate::rows::{self, Key, Value};
use pgas_base::quantity::{percent, seconds};
use pgas_statistics::fit::{Bounds, Fit, Point, Shape};
use pgas_statistics::growth::{self, Growth, prediction_error};
use std::collections::BTreeMap;

/// Least error of a point, relative to its value.
const LEAST_ERROR: f64 = 0.01;

/// All models that a result has points enough for.
#[derive(Debug, Clone, PartialEq)]
pub struct Models {
    /// Of the settings.
    pub confidence: f64,
    /// From three sizes on.
    pub over_size: Vec<OverSize>,
    /// From two numbers of threads on.
    pub over_threads: Vec<OverThreads>,
}

/// alpha + beta m of an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct OverSize {
    /// Operation and arguments.
    pub what: String,
    /// Number of threads.
    pub threads: usize,
    /// Of the time in seconds over bytes.
    pub fit: Fit,
    /// Relative error with which it predicts sizes that were left out.
    pub error: f64,
    /// Number of sizes.
    pub points: usize,
}

/// Growth of an operation over the number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct OverThreads {
    /// Operation and arguments.
    pub what: String,
    /// Size, if it has one.
    pub bytes: Option<u64>,
    /// The best model, of the time in seconds.
    pub growth: Growth,
    /// Number of numbers of threads.
    pub points: usize,
}

/// Fits all models.
pub fn models(results: &Results) -> Models {
    let values = rows::values([results]);
    Models {
        confidence: results.settings.confidence,
        over_size: over_size(&values),
        over_threads: over_threads(&values),
    }
}

fn over_size(values: &BTreeMap<Key, Value>) -> Vec<OverSize> {
    let mut groups: BTreeMap<(&str, usize), Vec<Point>> = BTreeMap::new();
    for (key, value) in values {
        if let Some(bytes) = key.bytes {
            let group = groups.entry((&key.what, key.threads)).or_default();
            group.push(point(bytes as f64, value));
        }
    }
    let model = |((what, threads), points): ((&str, usize), Vec<Point>)| {
        Some(OverSize {
            what: what.to_string(),
            threads,
            fit: Fit::of(&points, Shape::Linear, Bounds::NotNegative)?,
            error: prediction_error(&points, Shape::Linear, Bounds::NotNegative)?,
            points: points.len(),
        })
    };
    groups.into_iter().filter_map(model).collect()
}

fn over_threads(values: &BTreeMap<Key, Value>) -> Vec<OverThreads> {
    let mut groups: BTreeMap<(&str, Option<u64>), Vec<Point>> = BTreeMap::new();
    for (key, value) in values {
        let group = groups.entry((&key.what, key.bytes)).or_default();
        group.push(point(key.threads as f64, value));
    }
    let model = |((what, bytes), points): ((&str, Option<u64>), Vec<Point>)| {
        Some(OverThreads {
            what: what.to_string(),
            bytes,
            growth: growth::best(&points)?,
            points: points.len(),
        })
    };
    groups.into_iter().filter_map(model).collect()
}

fn point(x: f64, value: &Value) -> Point {
    let mean = value.mean;
    Point {
        x,
        y: mean.value,
        error: mean.error.max(LEAST_ERROR * mean.value),
    }
}

impl OverSize {
    /// "1.20 us + 0.11 ns/byte".
    pub fn formula(&self, ascii: bool) -> String {
        format!(
            "{} + {}/byte",
            seconds(self.fit.constant, ascii),
            fine(self.fit.slope, ascii)
        )
    }

    /// Intervals of alpha and beta.
    pub fn intervals(&self, confidence: f64, ascii: bool) -> [String; 2] {
        [
            interval(self.fit.constant_interval(confidence), ascii),
            interval(self.fit.slope_interval(confidence), ascii) + "/byte",
        ]
    }
}

impl OverThreads {
    /// "0.31 us + 0.42 us log2 n".
    pub fn formula(&self, ascii: bool) -> String {
        let fit = &self.growth.fit;
        let constant = seconds(fit.constant, ascii);
        let slope = fine(fit.slope, ascii);
        match fit.shape {
            Shape::Constant => constant,
            Shape::Logarithmic => format!("{constant} + {slope} log2 n"),
            Shape::Linear => format!("{constant} + {slope} n"),
        }
    }

    /// Intervals of the coefficients.
    pub fn intervals(&self, confidence: f64, ascii: bool) -> Vec<String> {
        let fit = &self.growth.fit;
        let mut all = vec![interval(fit.constant_interval(confidence), ascii)];
        if fit.shape != Shape::Constant {
            all.push(interval(fit.slope_interval(confidence), ascii));
        }
        all
    }

    /// How exactly it predicts, and whether that can be relied on.
    pub fn quality(&self) -> String {
        let error = error(self.growth.error);
        match self.points {
            few @ ..=3 => format!("{error}, {few} points are few"),
            _ => error,
        }
    }
}

/// "error 4 %".
pub fn error(relative: f64) -> String {
    format!("error {}", percent(100.0 * relative))
}

fn interval((low, high): (f64, f64), ascii: bool) -> String {
    format!("{} to {}", fine(low, ascii), fine(high, ascii))
}

/// Also what is far below a nanosecond, as times for a byte are.
fn fine(value: f64, ascii: bool) -> String {
    match value.abs() {
        0.0 => "0 s".to_string(),
        size if size < 0.0995e-9 => format!("{:.3} ps", value * 1e12),
        size if size < 0.9995e-9 => format!("{:.3} ns", value * 1e9),
        _ => seconds(value, ascii),
    }
}

/// "12.3 ppm".
pub(crate) fn per_million(relative: f64) -> String {
    format!("{:.3} ppm", relative * 1e6)
}
