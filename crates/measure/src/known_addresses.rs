//! Addresses of a site that a reader knows, so that records leave them out.

use pgas_trace_format::addresses::Tracks;

use crate::attributes::Packed;

/// State of a reader after a site's Enters with addresses in a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    /// Number of the block.
    pub(crate) block: u32,
    /// Attributes of the last one.
    pub(crate) last: Packed,
    pub(crate) tracks: Tracks,
}

/// By site, as far as there were addresses: memory that nobody pays for who does not want them.
#[derive(Default)]
pub(crate) struct KnownAddresses(pub(crate) Vec<Known>);

impl KnownAddresses {
    /// State of a reader for a site in `block`.
    #[inline(always)]
    pub(crate) fn of(&mut self, site: u32, block: u32) -> &mut Known {
        let nothing = Known {
            block,
            last: Packed::NONE,
            tracks: Tracks::default(),
        };
        let index = site as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, nothing);
        }
        let known = &mut self.0[index];
        if known.block != block {
            *known = nothing;
        }
        known
    }
}
