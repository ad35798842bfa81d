//! Counters and timers of the program's own, in one line of the processor's cache each.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::row::{begin_stretch, end_stretch};

/// Metrics that a thread may have.
pub const METRICS: usize = 16;
/// Longest name of a metric, in bytes.
pub const LONGEST_METRIC: usize = 40;

/// A number that the program sets.
pub const COUNTER: u64 = 1;
/// Time that the program measures.
pub const TIMER: u64 = 2;
/// A number of bytes.
pub const BYTES: u64 = 3;

/// A metric. The thread itself stores, any process may read.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Metric {
    /// [`COUNTER`], [`TIMER`] or [`BYTES`].
    pub kind: AtomicU64,
    /// Value of a counter; nanoseconds of a timer beside its ticks.
    pub value: AtomicU64,
    /// Ticks of a timer, in the form of [`crate::Row::time`].
    pub time: AtomicI64,
    /// UTF-8, with zeros after it.
    pub name: [AtomicU64; LONGEST_METRIC / 8],
}

const _: () = assert!(size_of::<Metric>() == 64);

impl Metric {
    /// Sets a metric up, before the count of the page includes it. The name has at most
    /// [`LONGEST_METRIC`] bytes.
    pub fn begin(&self, kind: u64, name: &str) {
        let mut bytes = [0; LONGEST_METRIC];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        for (word, part) in self.name.iter().zip(bytes.chunks_exact(8)) {
            let mut packed = [0; 8];
            packed.copy_from_slice(part);
            word.store(u64::from_ne_bytes(packed), Ordering::Relaxed);
        }
        self.value.store(0, Ordering::Relaxed);
        self.time.store(0, Ordering::Relaxed);
        self.kind.store(kind, Ordering::Relaxed);
    }

    /// Whether this is its name.
    pub fn is_named(&self, name: &str) -> bool {
        let words = self
            .name
            .iter()
            .map(|word| word.load(Ordering::Relaxed).to_ne_bytes());
        let mut bytes = words.flatten().take_while(|&byte| byte != 0);
        name.bytes().all(|byte| bytes.next() == Some(byte)) && bytes.next().is_none()
    }

    /// Sets a counter.
    #[inline(always)]
    pub fn set(&self, value: u64) {
        self.value.store(value, Ordering::Relaxed);
    }

    /// Adds to a counter, which wraps around.
    #[inline(always)]
    pub fn add(&self, number: u64) {
        crate::row::add(&self.value, number);
    }

    /// Subtracts from a counter, which wraps around.
    #[inline(always)]
    pub fn subtract(&self, number: u64) {
        crate::row::add(&self.value, number.wrapping_neg());
    }

    /// Starts a timer at `ticks`. One that runs goes on.
    pub fn start(&self, ticks: u64) {
        if self.time.load(Ordering::Relaxed) >= 0 {
            begin_stretch(&self.time, ticks);
        }
    }

    /// Stops a timer at `ticks`, if it runs.
    pub fn stop(&self, ticks: u64) {
        if self.time.load(Ordering::Relaxed) < 0 {
            end_stretch(&self.time, ticks);
        }
    }
}
