//! Errors of a study: each names what was run or read, and its message.

use std::path::PathBuf;

/// Why a study has no figures.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No study has this name.
    #[error("there is no study '{0}'; there are: {names}, all", names = crate::programs::names().join(", "))]
    UnknownStudy(String),
    /// A thread count or the like that cannot be.
    #[error("{0}")]
    Settings(String),
    /// A file that a study needs or writes.
    #[error("{path}: {problem}", path = path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// The reason why it cannot be used.
        problem: String,
    },
    /// A compiler that the programs of a study need is not there.
    #[error("there is no {command} here, which the study's programs need (Debian: {package})")]
    Missing {
        /// The command that compiles.
        command: &'static str,
        /// The package that has it.
        package: &'static str,
    },
    /// A command failed. Its output is the last part.
    #[error("`{command}` failed ({status}):\n{printed}")]
    Command {
        /// The command as a shell would take it.
        command: String,
        /// Its exit status, or the signal that ended it.
        status: String,
        /// Its output.
        printed: String,
    },
    /// A command printed something else than expected.
    #[error("`{command}` printed no {expected}; it printed:\n{printed}")]
    Unexpected {
        /// The command as a shell would take it.
        command: String,
        /// The output that the study needs.
        expected: String,
        /// Its output.
        printed: String,
    },
    /// A chart could not be drawn.
    #[error("the chart {name} cannot be drawn: {problem}")]
    Chart {
        /// Title of the chart.
        name: String,
        /// The reason.
        problem: String,
    },
}

impl Error {
    pub(crate) fn file(path: impl Into<PathBuf>, problem: impl ToString) -> Self {
        Error::File {
            path: path.into(),
            problem: problem.to_string(),
        }
    }
}
