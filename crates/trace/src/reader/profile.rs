//! Access to the blocks of sums of a stream, which are decoded when they are asked for.

use super::payload;
use super::profile_bounds::Bounds;
use super::stream::{PlacedBlock, Stream};
use crate::error::Error;
use crate::format::profile;
use crate::model::Profile;

impl Stream {
    /// Sums of what the trace does not show call by call, in the order of time. Those of the same
    /// scope add up.
    ///
    /// # Errors
    /// Each is [`Error::Corrupt`] if its block is damaged, is of a time after it was written, or has a
    /// time that no call can have taken.
    pub fn profiles(&self) -> impl ExactSizeIterator<Item = Result<Profile, Error>> + '_ {
        let bounds = Bounds::of(self);
        self.profile_blocks.iter().map(move |block| {
            let PlacedBlock { offset, header } = block;
            bounds
                .check_span(header)
                .map_err(|problem| self.file.corrupt(*offset, problem))?;
            let payload = payload::read(&self.file, *offset, header, None)?;
            let span = (header.first_time, header.last_time);
            let threads = self.file.header.threads;
            profile::read(&payload, header.entries, span, header.sites, threads)
                .and_then(|profile| bounds.check_times(&profile).map(|()| profile))
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
}
