//! A live page of zeros with any words changed, with a header that is in order unless the first byte
//! is odd: an error, or a picture in which times add up to what has passed. The second bit of that
//! byte gives the page metrics; the third keeps changes to the part of the page that has counters,
//! the fourth to tasks and channels.
#![no_main]

use std::mem::offset_of;

use libfuzzer_sys::fuzz_target;
use pgas_live::metric::{BYTES, COUNTER, METRICS, TIMER};
use pgas_live::page::{LENGTH, MAGIC, PAGE, RUNNING, TASK_AREA_AT, VERSION};
use pgas_live::tasks::AREA;
use pgas_live::{Header, LivePage, Metric, Page, Source};

/// Bytes of a change: the number of a word of the page, and what it becomes.
const CHANGE: usize = 10;
/// When the thread began, and when it is looked at.
const START: u64 = 1 << 39;
const NOW: u64 = 1 << 40;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else {
        return;
    };
    let mut page = vec![0; LENGTH];
    if first & 2 != 0 {
        put_metrics(&mut page);
    }
    let (begin, changed) = match first & 12 {
        0 => (0, LENGTH),
        4 => (0, PAGE),
        _ => (TASK_AREA_AT, AREA),
    };
    if begin != 0 {
        put(&mut page, offset_of!(Page, has_tasks), &1_u64.to_ne_bytes());
    }
    for change in rest.chunks_exact(CHANGE) {
        let word = usize::from(u16::from_le_bytes([change[0], change[1]])) % (changed / 8);
        put(&mut page, begin + 8 * word, &change[2..]);
    }
    if first & 1 == 0 {
        put(&mut page, offset_of!(Page, state), &RUNNING.to_ne_bytes());
        let at = offset_of!(Page, header);
        let mut own = [0; size_of::<Header>()];
        own.copy_from_slice(&page[at..at + size_of::<Header>()]);
        let mut header = Header::from_bytes(&own);
        (header.magic, header.version, header.clock) = (MAGIC, VERSION, 0);
        (header.start_ticks, header.start_nanoseconds) = (START, START);
        header.checksum = header.right_checksum();
        put(&mut page, at, header.bytes());
    }
    let now: Source = |_| {
        Some(pgas_live::CalibrationPair {
            ticks: NOW,
            nanoseconds: NOW,
        })
    };
    let Ok(page) = LivePage::of_bytes("page", &page, now) else {
        return;
    };
    let Ok(snapshot) = page.snapshot() else {
        return;
    };
    let times = snapshot.operations.iter().map(|operation| operation.ticks);
    let sum: u128 = times.map(u128::from).sum();
    assert!(first & 1 == 1 || sum <= u128::from(NOW - START) + 2_000_000);
    assert!(snapshot.metrics.len() <= METRICS);
    let _ = page.places(snapshot.definitions);
});

/// One metric of each kind.
fn put_metrics(page: &mut [u8]) {
    let kinds = [COUNTER, TIMER, BYTES];
    let count = kinds.len() as u64;
    put(page, offset_of!(Page, metric_count), &count.to_ne_bytes());
    for (number, kind) in kinds.iter().enumerate() {
        let at = offset_of!(Page, metrics) + number * size_of::<Metric>();
        put(page, at + offset_of!(Metric, kind), &kind.to_ne_bytes());
        put(page, at + offset_of!(Metric, name), b"phase");
    }
}

fn put(page: &mut [u8], at: usize, bytes: &[u8]) {
    page[at..at + bytes.len()].copy_from_slice(bytes);
}
