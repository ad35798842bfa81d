//! Counters and timers of the program's own, in one line of the processor's cache each.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::page::Page;
use crate::row::{begin_stretch, end_stretch};

/// Metrics that a thread may have.
pub const METRICS: usize = 16;
/// Longest name of a metric, in bytes.
pub const LONGEST_METRIC: usize = 40;

/// A number that the program sets.
pub const COUNTER: u64 = 1;
/// Time that the program measures.
pub const TIMER: u64 = 2;

/// A metric. The thread itself stores, any process may read.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Metric {
    /// [`COUNTER`] or [`TIMER`].
    pub kind: AtomicU64,
    /// Value of a counter.
    pub value: AtomicU64,
    /// Ticks of a timer, in the form of [`crate::Row::time`].
    pub time: AtomicI64,
    /// UTF-8, with zeros after it.
    pub name: [AtomicU64; LONGEST_METRIC / 8],
}

const _: () = assert!(size_of::<Metric>() == 64);

/// Why a metric cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There is no room.
    #[error(
        "metric \"{0}\": this thread has {METRICS} metrics already, which is the maximum; register \
         fewer"
    )]
    Full(String),
    /// Its name cannot be stored.
    #[error(
        "metric \"{0}\": found a name of {length} bytes, expected 1 to {LONGEST_METRIC} without \
         zero bytes; choose another name",
        length = .0.len()
    )]
    Name(String),
}

impl Page {
    /// Adds a counter or timer, and returns its index in [`Page::metrics`].
    ///
    /// # Errors
    /// [`Refused`]: there is no room, or the name is empty, too long or has a zero byte.
    pub fn register(&self, kind: u64, name: &str) -> Result<usize, Refused> {
        if name.is_empty() || name.len() > LONGEST_METRIC || name.contains('\0') {
            return Err(Refused::Name(name.to_owned()));
        }
        let number = self.metric_count.load(Ordering::Relaxed) as usize;
        let Some(metric) = self.metrics.get(number) else {
            return Err(Refused::Full(name.to_owned()));
        };
        metric.begin(kind, name);
        // Readers see the metric only when it is complete.
        self.metric_count
            .store(number as u64 + 1, Ordering::Release);
        Ok(number)
    }
}

impl Metric {
    fn begin(&self, kind: u64, name: &str) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_set_added_to_and_subtracted_from() {
        let page = Page::new();
        let number = page.register(COUNTER, "phase").unwrap();
        let metric = &page.metrics[number];
        metric.set(7);
        metric.add(5);
        metric.subtract(2);
        assert_eq!(metric.value.load(Ordering::Relaxed), 10);
    }

    #[test]
    fn a_timer_that_is_started_twice_or_stopped_twice_counts_once() {
        let page = Page::new();
        let metric = &page.metrics[page.register(TIMER, "solve").unwrap()];
        metric.start(100);
        metric.start(150);
        metric.stop(300);
        metric.stop(900);
        assert_eq!(metric.time.load(Ordering::Relaxed), 200);
    }

    #[test]
    fn a_metric_too_many_and_bad_names_are_refused() {
        let page = Page::new();
        for name in ["", "a\0b", &"x".repeat(LONGEST_METRIC + 1)] {
            let refused = page.register(COUNTER, name);
            assert_eq!(refused, Err(Refused::Name(name.to_owned())));
        }
        for number in 0..METRICS {
            assert_eq!(page.register(COUNTER, "m"), Ok(number));
        }
        let refused = page.register(COUNTER, "last").unwrap_err();
        assert!(refused.to_string().contains("has 16 metrics already"));
    }
}
