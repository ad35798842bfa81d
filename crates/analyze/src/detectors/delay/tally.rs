//! Ticks by call path, cleared and filled again many times: clearing costs as much as was filled.

use pgas_earl::PathId;

/// A table by call path that remembers which entries it has, in the order in which they came.
#[derive(Debug, Default)]
pub struct Tally {
    /// By path; 0 where there is no entry.
    ticks: Vec<u64>,
    paths: Vec<PathId>,
}

impl Tally {
    pub fn clear(&mut self) {
        for path in self.paths.drain(..) {
            self.ticks[path.index()] = 0;
        }
    }

    #[inline]
    pub fn add(&mut self, path: PathId, ticks: u64) {
        if ticks == 0 {
            return;
        }
        if path.index() >= self.ticks.len() {
            self.ticks.resize(path.index() + 1, 0);
        }
        let sum = &mut self.ticks[path.index()];
        if *sum == 0 {
            self.paths.push(path);
        }
        *sum += ticks;
    }

    #[inline]
    pub fn get(&self, path: PathId) -> u64 {
        self.ticks.get(path.index()).copied().unwrap_or(0)
    }

    /// All entries, none of which is 0.
    pub fn iter(&self) -> impl Iterator<Item = (PathId, u64)> + '_ {
        self.paths
            .iter()
            .map(|&path| (path, self.ticks[path.index()]))
    }
}

/// `ticks` times `part` of `whole`, rounded down.
pub fn proportion(ticks: u64, part: u64, whole: u64) -> u64 {
    if part >= whole {
        return ticks;
    }
    // At most `ticks`, since the part is smaller than the whole. Division of long numbers is slow
    // and rarely needed.
    if let Some(product) = ticks.checked_mul(part) {
        return product / whole;
    }
    (u128::from(ticks) * u128::from(part) / u128::from(whole)) as u64
}

/// Shares ticks out in proportion to weights, such that the shares of all weights add up.
#[derive(Debug)]
pub struct Sharing {
    ticks: u64,
    weights: u64,
    passed: u64,
    given: u64,
}

impl Sharing {
    /// `weights` is the sum of all weights that will come.
    pub fn new(ticks: u64, weights: u64) -> Self {
        Sharing {
            ticks,
            weights,
            passed: 0,
            given: 0,
        }
    }

    /// The share of the next weight.
    #[inline]
    pub fn next(&mut self, weight: u64) -> u64 {
        self.passed += weight;
        let until = proportion(self.ticks, self.passed, self.weights);
        let share = until - self.given;
        self.given = until;
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        for ticks in [0, 1, 10, u64::MAX >> 8] {
            let weights = [1, 1, 1, 0, 4];
            let mut sharing = Sharing::new(ticks, weights.iter().sum());
            let shares: Vec<u64> = weights.iter().map(|&w| sharing.next(w)).collect();
            assert_eq!(shares.iter().sum::<u64>(), ticks);
            assert_eq!(shares[3], 0);
        }
    }

    #[test]
    fn a_tally_forgets_what_it_had() {
        let mut tally = Tally::default();
        tally.add(PathId(7), 3);
        tally.add(PathId(2), 1);
        tally.add(PathId(7), 3);
        let entries: Vec<_> = tally.iter().collect();
        assert_eq!(entries, [(PathId(7), 6), (PathId(2), 1)]);
        tally.clear();
        assert_eq!((tally.get(PathId(7)), tally.iter().count()), (0, 0));
    }
}
