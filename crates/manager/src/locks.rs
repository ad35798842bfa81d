//! Locks: who holds them, how many threads wait for them, and for how long.

use std::collections::BTreeMap;

use pgas_monitor::{Level, Picture};

use crate::bounds::most_objects;
use crate::forest::Forest;
use crate::metric::{Columns, Metric, Rule};

const HOLDER: usize = 0;
pub(crate) const WAITING: usize = 1;
pub(crate) const LONGEST: usize = 2;

/// Name of the object above all locks.
const ALL: &str = "all";

/// The columns.
pub(crate) fn columns() -> Columns {
    Columns::new([
        Metric::of_now("holder", "thread", Rule::None),
        Metric::of_now("waiting", "count", Rule::Sum),
        Metric::of_now("longest", "seconds", Rule::Max),
    ])
}

/// A lock that is held or wanted.
#[derive(Debug, Default)]
struct Lock {
    holder: Option<u32>,
    waiting: u32,
    longest: f64,
}

/// All locks of a picture; if there are too many, those that most threads wait for.
pub(crate) fn forest(picture: &Picture, columns: &Columns) -> Forest {
    let mut locks: Vec<(u64, Lock)> = locks(picture).into_iter().collect();
    locks.sort_by_key(|(_, lock)| std::cmp::Reverse(lock.waiting));
    let mut forest = Forest::default();
    let all = forest.object(Level::AllLocks, ALL, None);
    for (number, lock) in locks.iter().take(most_objects(Level::Lock)) {
        let name = format!("{number:#x}");
        let object = forest.object(Level::Lock, &name, Some(all));
        let values = forest.values(object);
        values.set(HOLDER, lock.holder.map_or(f64::NAN, f64::from));
        values.set(WAITING, f64::from(lock.waiting));
        values.set(LONGEST, lock.longest);
    }
    forest.sum_up(columns.metrics());
    forest
}

fn locks(picture: &Picture) -> BTreeMap<u64, Lock> {
    let mut locks: BTreeMap<u64, Lock> = BTreeMap::new();
    for now in &picture.now {
        for &held in &now.held {
            locks.entry(held).or_default().holder = Some(now.thread);
        }
        if let Some(wanted) = now.wanted {
            let lock = locks.entry(wanted).or_default();
            lock.waiting += 1;
            lock.longest = lock.longest.max(now.seconds);
        }
    }
    locks
}
