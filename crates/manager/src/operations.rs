//! Operations at places, their kinds, and the activities: what a program spends its time on.

use pgas_monitor::{Level, OperationTime, Picture};

use crate::forest::Forest;
use crate::metric::{Columns, Metric};

pub(crate) const SECONDS: usize = 0;
pub(crate) const CALLS: usize = 1;
pub(crate) const BYTES: usize = 2;

/// Between a kind and a place in the name of an operation.
const OF_KIND: &str = ": ";

/// The columns.
pub(crate) fn columns() -> Columns {
    Columns::new([
        Metric::of_period("seconds", "seconds"),
        Metric::of_period("calls", "count"),
        Metric::of_period("bytes", "bytes"),
    ])
}

/// Activity, kind and place in the name of an operation.
pub(crate) fn parts(name: &str) -> Option<(&str, &str, &str)> {
    let (kind, place) = name.split_once(OF_KIND)?;
    let (activity, kind) = kind.split_once('.')?;
    Some((activity, kind, place))
}

/// All operations of a picture.
pub(crate) fn forest(picture: &Picture, columns: &Columns) -> Forest {
    let mut forest = Forest::default();
    let computing = forest.object(Level::Activity, "computing", None);
    let seconds = picture.times.computing;
    forest.values(computing).add(SECONDS, seconds);
    for operation in &picture.operations {
        add(&mut forest, operation);
    }
    forest.sum_up(columns.metrics());
    forest
}

fn add(forest: &mut Forest, operation: &OperationTime) {
    let activity = forest.object(Level::Activity, operation.activity, None);
    let kind = forest.object(Level::Kind, &operation.kind_name(), Some(activity));
    // Files of the same name in two directories share an object.
    let object = forest.object(Level::Operation, &operation.name(), Some(kind));
    let values = forest.values(object);
    values.add(SECONDS, operation.seconds);
    values.add(CALLS, operation.calls);
    values.add(BYTES, operation.bytes);
}
