//! Grid Engine and what descends from it.

use super::{Granted, System, number};

pub(super) const TABLE: System = System {
    name: "Grid Engine",
    launchers: &["mpirun"],
    job: |variable| {
        // Other programs have a JOB_ID, too.
        let tasks = number(variable, "NSLOTS")?;
        Some(Granted {
            number: variable("JOB_ID")?,
            tasks: Some(tasks),
            nodes: number(variable, "NHOSTS").map(|(nodes, _)| nodes),
            cores: None,
        })
    },
    script: None,
};
