//! Slurm's `srun`. It exports the whole environment unless the job was submitted with `--export`,
//! whose choice `srun` takes over through SLURM_EXPORT_ENV; so what is to be exported is always
//! said.

use super::table::{Launcher, Shape, as_shells};
use std::ffi::OsString;

pub(super) const TABLE: Launcher = Launcher {
    name: "srun",
    commands: &["srun"],
    recognises: None,
    first: &[],
    only: None,
    shape,
    environment,
    own_environment: &[],
    crowded: &[],
    status: |status| match status {
        253 => Some("a process ran out of memory".to_string()),
        other => as_shells(other),
    },
};

fn shape(shape: &Shape) -> Vec<String> {
    let mut options = vec![format!("--ntasks={}", shape.tasks)];
    if let Some(nodes) = shape.nodes {
        options.push(format!("--nodes={nodes}"));
        if let Some(per_node) = shape.per_node().filter(|_| nodes > 1) {
            options.push(format!("--ntasks-per-node={per_node}"));
        }
    }
    if shape.cores > 1 {
        options.push(format!("--cpus-per-task={}", shape.cores));
    }
    options
}

/// A list that the user has given is made longer: variables can be named in it once.
fn environment(variables: &[(String, OsString)], options: &mut Vec<OsString>) -> Vec<OsString> {
    let mut given = None;
    let mut at = 0;
    while at < options.len() {
        let word = options[at].to_string_lossy().into_owned();
        if let Some(list) = word.strip_prefix("--export=") {
            given = Some(list.to_string());
            options.remove(at);
        } else if word == "--export" && at + 1 < options.len() {
            given = Some(options.remove(at + 1).to_string_lossy().into_owned());
            options.remove(at);
        } else {
            at += 1;
        }
    }
    let names = variables.iter().map(|(name, _)| name.as_str());
    let list = match given.as_deref() {
        None => "ALL".to_string(),
        Some("NONE") => names.collect::<Vec<_>>().join(","),
        Some(list) if list.split(',').any(|word| word == "ALL") => list.to_string(),
        Some(list) => [list]
            .into_iter()
            .chain(names)
            .collect::<Vec<_>>()
            .join(","),
    };
    match list.is_empty() {
        true => vec!["--export=NONE".into()],
        false => vec![format!("--export={list}").into()],
    }
}
