//! Whether threads agree about the operations that they execute together: collective operations and
//! their arguments, and values of barriers.

use pgas_earl::{Disagreement, SyncEvent, ValueGroup};
use pgas_trace::Clocks;

use super::Detector;
use crate::threads::batch::Instance;

/// A barrier to which threads gave different values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// How many barriers there are like that; the rest is about the first.
    pub count: u64,
    /// Its number, from 0.
    pub number: u64,
    /// The threads by the value that they gave and the call path of the barrier.
    pub groups: Vec<ValueGroup>,
}

/// In what threads disagree.
#[derive(Debug)]
pub struct Agreement {
    disagreement: Option<Disagreement>,
    contradiction: Option<Contradiction>,
}

impl Agreement {
    /// The collective operation about which threads disagree.
    pub fn disagreement(&self) -> Option<&Disagreement> {
        self.disagreement.as_ref()
    }

    /// Barriers with different values.
    pub fn contradiction(&self) -> Option<&Contradiction> {
        self.contradiction.as_ref()
    }
}

impl Detector for Agreement {
    fn new(_threads: usize, _clocks: &Clocks) -> Self {
        Agreement {
            disagreement: None,
            contradiction: None,
        }
    }

    fn instance(&mut self, instance: &Instance) {
        match &instance.event {
            SyncEvent::Barrier(barrier) if barrier.is_contradictory() => {
                let first = self.contradiction.get_or_insert_with(|| Contradiction {
                    count: 0,
                    number: barrier.number,
                    groups: barrier.by_value(),
                });
                first.count += 1;
            }
            SyncEvent::Disagreement(found) => self.disagreement = Some(found.clone()),
            _ => {}
        }
    }
}
