//! IBM's `jsrun`. It divides nodes into resource sets; here each set has one process. `-E` exports
//! variables.

use super::table::{Launcher, Shape, as_shells, assigned};

pub(super) const TABLE: Launcher = Launcher {
    name: "jsrun",
    commands: &["jsrun"],
    recognises: None,
    first: &[],
    only: None,
    shape,
    environment: |variables, _| assigned("-E", variables),
    own_environment: &[],
    crowded: &[],
    status: as_shells,
};

fn shape(shape: &Shape) -> Vec<String> {
    let mut options = vec![
        format!("--nrs={}", shape.tasks),
        "--tasks_per_rs=1".to_string(),
        format!("--cpu_per_rs={}", shape.cores),
    ];
    if let Some(per_node) = shape.most_per_node().filter(|_| shape.nodes > Some(1)) {
        options.push(format!("--rs_per_host={per_node}"));
    }
    if shape.cores > 1 {
        // Otherwise all threads of the process share the first core.
        options.push("--bind=none".to_string());
    }
    options
}
