//! Records in a buffer whose thread was stopped at any instruction.

use crate::VERSION;
use crate::decode::BlockDecoder;
use crate::model::{EventKind, SiteId};

/// The whole records at the beginning of a block's bytes.
#[derive(Debug)]
pub struct WholeRecords {
    /// Number of these records, one for each event.
    pub events: u32,
    /// Bytes up to the end of the last one.
    pub length: usize,
    /// Its time, in ticks.
    pub last_time: u64,
    /// Sites of the regions that are open after it, outermost first.
    pub open: Vec<SiteId>,
}

impl WholeRecords {
    /// Of a block that begins at `first_time` (ticks), with `sites` sites defined. `None` if not
    /// even the open regions at its beginning can be read.
    pub fn of(payload: &[u8], first_time: u64, sites: u32) -> Option<Self> {
        let mut decoder = BlockDecoder::new(
            payload.to_vec(),
            u32::MAX,
            first_time,
            u64::MAX,
            sites as usize,
            VERSION,
        )
        .ok()?;
        let mut whole = WholeRecords {
            events: 0,
            length: decoder.position(),
            last_time: first_time,
            open: decoder.stack().to_vec(),
        };
        while whole.length < payload.len() {
            let Ok(Some(event)) = decoder.next_event() else {
                break;
            };
            whole.events += 1;
            whole.length = decoder.position();
            whole.last_time = event.time;
            match event.kind {
                EventKind::Enter { site, .. } => whole.open.push(site),
                EventKind::Exit { .. } => drop(whole.open.pop()),
            }
        }
        Some(whole)
    }
}
