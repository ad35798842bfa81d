//! Where a thread passes: evaluates the definitions of metrics there.

use std::sync::atomic::Ordering;

use pgas_live::Metric;
use pgas_trace_format::definitions;

use crate::attributes::Packed;
use crate::kept_metrics::{Now, Observer, Slots, given, value};
use crate::signals::without_signals;
use crate::thread_state::ThreadState;

impl ThreadState {
    /// Takes over definitions that are new.
    #[cold]
    pub(crate) fn adopt_metrics(&mut self) {
        let Some(live) = &mut self.live else {
            return;
        };
        let observer = live.metrics.observer.as_ref();
        let known = observer.map_or(0, |observer| observer.known());
        let Some(given) = given::beyond(known) else {
            return;
        };
        without_signals(|| {
            let (page, names) = (self.stack.page(), live.known_names(self.stack.page()));
            let count = page.name_count.load(Ordering::Relaxed) as u32;
            let sites = definitions::read_sites(names, count).unwrap_or_default();
            for &number in &given.metrics {
                live.metrics.metric(page, number);
            }
            let before = live.metrics.observer.take();
            let used = page.metric_count.load(Ordering::Relaxed) as usize;
            let metrics = page.metrics.get(..used).unwrap_or_default();
            let observer = Observer::new(given, &sites, metrics, before.as_deref());
            live.metrics.observer = Some(Box::new(observer));
        });
        self.looks_at_every_event = true;
        self.observe(None, |_, _, _| {});
    }

    /// A region was entered, and is the innermost now.
    #[cold]
    pub(crate) fn observe_enter(&mut self, site: u32, attributes: Packed) {
        self.observe(Some(site), |observer, slots, (now, regions)| {
            observer.count(slots, now, regions, 1, attributes.bytes());
        });
    }

    /// A region is about to be left. Operations with attributes at their end move bytes then.
    #[cold]
    pub(crate) fn observe_exit(&mut self, site: u32, attributes: Packed) {
        self.observe(Some(site), |observer, slots, (now, regions)| {
            observer.count(slots, now, regions, 0, attributes.bytes());
        });
    }

    /// Regions were left.
    #[cold]
    pub(crate) fn observe_left(&mut self, site: u32) {
        self.observe(Some(site), |_, _, _| {});
    }

    /// The program has changed a metric.
    pub(super) fn observe_change(&mut self, number: usize, metric: &Metric) {
        let live = self.live.as_mut();
        let observer = live.and_then(|live| live.metrics.observer.as_mut());
        if observer.is_some_and(|observer| observer.is_affected(number, metric)) {
            self.observe(None, |_, _, _| {});
        }
    }

    /// Evaluates all definitions, and does `more`, if the place is of a region that one names.
    fn observe(
        &mut self,
        site: Option<u32>,
        more: impl FnOnce(&Observer, &mut Slots, (&Now, u64)),
    ) {
        let Some(live) = self.live.as_mut() else {
            return;
        };
        let Some(mut observer) = live.metrics.observer.take() else {
            return;
        };
        let regions = site.map_or(0, |site| observer.regions(site));
        if site.is_none() || regions != 0 {
            let ticks = self.clock.now();
            let now = Now {
                inside: observer.open(&self.stack),
                page: self.stack.page(),
                thread: self.thread,
                threads: self.threads,
                ticks,
                clock: &self.clock,
                start: self.start,
            };
            observer.turn(&mut live.metrics.slots, &now);
            more(&observer, &mut live.metrics.slots, (&now, regions));
        }
        live.metrics.observer = Some(observer);
    }

    /// Value of a metric now, in nanoseconds if it is a timer.
    pub(super) fn value_of(&self, metric: &Metric) -> u64 {
        value(metric, self.clock.now(), &self.clock, self.start)
    }
}
