//! LSF.

use super::{Granted, Script, System, Variable, Wanted, number};

pub(super) const TABLE: System = System {
    name: "LSF",
    launchers: &["jsrun", "mpirun"],
    job: |variable| {
        let hosts = hosts(variable);
        let listed = hosts.map(|(slots, _)| (slots, "LSB_MCPU_HOSTS".to_string()));
        Some(Granted {
            number: variable("LSB_JOBID")?,
            tasks: listed.or_else(|| number(variable, "LSB_DJOB_NUMPROC")),
            nodes: hosts.map(|(_, nodes)| nodes),
            cores: None,
        })
    },
    script: Some(&SCRIPT),
};

/// Slots and hosts of `hostA 2 hostB 2`. Where `jsrun` starts programs, the first host is the one
/// that only runs the script.
fn hosts(variable: Variable<'_>) -> Option<(u32, u32)> {
    let text = variable("LSB_MCPU_HOSTS")?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let (mut slots, mut nodes) = (0u32, 0);
    for pair in words.chunks(2) {
        let [host, number] = pair else {
            return None;
        };
        let number: u32 = number.parse().ok()?;
        if nodes == 0 && number == 1 && host.starts_with("batch") && words.len() > 2 {
            continue;
        }
        slots = slots.checked_add(number)?;
        nodes += 1;
    }
    (slots > 0).then_some((slots, nodes))
}

const SCRIPT: Script = Script {
    submit: "bsub",
    reads_input: true,
    directory: "LS_SUBCWD",
    number: "LSB_JOBID",
    lines,
};

fn lines(wanted: &Wanted) -> Vec<String> {
    let slots = wanted.tasks.saturating_mul(wanted.cores);
    let mut options = vec![format!("-J {}", wanted.name), format!("-n {slots}")];
    if let Some(nodes) = wanted.nodes {
        let per_node = slots.div_ceil(nodes.max(1));
        options.push(format!("-R \"span[ptile={per_node}]\""));
    }
    if let Some(time) = &wanted.time {
        options.push(format!("-W {}", hours_and_minutes(time)));
    }
    options.extend(wanted.account.iter().map(|name| format!("-P {name}")));
    options.extend(wanted.queue.iter().map(|name| format!("-q {name}")));
    options
        .iter()
        .map(|option| format!("#BSUB {option}"))
        .collect()
}

/// LSF takes no seconds: those of `HH:MM:SS` are left out, and count as a minute if they are not 0.
fn hours_and_minutes(time: &str) -> String {
    let numbers: Option<Vec<u64>> = time.split(':').map(|part| part.parse().ok()).collect();
    match numbers.as_deref() {
        Some([hours, minutes, seconds]) => {
            let minutes = hours.saturating_mul(60).saturating_add(*minutes);
            let minutes = minutes.saturating_add(u64::from(*seconds > 0));
            format!("{}:{:02}", minutes / 60, minutes % 60)
        }
        _ => time.to_string(),
    }
}
