//! Calls in one function whose lines shifted: which one became which.
//!
//! Order stays, and neighbours shift together. So of all ways to pair calls of the same region in
//! order, the one with most pairs and the fewest changes of the shift from one pair to the next is
//! taken, and of it only those pairs that all equally good ways have. This is an alignment of two
//! sequences by dynamic programming; what the texts of the files say about a line narrows it down.

use std::collections::BTreeMap;

use super::files::LineMap;

/// A call in the source: its line, and the region that is called, by its number on the later side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Site {
    pub line: u32,
    pub region: usize,
}

/// Known shift of the lines of a function.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shift<'a> {
    /// By how many lines the function itself has moved; 0 if that is not known.
    pub start: i64,
    pub lines: Option<&'a LineMap>,
    /// Only calls in the same line are the same.
    pub exact: bool,
}

/// Result of an alignment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Alignment {
    pub pairs: Vec<(Site, Site)>,
    /// Sites of the earlier side for which several of the later side are equally good.
    pub ambiguous: Vec<Site>,
}

/// A pair is worth so much more than a shift that stays the same that it is always better to pair
/// than not to.
const PAIR: i64 = 4;
const CHANGED_SHIFT: i64 = 1;

/// Beyond that many possible pairs, in one function, calls are paired by the function's own shift
/// alone.
const MOST_CANDIDATES: usize = 4096;

/// Pairs sites of one function. Both lists are sorted and without doubles.
pub(super) fn align(before: &[Site], after: &[Site], shift: Shift<'_>) -> Alignment {
    let possible = |b: &Site, a: &Site| {
        b.region == a.region
            && (!shift.exact || b.line == a.line)
            && shift.lines.is_none_or(|map| map.allows(b.line, a.line))
    };
    let mut candidates: Vec<(usize, usize)> = Vec::new();
    for (i, b) in before.iter().enumerate() {
        for (j, a) in after.iter().enumerate() {
            if possible(b, a) {
                candidates.push((i, j));
            }
        }
        if candidates.len() > MOST_CANDIDATES {
            return by_shift(before, after, shift);
        }
    }
    let shift_of = |(i, j): (usize, usize)| i64::from(after[j].line) - i64::from(before[i].line);
    let changed = |from: i64, to: i64| if from == to { 0 } else { CHANGED_SHIFT };
    let follows = |p: (usize, usize), q: (usize, usize)| p.0 < q.0 && p.1 < q.1;

    // Best value of the pairs up to each candidate and with it, and of those behind it.
    let mut up_to: Vec<i64> = Vec::with_capacity(candidates.len());
    for (k, &candidate) in candidates.iter().enumerate() {
        let first = -changed(shift.start, shift_of(candidate));
        let continued = (0..k)
            .filter(|&e| follows(candidates[e], candidate))
            .map(|e| up_to[e] - changed(shift_of(candidates[e]), shift_of(candidate)));
        up_to.push(PAIR + continued.fold(first, i64::max));
    }
    let mut behind = vec![0; candidates.len()];
    for k in (0..candidates.len()).rev() {
        let later = (k + 1..candidates.len()).filter(|&l| follows(candidates[k], candidates[l]));
        behind[k] = later
            .map(|l| PAIR + behind[l] - changed(shift_of(candidates[k]), shift_of(candidates[l])))
            .fold(0, i64::max);
    }
    let best = (0..candidates.len())
        .map(|k| up_to[k] + behind[k])
        .fold(0, i64::max);
    // Pairs that some best way has. If another best way has it not, that one has a pair which
    // excludes it, since leaving out what fits is never best.
    let good: Vec<(usize, usize)> = (0..candidates.len())
        .filter(|&k| up_to[k] + behind[k] == best)
        .map(|k| candidates[k])
        .collect();
    let mut alignment = Alignment::default();
    for &(i, j) in &good {
        let excluded =
            |g: &&(usize, usize)| **g != (i, j) && !follows(**g, (i, j)) && !follows((i, j), **g);
        if good.iter().find(excluded).is_none() {
            alignment.pairs.push((before[i], after[j]));
        } else if alignment.ambiguous.last() != Some(&before[i]) {
            alignment.ambiguous.push(before[i]);
        }
    }
    if !shift.exact {
        pair_the_only_ones(before, after, &mut alignment);
    }
    alignment
}

