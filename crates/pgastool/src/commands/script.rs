//! `pgastool script`: writes a batch script for a measurement, which the user hands to the batch
//! system.

use crate::arguments::{heap_size, thread_count};
use crate::failure::{Failure, Outcome};
use crate::installation;
use crate::job::{ALL, Script, Wanted};
use crate::launch::target::{Processes, Target};
use crate::launch::{Launching, VARIABLE, threads};
use crate::output;
use crate::recording::Recording;
use crate::recording::filters::FilterFile;
use crate::terminal::Ui;
use clap::{Args, ValueEnum};
use pgas_base::shell;
use pgas_measure::settings::FILTER;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Write a batch script that measures a program
///
/// The script runs, analyses and reports. It goes to standard output, or into a file; the batch
/// system's command (sbatch, qsub, bsub) hands it in.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pgastool script slurm -n 256 --nodes 4 --time 00:30:00 -o job.sh -- \
                  ./is; sbatch job.sh"
)]
pub struct Arguments {
    /// The batch system [default: the one whose command for handing in scripts is on the path]
    #[arg(value_enum)]
    pub system: Option<SystemName>,
    /// Number of threads [default: that which the program was compiled for]
    #[arg(short = 'n', value_name = "N", value_parser = thread_count, allow_negative_numbers = true)]
    pub threads: Option<u32>,
    #[command(flatten)]
    pub launching: Launching,
    /// The longest time that the job may take, as the batch system wants it, such as 00:30:00
    #[arg(long, value_name = "TIME", value_parser = one_word)]
    pub time: Option<String>,
    /// The account, or project, that pays
    #[arg(long, value_name = "NAME", value_parser = one_word)]
    pub account: Option<String>,
    /// The queue, or partition
    #[arg(long, value_name = "NAME", value_parser = one_word)]
    pub queue: Option<String>,
    /// Run it K times, as `pgastool run --repeat` does
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: Option<u32>,
    /// How much shared memory each thread may allocate, such as 512MB; without a unit, in
    /// megabytes
    #[arg(long, value_name = "SIZE", value_parser = heap_size)]
    pub shared_heap: Option<String>,
    /// Write into a file
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub recording: Recording,
    /// The program and its arguments
    #[arg(required = true, last = true, value_name = "PROGRAM [ARGUMENTS]")]
    pub command: Vec<OsString>,
}

/// Batch systems that scripts are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SystemName {
    /// Directives #SBATCH, for sbatch
    Slurm,
    /// Directives #PBS, for qsub
    Pbs,
    /// Directives #BSUB, for bsub
    Lsf,
}

impl SystemName {
    fn script(self) -> Option<&'static Script> {
        let name = match self {
            SystemName::Slurm => "Slurm",
            SystemName::Pbs => "PBS",
            SystemName::Lsf => "LSF",
        };
        ALL.into_iter().find(|system| system.name == name)?.script
    }
}

/// A value in a directive is one word: everything else would be read as another option.
fn one_word(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/@+,=%".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => Ok(text.to_string()),
        false => Err("expected one word of letters, digits and -_.:/@+,=%".to_string()),
    }
}

pub fn script(arguments: &Arguments, ui: &Ui) -> Outcome {
    let script = match arguments.system {
        Some(name) => name.script(),
        None => ALL
            .into_iter()
            .filter_map(|system| system.script)
            .find(|script| which::which(script.submit).is_ok()),
    }
    .ok_or_else(|| {
        Failure::new("no batch system was named, and none is on the path (sbatch, qsub, bsub)")
            .help("name it, as in `pgastool script slurm -n 64 -- ./program`")
    })?;
    let launching = &arguments.launching;
    let target = Target::of(&arguments.command, launching.program.as_deref(), true)?;
    let threads = threads::decide(&target, arguments.threads, None, ui)?;
    // Errors that `run` would report in the job are reported now; a launcher may be there only in
    // the job.
    if let (Some(nodes), Some(reason)) = (
        launching.starter.nodes.filter(|&n| n > 1),
        target.one_node_only(),
    ) {
        return Err(Failure::new(format!(
            "`{}` cannot run on {nodes} nodes: {reason}",
            target.named.to_string_lossy()
        )));
    }
    if let Some(filter) = &arguments.recording.filter {
        FilterFile::read(filter)?;
    }
    let (tasks, cores) = match target.processes() {
        Processes::One(_) => (1, threads),
        _ => (threads, 1),
    };
    let wanted = Wanted {
        name: job_name(&target.named),
        tasks,
        cores,
        nodes: match tasks {
            1 => Some(1),
            _ => launching.starter.nodes,
        },
        time: arguments.time.clone(),
        account: arguments.account.clone(),
        queue: arguments.queue.clone(),
    };
    let text = text(arguments, script, &wanted, threads)?;
    output::deliver(&text, arguments.output.as_deref())?;
    if let Some(file) = &arguments.output {
        let input = if script.reads_input { "< " } else { "" };
        ui.note(format_args!(
            "next: {} {input}{}",
            script.submit,
            quoted(file.as_os_str())?
        ));
    }
    Ok(0)
}

/// Begin of the names of jobs.
const JOB: &str = "pgas-";

/// A name that every batch system takes.
fn job_name(program: &OsStr) -> String {
    let stem = std::path::Path::new(program)
        .file_stem()
        .unwrap_or_default();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let name: String = stem.to_string_lossy().chars().filter(is_plain).collect();
    format!("{JOB}{name}").chars().take(60).collect()
}

