//! Length of a union of time intervals, in bounded memory.

use pgas_earl::Span;

/// Max number of disjoint intervals that are kept. Waits at a place arrive almost in order of time, so
/// new ones overlap recent ones only.
const KEPT: usize = 32;

/// Length of the union of time intervals in any order. It is an upper bound, and exact unless an
/// interval overlaps one before the latest [`KEPT`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Union {
    /// Disjoint, in order of time.
    latest: Vec<Span>,
    /// Ticks of intervals before those.
    settled: u64,
}

impl Union {
    /// Adds an interval, in ticks.
    pub fn add(&mut self, span: Span) {
        if span.length() == 0 {
            return;
        }
        // Most waits continue the latest interval.
        if let Some(last) = self.latest.last_mut() {
            if (last.begin..=last.end).contains(&span.begin) {
                last.end = last.end.max(span.end);
                return;
            }
        }
        let first = self.latest.partition_point(|kept| kept.end < span.begin);
        let touching = self.latest[first..]
            .iter()
            .take_while(|kept| kept.begin <= span.end)
            .count();
        let mut merged = span;
        for kept in self.latest.drain(first..first + touching) {
            merged = Span::new(merged.begin.min(kept.begin), merged.end.max(kept.end));
        }
        self.latest.insert(first, merged);
        if self.latest.len() > KEPT {
            self.settled += self.latest.remove(0).length();
        }
    }

    /// Ticks that at least one interval covers.
    pub fn length(&self) -> u64 {
        let latest: u64 = self.latest.iter().map(|span| span.length()).sum();
        self.settled + latest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn union(spans: impl IntoIterator<Item = (u64, u64)>) -> u64 {
        let mut union = Union::default();
        for (begin, end) in spans {
            union.add(Span::new(begin, end));
        }
        union.length()
    }

    #[test]
    fn time_in_which_several_wait_counts_once() {
        assert_eq!(union([(10, 30), (12, 28), (20, 40)]), 30);
        assert_eq!(union([(10, 20), (30, 40), (15, 35)]), 30);
        assert_eq!(union([(30, 40), (10, 20), (20, 30), (50, 50)]), 30);
    }

    proptest! {
        #[test]
        fn it_is_the_number_of_covered_ticks(
            spans in vec((0u64..990, 0u64..10), 1..KEPT)
        ) {
            let spans = spans.iter().map(|&(begin, length)| (begin, begin + length));
            let covers = |tick: u64| spans.clone().any(|(b, e)| b <= tick && tick < e);
            let covered = (0..1000).filter(|&tick| covers(tick)).count() as u64;
            prop_assert_eq!(union(spans.clone()), covered);
        }
    }

    #[test]
    fn a_million_waits_in_turn_need_no_more_memory() {
        let mut union = Union::default();
        for wait in 0..1_000_000 {
            union.add(Span::new(wait * 10, wait * 10 + 6));
            union.add(Span::new(wait * 10 + 2, wait * 10 + 7));
        }
        assert_eq!(union.length(), 7_000_000);
        assert_eq!(union.latest.len(), KEPT);
    }
}
