//! Number of threads of a run: as many as the user says, else as it was compiled for, else as the
//! batch job is meant for.

use crate::failure::Failure;
use crate::job::Job;
use crate::launch::over_mpi::Written;
use crate::launch::target::{Processes, Target};
use crate::terminal::Ui;

/// The most threads of a program whose threads are processes of one node: as many as the embedded
/// runtime can have.
const MOST_ON_A_NODE: u32 = 1024;

/// The most processors of a program of tasks.
const MOST_PROCESSORS: u32 = 4096;

/// The number that the user asks for: `n` of the option, and of a launcher before the program. A
/// program over MPI that nothing is said for has one thread, as it has without this tool.
///
/// # Errors
/// If the two differ, or a launcher without a number starts the program.
pub fn given(
    target: &Target,
    n: Option<u32>,
    job: Option<&Job>,
    ui: &Ui,
) -> Result<Option<u32>, Failure> {
    if let Some(written) = Written::of(target)? {
        return written.threads(n, target.compiled_for()).map(Some);
    }
    let is_open = n.is_none() && target.compiled_for().is_none() && job.is_none();
    if is_open && target.is_over_mpi() {
        ui.note(format_args!(
            "{}: -n says how many",
            target.words().count(1)
        ));
        return Ok(Some(1));
    }
    Ok(n)
}

/// The number of threads, with a line about where it comes from if the user has not said it.
///
/// # Errors
/// If nobody says it, or the program was compiled for another number.
pub fn decide(
    target: &Target,
    given: Option<u32>,
    job: Option<&Job>,
    ui: &Ui,
) -> Result<u32, Failure> {
    let threads = match (given, target.compiled_for()) {
        (Some(given), None) => given,
        (Some(given), Some(compiled)) if given == compiled => given,
        (Some(given), Some(compiled)) => {
            let shown = target.named.to_string_lossy();
            return Err(Failure::new(format!(
                "`{shown}` was compiled for {}, -n {given} given",
                target.words().count(compiled as usize)
            ))
            .help(format!(
                "run with -n {compiled}, or recompile with --threads {given} (without --threads, \
                 any number is possible)"
            )));
        }
        (None, Some(compiled)) => {
            ui.note(format_args!(
                "{}: it was compiled for them",
                target.words().count(compiled as usize)
            ));
            compiled
        }
        (None, None) => of_job(target, job, ui)?,
    };
    let most = match target.is_of_tasks {
        true => MOST_PROCESSORS,
        false => MOST_ON_A_NODE,
    };
    if target.one_node_only().is_some() && threads > most {
        let many = target.words().many;
        return Err(Failure::new(format!(
            "{threads} {many} are too many for one node: at most {most} are possible"
        )));
    }
    if let Some(job) = job {
        let allotted = match target.processes() {
            Processes::One(_) => job.cores(),
            _ => job.tasks().map(|(tasks, _)| tasks),
        };
        if let Some(allotted) = allotted.filter(|&allotted| allotted < threads) {
            ui.warning(format_args!(
                "{}, but the {} is meant for {allotted}: they will share cores, or the launcher \
                 refuses them",
                target.words().count(threads as usize),
                job.shown()
            ));
        }
    }
    Ok(threads)
}

fn of_job(target: &Target, job: Option<&Job>, ui: &Ui) -> Result<u32, Failure> {
    let many = target.words().many;
    let missing = || Failure::new(format!("the number of {many} is missing: -n <N>"));
    let Some(job) = job else {
        let shown = target.named.to_string_lossy();
        let is_after = target.arguments.iter().any(|argument| argument == "-n");
        return Err(missing().help(match is_after {
            true => format!(
                "it comes before the program, as in `pgastool run -n 4 {shown}`; what follows the \
                 program is the program's"
            ),
            false => format!("say it, as in `pgastool run -n 4 {shown}`"),
        }));
    };
    let one_process = matches!(target.processes(), Processes::One(_));
    if let (true, Some(nodes), Some(reason)) = (
        one_process,
        job.nodes.filter(|&nodes| nodes > 1),
        target.one_node_only(),
    ) {
        return Err(missing().help(format!(
            "the {} has {nodes} nodes, but {reason}: say with -n how many threads are to run on \
             one of them",
            job.shown()
        )));
    }
    let (threads, source) = match one_process {
        true => job.threads_of_one(),
        false => job.tasks(),
    }
    .ok_or_else(|| {
        missing().help(format!(
            "the {} does not say for how many processes it is meant; say it, as in `pgastool run \
             -n 4 ./program`",
            job.shown()
        ))
    })?;
    ui.note(format_args!(
        "{}, as {source} of the {} says",
        target.words().count(threads as usize),
        job.shown()
    ));
    Ok(threads)
}
