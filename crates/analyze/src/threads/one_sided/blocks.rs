//! Cost model of a block transfer: time = latency + bytes x time per byte, fitted by least squares
//! to the block transfers that the run itself made with other threads.

use serde::{Deserialize, Serialize};

/// Bytes below which an access is a small one.
pub const SMALL: u64 = 1024;
/// Transfers that a fit needs.
const LEAST_TRANSFERS: f64 = 8.0;
/// How many times the smallest the largest must be for it.
const LEAST_SPREAD: f64 = 4.0;

/// Sums over block transfers of one direction.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct BlockSums {
    /// Number of transfers.
    pub transfers: f64,
    bytes: f64,
    ticks: f64,
    bytes_squared: f64,
    bytes_ticks: f64,
    smallest: f64,
    largest: f64,
}

impl BlockSums {
    /// Counts one transfer of `bytes` that took `ticks`.
    pub fn note(&mut self, bytes: u64, ticks: u64) {
        let (bytes, ticks) = (bytes as f64, ticks as f64);
        self.add(&BlockSums {
            transfers: 1.0,
            bytes,
            ticks,
            bytes_squared: bytes * bytes,
            bytes_ticks: bytes * ticks,
            smallest: bytes,
            largest: bytes,
        });
    }

    /// Adds the transfers that are in other sums.
    pub fn add(&mut self, other: &BlockSums) {
        if other.transfers == 0.0 {
            return;
        }
        self.smallest = match self.transfers {
            0.0 => other.smallest,
            _ => self.smallest.min(other.smallest),
        };
        self.largest = self.largest.max(other.largest);
        self.transfers += other.transfers;
        self.bytes += other.bytes;
        self.ticks += other.ticks;
        self.bytes_squared += other.bytes_squared;
        self.bytes_ticks += other.bytes_ticks;
    }

    /// `None` if there are too few transfers, or of too similar sizes, or if they do not behave
    /// like that at all.
    pub fn fit(&self) -> Option<BlockCost> {
        let n = self.transfers;
        if n < LEAST_TRANSFERS || self.largest < LEAST_SPREAD * self.smallest.max(1.0) {
            return None;
        }
        let variance = n * self.bytes_squared - self.bytes * self.bytes;
        let covariance = n * self.bytes_ticks - self.bytes * self.ticks;
        let per_byte = covariance / variance;
        let latency = (self.ticks - per_byte * self.bytes) / n;
        let sensible = per_byte.is_finite() && per_byte >= 0.0 && latency >= 0.0;
        sensible.then_some(BlockCost { latency, per_byte })
    }
}

impl BlockSums {
    /// Mean ticks of a byte, latencies included; `None` if there are too few transfers, or most of
    /// them are small.
    pub fn per_byte(&self) -> Option<f64> {
        let known =
            self.transfers >= LEAST_TRANSFERS && self.bytes >= SMALL as f64 * self.transfers;
        known.then(|| self.ticks / self.bytes)
    }
}

/// Ticks of a block transfer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockCost {
    /// Ticks of a transfer that do not depend on its size.
    pub latency: f64,
    /// Ticks of each byte.
    pub per_byte: f64,
}

impl BlockCost {
    /// Ticks of `transfers` that move `bytes` together.
    pub fn of(&self, transfers: u64, bytes: u64) -> f64 {
        transfers as f64 * self.latency + bytes as f64 * self.per_byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found() {
        let mut sums = BlockSums::default();
        for kib in 1..=16 {
            sums.note(1024 * kib, 700 + 256 * kib);
        }
        let fit = sums.fit().unwrap();
        assert!((fit.latency - 700.0).abs() < 1e-6, "{fit:?}");
        assert!((fit.per_byte - 0.25).abs() < 1e-9, "{fit:?}");
        assert!((fit.of(2, 4096) - (1400.0 + 1024.0)).abs() < 1e-6);
    }

    #[test]
    fn no_line_is_drawn_through_equal_sizes_few_transfers_or_nonsense() {
        let mut equal = BlockSums::default();
        let mut few = BlockSums::default();
        let mut nonsense = BlockSums::default();
        for kib in 1..=16 {
            equal.note(4096, 700 + kib);
            nonsense.note(1024 * kib, 100_000 - 1000 * kib);
            if kib < 8 {
                few.note(1024 * kib, 700 + kib);
            }
        }
        assert_eq!((equal.fit(), few.fit(), nonsense.fit()), (None, None, None));
        assert_eq!(few.per_byte(), None);
        let per_byte = equal.per_byte().unwrap();
        assert!((per_byte - 708.5 / 4096.0).abs() < 1e-9, "{per_byte}");
    }
}
