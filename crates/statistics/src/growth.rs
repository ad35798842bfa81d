//! How a time grows with the number of threads n: not at all, as a + b log2 n, or as a + b n.
//!
//! Each model is fitted without one point after the other, and predicts the one that was left out.
//! The root of the mean square of the relative errors is the model's error; the model with the
//! smallest is chosen, the simpler one if two are equal. More coefficients do not make it smaller by
//! themselves, as they would the distance from points that were fitted.
//!
//! A model with p coefficients takes part if each fit has p points left: from two points the
//! constant alone can be had, and it takes three for the others. One point has no model.

use crate::fit::{Bounds, Fit, Point, Shape};

const SHAPES: [Shape; 3] = [Shape::Constant, Shape::Logarithmic, Shape::Linear];

/// A model of the growth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// Fitted to all points.
    pub fit: Fit,
    /// Relative error of predictions of points that were left out, as a root of the mean square.
    pub error: f64,
}

/// The best model. `None` of fewer than two points, or unusable ones.
pub fn best(points: &[Point]) -> Option<Growth> {
    models(points)
        .into_iter()
        .reduce(|best, next| if next.error < best.error { next } else { best })
}

/// All models that there are points enough for, the simplest first.
pub fn models(points: &[Point]) -> Vec<Growth> {
    let model = |shape| {
        let fit = Fit::of(points, shape, Bounds::Rising)?;
        let error = prediction_error(points, shape, Bounds::Rising)?;
        Some(Growth { fit, error })
    };
    SHAPES.into_iter().filter_map(model).collect()
}

/// Relative error with which a model predicts points that were left out of its fit, as a root of the
/// mean square. `None` if there are too few points, or unusable ones.
pub fn prediction_error(points: &[Point], shape: Shape, bounds: Bounds) -> Option<f64> {
    let mut squares = 0.0;
    for index in 0..points.len() {
        let mut others = points.to_vec();
        let left_out = others.remove(index);
        let predicted = through(&others, shape, bounds)?.at(left_out.x);
        squares += ((predicted - left_out.y) / left_out.y).powi(2);
    }
    let error = (squares / points.len() as f64).sqrt();
    error.is_finite().then_some(error)
}

/// A fit that may go through all of its points, since its own errors do not matter.
fn through(points: &[Point], shape: Shape, bounds: Bounds) -> Option<Fit> {
    // Each point twice with its error times sqrt(2) has the same curve.
    let twice = |point: &Point| {
        let half = Point {
            error: point.error * std::f64::consts::SQRT_2,
            ..*point
        };
        [half, half]
    };
    let doubled: Vec<Point> = points.iter().flat_map(twice).collect();
    Fit::of(&doubled, shape, bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(threads: &[f64], time: impl Fn(f64) -> f64) -> Vec<Point> {
        let noise = [1.01, 0.99, 1.005, 0.992, 1.008];
        let point = |(n, wrong): (&f64, f64)| Point {
            x: *n,
            y: time(*n) * wrong,
            error: 0.01 * time(*n),
        };
        threads.iter().zip(noise).map(point).collect()
    }

    #[test]
    fn the_true_growth_is_found() {
        let threads = [2.0, 4.0, 8.0, 16.0, 32.0];
        let chosen = |time: &dyn Fn(f64) -> f64| best(&times(&threads, time)).unwrap();
        assert_eq!(chosen(&|_| 3e-6).fit.shape, Shape::Constant);
        let barrier = chosen(&|n| 1e-7 + 4e-7 * n.log2());
        assert_eq!(barrier.fit.shape, Shape::Logarithmic);
        assert!((barrier.fit.slope - 4e-7).abs() < 1e-8, "{barrier:?}");
        assert!(barrier.error < 0.05, "{barrier:?}");
        assert_eq!(chosen(&|n| 1e-6 + 2e-7 * n).fit.shape, Shape::Linear);
    }

    #[test]
    fn few_points_have_simple_models() {
        let threads = [2.0, 4.0, 8.0];
        assert_eq!(best(&times(&threads[..1], |n| n)), None);
        let two = best(&times(&threads[..2], |n| n)).unwrap();
        assert_eq!(two.fit.shape, Shape::Constant);
        assert!(two.error > 0.3, "the error says how bad it is: {two:?}");
        assert_eq!(models(&times(&threads, |n| n)).len(), 3);
        assert_eq!(
            best(&times(&threads, |n| n)).unwrap().fit.shape,
            Shape::Linear
        );
    }
}
