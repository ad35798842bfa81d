//! Why a manager cannot start or be found.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

/// A manager that cannot do what it should.
#[derive(Debug, Error)]
pub enum ManagerError {
    /// The port cannot be used.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The server cannot be started.
    #[error("cannot start the server of the manager: {error}")]
    Server {
        /// Why.
        error: io::Error,
    },
    /// The system has no random numbers.
    #[error("cannot make a token: {error}")]
    Token {
        /// Why.
        error: getrandom::Error,
    },
    /// The file with address and token cannot be written.
    #[error("cannot write {}: {error}", file.display())]
    Announce {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
}
