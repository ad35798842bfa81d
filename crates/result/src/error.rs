//! Errors of the files of a result. Every error names the file and says what to do about it.

use std::path::{Path, PathBuf};

/// Failure to read or write a result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// One of its files cannot be read or written, or is not what it should be.
    #[error(transparent)]
    File(#[from] pgas_cube::Error),

    /// The directory exists, but `pgastool analyze` did not finish in it yet.
    #[error(
        "this experiment was not analysed: {} is missing; run `pgastool analyze {}`",
        missing.display(),
        experiment.display()
    )]
    NotAnalysed {
        /// The experiment directory.
        experiment: PathBuf,
        /// File of the result that is missing in it.
        missing: PathBuf,
    },

    /// There is no such directory.
    #[error("{} is not an experiment directory: it does not exist, or is not a directory; `pgastool run` prints the directory that it made", .0.display())]
    NoExperiment(PathBuf),

    /// Two files of one analysis contradict each other.
    #[error(
        "{}: {problem}; the files of this analysis do not belong together, run `pgastool analyze {}` again",
        path.display(),
        experiment.display()
    )]
    Inconsistent {
        /// The summary, which does not agree with the other files.
        path: PathBuf,
        /// The experiment directory.
        experiment: PathBuf,
        /// The contradiction, as part of a sentence.
        problem: String,
    },

    /// Numbers in a file of a result are not those that were computed.
    #[error(
        "{}: was changed after it was written: its checksum is that of other content; run `pgastool analyze` again",
        path.display()
    )]
    Changed {
        /// The file that was changed.
        path: PathBuf,
    },
}

impl Error {
    /// For `map_err` on input and output.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let file_error = pgas_cube::Error::io(action, path.to_owned());
        move |source| Error::File(file_error(source))
    }

    /// A value that `path` cannot hold.
    pub(crate) fn unwritable(path: &Path, problem: String) -> Error {
        Error::File(pgas_cube::Error::Unwritable {
            path: path.to_owned(),
            problem,
        })
    }
}
