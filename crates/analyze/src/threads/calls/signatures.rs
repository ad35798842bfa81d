//! Whether the iterations of a supposed loop are alike: what lies between two occurrences of one
//! synchronisation is the same other ones, in the same order, for most of the iterations.

/// Different bodies that are counted; those that come later are only known to be different.
const BODIES: usize = 16;
/// This share of all iterations must be alike.
const ALIKE: f64 = 0.75;

/// The body of an iteration: the number that its synchronisations, in the order of their last
/// occurrence, are mixed to.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    counts: Vec<(u64, u64)>,
    all: u64,
}

impl Signatures {
    pub fn note(&mut self, body: u64) {
        self.all += 1;
        let known = self.counts.iter().position(|&(known, _)| known == body);
        match known {
            Some(place) => self.counts[place].1 += 1,
            None if self.counts.len() < BODIES => self.counts.push((body, 1)),
            None => {}
        }
    }

    /// Whether enough bodies are alike. A few that are alike by chance do not count: the lower end
    /// of Wilson's interval for their share (E. B. Wilson, "Probable inference, the law of
    /// succession, and statistical inference", 1927) must be a half. In a sequence without
    /// structure the most frequent body has a smaller share.
    pub fn are_alike(&self) -> bool {
        let (most, all) = self.most_alike();
        are_enough(most, all)
    }

    /// How many iterations have the most frequent body, and how many there are.
    pub fn most_alike(&self) -> (u64, u64) {
        let most = self.counts.iter().map(|&(_, count)| count).max();
        (most.unwrap_or(0), self.all)
    }
}

/// Whether `most` equal bodies of `all` are enough to call them alike: see
/// [`Signatures::are_alike`].
pub(crate) fn are_enough(most: u64, all: u64) -> bool {
    let (share, all) = (most as f64 / all.max(1) as f64, all as f64);
    share >= ALIKE && wilson_lower(share, all) >= 0.5
}

/// The lower end of Wilson's interval at 90 % for a share of `count`.
fn wilson_lower(share: f64, count: f64) -> f64 {
    const Z: f64 = 1.645;
    let z2 = Z * Z;
    let middle = share + z2 / (2.0 * count);
    let half = Z * (share * (1.0 - share) / count + z2 / (4.0 * count * count)).sqrt();
    (middle - half) / (1.0 + z2 / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(bodies: &[u64]) -> bool {
        let mut signatures = Signatures::default();
        bodies.iter().for_each(|&body| signatures.note(body));
        signatures.are_alike()
    }

    #[test]
    fn three_of_four_must_be_alike_and_more_than_by_chance() {
        assert!(!alike(&[]));
        assert!(!alike(&[1, 1]));
        assert!(alike(&[1, 1, 1]));
        assert!(!alike(&[1, 1, 1, 2]));
        assert!(alike(&[1, 1, 1, 1, 2, 1, 1, 1]));
        assert!(!alike(&[1, 2, 1, 2, 1, 2, 1, 2]));
        let every_tenth: Vec<u64> = (0..50).map(|k| u64::from(k % 10 == 9)).collect();
        assert!(alike(&every_tenth));
    }
}
