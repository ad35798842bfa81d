//! Open MPI's `mpirun`. Processes on other nodes have only those variables that `-x` names, and it
//! binds each process to a core or a socket, which a process that starts threads by itself must not
//! be.

use super::table::{Launcher, Shape, as_shells};

pub(super) const TABLE: Launcher = Launcher {
    name: "Open MPI's mpirun",
    commands: &[
        "mpirun", "mpiexec", "oshrun", "shmemrun", "orterun", "prterun",
    ],
    recognises: Some(|answer| {
        answer.contains("Open MPI") || answer.contains("OpenRTE") || answer.contains("PRRTE")
    }),
    first: &[],
    only: None,
    shape,
    environment: |variables, _| {
        let names = variables.iter().map(|(name, _)| name);
        names.flat_map(|name| ["-x".into(), name.into()]).collect()
    },
    own_environment: &[],
    // Of releases before 5, and from then on.
    crowded: &[
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
    ],
    status: as_shells,
};

fn shape(shape: &Shape) -> Vec<String> {
    let mut options = vec!["-np".to_string(), shape.tasks.to_string()];
    if let Some(per_node) = shape.most_per_node().filter(|_| shape.nodes > Some(1)) {
        options.extend(["--map-by".to_string(), format!("ppr:{per_node}:node")]);
    }
    if shape.cores > 1 {
        options.extend(["--bind-to".to_string(), "none".to_string()]);
    }
    options
}
