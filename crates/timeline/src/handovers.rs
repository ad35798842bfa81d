//! Waits for locks around a moment, and when the owner of a lock asked for it.

use pgas_earl::{LockAcquisition, LockRelease, Ownership, Span};
use pgas_trace::Clocks;
use pgas_trace::model::ThreadId;

use crate::records::{LockRecord, Records};
use crate::waits::{self, Wait};

/// The waits for locks of which it is known who had them before, up to `end` (ticks).
pub fn handovers(threads: &[Records], end: u64, clocks: &Clocks) -> Vec<Wait> {
    let since = threads
        .iter()
        .map(|records| records.locks_since)
        .max()
        .unwrap_or(0);
    let mut ownership = Ownership::new(clocks.clone());
    for (thread, records) in threads.iter().enumerate() {
        let thread = thread as ThreadId;
        for record in &records.locks {
            match record {
                LockRecord::Acquired(record) if record.span.end > since => {
                    ownership.acquired(thread, record.clone());
                }
                LockRecord::Released(record) if record.time > since => {
                    ownership.released(thread, *record);
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    ownership.advance(None, |handover| {
        // Behind the end, releases of some threads may be missing.
        if handover.acquisition.span.end <= end {
            found.extend(waits::for_lock(&handover, clocks));
        }
    });
    found
}

/// When the owner asked for a lock that it gave back at about `released` (ticks), and that another
/// thread then took in `acquired`.
pub fn asked(owner: &Records, taker: &Records, acquired: Span, released: u64) -> Option<u64> {
    let lock = acquisitions(taker)
        .find(|taken| taken.span == acquired)?
        .lock;
    let releases = owner.locks.iter().filter_map(|record| match record {
        LockRecord::Released(release) if release.lock == lock => Some(release),
        _ => None,
    });
    // Clocks of different nodes may have it behind the acquisition.
    let release: &LockRelease = releases.min_by_key(|r| r.time.abs_diff(released))?;
    let mut owned = acquisitions(owner)
        .rev()
        .filter(|own| own.lock == lock && own.span.end <= release.time);
    Some(owned.next()?.span.begin)
}

fn acquisitions(records: &Records) -> impl DoubleEndedIterator<Item = &LockAcquisition> {
    records.locks.iter().filter_map(|record| match record {
        LockRecord::Acquired(acquisition) => Some(acquisition),
        LockRecord::Released(_) => None,
    })
}
