//! What can go wrong between a client and the manager of a run.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// An error of a client.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The file with address and token cannot be read.
    #[error(
        "cannot read {}: {error}; it is there while the program runs with a manager",
        file.display()
    )]
    Announcement {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Nobody answers there, or the answer breaks off: the run has ended, or is on another machine.
    #[error("no manager answers at {address}: {error}; has the run ended?")]
    Gone {
        /// Where.
        address: String,
        /// Why.
        error: String,
    },
    /// The token is not that of this run.
    #[error("{address} refuses the token: {error}; expected: {expected}")]
    Token {
        /// Where.
        address: String,
        /// What the manager says.
        error: String,
        /// What it expected.
        expected: String,
    },
    /// The manager has another answer than the one that was asked for.
    #[error("{address} answers with status {status}: {error}; expected: {expected}")]
    Refused {
        /// Where.
        address: String,
        /// Status of HTTP.
        status: u16,
        /// What the manager says.
        error: String,
        /// What it expected.
        expected: String,
    },
    /// The answer is none of version 1 of the interface.
    #[error("cannot read the answer of {address}: {error}; is it another version of pgastool?")]
    Answer {
        /// Where.
        address: String,
        /// Why.
        error: String,
    },
}
