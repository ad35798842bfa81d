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
