//! The metrics of a thread.

use pgas_live::{Metric, Page};

use super::observer::Observer;
use super::slots::Slots;

/// See the module.
#[derive(Default)]
pub(crate) struct Metrics {
    pub(crate) slots: Slots,
    /// Evaluates definitions, if there are any.
    pub(crate) observer: Option<Box<Observer>>,
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
    pub(crate) fn metric<'a>(&mut self, page: &'a Page, number: usize) -> Option<&'a Metric> {
        self.slots.metric(page, number)
    }
}
