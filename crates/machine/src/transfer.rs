//! The cost of block transfers as latency and time per byte.

use crate::model::{Distance, Machine, Measured, Point, Role};

/// A transfer of m bytes takes `latency + m * per_byte` seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transfer {
    /// Seconds that a transfer takes besides its bytes.
    pub latency: f64,
    /// Seconds of one byte.
    pub per_byte: f64,
    /// Largest relative difference between a measured point and the line.
    pub deviation: f64,
}

/// Sizes that a line needs.
const LEAST_SIZES: usize = 3;

impl Machine {
    /// Block transfers of a model in a direction ([`Role::BlockRead`] or [`Role::BlockWrite`]) over
    /// a distance, one thread at a time; `None` where they were not measured.
    pub fn transfer(&self, model: &str, role: Role, distance: Distance) -> Option<Transfer> {
        let mut all = self.operations.iter();
        let is_it = |measured: &&Measured| {
            measured.model == model && measured.role == role && measured.distance == Some(distance)
        };
        line(&all.find(is_it)?.points)
    }
}

/// The least-squares line of relative errors: a small transfer that is wrong by a tenth counts as
/// much as a large one.
fn line(points: &[Point]) -> Option<Transfer> {
    let known = points.iter().filter_map(|point| {
        let bytes = point.bytes? as f64;
        (point.seconds > 0.0).then_some((bytes, point.seconds))
    });
    let known: Vec<(f64, f64)> = known.collect();
    if known.len() < LEAST_SIZES {
        return None;
    }
    let sum = |of: &dyn Fn(f64, f64) -> f64| known.iter().map(|&(m, t)| of(m, t) / (t * t)).sum();
    let (w, wm, wt): (f64, f64, f64) = (sum(&|_, _| 1.0), sum(&|m, _| m), sum(&|_, t| t));
    let (wmm, wmt): (f64, f64) = (sum(&|m, _| m * m), sum(&|m, t| m * t));
    let determinant = w * wmm - wm * wm;
    let per_byte = (w * wmt - wm * wt) / determinant;
    let latency = (wt - per_byte * wm) / w;
    // Times cannot fall with size, and nothing takes less than no time: then one of the two terms
    // is zero and the other has all.
    let (latency, per_byte) = match (latency, per_byte) {
        (_, per_byte) if !per_byte.is_finite() || per_byte < 0.0 => (wt / w, 0.0),
        (latency, _) if latency < 0.0 => (0.0, wmt / wmm),
        both => both,
    };
    let off = |&(m, t): &(f64, f64)| ((latency + m * per_byte) / t - 1.0).abs();
    Some(Transfer {
        latency,
        per_byte,
        deviation: known.iter().map(off).fold(0.0, f64::max),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(bytes: u64, seconds: f64) -> Point {
        Point {
            threads: 2,
            nodes: 1,
            have_cores: true,
            bytes: Some(bytes),
            seconds,
            interval: (seconds, seconds),
        }
    }

    #[test]
    fn small_transfers_count_as_much_as_large_ones() {
        let true_line = |m: u64| 1e-6 + m as f64 * 1e-9;
        let mut points: Vec<Point> = [8, 1024, 65536, 1 << 20]
            .map(|m| at(m, true_line(m)))
            .to_vec();
        let exact = line(&points).unwrap();
        assert!((exact.latency / 1e-6 - 1.0).abs() < 1e-6, "{exact:?}");
        assert!((exact.per_byte / 1e-9 - 1.0).abs() < 1e-6, "{exact:?}");
        points[3].seconds *= 1.1;
        let disturbed = line(&points).unwrap();
        assert!(
            (disturbed.latency / 1e-6 - 1.0).abs() < 0.02,
            "{disturbed:?}"
        );
        assert!(disturbed.deviation < 0.1, "{disturbed:?}");
    }

    #[test]
    fn no_term_is_negative() {
        let falling = line(&[at(8, 2e-6), at(64, 1.5e-6), at(512, 1e-6)]).unwrap();
        assert_eq!(falling.per_byte, 0.0);
        assert!(falling.latency > 0.9e-6 && falling.latency < 2e-6);
        let steep = line(&[at(100, 1e-8), at(1000, 1e-6), at(2000, 2.2e-6)]).unwrap();
        assert!(steep.latency >= 0.0 && steep.per_byte > 0.0);
        assert_eq!(line(&[at(8, 1e-6), at(16, 1e-6)]), None);
    }
}
