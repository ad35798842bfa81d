//! A pattern of one's own, in some 30 lines: lock convoys. A lock goes from one thread straight to
//! the next while yet another waits for it, so that threads queue up behind each other and the
//! critical section sets the pace of all.
//!
//!     cargo run --release -p pgas-earl --example lock_convoys -- DIR

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use pgas_earl::access::{AccessError, EventTrace, EventType, History, Occurrence};
use pgas_trace::Experiment;

/// Convoys at one `upc_lock`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Convoy {
    /// Times that the lock went to a waiting thread while others waited.
    pub handovers: u64,
    /// Most threads that were still waiting after that.
    pub longest_queue: usize,
}

/// Convoys by place of the `upc_lock` that got the lock: file and line.
pub fn convoys(trace: &EventTrace) -> Result<BTreeMap<(String, u32), Convoy>, AccessError> {
    let mut found: BTreeMap<_, Convoy> = BTreeMap::new();
    let all = vec![true; trace.threads()];
    let mut replay = trace.replay(0, u64::MAX, &all, History::Read)?;
    while let Some(occurrence) = replay.next() {
        let Occurrence {
            event,
            lock_pointer: Some(given_back),
            enter: Some((_, asked)),
            ..
        } = occurrence?
        else {
            continue;
        };
        let EventType::LockAcquired { lock } = event.event_type else {
            continue;
        };
        let has_waited = asked < trace.event(given_back)?.time;
        let queue = replay.waiting(lock).map_or(0, <[_]>::len);
        if has_waited && queue > 0 {
            let place = (event.region.file.clone(), event.region.line);
            let convoy = found.entry(place).or_default();
            convoy.handovers += 1;
            convoy.longest_queue = convoy.longest_queue.max(queue);
        }
    }
    Ok(found)
}

#[allow(dead_code)] // not where the pattern is tested
fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: lock_convoys DIR")?;
    let experiment = Experiment::open(Path::new(&directory))?;
    for ((file, line), convoy) in convoys(&EventTrace::new(&experiment)?)? {
        println!(
            "upc_lock at {file}:{line}: {} hand-overs with others waiting, up to {} of them",
            convoy.handovers, convoy.longest_queue
        );
    }
    Ok(())
}
