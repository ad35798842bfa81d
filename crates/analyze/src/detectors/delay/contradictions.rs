//! Steps that would wait for each other for ever, which happens where clocks contradict each other
//! or streams end early.

use pgas_trace::model::ThreadId;

use super::Replay;

impl Replay {
    /// A thread that must go on though it depends on another: of several that depend on each other
    /// the one whose step is the earliest.
    pub(super) fn contradiction(&self, ended: bool) -> Option<ThreadId> {
        let next = |thread: ThreadId| {
            let step = self.lanes[thread as usize].steps.front();
            step.map(|step| (step.time, thread))
        };
        let all = || 0..self.lanes.len() as ThreadId;
        // By thread: the first one from which it was reached.
        let mut reached: Vec<Option<ThreadId>> = Vec::new();
        for start in all() {
            let mut thread = start;
            while let Some(other) = self.lanes[thread as usize].waits_for {
                if reached.is_empty() {
                    reached.resize(self.lanes.len(), None);
                }
                if reached[thread as usize] == Some(start) {
                    return self.earliest_of_circle(thread);
                }
                if reached[thread as usize].is_some() {
                    break;
                }
                reached[thread as usize] = Some(start);
                thread = other;
            }
        }
        match ended {
            true => all().filter_map(next).min().map(|(_, thread)| thread),
            false => None,
        }
    }

    fn earliest_of_circle(&self, start: ThreadId) -> Option<ThreadId> {
        let mut earliest: Option<(u64, ThreadId)> = None;
        let mut thread = start;
        loop {
            let lane = &self.lanes[thread as usize];
            if let Some(step) = lane.steps.front() {
                let own = (step.time, thread);
                earliest = Some(earliest.map_or(own, |known| known.min(own)));
            }
            thread = lane.waits_for?;
            if thread == start {
                return earliest.map(|(_, thread)| thread);
            }
        }
    }
}
