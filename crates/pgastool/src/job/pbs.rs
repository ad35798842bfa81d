//! PBS: PBS Professional, OpenPBS and Torque.

use super::{Granted, Script, System, Wanted, node_file, number};

pub(super) const TABLE: System = System {
    name: "PBS",
    launchers: &["aprun", "mpiexec", "mpirun"],
    job: |variable| {
        let file = node_file(variable, "PBS_NODEFILE");
        let lines = file.map(|(processes, _)| (processes, "PBS_NODEFILE".to_string()));
        Some(Granted {
            number: variable("PBS_JOBID")?,
            tasks: lines.or_else(|| number(variable, "PBS_NP")),
            nodes: file.map(|(_, nodes)| nodes),
            // Those of a part of the job; if there is one process, they are its own.
            cores: number(variable, "NCPUS").filter(|_| file.is_none_or(|(lines, _)| lines == 1)),
        })
    },
    script: Some(&SCRIPT),
};

const SCRIPT: Script = Script {
    submit: "qsub",
    reads_input: false,
    directory: "PBS_O_WORKDIR",
    number: "PBS_JOBID",
    lines,
};

fn lines(wanted: &Wanted) -> Vec<String> {
    // Without a number of nodes each process may be anywhere.
    let chunks = wanted.nodes.unwrap_or(wanted.tasks).max(1);
    let tasks = wanted.tasks.div_ceil(chunks);
    let mut options = vec![
        // Longer names are refused.
        format!("-N {}", wanted.name.chars().take(15).collect::<String>()),
        format!(
            "-l select={chunks}:ncpus={}:mpiprocs={tasks}",
            tasks.saturating_mul(wanted.cores)
        ),
    ];
    options.extend(wanted.time.iter().map(|time| format!("-l walltime={time}")));
    options.extend(wanted.account.iter().map(|name| format!("-A {name}")));
    options.extend(wanted.queue.iter().map(|name| format!("-q {name}")));
    options
        .iter()
        .map(|option| format!("#PBS {option}"))
        .collect()
}
