//! Call paths: a tree of open regions, the outermost at the top, with the threads that are in them.

use pgas_monitor::{Level, Now, Picture};

use crate::bounds::most_objects;
use crate::forest::Forest;
use crate::metric::{Columns, Metric, Rule};

pub(crate) const THREADS: usize = 0;
const WAITING: usize = 1;
const SECONDS: usize = 2;

/// The columns.
pub(crate) fn columns() -> Columns {
    Columns::new([
        Metric::of_now("threads", "count", Rule::Sum),
        Metric::of_now("waiting", "count", Rule::Sum),
        Metric::of_period("seconds", "seconds"),
    ])
}

/// All call paths of a picture. A thread counts with the whole period for the path at its end.
pub(crate) fn forest(picture: &Picture, columns: &Columns) -> Forest {
    let mut forest = Forest::default();
    let mut number = 0;
    for now in picture.now.iter().filter(|now| now.activity != "ended") {
        let Some(path) = path(&mut forest, &mut number, now) else {
            continue;
        };
        let values = forest.values(path);
        values.add(THREADS, 1.0);
        let waits = now.activity == "waiting";
        values.add(WAITING, f64::from(u8::from(waits)));
        values.add(SECONDS, picture.period);
    }
    forest.sum_up(columns.metrics());
    forest
}

/// The object of a thread's path; where there is no room for it, the longest part that has one.
fn path(forest: &mut Forest, number: &mut usize, now: &Now) -> Option<usize> {
    let mut object = None;
    for name in now.path_names() {
        if !forest.has(Level::Path, &name) {
            if *number == most_objects(Level::Path) {
                break;
            }
            *number += 1;
        }
        object = Some(forest.object(Level::Path, &name, object));
    }
    object
}
