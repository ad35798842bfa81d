//! `pgastool run`: starts a program, records what its threads do, and passes its exit status on.

use crate::child::{signal_name, Ended, Program};
use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::filters::Filters;
use crate::output;
use crate::recording;
use crate::ui::Ui;
use pgas_instrument::flavour::Flavour;
use pgas_instrument::program::{inspect, ProgramInfo};
use pgas_trace::experiment::{create, create_default, Metadata};
use pgas_trace::Experiment;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub fn run(arguments: &cli::Run, ui: &Ui) -> Outcome {
    let (named, program_arguments) = arguments
        .command
        .split_first()
        .ok_or_else(|| Failure::new("no program was named"))?;
    let program = find(named)?;
    let info = inspect(&program)?;
    let flavour = check(named, info.as_ref(), arguments)?;
    let command = flavour.launch_command(&program, arguments.threads, program_arguments);
    if arguments.no_measure {
        return start(&command, arguments, None, None).map(Ended::status);
    }
    let compiled = info.as_ref().map_or(&[][..], |info| &info.filters);
    let filters = Filters::of(arguments.recording.filter.as_deref(), compiled)?;
    for loss in filters.losses() {
        ui.warning(loss);
    }

    let (directory, mut metadata) = new_experiment(named, program_arguments, arguments, &filters)?;
    let counters = metadata.recording.get(recording::COUNTERS);
    for refusal in counters.map_or_else(Vec::new, |names| recording::refused_counters(names)) {
        ui.warning(refusal);
    }
    let absolute = std::path::absolute(&directory)?;
    ui.note(format_args!("recording into {}", directory.display()));
    let started = Instant::now();
    let ended = filters
        .hand_over(&absolute)
        .and_then(|filter| start(&command, arguments, Some(absolute.into()), filter));
    let ended = match ended {
        Ok(ended) => ended,
        Err(failure) => {
            // Nothing ran, so there is nothing to keep.
            let _ = std::fs::remove_dir_all(&directory);
            return Err(failure);
        }
    };
    let outcome = match ended {
        Ended::Exited(status) => Ok(i32::from(status)),
        Ended::Killed(signal) => Err(signal),
    };
    metadata.end(outcome, started.elapsed().as_secs_f64());

    match ended {
        Ended::Exited(0) => {}
        Ended::Exited(status) => {
            ui.warning(format_args!("the program ended with exit status {status}"))
        }
        Ended::Killed(signal) => {
            ui.warning(format_args!(
                "the program was ended by {}",
                signal_name(signal)
            ));
        }
    }
    // The program's result counts, whatever became of its recording.
    if let Err(error) = metadata.save(&directory) {
        ui.warning(format_args!(
            "the description of the experiment is incomplete: {error}"
        ));
    }
    match Experiment::open(&directory) {
        Ok(experiment) => {
            let known = &metadata.remarks;
            let news = experiment.all_remarks().into_iter();
            for remark in news.filter(|remark| !known.contains(remark)) {
                ui.warning(remark);
            }
            let mut streams = experiment.streams().iter();
            let what = match experiment.event_count() {
                0 if streams.any(|stream| stream.profile_range().is_some()) => {
                    "a profile".to_owned()
                }
                count => format!("{count} events"),
            };
            ui.note(format_args!(
                "recorded {what}; next: pgastool analyze {}",
                directory.display()
            ));
        }
        Err(error) => ui.warning(format_args!("the recording cannot be used: {error}")),
    }
    if let Err(failure) = output::deliver(&directory.display().to_string(), None) {
        ui.failure(&failure);
    }
    Ok(ended.status())
}

/// The file that `named` means: a path, a program on the search path, or one in the current directory.
fn find(named: &OsStr) -> Result<PathBuf, Failure> {
    let path = Path::new(named);
    if path.components().count() > 1
        || path.is_absolute()
        || named.as_encoded_bytes().contains(&b'/')
    {
        return Ok(path.to_path_buf());
    }
    if let Ok(found) = which::which(path) {
        return Ok(found);
    }
    // As mpirun does it, for those who forget the "./".
    Ok(Path::new(".").join(path))
}

