//! Why a live page cannot be read.

/// Each names the file, what was found there, what was expected, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The system refused.
    #[error("{file}: cannot read: {error}")]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// It belongs to somebody else.
    #[error(
        "{file}: belongs to user {found}, not to user {expected}, who reads it; watch the run as \
         the user who started it"
    )]
    OtherUser {
        /// The file.
        file: String,
        /// Number of its user.
        found: u32,
        /// Number of the user who reads.
        expected: u32,
    },
    /// It is no live page, or no whole one.
    #[error(
        "{file}: byte {offset}: found {found}, expected {expected}; the page is damaged: remove the \
         file once its program has ended"
    )]
    Damaged {
        /// The file.
        file: String,
        /// Bytes from its beginning.
        offset: usize,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// Another version of the tool has written it.
    #[error(
        "{file}: found version {found} of live pages, expected version {expected}; watch the run \
         with the pgastool that the program was linked with, or link it anew"
    )]
    OtherVersion {
        /// The file.
        file: String,
        /// Its version.
        found: u32,
        /// The version that is read here.
        expected: u32,
    },
    /// Its thread has not set it up yet.
    #[error("{file}: the thread is just beginning; try again")]
    Beginning {
        /// The file.
        file: String,
    },
    /// Its process has gone without an end.
    #[error(
        "{file}: process {process} is gone and has left its page behind: it was killed; \
         `pgastool watch` without arguments removes such pages"
    )]
    Stale {
        /// The file.
        file: String,
        /// Number of the process.
        process: u32,
    },
    /// Its clock does not go with this machine's.
    #[error(
        "{file}: the thread's clock shows {found}, expected {expected}: it has jumped, so no time \
         of this thread can be shown; start the run again"
    )]
    Clock {
        /// The file.
        file: String,
        /// What the page says.
        found: String,
        /// What the clock of this machine admits.
        expected: String,
    },
}

impl Problem {
    pub(crate) fn damaged(
        file: &str,
        offset: usize,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Problem::Damaged {
            file: file.to_owned(),
            offset,
            found: found.into(),
            expected: expected.into(),
        }
    }
}
