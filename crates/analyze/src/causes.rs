//! Why a thread came late: what it did more of than the others since they were last together. That is the delay of
//! D. Boehme, M. Geimer, F. Wolf, L. Arnold, "Identifying the Root Causes of Wait States in Large-Scale Parallel
//! Applications" (ICPP 2010), with the mean of the other threads in the place of each waiting thread; waiting that
//! is itself the consequence of another wait is not passed on.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;

/// Scratch space to compare threads with, kept from instance to instance.
#[derive(Debug, Default)]
pub struct Comparison {
    /// By path: ticks of the threads that are not late.
    others: Vec<u64>,
    delays: Vec<(PathId, u64)>,
}

impl Comparison {
    /// The call paths that made `late` late, with weights in proportion to the delay. `activities` are those of all
    /// threads; if nothing took the late one longer than the others, it is what took it longest.
    pub fn delays<'a>(
        &mut self,
        late: ThreadId,
        activities: impl Iterator<Item = &'a [(PathId, u64)]> + Clone,
    ) -> &[(PathId, u64)] {
        self.delays.clear();
        let mut others = 0u64;
        let mut own: &[(PathId, u64)] = &[];
        for (thread, activity) in activities.clone().enumerate() {
            if thread == late as usize {
                own = activity;
                continue;
            }
            others += 1;
            for &(path, ticks) in activity {
                if path.index() >= self.others.len() {
                    self.others.resize(path.index() + 1, 0);
                }
                self.others[path.index()] += ticks;
            }
        }
        for &(path, ticks) in own {
            let theirs = self.others.get(path.index()).copied().unwrap_or(0);
            let delay = ticks.saturating_mul(others).saturating_sub(theirs);
            if delay > 0 {
                self.delays.push((path, delay));
            }
        }
        if self.delays.is_empty() {
            let longest = own.iter().copied().max_by_key(|&(_, ticks)| ticks);
            self.delays.extend(longest);
        }
        for &(path, _) in activities.flatten() {
            if let Some(ticks) = self.others.get_mut(path.index()) {
                *ticks = 0;
            }
        }
        &self.delays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F: PathId = PathId(1);
    const G: PathId = PathId(2);

    #[test]
    fn the_cause_is_what_the_others_did_not_do() {
        let mut comparison = Comparison::default();
        let activities: [&[_]; 3] = [&[(F, 100)], &[(F, 100), (G, 10)], &[(F, 98)]];
        // G took thread 1 the 10 longer, F only 1: (200 - 198) / 2.
        assert_eq!(
            comparison.delays(1, activities.into_iter()),
            &[(F, 2), (G, 20)]
        );
        // Nothing is left over from the comparison before.
        assert_eq!(
            comparison.delays(1, activities.into_iter()),
            &[(F, 2), (G, 20)]
        );
    }

    #[test]
    fn without_a_difference_it_is_what_took_longest() {
        let mut comparison = Comparison::default();
        let activities: [&[_]; 2] = [&[(F, 9), (G, 3)], &[(F, 9), (G, 3)]];
        assert_eq!(comparison.delays(0, activities.into_iter()), &[(F, 9)]);
        assert!(comparison.delays(0, [&[][..], &[]].into_iter()).is_empty());
    }
}
