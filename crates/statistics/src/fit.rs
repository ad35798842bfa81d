//! Least squares: values as a sum of functions with unknown coefficients.
//!
//! Each value counts by its error: a point's weight is 1/error^2, so that large values do not drown
//! small ones. The errors of the coefficients come from the weights; where the points lie farther
//! from the curve than their errors say, they are enlarged by sqrt(chi^2 / degrees of freedom),
//! since then the model is what is wrong. They are never made smaller than the points' errors say.
//! Intervals are Student's with n - p degrees of freedom, so a fit needs more points than
//! coefficients: with as many it goes through all of them, and says nothing about its own error.

use crate::student::coefficient;

/// A measured value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where it was measured: bytes, threads.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// Its standard error, above 0.
    pub error: f64,
}

/// The functions of x whose sum is fitted: always a constant, and perhaps another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// a
    Constant,
    /// a + b log2 x
    Logarithmic,
    /// a + b x
    Linear,
}

impl Shape {
    /// Number of coefficients.
    pub fn coefficients(self) -> usize {
        match self {
            Shape::Constant => 1,
            Shape::Logarithmic | Shape::Linear => 2,
        }
    }

    /// The function that b is the coefficient of.
    fn function(self, x: f64) -> f64 {
        match self {
            Shape::Constant => 0.0,
            Shape::Logarithmic => x.log2(),
            Shape::Linear => x,
        }
    }
}

/// Bounds of the coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// The slope b is not negative; a may be.
    Rising,
    /// Neither a nor b is negative.
    NotNegative,
}

/// A fitted curve a + b f(x).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// f.
    pub shape: Shape,
    /// a.
    pub constant: f64,
    /// b; 0 of a constant.
    pub slope: f64,
    /// Degrees of freedom: points less coefficients.
    pub freedom: f64,
    /// Variances of a and b, and their covariance.
    covariance: [f64; 3],
}

/// Sums over points, each by its weight.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    ones: f64,
    f: f64,
    ff: f64,
    y: f64,
    fy: f64,
}

impl Fit {
    /// The curve with the smallest sum of squares within the bounds. `None` if there are no more
    /// points than coefficients, they are all at one place, or a value or error is unusable.
    pub fn of(points: &[Point], shape: Shape, bounds: Bounds) -> Option<Fit> {
        let usable = |p: &Point| {
            p.y.is_finite()
                && p.error.is_finite()
                && p.error > 0.0
                && shape.function(p.x).is_finite()
        };
        if points.len() <= shape.coefficients() || !points.iter().all(usable) {
            return None;
        }
        let sums = Sums::over(points, shape);
        let free = match shape {
            Shape::Constant => Some(sums.constant_alone()),
            Shape::Logarithmic | Shape::Linear => Some(sums.both()?),
        };
        let inside = |&(a, b, _): &Solution| b >= 0.0 && (a >= 0.0 || bounds == Bounds::Rising);
        let on_edges = || {
            let edges = [sums.constant_alone(), sums.slope_alone()];
            // A coefficient at its bound is not certain: its error is that without bounds.
            let covariance = free.map_or([0.0; 3], |free: Solution| free.2);
            let uncertain = edges.map(|(a, b, _)| (a, b, covariance));
            let feasible = uncertain.into_iter().filter(inside);
            feasible.min_by(|one, other| {
                chi_squared(points, shape, one).total_cmp(&chi_squared(points, shape, other))
            })
        };
        let best = free.filter(inside).or_else(on_edges)?;
        let freedom = (points.len() - shape.coefficients()) as f64;
        let excess = (chi_squared(points, shape, &best) / freedom).max(1.0);
        Some(Fit {
            shape,
            constant: best.0,
            slope: best.1,
            freedom,
            covariance: best.2.map(|value| value * excess),
        })
    }

    /// The curve's value.
    pub fn at(&self, x: f64) -> f64 {
        match self.shape {
            // No coefficient: log2 0 times 0 is not a number.
            Shape::Constant => self.constant,
            shape => self.constant + self.slope * shape.function(x),
        }
    }

    /// Where the true curve lies at x with this confidence.
    pub fn interval_at(&self, x: f64, confidence: f64) -> (f64, f64) {
        self.interval_of_value(x, 0.0, confidence)
    }

    /// Where a value of this standard error lies that is measured at x.
    pub fn interval_of_value(&self, x: f64, error: f64, confidence: f64) -> (f64, f64) {
        let f = self.shape.function(x);
        let [aa, bb, ab] = self.covariance;
        let variance = (aa + 2.0 * f * ab + f * f * bb).max(0.0) + error * error;
        self.around(self.at(x), variance, confidence)
    }

    /// Where the true a lies.
    pub fn constant_interval(&self, confidence: f64) -> (f64, f64) {
        self.around(self.constant, self.covariance[0], confidence)
    }

    /// Where the true b lies.
    pub fn slope_interval(&self, confidence: f64) -> (f64, f64) {
        self.around(self.slope, self.covariance[1], confidence)
    }

    fn around(&self, value: f64, variance: f64, confidence: f64) -> (f64, f64) {
        let half = variance.sqrt() * coefficient(confidence, self.freedom);
        (value - half, value + half)
    }
}

/// Sum of the squared distances from a curve in units of the points' errors.
fn chi_squared(points: &[Point], shape: Shape, (a, b, _): &Solution) -> f64 {
    let distance = |p: &Point| (p.y - a - b * shape.function(p.x)) / p.error;
    points.iter().map(|point| distance(point).powi(2)).sum()
}

