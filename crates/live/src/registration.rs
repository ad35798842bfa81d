//! Registration of the program's own metrics in a thread's page.

use std::sync::atomic::Ordering;

use crate::metric::{LONGEST_METRIC, METRICS};
use crate::page::Page;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{COUNTER, TIMER};

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
