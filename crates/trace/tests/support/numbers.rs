//! Random numbers for tests whose cases follow from a seed alone, so that a failure can be repeated
//! from what it names. Tests of other crates include this file, too.
#![allow(dead_code)] // each test uses its own part

/// A deterministic generator of numbers (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.any() % limit
    }

    /// An index into something of this length, which is not 0.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// True in one of so many cases.
    pub fn chance(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    /// True in so many percent of all cases.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Between 0 and 1, both exclusive.
    pub fn uniform(&mut self) -> f64 {
        (self.below(1 << 53) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// One of these.
    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.index(choices.len())]
    }
}
