//! Flux: `flux run`. Processes have the environment of the one that starts them.

use super::table::{Launcher, Shape, all_by_itself, as_shells};

pub(super) const TABLE: Launcher = Launcher {
    name: "flux run",
    commands: &["flux"],
    recognises: None,
    first: &["run"],
    only: None,
    shape,
    environment: all_by_itself,
    own_environment: &[],
    crowded: &[],
    status: as_shells,
};

fn shape(shape: &Shape) -> Vec<String> {
    let mut options = vec![format!("--ntasks={}", shape.tasks)];
    options.extend(shape.nodes.map(|nodes| format!("--nodes={nodes}")));
    if shape.cores > 1 {
        options.push(format!("--cores-per-task={}", shape.cores));
    }
    options
}
