//! The metrics of a thread: where on its live page each of them is.

use std::sync::atomic::Ordering;

use pgas_live::metric::METRICS;
use pgas_live::{Metric, Page};

use super::names;

/// See the module: by the number of the metric, its index on the page.
#[derive(Default)]
pub(crate) struct Slots([Option<u8>; METRICS]);

impl Slots {
    /// A metric on the page, where it is put if the thread does not have it yet.
    #[inline(always)]
    pub(crate) fn metric<'a>(&mut self, page: &'a Page, number: usize) -> Option<&'a Metric> {
        match self.0.get(number)? {
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
        self.0[number] = Some(used as u8);
        Some(metric)
    }
}
