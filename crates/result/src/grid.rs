//! Finds out whether threads communicate like the points of a grid, so that a viewer can draw them
//! there.
//!
//! The rule. Threads are numbered row by row (the last coordinate runs fastest) on every grid of
//! two or three dimensions with as many points as there are threads, two or more along each. A grid
//! fits if
//!
//! - the communication matrix has all pairs;
//! - at least 95 % of the bytes (of the operations, if none moved bytes) between different threads
//!   go between neighbours, that is, threads that are one apart in one dimension;
//! - in each dimension at least 90 % of the neighbours communicate, in one direction or both. The
//!   last and the first point of a dimension longer than two are neighbours if at least 90 % of
//!   these pairs communicate, and the dimension is periodic then.
//!
//! Of several grids that fit, the one with the largest share wins, then that of fewer dimensions,
//! then the one whose longest dimension is shortest. If none fits, there is no grid: nothing is
//! invented.

use std::collections::HashSet;

use pgas_cube::topology::{Dimension, Topology};

use crate::model::communication::Communication;

/// Of the traffic, that must be between neighbours.
const LEAST_SHARE: f64 = 0.95;
/// Of the neighbours, that must communicate.
const LEAST_COVERAGE: f64 = 0.9;
const NAMES: [&str; 3] = ["x", "y", "z"];

/// The grid of a program of that many threads, if its communication is that of one.
pub fn communication_grid(communication: &Communication, threads: usize) -> Option<Topology> {
    if !communication.complete {
        return None;
    }
    let traffic = Traffic::of(communication, threads)?;
    let mut best: Option<(f64, Vec<Dimension>)> = None;
    for sizes in grids(threads) {
        let Some((share, dimensions)) = traffic.fit(&sizes) else {
            continue;
        };
        if best.as_ref().is_none_or(|(known, _)| share > *known) {
            best = Some((share, dimensions));
        }
    }
    let (_, dimensions) = best?;
    let sizes: Vec<_> = dimensions.iter().map(|d| d.size).collect();
    Some(Topology {
        name: "Communication grid".into(),
        dimensions,
        coordinates: (0..threads).map(|t| (t, place(t, &sizes))).collect(),
    })
}

/// All grids of that many points, those to be preferred first.
fn grids(threads: usize) -> Vec<Vec<usize>> {
    let divisors = |n: usize| (2..=n / 2).filter(move |d| n % d == 0);
    let mut grids = Vec::new();
    for first in divisors(threads) {
        let rest = threads / first;
        grids.push(vec![first, rest]);
        grids.extend(divisors(rest).map(|second| vec![first, second, rest / second]));
    }
    grids.sort_by_key(|sizes| (sizes.len(), sizes.iter().max().copied(), sizes.clone()));
    grids
}

fn place(mut thread: usize, sizes: &[usize]) -> Vec<usize> {
    let mut at = vec![0; sizes.len()];
    for (coordinate, &size) in at.iter_mut().zip(sizes).rev() {
        *coordinate = thread % size;
        thread /= size;
    }
    at
}

/// Traffic between pairs of threads, both directions together.
struct Traffic {
    threads: usize,
    /// The two threads, the smaller first, and how much passes between them.
    pairs: Vec<(usize, usize, f64)>,
    connected: HashSet<(usize, usize)>,
    total: f64,
}

impl Traffic {
    /// `None` if no thread communicates with another.
    fn of(communication: &Communication, threads: usize) -> Option<Self> {
        let pairs = communication.pairs.iter();
        let pairs = pairs.filter(|pair| pair.thread != pair.owner);
        let with = |amount: fn(&crate::model::communication::Flow) -> f64| -> Vec<_> {
            let pairs = pairs.clone().map(|pair| {
                let (a, b) = (pair.thread as usize, pair.owner as usize);
                (a.min(b), a.max(b), amount(&pair.flow))
            });
            pairs
                .filter(|&(_, last, amount)| last < threads && amount > 0.0)
                .collect()
        };
        let mut weighted = with(|flow| flow.bytes());
        if weighted.is_empty() {
            weighted = with(|flow| flow.operations as f64);
        }
        let total = weighted.iter().map(|(_, _, amount)| amount).sum();
        (!weighted.is_empty()).then(|| Traffic {
            threads,
            connected: weighted.iter().map(|&(a, b, _)| (a, b)).collect(),
            pairs: weighted,
            total,
        })
    }

