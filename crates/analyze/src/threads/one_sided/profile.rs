//! Accesses of one thread by call path of the common tree, from events and from sums.

use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_trace::model::{Operation, ThreadId};
use serde::{Deserialize, Serialize};

use super::Accesses;
use super::blocks::BlockSums;
use super::direction;
use super::runs::Runs;
use super::traffic::{DIRECTION_LIST, DIRECTIONS, Direction, Totals};
use crate::model::time_class::Bytes;

/// Accesses of one thread.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ThreadAccesses {
    /// Only paths with accesses.
    pub paths: BTreeMap<PathId, PathAccesses>,
    /// Accesses that no path has in its `owners`, by owner and direction.
    pub elsewhere: BTreeMap<(ThreadId, Direction), Totals>,
    /// By direction (get, put): block transfers with other threads.
    pub blocks: [BlockSums; 2],
    /// Accesses from sums that state no owner.
    pub unknown: Totals,
    /// By owner: accesses of which no time is known, since they were counted.
    pub untimed: BTreeMap<ThreadId, u64>,
}

/// Accesses of one thread at one call path.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PathAccesses {
    /// By owner of the data and direction, as far as owners are distinguished.
    pub owners: BTreeMap<(ThreadId, Direction), Totals>,
    /// By direction: of owners that are not distinguished here, or not known.
    pub scattered: [Totals; DIRECTIONS],
    /// By owner: from the first byte to the end of the last (exclusive), as far as addresses were
    /// recorded.
    pub extents: BTreeMap<ThreadId, (u64, u64)>,
    /// How often an access went to another owner than the one before.
    pub switches: u64,
    /// Accesses with events to data with affinity to other threads.
    pub recorded: Totals,
    /// Accesses with events to data with affinity to the thread itself.
    pub recorded_own: Totals,
    /// Small accesses that one block transfer could replace.
    pub runs: Runs,
    /// Ticks of the fastest small access to another thread's data.
    pub fastest: Option<u64>,
}

impl Accesses {
    /// The result of a stream that was read to its end; `translate` gives the common number of a
    /// path.
    pub fn result(&self, translate: impl Fn(PathId) -> PathId) -> ThreadAccesses {
        let mut result = ThreadAccesses {
            blocks: self.blocks,
            ..ThreadAccesses::default()
        };
        for (&(owner, direction), totals) in &self.elsewhere {
            result.elsewhere.insert((owner, direction), *totals);
        }
        for (number, at) in self.paths.iter().enumerate() {
            if at.cells.all().is_empty() {
                continue;
            }
            let path = translate(PathId(number as u32));
            let common = result.paths.entry(path).or_default();
            let mut runs = at.runs;
            for cell in at.cells.all() {
                cell.ways.end(&mut runs);
                if let Some((begin, end)) = cell.extent {
                    let extent = common.extents.entry(cell.owner).or_insert((begin, end));
                    *extent = (extent.0.min(begin), extent.1.max(end));
                }
                let Some(direction) = cell.direction else {
                    continue;
                };
                let owner = common.owners.entry((cell.owner, direction));
                owner.or_default().add(&cell.totals);
                match cell.owner == self.me {
                    true => common.recorded_own.add(&cell.totals),
                    false => common.recorded.add(&cell.totals),
                }
            }
            for (sum, scattered) in common.scattered.iter_mut().zip(&at.cells.scattered) {
                sum.add(scattered);
                common.recorded.add(scattered);
            }
            common.switches += at.cells.switches;
            common.runs.add(&runs);
            let fastest = Some(at.fastest).filter(|&fastest| fastest < u64::MAX);
            common.fastest = common.fastest.into_iter().chain(fastest).min();
        }
        result
    }
}

impl ThreadAccesses {
    /// Ticks of all accesses of each call path.
    pub fn ticks_by_path(&self) -> impl Iterator<Item = (PathId, u64)> + '_ {
        let paths = self.paths.iter();
        paths.map(|(&path, accesses)| (path, accesses.all().ticks))
    }

    /// Adds calls of which there are no events. `owner` is that of a sum's partner.
    pub fn add_sums(
        &mut self,
        me: ThreadId,
        path: PathId,
        operation: Operation,
        owner: Option<ThreadId>,
        totals: &Totals,
    ) {
        let (owner, direction) = match (operation, owner) {
            (Operation::Memcpy, Some(owner)) if owner != me => (Some(owner), Direction::Either),
            (Operation::Memcpy, _) => (Some(me), Direction::Within),
            (_, owner) => (owner, direction(operation)),
        };
        let at = self.paths.entry(path).or_default();
        match owner {
            Some(owner) => {
                at.owners.entry((owner, direction)).or_default().add(totals);
                if totals.ticks == 0 {
                    let untimed = self.untimed.entry(owner).or_default();
                    *untimed = untimed.saturating_add(totals.accesses);
                }
            }
            None => {
                at.scattered[direction as usize].add(totals);
                self.unknown.add(totals);
            }
        }
    }
}

impl PathAccesses {
    /// All accesses.
    pub fn all(&self) -> Totals {
        let mut sum = Totals::default();
        let all = self.scattered.iter().chain(self.owners.values());
        all.for_each(|totals| sum.add(totals));
        sum
    }

    /// All accesses to data of other threads.
    pub fn remote(&self, me: ThreadId) -> Totals {
        let mut sum = Totals::default();
        self.scattered.iter().for_each(|totals| sum.add(totals));
        let remote = self.owners.iter().filter(|((owner, _), _)| *owner != me);
        remote.for_each(|(_, totals)| sum.add(totals));
        sum
    }

    /// All accesses to the thread's own data, but for copies from or to another thread.
    pub fn own(&self, me: ThreadId, operation: Operation) -> Totals {
        let mut sum = Totals::default();
        for ((owner, direction), totals) in &self.owners {
            let one_side = operation == Operation::Memcpy && *direction != Direction::Within;
            if *owner == me && !one_side {
                sum.add(totals);
            }
        }
        sum
    }

    /// Bytes by direction, as metrics count them.
    pub fn bytes(&self, me: ThreadId) -> Bytes {
        let mut moved = Bytes::default();
        // A thread's own data always has a place in `owners`.
        let elsewhere = me.wrapping_add(1);
        let scattered = DIRECTION_LIST.into_iter().zip(&self.scattered);
        let scattered = scattered.map(|(direction, totals)| (elsewhere, direction, totals));
        let owners = self.owners.iter();
        let owners = owners.map(|(&(owner, direction), totals)| (owner, direction, totals));
        for (owner, direction, totals) in owners.chain(scattered) {
            match direction {
                Direction::Get => moved.get(me, owner, totals.bytes),
                Direction::Put => moved.put(me, owner, totals.bytes),
                Direction::Within => {
                    moved.get(me, owner, totals.bytes);
                    moved.put(me, owner, totals.bytes);
                }
                Direction::Either => {
                    moved.get_somewhere = moved.get_somewhere.saturating_add(totals.bytes);
                    moved.put_somewhere = moved.put_somewhere.saturating_add(totals.bytes);
                }
            }
        }
        moved
    }
}