/// Commands of the script after the settings of the job; `{run}` is the command that measures.
const BODY: &str = r#"
# At the end of its time a job gets SIGTERM: that goes on to the program, and the script stays to analyse what was recorded.
trap 'kill -TERM "$run" 2>/dev/null' TERM
{run} &
run=$!
wait "$run"
status=$?
while kill -0 "$run" 2>/dev/null; do wait "$run"; status=$?; done

if [ -d "$experiment" ]; then
    "$pgastool" analyze "$experiment" && "$pgastool" report "$experiment" || [ $status -ne 0 ] || status=1
fi
exit $status
"#;

fn text(
    arguments: &Arguments,
    script: &Script,
    wanted: &Wanted,
    threads: u32,
) -> Result<String, Failure> {
    let mut lines = vec!["#!/bin/sh".to_string()];
    lines.extend((script.lines)(wanted));
    lines.push(String::new());
    let version = env!("CARGO_PKG_VERSION");
    lines.push(format!(
        "# Written by pgastool {version}: measures, analyses and reports."
    ));
    lines.push(format!("cd \"${{{}:-.}}\" || exit 1", script.directory));
    let pgastool = quoted(installation::executable()?.as_os_str())?;
    let mut settings = environment(arguments)?;
    settings.push(format!("pgastool={pgastool}"));
    let run = command_line(arguments, threads)?;
    if settings
        .iter()
        .chain([&run])
        .any(|line| line.contains(NEWLINE))
    {
        lines.push("newline=$(printf '\\nx')".to_string());
        lines.push("newline=${newline%x}".to_string());
    }
    lines.extend(settings);
    // Numbers of jobs have dots, brackets and names of hosts in them.
    lines.push(format!(
        "job=$(printf %s \"${{{}:-$$}}\" | tr -c 'A-Za-z0-9_-' _)",
        script.number
    ));
    let name = wanted.name.strip_prefix(JOB).unwrap_or(&wanted.name);
    lines.push(format!("experiment=pgas_{name}_{threads}_\"$job\""));
    Ok(lines.join("\n") + "\n" + &BODY.replacen("{run}", &run, 1))
}

/// The command that measures.
fn command_line(arguments: &Arguments, threads: u32) -> Result<String, Failure> {
    let launching = &arguments.launching;
    let mut run = format!("\"$pgastool\" run -n {threads} -o \"$experiment\"");
    if let Some(nodes) = launching.starter.nodes {
        run += &format!(" --nodes {nodes}");
    }
    if let Some(launcher) = &launching.starter.launcher {
        run += &format!(" --launcher {}", quoted(OsStr::new(launcher))?);
    }
    if let Some(program) = &launching.program {
        run += &format!(" --program {}", quoted(program.as_os_str())?);
    }
    if let Some(repeats) = arguments.repeat {
        run += &format!(" --repeat {repeats}");
    }
    if let Some(size) = &arguments.shared_heap {
        run += &format!(" --shared-heap {size}");
    }
    run += " --";
    for word in &arguments.command {
        run = format!("{run} {}", quoted(word)?);
    }
    Ok(run)
}

/// The lines that make the job's environment what it is now as far as the measurement needs it.
fn environment(arguments: &Arguments) -> Result<Vec<String>, Failure> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let mut lines = Vec::new();
    match variable("LOADEDMODULES") {
        Some(modules) => {
            let modules = modules.to_string_lossy().into_owned();
            let mut load = "module load".to_string();
            for module in modules.split(':').filter(|module| !module.is_empty()) {
                load = format!("{load} {}", quoted(OsStr::new(module))?);
            }
            // Where shells do not know modules unless they are told.
            if let Some(home) = variable("MODULESHOME").or_else(|| variable("LMOD_PKG")) {
                let mut file = PathBuf::from(home);
                file.push("init/sh");
                let file = quoted(file.as_os_str())?;
                lines.push(format!("command -v module >/dev/null 2>&1 || . {file}"));
            }
            lines.push(load);
        }
        None => {
            for name in ["PATH", "LD_LIBRARY_PATH"] {
                if let Some(value) = variable(name) {
                    lines.push(format!("export {name}={}", quoted(&value)?));
                }
            }
        }
    }
    // Options count more than what is set now.
    let given = arguments.recording.variables();
    let filter = match &arguments.recording.filter {
        Some(file) => Some((FILTER, std::path::absolute(file)?.into())),
        None => match variable(FILTER) {
            Some(file) => Some((FILTER, std::path::absolute(file)?.into())),
            None => None,
        },
    };
    let given: Vec<(&str, OsString)> = given.into_iter().chain(filter).collect();
    let is_given = |name: &str| given.iter().any(|(known, _)| *known == name);
    let inherited = Recording::names()
        .filter(|name| !is_given(name))
        .chain([VARIABLE])
        .filter_map(|name| Some((name, variable(name)?)));
    for (name, value) in given.iter().cloned().chain(inherited) {
        lines.push(format!("export {name}={}", quoted(&value)?));
    }
    Ok(lines)
}

/// A line's end between the quoted lines of a word.
const NEWLINE: &str = "\"$newline\"";

/// A word as a shell reads it back. No line begins within it: batch systems look for their
/// directives in all lines.
///
/// # Errors
/// If it is no text: a script is.
fn quoted(word: &OsStr) -> Result<String, Failure> {
    let text = word.to_str().ok_or_else(|| {
        Failure::new(format!(
            "`{}` is not UTF-8 and cannot be written into a script",
            word.to_string_lossy()
        ))
    })?;
    let lines: Vec<String> = text.split('\n').map(shell::quoted).collect();
    Ok(lines.join(NEWLINE))
}
