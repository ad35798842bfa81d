//! The metrics of a thread: where on its live page each of them is.

use std::sync::atomic::Ordering;

use pgas_live::metric::METRICS;
use pgas_live::{Metric, Page};

use super::names;
use super::observer::Observer;

/// See the module.
#[derive(Default)]
pub(crate) struct Metrics {
    /// By the number of the metric: its index on the page.
    slots: [Option<u8>; METRICS],
    /// Evaluates definitions, if there are any.
    pub(super) observer: Option<Box<Observer>>,
}

impl Metrics {
    pub(crate) fn reset(&mut self) {
        *self = Metrics::default();
    }

    /// Notes a place that is new.
    pub(crate) fn note_place(&mut self, definition: &[u8]) {
        if let Some(observer) = &mut self.observer {
            observer.note_place(definition);
        }
    }

    /// A metric on the page, where it is put if the thread does not have it yet.
    #[inline(always)]
    pub(super) fn metric<'a>(&mut self, page: &'a Page, number: usize) -> Option<&'a Metric> {
        match self.slots.get(number)? {
            Some(slot) => page.metrics.get(usize::from(*slot)),
            None => self.begin(page, number),
        }
    }

    #[cold]
    fn begin<'a>(&mut self, page: &'a Page, number: usize) -> Option<&'a Metric> {
        let name = names::of(number)?;
        let used = page.metric_count.load(Ordering::Relaxed);
        let metric = page.metrics.get(used as usize)?;
        metric.begin(name.kind, &name.name);
        page.metric_count.store(used + 1, Ordering::Release);
        self.slots[number] = Some(used as u8);
        Some(metric)
    }
}
