//! How processes that analyse together reach each other.

use std::thread;
use std::time::Duration;

use pgas_trace::Interruption;

/// The connection of one process with the others that work on the same analysis. Messages from one
/// process to another come in the order in which they were sent.
pub trait Exchange {
    /// Number of this process, from 0. Process 0 leads.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn size(&self) -> usize;

    /// Sends a message to another process. It may wait until that one receives it, and must let
    /// messages of others come in meanwhile.
    ///
    /// # Errors
    /// [`ExchangeError::Lost`].
    fn send(&mut self, to: usize, message: Vec<u8>) -> Result<(), ExchangeError>;

    /// A message that has come from any other process, and from which; `None` if there is none at
    /// the moment.
    ///
    /// # Errors
    /// [`ExchangeError::Lost`].
    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, ExchangeError>;
}

/// Why processes cannot go on together.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// Says what the library that connects processes says.
    #[error("another process of the analysis cannot be reached: {0}")]
    Lost(String),
    /// A message of another process cannot be decoded.
    #[error(
        "another process of the analysis sent what cannot be understood; start the same pgastool \
         on all nodes"
    )]
    Nonsense,
    /// Another process says why it cannot do its part.
    #[error("{0}")]
    Elsewhere(String),
    /// The analysis was asked to end before it was complete.
    #[error("the analysis was interrupted")]
    Interrupted,
}

/// Waiting for something to do: short at first, for what comes at once; then longer, so that a
/// process that waits leaves the core to those that work.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    rounds: u32,
}

impl Patience {
    /// There was something to do.
    pub fn reset(&mut self) {
        self.rounds = 0;
    }

    /// There was nothing.
    pub fn wait(&mut self) {
        const YIELDS: u32 = 8;
        const SHORT: u32 = 200;
        match self.rounds {
            0..YIELDS => thread::yield_now(),
            YIELDS..SHORT => thread::sleep(Duration::from_micros(50)),
            _ => thread::sleep(Duration::from_millis(1)),
        }
        self.rounds = self.rounds.saturating_add(1);
    }
}

/// # Errors
/// [`ExchangeError::Interrupted`] if it was requested.
pub(crate) fn check(interruption: &Interruption) -> Result<(), ExchangeError> {
    match interruption.is_requested() {
        true => Err(ExchangeError::Interrupted),
        false => Ok(()),
    }
}
