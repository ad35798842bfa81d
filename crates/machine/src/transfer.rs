//! The cost of block transfers as latency and time per byte.

use crate::model::{Distance, Machine, Measured, Role};

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
        let known = self.block_times(model, role, distance)?;
        (known.len() >= LEAST_SIZES).then(|| line(&known))
    }

    /// The same near one size in bytes: the line through the two measured sizes around it, or, where
    /// it lies beyond all of them, through the two that are closest. Libraries change their protocol
    /// with the size, so one line for all sizes can be far off.
    pub fn transfer_near(
        &self,
        model: &str,
        role: Role,
        distance: Distance,
        bytes: f64,
    ) -> Option<Transfer> {
        let known = self.block_times(model, role, distance)?;
        if known.len() < LEAST_SIZES {
            return None;
        }
        let after = known.partition_point(|&(size, _)| size <= bytes);
        let first = after.clamp(1, known.len() - 1) - 1;
        Some(line(&known[first..=first + 1]))
    }

    /// Sizes in bytes, each once and ascending, with the seconds of a transfer, of the fewest
    /// threads that they were measured with.
    fn block_times(&self, model: &str, role: Role, distance: Distance) -> Option<Vec<(f64, f64)>> {
        let mut all = self.operations.iter();
        let is_it = |measured: &&Measured| {
            measured.model == model && measured.role == role && measured.distance == Some(distance)
        };
        let points = &all.find(is_it)?.points;
        let fewest = points.iter().map(|point| point.threads).min()?;
        let of_fewest = points.iter().filter(|point| point.threads == fewest);
        let timed = of_fewest.filter(|point| point.seconds > 0.0);
        let mut known: Vec<(f64, f64)> = timed
            .filter_map(|point| Some((point.bytes? as f64, point.seconds)))
            .collect();
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        known.dedup_by_key(|&mut (size, _)| size);
        Some(known)
    }
}

/// The least-squares line of relative errors: a small transfer that is wrong by a tenth counts as
/// much as a large one.
fn line(known: &[(f64, f64)]) -> Transfer {
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
    Transfer {
        latency,
        per_byte,
        deviation: known.iter().map(off).fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_transfers_count_as_much_as_large_ones() {
        let true_line = |m: f64| 1e-6 + m * 1e-9;
        let mut times: Vec<(f64, f64)> = [8.0, 1024.0, 65536.0, 1048576.0]
            .map(|m| (m, true_line(m)))
            .to_vec();
        let exact = line(&times);
        assert!((exact.latency / 1e-6 - 1.0).abs() < 1e-6, "{exact:?}");
        assert!((exact.per_byte / 1e-9 - 1.0).abs() < 1e-6, "{exact:?}");
        times[3].1 *= 1.1;
        let disturbed = line(&times);
        assert!(
            (disturbed.latency / 1e-6 - 1.0).abs() < 0.02,
            "{disturbed:?}"
        );
        assert!(disturbed.deviation < 0.1, "{disturbed:?}");
    }

    #[test]
    fn no_term_is_negative() {
        let falling = line(&[(8.0, 2e-6), (64.0, 1.5e-6), (512.0, 1e-6)]);
        assert_eq!(falling.per_byte, 0.0);
        assert!(falling.latency > 0.9e-6 && falling.latency < 2e-6);
        let steep = line(&[(100.0, 1e-8), (1000.0, 1e-6), (2000.0, 2.2e-6)]);
        assert!(steep.latency >= 0.0 && steep.per_byte > 0.0);
    }
}
