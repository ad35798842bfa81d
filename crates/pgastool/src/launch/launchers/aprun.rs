//! Cray's `aprun`. It gives each processing element one core unless `-d` asks for more; `-e` sets
//! variables.

use super::table::{Launcher, Shape, as_shells, assigned};

pub(super) const TABLE: Launcher = Launcher {
    name: "aprun",
    commands: &["aprun"],
    recognises: None,
    first: &[],
    only: None,
    shape,
    environment: |variables, _| assigned("-e", variables),
    own_environment: &[],
    crowded: &[],
    status: as_shells,
};

fn shape(shape: &Shape) -> Vec<String> {
    let mut options = vec!["-n".to_string(), shape.tasks.to_string()];
    if let Some(per_node) = shape.most_per_node().filter(|_| shape.nodes > Some(1)) {
        options.extend(["-N".to_string(), per_node.to_string()]);
    }
    if shape.cores > 1 {
        options.extend(["-d".to_string(), shape.cores.to_string()]);
    }
    options
}
