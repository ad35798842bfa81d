//! Waits for flags around a moment.

use pgas_earl::{Posting, Postings};
use pgas_trace::Clocks;
use pgas_trace::model::ThreadId;

use crate::records::{FlagRecord, Records};
use crate::waits::{self, Wait};

/// The waits for flags of which it is known who wrote them, up to `end` (ticks).
pub fn flag_waits(threads: &[Records], end: u64, clocks: &Clocks) -> Vec<Wait> {
    let mut postings = Postings::new(clocks.clone());
    for (thread, records) in threads.iter().enumerate() {
        let thread = thread as ThreadId;
        for record in &records.flags {
            match record {
                FlagRecord::Begins(begin) => postings.begins(thread, *begin),
                FlagRecord::Written(post) => postings.posted(thread, *post),
                FlagRecord::Awaited(wait) => postings.awaited(thread, wait.clone()),
            }
        }
    }
    let mut found = Vec::new();
    postings.advance(None, |posting| {
        if let Posting::Awaited(awaited) = posting {
            // Behind the end, writes of some threads may be missing.
            if awaited.wait.span.end <= end {
                found.extend(waits::for_post(awaited, clocks));
            }
        }
    });
    found
}
