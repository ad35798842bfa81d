//! Errors of the driver, and the exit status that it ends with.

use std::io;
use std::path::Path;

/// An error of the driver.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command line makes no sense.
    #[error("{0}")]
    Usage(String),
    /// A file or program that is needed is not there or cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// A response file cannot be used.
    #[error(transparent)]
    Response(#[from] pgas_instrument::response::ResponseError),
    /// There is no C compiler.
    #[error(transparent)]
    NoCCompiler(#[from] pgas_instrument::compiler::NoCCompiler),
    /// An option or the environment names a network that there is none of.
    #[error(transparent)]
    NoNetwork(#[from] pgas_instrument::network::NoNetwork),
    /// There is no compiler of an MPI.
    #[error(transparent)]
    NoMpicc(#[from] pgas_instrument::mpi::NoMpicc),
    /// Support files of programs over MPI cannot be made.
    #[error(transparent)]
    Support(#[from] pgas_instrument::support::SupportError),
    /// The filter file of `-inst-filter` is wrong.
    #[error(transparent)]
    Filter(#[from] pgas_filter::FilterError),
    /// The system refused something.
    #[error("cannot {action}{path}: {source}")]
    Io {
        /// The action that failed, such as "read".
        action: String,
        /// The file, or nothing.
        path: String,
        /// From the system.
        source: io::Error,
    },
    /// Objects do not fit together, or the linker found an error that has a known cause.
    #[error("{0}")]
    Link(String),
    /// The program has errors, which were shown.
    #[error("the program has errors")]
    Shown,
}

impl Error {
    pub(crate) fn io(action: &str, path: impl AsRef<Path>, source: io::Error) -> Self {
        let path = path.as_ref();
        Error::Io {
            action: action.to_string(),
            path: if path.as_os_str().is_empty() {
                String::new()
            } else {
                format!(" {}", path.display())
            },
            source,
        }
    }

    /// The message that is still to be shown; `None` if all was shown already.
    pub fn message(&self) -> Option<String> {
        (!matches!(self, Error::Shown)).then(|| self.to_string())
    }
}
