//! Upper bounds of the times in blocks of sums, so that damaged ones are not believed. Only what
//! holds for every recording is checked: one that is refused is lost.

use super::stream::Stream;
use crate::format::Problem;
use crate::format::header::BlockHeader;
use crate::format::profile::DEEPEST;
use crate::model::Profile;
use crate::properties::COLLECTED;

/// Times of a stream, in ticks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// No call began before.
    begin: u64,
    /// No call that is in a block of sums ended after.
    end: u64,
}

impl Bounds {
    pub(super) fn of(stream: &Stream) -> Self {
        Bounds {
            begin: begin(stream),
            end: end(stream),
        }
    }

    /// Sums are of what was, not of what is to come.
    pub(super) fn check_span(self, header: &BlockHeader) -> Result<(), Problem> {
        if header.last_time <= self.end {
            return Ok(());
        }
        Err(Problem::new(
            24,
            format!("sums up to time {}", header.last_time),
            format!(
                "no later time than {}, the last one of the stream",
                self.end
            ),
        ))
    }

    /// Calls on the same path follow each other, so all of them together took no longer than the
    /// stream. Those on the deepest paths may lie within each other: their times say nothing.
    pub(super) fn check_times(self, profile: &Profile) -> Result<(), Problem> {
        let longest = self.end.saturating_sub(self.begin);
        let mut depths: Vec<u16> = Vec::with_capacity(profile.entries.len());
        for entry in &profile.entries {
            let above = entry.parent.map_or(0, |parent| depths[parent as usize]);
            let depth = above.saturating_add(1);
            depths.push(depth);
            if entry.ticks > longest && depth < DEEPEST {
                return Err(Problem::new(
                    0,
                    format!("calls of {} ticks", entry.ticks),
                    format!("at most {longest}, as many as the stream has"),
                ));
            }
        }
        Ok(())
    }
}

/// The earliest time of any block; 0 if that is not known, because something is missing.
fn begin(stream: &Stream) -> u64 {
    if stream.lost_blocks > 0 || stream.lost_events > 0 {
        return 0;
    }
    let events = stream.blocks.first().map(|block| block.first_time);
    let sums = stream.profile_range().map(|(first, _)| first);
    events.into_iter().chain(sums).min().unwrap_or(0)
}

/// The latest time at which anything was written: throttled calls go on after the last event, also
/// after the end of a span. Not known of a stream that was collected: where the clock could not be
/// read then, the time is one that the recorder had noted before its last calls.
fn end(stream: &Stream) -> u64 {
    if stream.property(COLLECTED).is_some() {
        return u64::MAX;
    }
    let written = stream.pairs.iter().map(|pair| pair.ticks);
    let events = stream.blocks.last().map(|block| block.last_time);
    written.chain(events).max().unwrap_or(u64::MAX)
}