    /// The share of the traffic that is between neighbours, and the dimensions, if a grid fits.
    fn fit(&self, sizes: &[usize]) -> Option<(f64, Vec<Dimension>)> {
        let mut dimensions = Vec::new();
        let mut neighbours = HashSet::new();
        let mut stride = self.threads;
        for (number, &size) in sizes.iter().enumerate() {
            stride /= size;
            let (mut inner, mut wrapped) = (Vec::new(), Vec::new());
            for thread in 0..self.threads {
                let coordinate = thread / stride % size;
                if coordinate + 1 < size {
                    inner.push((thread, thread + stride));
                } else if size > 2 {
                    wrapped.push((thread - coordinate * stride, thread));
                }
            }
            if !self.covers(&inner) {
                return None;
            }
            let periodic = !wrapped.is_empty() && self.covers(&wrapped);
            neighbours.extend(inner);
            if periodic {
                neighbours.extend(wrapped);
            }
            dimensions.push(Dimension {
                name: NAMES.get(number).copied().unwrap_or_default().into(),
                size,
                periodic,
            });
        }
        let between = self
            .pairs
            .iter()
            .filter(|(a, b, _)| neighbours.contains(&(*a, *b)));
        let share = between.map(|(_, _, amount)| amount).sum::<f64>() / self.total;
        (share >= LEAST_SHARE).then_some((share, dimensions))
    }

    fn covers(&self, neighbours: &[(usize, usize)]) -> bool {
        let connected = neighbours
            .iter()
            .filter(|pair| self.connected.contains(pair));
        connected.count() as f64 >= LEAST_COVERAGE * neighbours.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::communication::{Flow, Pair};

    fn matrix(threads: usize, bytes: impl Fn(usize, usize) -> u64) -> Communication {
        let mut pairs = Vec::new();
        for thread in 0..threads {
            for owner in 0..threads {
                let put_bytes = bytes(thread, owner);
                if put_bytes > 0 {
                    pairs.push(Pair {
                        thread: thread as u32,
                        owner: owner as u32,
                        flow: Flow {
                            operations: 1,
                            puts: 1,
                            put_bytes,
                            ..Flow::default()
                        },
                    });
                }
            }
        }
        Communication {
            complete: true,
            pairs,
            by_thread: Vec::new(),
            by_owner: Vec::new(),
            unknown: None,
            locality: None,
        }
    }

    /// Neighbours one apart in one dimension.
    fn stencil(sizes: &'static [usize], periodic: bool) -> Communication {
        let threads = sizes.iter().product();
        matrix(threads, |a, b| {
            let (a, b) = (place(a, sizes), place(b, sizes));
            let apart = a.iter().zip(&b).zip(sizes).map(|((a, b), size)| {
                let distance = a.abs_diff(*b);
                match periodic {
                    true => distance.min(size - distance),
                    false => distance,
                }
            });
            u64::from(apart.sum::<usize>() == 1) * 1000
        })
    }

    fn shape(communication: &Communication, threads: usize) -> Option<Vec<(usize, bool)>> {
        let grid = communication_grid(communication, threads)?;
        assert_eq!(grid.problem(threads), None);
        Some(
            grid.dimensions
                .iter()
                .map(|d| (d.size, d.periodic))
                .collect(),
        )
    }

    #[test]
    fn stencils_are_found_with_their_shape() {
        for (sizes, periodic) in [
            (&[2, 2][..], false),
            (&[3, 4], false),
            (&[4, 3], true),
            (&[8, 4], true),
            (&[2, 3, 4], false),
            (&[4, 4, 4], true),
            (&[3, 5, 4], true),
        ] {
            let threads = sizes.iter().product();
            let expected: Vec<_> = sizes.iter().map(|&s| (s, periodic && s > 2)).collect();
            assert_eq!(
                shape(&stencil(sizes, periodic), threads),
                Some(expected),
                "{sizes:?}"
            );
        }
        let grid = communication_grid(&stencil(&[3, 4], false), 12).unwrap();
        assert_eq!(grid.coordinates[&6], [1, 2]);
    }

    #[test]
    fn a_little_beside_the_grid_does_no_harm() {
        let mut communication = stencil(&[4, 4], false);
        // A broadcast of a few bytes, and its own data.
        for owner in 0..16 {
            let mut pair = communication.pairs[0];
            (pair.thread, pair.owner, pair.flow.put_bytes) = (0, owner, 50);
            communication.pairs.push(pair);
        }
        assert_eq!(
            shape(&communication, 16),
            Some(vec![(4, false), (4, false)])
        );
    }

    #[test]
    fn what_is_no_grid_gets_none() {
        let ring = matrix(16, |a, b| u64::from((a + 1) % 16 == b));
        let all = matrix(16, |a, b| u64::from(a != b));
        let star = matrix(16, |a, b| u64::from((a == 0) != (b == 0)));
        let own = matrix(16, |a, b| u64::from(a == b));
        let tree = matrix(16, |a, b| u64::from(b > 0 && (b - 1) / 2 == a));
        let butterfly = matrix(16, |a, b| u64::from((a ^ b).is_power_of_two()));
        for communication in [ring, all, star, own, tree, butterfly] {
            assert_eq!(shape(&communication, 16), None);
        }
        let mut incomplete = stencil(&[4, 4], false);
        incomplete.complete = false;
        assert_eq!(shape(&incomplete, 16), None);
        assert_eq!(shape(&stencil(&[3, 4], false), 13), None);
        assert_eq!(communication_grid(&matrix(1, |_, _| 8), 1), None);
        assert_eq!(
            communication_grid(&matrix(7, |a, b| u64::from(a + 1 == b)), 7),
            None
        );
    }
}
