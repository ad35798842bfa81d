//! Failures of a run: a task that panics, tasks that all wait, settings that are wrong.

use std::fmt::Write;
use std::path::PathBuf;

use crate::identity::Identity;
use crate::wait::WaitingTask;

/// Tasks that the message about a deadlock lists.
const LISTED: usize = 20;

/// Why a run did not end in good order.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A task panicked, and all others were ended.
    #[error("{task} panicked at {place}: {message}")]
    Panic {
        /// The task.
        task: Identity,
        /// Source file, line and column.
        place: String,
        /// What it said.
        message: String,
    },
    /// All tasks that are left wait for each other.
    #[error("{}", deadlock_text(.0))]
    Deadlock(Vec<WaitingTask>),
    /// An environment variable has a value that cannot be used.
    #[error("{variable} is '{value}', and must be {expected}")]
    Variable {
        /// Name of the variable.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A table of processors could not be read.
    #[error("cannot read the map of tasks {}: {error}", path.display())]
    MapFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
    /// A line of a table of processors is wrong.
    #[error("{source_name}:{line}: found '{found}', expected {expected}")]
    MapLine {
        /// The file, or what the program calls the table.
        source_name: String,
        /// Number of the line, from 1.
        line: usize,
        /// The part that is wrong.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// A process of the program could not go on.
    #[error("{text}")]
    Process {
        /// The process, from 0.
        process: usize,
        /// Why.
        text: String,
    },
    /// A process of the program ended while it had tasks, or could get some.
    #[error("{}", lost_text(*.process, .processors, .tasks, *.more, how.as_deref()))]
    Lost {
        /// The process, from 0.
        process: usize,
        /// Its processors.
        processors: std::ops::Range<usize>,
        /// Tasks that this process had created there. Some may have ended.
        tasks: Vec<Identity>,
        /// How many more there were.
        more: usize,
        /// How it ended, if that is known.
        how: Option<String>,
    },
    /// The other processes could not be started or connected.
    #[error("cannot start {processes} processes: {error}")]
    Start {
        /// Number of the processes.
        processes: usize,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
    /// What was asked for cannot be done on several processes.
    #[error("{0}")]
    Processes(&'static str),
    /// A thread for a processor could not be started.
    #[error("cannot start a thread for processor {processor}: {error}")]
    Processor {
        /// The processor.
        processor: usize,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
}

impl Failure {
    /// With how the other processes ended, from process 1 on.
    pub(crate) fn with_ends(mut self, ends: &[std::process::ExitStatus]) -> Self {
        if let Self::Lost { process, how, .. } = &mut self {
            *how = ends.get(process.wrapping_sub(1)).map(ToString::to_string);
        }
        self
    }
}

fn lost_text(
    process: usize,
    processors: &std::ops::Range<usize>,
    tasks: &[Identity],
    more: usize,
    how: Option<&str>,
) -> String {
    let how = how.unwrap_or("connection lost");
    let last = processors.end.saturating_sub(1);
    let on = if processors.len() == 1 {
        format!("processor {last}")
    } else {
        format!("processors {}-{last}", processors.start)
    };
    let mut text = format!("process {process} ({on}) ended before the program: {how}");
    if !tasks.is_empty() {
        text.push_str("\ntasks that were created there, of which some may have ended:");
    }
    for task in tasks {
        let _ = write!(text, "\n  {task}");
    }
    if more > 0 {
        let _ = write!(text, "\n  and {more} more");
    }
    text
}

fn deadlock_text(tasks: &[WaitingTask]) -> String {
    let noun = if tasks.len() == 1 {
        "the only task left waits"
    } else {
        "tasks left all wait"
    };
    let count = if tasks.len() == 1 {
        String::new()
    } else {
        format!("the {} ", tasks.len())
    };
    let mut text = format!("deadlock: {count}{noun}, and nobody can send or receive");
    for task in tasks.iter().take(LISTED) {
        let _ = write!(text, "\n  {task}");
    }
    if tasks.len() > LISTED {
        let _ = write!(text, "\n  and {} more", tasks.len() - LISTED);
    }
    text
}
