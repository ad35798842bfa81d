//! Errors of the viewer.

/// Failure to show a result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The result cannot be read.
    #[error(transparent)]
    Result(#[from] pgas_result::Error),

    /// An operation on the terminal failed.
    #[error("cannot use the terminal: {0}")]
    Terminal(#[from] std::io::Error),

    /// The thread that read the result is gone without one.
    #[error("reading the result ended unexpectedly; this is an error of the viewer")]
    Lost,
}
