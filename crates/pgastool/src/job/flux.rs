//! Flux.

use super::{Granted, System, number};

pub(super) const TABLE: System = System {
    name: "Flux",
    launchers: &["flux"],
    job: |variable| {
        Some(Granted {
            number: variable("FLUX_JOB_ID").or_else(|| variable("FLUX_ENCLOSING_ID"))?,
            tasks: number(variable, "FLUX_JOB_SIZE"),
            nodes: number(variable, "FLUX_JOB_NNODES").map(|(nodes, _)| nodes),
            cores: None,
        })
    },
    script: None,
};
