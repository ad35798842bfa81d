//! Random numbers that depend on their seed alone.

/// SplitMix64 (G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, 2014).
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// Seeds that differ in any part give unrelated numbers.
    pub(super) fn new(parts: &[u64]) -> Self {
        let mut random = Random(0);
        for part in parts {
            random = Random(random.next() ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93));
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// From 0 to below 1.
    pub(super) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From -1 to below 1.
    pub(super) fn signed(&mut self) -> f64 {
        2.0 * self.share() - 1.0
    }

    /// Times between independent events.
    pub(super) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.share()).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_right_and_seeds_differ() {
        let mut random = Random::new(&[1, 2]);
        let count = 100_000;
        let mean = |sum: f64| sum / f64::from(count);
        let shares = mean((0..count).map(|_| random.share()).sum());
        let times = mean((0..count).map(|_| random.exponential(3.0)).sum());
        assert!((shares - 0.5).abs() < 0.005, "{shares}");
        assert!((times - 3.0).abs() < 0.05, "{times}");
        assert_ne!(Random::new(&[1, 2]).next(), Random::new(&[2, 1]).next());
    }
}
