//! Waits for locks around a moment: the acquisition that the analysis has called the worst one, and all others of which it
//! is known who had the lock before.

use pgas_earl::ownership::Release;
use pgas_earl::{LockHandover, Ownership};
use pgas_trace::model::ThreadId;
use pgas_trace::Clocks;

use crate::found::{is_it, is_own, Found};
use crate::records::{LockRecord, Records};
use crate::subjects::Subject;
use crate::waits::{self, Wait};

/// The acquisition in question, found by when it began and who released the lock.
pub fn lock(subject: &Subject, threads: &[Records]) -> Option<Found> {
    let (thread, acquisition) = threads.iter().enumerate().find_map(|(thread, records)| {
        let wanted = |record: &LockRecord| match record {
            LockRecord::Acquired(acquisition)
                if acquisition.path == subject.path()
                    && !acquisition.attempt
                    && acquisition.span.begin == subject.begin =>
            {
                Some(acquisition.clone())
            }
            _ => None,
        };
        let is_waiter = subject
            .longest_thread
            .is_none_or(|longest| longest as usize == thread);
        let found = records.locks.iter().filter(|_| is_waiter).find_map(wanted);
        Some((thread as ThreadId, found?))
    })?;
    let owner = threads.get(subject.last_thread as usize)?;
    let releases = owner.locks.iter().filter_map(|record| match record {
        LockRecord::Released(release) if release.lock == acquisition.lock => Some(*release),
        _ => None,
    });
    // By the time that was waited, since clocks of different nodes may have it behind the acquisition.
    let end = acquisition.span.begin.saturating_add(subject.longest);
    let release = releases.min_by_key(|release| release.time.abs_diff(end))?;
    let asked = owner.locks.iter().rev().find_map(|record| match record {
        LockRecord::Acquired(own) if own.lock == release.lock && own.span.end <= release.time => {
            Some(own.span.begin)
        }
        _ => None,
    });
    let waits = waits::for_lock(&LockHandover {
        thread,
        acquisition: acquisition.clone(),
        previous: Some(Release {
            thread: subject.last_thread,
            record: release,
        }),
    });
    let (own, others): (Vec<_>, Vec<_>) = waits.into_iter().partition(|wait| is_own(subject, wait));
    if !is_it(subject, &own) {
        return None;
    }
    Some(Found {
        own,
        others,
        cause_begin: asked,
    })
}

/// The acquisition in question among `handovers`, where only its waits tell which one it was.
pub fn by_waits(subject: &Subject, handovers: &[Vec<Wait>]) -> Option<Found> {
    handovers.iter().find_map(|waits| {
        let (own, others): (Vec<_>, Vec<_>) = waits
            .iter()
            .cloned()
            .partition(|wait| is_own(subject, wait));
        is_it(subject, &own).then_some(Found {
            own,
            others,
            cause_begin: None,
        })
    })
}

/// By acquisition: the waits at locks of which it is known who had them before, up to `end` (ticks).
pub fn handovers(threads: &[Records], end: u64, clocks: &Clocks) -> Vec<Vec<Wait>> {
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
            found.push(waits::for_lock(&handover));
        }
    });
    found
}
