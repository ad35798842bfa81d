//! Exports: events for Perfetto, the result as flame graphs and as tables.
//!
//! Every file is written under a temporary name and renamed. Characters in names from a program are
//! kept as they are where the format can hold them.

mod arguments;
mod arrows;
mod below;
pub mod flames;
mod output;
pub mod perfetto;
mod proto;
mod stacks;
pub mod tables;
mod task_tracks;

use pgas_cube::model::{CallPathId, Cube};

/// The call paths from the program down to one.
fn stack(cube: &Cube, path: CallPathId) -> Vec<CallPathId> {
    let mut stack = vec![path];
    let mut path = path;
    // A parent has a smaller index than its children.
    while let Some(parent) = cube.call_paths.get(path.0).and_then(|path| path.parent) {
        stack.push(parent);
        path = parent;
    }
    stack.reverse();
    stack
}

/// Name of the region of a call path.
fn region(cube: &Cube, path: CallPathId) -> &str {
    let call = cube.call_paths.get(path.0);
    let region = call.and_then(|call| cube.regions.get(call.region.0));
    region.map_or("", |region| region.name.as_str())
}
