//! Access to the blocks of sums of a stream, which are decoded when they are asked for.

use super::payload;
use super::stream::{PlacedBlock, Stream};
use crate::error::Error;
use crate::format::{Problem, profile};
use crate::model::Profile;

impl Stream {
    /// Sums of what the trace does not show call by call, in the order of time. Those of the same
    /// scope add up.
    ///
    /// # Errors
    /// Each is [`Error::Corrupt`] if its block is damaged, or has a time that no call can have
    /// taken.
    pub fn profiles(&self) -> impl ExactSizeIterator<Item = Result<Profile, Error>> + '_ {
        let begin = self.first_time();
        self.profile_blocks.iter().map(move |block| {
            let PlacedBlock { offset, header } = block;
            let payload = payload::read(&self.file, *offset, header, None)?;
            let span = (header.first_time, header.last_time);
            let threads = self.file.header.threads;
            profile::read(&payload, header.entries, span, header.sites, threads)
                .and_then(|profile| within(profile, begin))
                .map_err(|problem| payload::within_payload(&self.file, *offset, header, problem))
        })
    }

    /// The span, in ticks, of all sums of this stream; `None` if there are none.
    pub fn profile_range(&self) -> Option<(u64, u64)> {
        let headers = || self.profile_blocks.iter().map(|block| &block.header);
        let first = headers().map(|header| header.first_time).min()?;
        let last = headers().map(|header| header.last_time).max()?;
        Some((first, last))
    }

    /// Ticks: the earliest that any block is of. No call of the stream began before; 0 if that is not
    /// known, because blocks are missing.
    fn first_time(&self) -> u64 {
        if self.lost_blocks > 0 {
            return 0;
        }
        let events = self.blocks.first().map(|block| block.first_time);
        let sums = self.profile_range().map(|(first, _)| first);
        events.into_iter().chain(sums).min().unwrap_or(0)
    }
}

/// Calls on the same path follow each other, so all of them together took no longer than from the
/// beginning of the stream to the end of the span.
fn within(profile: Profile, begin: u64) -> Result<Profile, Problem> {
    let longest = profile.last_time.saturating_sub(begin);
    match profile.entries.iter().find(|entry| entry.ticks > longest) {
        None => Ok(profile),
        Some(entry) => Err(Problem::new(
            0,
            format!("calls of {} ticks", entry.ticks),
            format!("at most {longest}, as many as there were since the stream began"),
        )),
    }
}