/// Checks that a start makes sense, and says how programs of this compiler are started.
fn check(
    named: &OsStr,
    info: Option<&ProgramInfo>,
    arguments: &cli::Run,
) -> Result<Flavour, Failure> {
    let shown = Path::new(named).display();
    if let Some(compiled_for) = info.and_then(|info| info.threads) {
        let wanted = arguments.threads;
        if compiled_for != wanted {
            return Err(Failure::new(format!(
                "`{shown}` was compiled for {}, -n {wanted} given",
                counted(compiled_for)
            ))
            .help(format!(
                "run with -n {compiled_for}, or recompile with --threads {wanted} (without --threads, any number is \
                 possible)"
            )));
        }
    }
    if !arguments.no_measure && !info.is_some_and(|info| info.instrumented) {
        let how = match info {
            Some(_) => "it was compiled without instrumentation",
            None => "it was not compiled by `pgastool compile`",
        };
        return Err(Failure::new(format!("`{shown}` cannot be measured: {how}")).help(
            "put `pgastool compile` in front of the compiler's arguments, as in `pgastool compile -O2 -o prog prog.upc`; \
             `pgastool run --no-measure` runs the program as it is",
        ));
    }
    let Some(info) = info else {
        return Ok(Flavour::Embedded);
    };
    Flavour::from_id(&info.compiler).ok_or_else(|| {
        Failure::new(format!(
            "`{shown}` was compiled by `{}`, which this version of pgastool does not know",
            info.compiler
        ))
        .help("use the pgastool that compiled it, or compile it again")
    })
}

fn counted(threads: u32) -> String {
    match threads {
        1 => "1 thread".to_string(),
        n => format!("{n} threads"),
    }
}

fn new_experiment(
    named: &OsStr,
    program_arguments: &[OsString],
    arguments: &cli::Run,
    filters: &Filters,
) -> Result<(PathBuf, Metadata), Failure> {
    let words: Vec<String> = program_arguments
        .iter()
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    let mut metadata = Metadata::new(&named.to_string_lossy(), &words, arguments.threads);
    metadata.filters = filters.described();
    metadata.remarks = filters.remarks();
    metadata.recording = arguments.recording.in_effect(|name| std::env::var_os(name));
    let directory = match &arguments.output {
        Some(directory) => {
            create(directory, &metadata)?;
            directory.clone()
        }
        None => {
            let here = Path::new(".");
            let directory = create_default(here, &metadata)?;
            directory
                .strip_prefix(here)
                .map(Path::to_path_buf)
                .unwrap_or(directory)
        }
    };
    Ok((directory, metadata))
}

fn start(
    command: &[OsString],
    arguments: &cli::Run,
    experiment: Option<OsString>,
    filter: Option<(&str, OsString)>,
) -> Result<Ended, Failure> {
    let mut program =
        Program::new(command).variable("PGAS_THREADS", Some(arguments.threads.to_string().into()));
    if let Some(size) = &arguments.shared_heap {
        for name in ["PGAS_SHARED_HEAP", "UPC_SHARED_HEAP_SIZE"] {
            program = program.variable(name, Some(size.into()));
        }
    }
    for (name, value) in arguments.recording.variables().into_iter().chain(filter) {
        program = program.variable(name, Some(value));
    }
    program
        .variable("PGAS_EXPERIMENT", experiment)
        .run()
        .map_err(|error| {
            let program = command
                .first()
                .map(|p| Path::new(p).display().to_string())
                .unwrap_or_default();
            match error.kind() {
                io::ErrorKind::NotFound => Failure::new(format!(
                    "cannot start `{program}`: it was not found"
                ))
                .help("is the launcher of this compiler on PATH? is the program for this machine?"),
                _ => Failure::new(format!("cannot start `{program}`: {error}")),
            }
        })
}