/// The only call of a region before is the only one now, also if it has changed places with others.
fn pair_the_only_ones(before: &[Site], after: &[Site], alignment: &mut Alignment) {
    let mut places: BTreeMap<usize, (Vec<Site>, Vec<Site>)> = BTreeMap::new();
    for site in before {
        places.entry(site.region).or_default().0.push(*site);
    }
    for site in after {
        places.entry(site.region).or_default().1.push(*site);
    }
    for (b, a) in places.into_values() {
        if let ([b], [a]) = (b.as_slice(), a.as_slice()) {
            if !alignment.pairs.contains(&(*b, *a)) {
                alignment.pairs.push((*b, *a));
                alignment.ambiguous.retain(|site| site != b);
            }
        }
    }
}

/// Pairs what has moved exactly as far as the function, or to where the text says.
fn by_shift(before: &[Site], after: &[Site], shift: Shift<'_>) -> Alignment {
    let start = if shift.exact { 0 } else { shift.start };
    let partner = |b: &Site| {
        let line = u32::try_from(i64::from(b.line) + start).ok()?;
        let site = Site {
            line,
            region: b.region,
        };
        let known = shift.lines.is_none_or(|map| map.allows(b.line, line));
        (known && after.binary_search(&site).is_ok()).then_some(site)
    };
    Alignment {
        pairs: before
            .iter()
            .filter_map(|b| Some((*b, partner(b)?)))
            .collect(),
        ambiguous: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sites(lines: &[u32]) -> Vec<Site> {
        lines.iter().map(|&line| Site { line, region: 0 }).collect()
    }

    fn lines(before: &[u32], after: &[u32], start: i64) -> Vec<(u32, u32)> {
        let shift = Shift {
            start,
            lines: None,
            exact: false,
        };
        let alignment = align(&sites(before), &sites(after), shift);
        let pairs = alignment.pairs.iter();
        pairs.map(|(b, a)| (b.line, a.line)).collect()
    }

    #[test]
    fn what_shifts_together_stays_together() {
        assert_eq!(lines(&[10, 20], &[20, 30], 10), [(10, 20), (20, 30)]);
        assert_eq!(
            lines(&[10, 20, 30], &[10, 22, 27, 32], 0),
            [(10, 10), (20, 22), (30, 32)],
            "one was added in between"
        );
        assert_eq!(lines(&[10, 20, 30], &[15, 35], 5), [(10, 15), (30, 35)]);
    }

    #[test]
    fn an_unchanged_neighbour_tells_a_new_call_from_a_shifted_one() {
        let site = |line, region| Site { line, region };
        let before = [site(10, 0), site(15, 1), site(20, 0)];
        let after = [site(15, 1), site(20, 0), site(30, 0)];
        let shift = Shift {
            start: 0,
            lines: None,
            exact: false,
        };
        let pairs = align(&before, &after, shift).pairs;
        assert_eq!(pairs, [(before[1], after[0]), (before[2], after[1])]);
    }

    #[test]
    fn what_fits_twice_is_not_paired() {
        let shift = Shift {
            start: 0,
            lines: None,
            exact: false,
        };
        let alignment = align(&sites(&[10, 20]), &sites(&[40]), shift);
        assert_eq!(alignment.pairs, []);
        assert_eq!(alignment.ambiguous, sites(&[10, 20]));
    }

    #[test]
    fn calls_that_changed_places_are_still_the_only_ones() {
        let site = |line, region| Site { line, region };
        let shift = Shift {
            start: 0,
            lines: None,
            exact: false,
        };
        let (before, after) = ([site(10, 0), site(20, 1)], [site(10, 1), site(20, 0)]);
        let alignment = align(&before, &after, shift);
        assert_eq!(alignment.ambiguous, []);
        assert_eq!(alignment.pairs.len(), 2);
        assert!(alignment.pairs.iter().all(|(b, a)| b.region == a.region));
    }

    #[test]
    fn exact_means_the_same_line() {
        let shift = Shift {
            start: 5,
            lines: None,
            exact: true,
        };
        let alignment = align(&sites(&[10, 20]), &sites(&[15, 20]), shift);
        assert_eq!(alignment.pairs.len(), 1);
        assert_eq!(alignment.pairs[0].0.line, 20);
    }

    #[test]
    fn very_many_calls_move_with_their_function() {
        let many: Vec<u32> = (1..200).map(|k| k * 3).collect();
        let moved: Vec<u32> = many.iter().map(|line| line + 7).collect();
        assert_eq!(lines(&many, &moved, 7).len(), many.len());
    }
}
