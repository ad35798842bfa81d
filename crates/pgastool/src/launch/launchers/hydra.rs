//! Hydra, the `mpirun` of MPICH and of what descends from it (Intel MPI, MVAPICH2). It passes the
//! environment on unless it is told not to; `-genv` adds to that in any case. Its exit status is
//! all processes' statuses combined by "or", and the number of a signal stands there as it is.

use super::table::{Launcher, Shape};
use crate::process::signal_name;

pub(super) const TABLE: Launcher = Launcher {
    name: "MPICH's mpirun",
    commands: &["mpirun", "mpiexec", "oshrun", "mpiexec.hydra"],
    recognises: Some(|answer| {
        ["HYDRA", "Intel(R) MPI", "MVAPICH", "mpich"]
            .iter()
            .any(|word| answer.contains(word))
    }),
    first: &[],
    only: None,
    shape,
    environment: |variables, _| {
        variables
            .iter()
            .flat_map(|(name, value)| ["-genv".into(), name.into(), value.clone()])
            .collect()
    },
    own_environment: &[],
    crowded: &[],
    status: |status| {
        let signal = match status {
            1..=15 => format!(", or a process was ended by {}", signal_name(status.into())),
            _ => String::new(),
        };
        Some(format!(
            "this is what all processes returned, combined by \"or\"{signal}"
        ))
    },
};

fn shape(shape: &Shape) -> Vec<String> {
    let mut options = vec!["-n".to_string(), shape.tasks.to_string()];
    if let Some(per_node) = shape.most_per_node().filter(|_| shape.nodes > Some(1)) {
        options.extend(["-ppn".to_string(), per_node.to_string()]);
    }
    options
}
