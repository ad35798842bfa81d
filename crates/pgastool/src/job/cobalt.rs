//! Cobalt, on machines whose nodes are given whole: it says how many nodes there are, not how many
//! processes.

use super::{Granted, System, node_file, number};

pub(super) const TABLE: System = System {
    name: "Cobalt",
    launchers: &["aprun", "mpirun"],
    job: |variable| {
        let file = node_file(variable, "COBALT_NODEFILE");
        let size =
            number(variable, "COBALT_JOBSIZE").or_else(|| number(variable, "COBALT_PARTSIZE"));
        Some(Granted {
            number: variable("COBALT_JOBID")?,
            // A line for each node says nothing about processes.
            tasks: file
                .filter(|(processes, nodes)| processes > nodes)
                .map(|(processes, _)| (processes, "COBALT_NODEFILE".to_string())),
            nodes: size
                .map(|(nodes, _)| nodes)
                .or(file.map(|(_, nodes)| nodes)),
            cores: None,
        })
    },
    script: None,
};
