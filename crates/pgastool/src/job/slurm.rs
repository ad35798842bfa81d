//! Slurm.

use super::{Granted, Script, System, Wanted, number};

pub(super) const TABLE: System = System {
    name: "Slurm",
    launchers: &["srun"],
    job: |variable| {
        let either = |first: &str, second: &str| {
            number(variable, first).or_else(|| number(variable, second))
        };
        let nodes = either("SLURM_JOB_NUM_NODES", "SLURM_NNODES").map(|(nodes, _)| nodes);
        let product = || {
            let (per_node, name) = number(variable, "SLURM_NTASKS_PER_NODE")?;
            let tasks = nodes?.checked_mul(per_node)?;
            Some((tasks, format!("SLURM_JOB_NUM_NODES times {name}")))
        };
        let listed = || {
            let tasks = sum(&variable("SLURM_TASKS_PER_NODE")?)?;
            Some((tasks, "SLURM_TASKS_PER_NODE".to_string()))
        };
        Some(Granted {
            number: variable("SLURM_JOB_ID").or_else(|| variable("SLURM_JOBID"))?,
            tasks: either("SLURM_NTASKS", "SLURM_NPROCS")
                .or_else(product)
                .or_else(listed),
            nodes,
            cores: number(variable, "SLURM_CPUS_PER_TASK"),
        })
    },
    script: Some(&SCRIPT),
};

const SCRIPT: Script = Script {
    submit: "sbatch",
    reads_input: false,
    directory: "SLURM_SUBMIT_DIR",
    number: "SLURM_JOB_ID",
    lines,
};

fn lines(wanted: &Wanted) -> Vec<String> {
    let mut options = vec![
        format!("--job-name={}", wanted.name),
        format!("--ntasks={}", wanted.tasks),
    ];
    options.extend(wanted.nodes.map(|nodes| format!("--nodes={nodes}")));
    if wanted.cores > 1 {
        options.push(format!("--cpus-per-task={}", wanted.cores));
    }
    if let Some(time) = &wanted.time {
        options.push(format!("--time={time}"));
        // The script receives a signal two minutes before the job ends: then the recorded data is
        // written, and there is time to analyse it.
        if minutes(time).is_some_and(|minutes| minutes >= 10) {
            options.push("--signal=B:TERM@120".to_string());
        }
    }
    options.extend(
        wanted
            .account
            .iter()
            .map(|name| format!("--account={name}")),
    );
    options.extend(
        wanted
            .queue
            .iter()
            .map(|name| format!("--partition={name}")),
    );
    options
        .iter()
        .map(|option| format!("#SBATCH {option}"))
        .collect()
}

/// Of a list such as `2(x3),1`.
fn sum(list: &str) -> Option<u32> {
    list.split(',').try_fold(0u32, |sum, part| {
        let (tasks, nodes) = match part.trim().split_once("(x") {
            Some((tasks, rest)) => (tasks, rest.strip_suffix(')')?),
            None => (part.trim(), "1"),
        };
        let tasks = tasks
            .parse::<u32>()
            .ok()?
            .checked_mul(nodes.parse().ok()?)?;
        sum.checked_add(tasks)
    })
}

/// Of a time as Slurm takes it: `M`, `M:S`, `H:M:S`, `D-H`, `D-H:M`, `D-H:M:S`.
pub(super) fn minutes(time: &str) -> Option<u64> {
    let (days, rest) = match time.split_once('-') {
        Some((days, rest)) => (Some(days.parse::<u64>().ok()?), rest),
        None => (None, time),
    };
    let numbers: Option<Vec<u64>> = rest.split(':').map(|part| part.parse().ok()).collect();
    let minutes = match (days, numbers?.as_slice()) {
        (None, [minutes] | [minutes, _]) => *minutes,
        (None, [hours, minutes, _]) => hours.checked_mul(60)?.checked_add(*minutes)?,
        (Some(_), [hours]) => hours.checked_mul(60)?,
        (Some(_), [hours, minutes] | [hours, minutes, _]) => {
            hours.checked_mul(60)?.checked_add(*minutes)?
        }
        _ => return None,
    };
    days.unwrap_or(0).checked_mul(24 * 60)?.checked_add(minutes)
}
