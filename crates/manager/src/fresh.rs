//! Requests of clients for current values, answered by the sampler of the run.

use pgas_monitor::{Cells, RingNow, Wanted};
use tokio::sync::oneshot;

/// A question.
#[derive(Debug)]
pub struct Question {
    /// Objects and metrics that are asked for.
    pub wanted: Wanted,
    pub(crate) answer: oneshot::Sender<Fresh>,
}

/// An answer.
#[derive(Debug, Default)]
pub struct Fresh {
    /// The values.
    pub cells: Cells,
    /// The agents that were asked; `None` if all threads are on this machine.
    pub ring: Option<RingNow>,
}

impl Question {
    /// Answers it; a client that no longer waits gets nothing. A question that is dropped has no
    /// answer.
    pub fn answer(self, fresh: Fresh) {
        let _ = self.answer.send(fresh);
    }
}
