//! Comparisons beyond those that offsets need. They close loops of clocks, by which clocks are
//! adjusted and the errors of comparisons known ([`pgas_clocks::adjust`]).
//!
//! Each pair compares its global times, as the comparison before has corrected them, so that drift
//! is out of them. Up to 16 clocks are all compared with each other. Of more, each is compared with
//! those 1, 2, 4, ... numbers further, around a circle: few loops are long then, and it takes a
//! number of rounds that grows with the logarithm of the number of clocks.

use super::link::{self, Link};
use super::{GlobalClock, Sharing};
use crate::job::{Order, Settings};
use crate::processes::Processes;

/// Two clocks by their numbers, of which the first asks.
pub(super) type Pair = (usize, usize);

/// Clocks that are all compared with each other.
const FEW: usize = 16;

/// The pairs of a number of clocks, by round. Nobody is in two pairs of a round.
pub(super) fn rounds(order: Order, clocks: usize) -> Vec<Vec<Pair>> {
    let mut rounds: Vec<Vec<Pair>> = Vec::new();
    for pair in pairs(order, clocks) {
        let is_free = |round: &&mut Vec<Pair>| {
            let is_apart = |other: &Pair| {
                let numbers = [other.0, other.1];
                !numbers.contains(&pair.0) && !numbers.contains(&pair.1)
            };
            round.iter().all(is_apart)
        };
        match rounds.iter_mut().find(is_free) {
            Some(round) => round.push(pair),
            None => rounds.push(vec![pair]),
        }
    }
    rounds
}

fn pairs(order: Order, clocks: usize) -> Vec<Pair> {
    let next = |distance: &usize| match clocks {
        ..=FEW => Some(distance + 1),
        _ => Some(2 * distance),
    };
    let distances = std::iter::successors(Some(1), next);
    let distances = distances.take_while(|distance| 2 * distance <= clocks);
    let mut pairs: Vec<Pair> = Vec::new();
    for distance in distances {
        for number in 0..clocks {
            let other = (number + distance) % clocks;
            let pair = (number.max(other), number.min(other));
            let is_known = match order {
                Order::Linear => pair.1 == 0,
                Order::Ring => pair.0 == pair.1 + 1,
            };
            if !is_known && !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// Compares this thread's global time with that of others, and returns the results of the pairs in
/// which it has asked, by round.
pub(super) fn exchange<P: Processes + ?Sized>(
    processes: &P,
    settings: &Settings,
    sharing: &Sharing,
    clock: &GlobalClock,
) -> Vec<Link> {
    let rounds = rounds(settings.order, sharing.clocks.len());
    let mut found = vec![Link::default(); rounds.len()];
    let thread = processes.thread();
    let Some(own) = sharing.clocks.iter().position(|&first| first == thread) else {
        return found;
    };
    let global = |time| clock.global(time);
    for (pairs, found) in rounds.iter().zip(&mut found) {
        for &(asks, answers) in pairs {
            if own == asks {
                let other = sharing.clocks[answers];
                *found = link::ask(processes, &global, other, settings.exchanges);
            } else if own == answers {
                link::answer(processes, &global, sharing.clocks[asks]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn nobody_is_in_two_pairs_of_a_round() {
        for order in [Order::Linear, Order::Ring] {
            for clocks in 0..40 {
                let rounds = rounds(order, clocks);
                for pairs in &rounds {
                    let all = || pairs.iter().flat_map(|&(asks, answers)| [asks, answers]);
                    assert!(all().all(|number| number < clocks));
                    assert_eq!(all().collect::<BTreeSet<_>>().len(), all().count());
                }
                assert!(rounds.len() <= 20, "{clocks}: {}", rounds.len());
                assert_eq!(rounds.is_empty(), clocks < 3);
            }
        }
    }

    #[test]
    fn few_clocks_are_all_compared_with_each_other() {
        for clocks in 3..=FEW {
            for order in [Order::Linear, Order::Ring] {
                let all = clocks * (clocks - 1) / 2;
                assert_eq!(pairs(order, clocks).len(), all - (clocks - 1), "{clocks}");
            }
        }
    }
}