/// Coefficients and their variances and covariance.
type Solution = (f64, f64, [f64; 3]);

impl Sums {
    fn over(points: &[Point], shape: Shape) -> Sums {
        let mut sums = Sums::default();
        for point in points {
            let weight = 1.0 / (point.error * point.error);
            let f = shape.function(point.x);
            sums.ones += weight;
            sums.f += weight * f;
            sums.ff += weight * f * f;
            sums.y += weight * point.y;
            sums.fy += weight * f * point.y;
        }
        sums
    }

    /// `None` if all points are at one place.
    fn both(&self) -> Option<Solution> {
        let determinant = self.ones * self.ff - self.f * self.f;
        // Of equal places nothing but rounding remains.
        if determinant <= 1e-12 * self.ones * self.ff {
            return None;
        }
        let a = (self.ff * self.y - self.f * self.fy) / determinant;
        let b = (self.ones * self.fy - self.f * self.y) / determinant;
        let covariance = [self.ff, self.ones, -self.f].map(|value| value / determinant);
        Some((a, b, covariance))
    }

    fn constant_alone(&self) -> Solution {
        (self.y / self.ones, 0.0, [1.0 / self.ones, 0.0, 0.0])
    }

    fn slope_alone(&self) -> Solution {
        (0.0, self.fy / self.ff, [0.0, 1.0 / self.ff, 0.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[(f64, f64)], error: f64) -> Vec<Point> {
        let point = |&(x, y)| Point { x, y, error };
        values.iter().map(point).collect()
    }

    /// F. J. Anscombe, Graphs in Statistical Analysis, The American Statistician 27, 1973: the first
    /// of his four data sets has the line 3.00 + 0.500 x, its slope the standard error 0.118 and its
    /// constant 1.125, with 9 degrees of freedom.
    #[test]
    fn line_and_errors_are_the_published_ones() {
        let anscombe = [
            (10.0, 8.04),
            (8.0, 6.95),
            (13.0, 7.58),
            (9.0, 8.81),
            (11.0, 8.33),
            (14.0, 9.96),
            (6.0, 7.24),
            (4.0, 4.26),
            (12.0, 10.84),
            (7.0, 4.82),
            (5.0, 5.68),
        ];
        // Errors much below the distances: all of the error comes from these.
        let fit = Fit::of(&points(&anscombe, 0.01), Shape::Linear, Bounds::NotNegative).unwrap();
        assert!((fit.constant - 3.0001).abs() < 1e-4 && (fit.slope - 0.5001).abs() < 1e-4);
        let student = coefficient(0.95, 9.0);
        let error = |interval: (f64, f64)| (interval.1 - interval.0) / 2.0 / student;
        assert!((error(fit.slope_interval(0.95)) - 0.1179).abs() < 1e-4);
        assert!((error(fit.constant_interval(0.95)) - 1.1247).abs() < 1e-4);
    }

    #[test]
    fn small_sizes_are_not_drowned_by_large_ones() {
        // 1 + 0.001 m, of which the largest is 5 % too large.
        let measured = |m: f64, wrong: f64| Point {
            x: m,
            y: (1.0 + 0.001 * m) * wrong,
            error: 0.02 * (1.0 + 0.001 * m),
        };
        let sizes = [8.0, 64.0, 512.0, 4096.0, 32768.0].map(|m| measured(m, 1.0));
        let mut all = sizes.to_vec();
        all.push(measured(1_048_576.0, 1.05));
        let fit = Fit::of(&all, Shape::Linear, Bounds::NotNegative).unwrap();
        assert!((fit.constant - 1.0).abs() < 0.02, "{fit:?}");
        let (low, high) = fit.interval_at(8.0, 0.95);
        assert!(low < 1.008 && 1.008 < high, "{fit:?}");
    }

    #[test]
    fn coefficients_are_never_negative() {
        let falling = points(&[(1.0, 5.0), (2.0, 4.0), (3.0, 3.0)], 0.1);
        let fit = Fit::of(&falling, Shape::Linear, Bounds::NotNegative).unwrap();
        assert_eq!((fit.constant, fit.slope), (4.0, 0.0));
        assert!(fit.slope_interval(0.95).1 > 0.0, "a bound is not certainty");
        let below = points(&[(1.0, 0.5), (2.0, 2.5), (3.0, 4.5)], 0.1);
        let fit = Fit::of(&below, Shape::Linear, Bounds::NotNegative).unwrap();
        assert!(fit.constant == 0.0 && fit.slope > 1.0);
        let fit = Fit::of(&below, Shape::Linear, Bounds::Rising).unwrap();
        assert!((fit.constant + 1.5).abs() < 1e-9 && (fit.slope - 2.0).abs() < 1e-9);
    }

    #[test]
    fn too_few_points_are_not_fitted() {
        let two = points(&[(1.0, 5.0), (2.0, 4.0)], 0.1);
        assert_eq!(Fit::of(&two, Shape::Linear, Bounds::NotNegative), None);
        assert!(Fit::of(&two, Shape::Constant, Bounds::NotNegative).is_some());
        let one_place = points(&[(2.0, 5.0), (2.0, 4.0), (2.0, 4.5)], 0.1);
        assert_eq!(
            Fit::of(&one_place, Shape::Linear, Bounds::NotNegative),
            None
        );
        let unknown = points(&[(1.0, 5.0), (2.0, 4.0), (3.0, 4.5)], f64::INFINITY);
        assert_eq!(Fit::of(&unknown, Shape::Linear, Bounds::NotNegative), None);
    }
}
