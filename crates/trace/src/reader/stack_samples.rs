//! Access to the stack samples of a stream, which are decoded when they are asked for.

use super::payload;
use super::stream::{PlacedBlock, Stream};
use crate::error::Error;
use crate::format::stack_samples;
use crate::model::StackSamples;

impl Stream {
    /// Number of samples in blocks that have any from tick `begin` to before tick `end`. Decodes
    /// nothing.
    pub fn stack_samples_about(&self, begin: u64, end: u64) -> u64 {
        let headers = self.stack_sample_blocks.iter().map(|block| &block.header);
        headers
            .filter(|header| header.first_time < end && header.last_time >= begin)
            .map(|header| u64::from(header.entries))
            .sum()
    }

    /// Samples of where the thread computed, block by block in the order of time. Modules of a
    /// block hold for the following ones, too.
    ///
    /// # Errors
    /// Each is [`Error::Corrupt`] if its block is damaged.
    pub fn stack_samples(&self) -> impl ExactSizeIterator<Item = Result<StackSamples, Error>> + '_ {
        self.stack_sample_blocks.iter().map(|block| {
            let PlacedBlock { offset, header } = block;
            let payload = payload::read(&self.file, *offset, header, None)?;
            let span = (header.first_time, header.last_time);
            stack_samples::read(&payload, header.entries, span, header.sites)
                .map_err(|problem| payload::within_payload(&self.file, *offset, header, problem))
        })
    }
}
