//! Evaluates the definitions of metrics on one thread: when it enters or leaves a region that a
//! definition names, and when the program changes a metric.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pgas_live::metric::TIMER;
use pgas_live::{Metric, Page};
use pgas_metrics::{Condition, Definition, Measure, Values};
use pgas_trace_format::definitions;

use super::given::{self, Given};
use super::slots::Metrics;
use pgas_trace_format::clock::CalibrationPair;

use crate::attributes::Packed;
use crate::clock::Clock;
use crate::signals::without_signals;
use crate::stack::Stack;
use crate::thread_state::ThreadState;

/// See the module.
pub(super) struct Observer {
    given: Arc<Given>,
    /// By place: the regions that it is of.
    sites: Vec<u64>,
    /// The regions that are open.
    inside: u64,
    /// By definition: whether its time counts now.
    is_active: Vec<bool>,
}

/// What conditions are about.
struct Now<'a> {
    inside: u64,
    page: &'a Page,
    thread: u32,
    threads: u32,
    ticks: u64,
    clock: &'a Clock,
    start: CalibrationPair,
}

impl Values for Now<'_> {
    fn inside(&self) -> u64 {
        self.inside
    }

    fn metric(&self, name: &str) -> u64 {
        let used = self.page.metric_count.load(Ordering::Relaxed) as usize;
        let mut all = self.page.metrics.iter().take(used);
        let found = all.find(|metric| metric.is_named(name));
        found.map_or(0, |metric| {
            value(metric, self.ticks, self.clock, self.start)
        })
    }

    fn thread(&self) -> u64 {
        u64::from(self.thread)
    }

    fn threads(&self) -> u64 {
        u64::from(self.threads)
    }
}

/// In nanoseconds if it is a timer.
fn value(metric: &Metric, now: u64, clock: &Clock, start: CalibrationPair) -> u64 {
    let value = metric.value.load(Ordering::Relaxed);
    if metric.kind.load(Ordering::Relaxed) != TIMER {
        return value;
    }
    let ticks = match metric.time.load(Ordering::Relaxed) {
        open if open < 0 => open.wrapping_add(now as i64),
        closed => closed,
    };
    let pair = clock.pair();
    let since = |now: u64, start: u64| now.saturating_sub(start).max(1) as f64;
    let rate = since(pair.nanoseconds, start.nanoseconds) / since(pair.ticks, start.ticks);
    value.wrapping_add((ticks.max(0) as f64 * rate) as u64)
}

impl Observer {
    /// Notes the regions of a place that is new.
    #[cold]
    pub(super) fn note_place(&mut self, definition: &[u8]) {
        let site = definitions::read_sites(definition, 1)
            .ok()
            .and_then(|mut all| all.pop());
        let regions = site.map_or(0, |site| self.given.regions_of(&site));
        self.sites.push(regions);
    }

    fn regions(&self, site: u32) -> u64 {
        self.sites.get(site as usize).copied().unwrap_or(0)
    }

    fn open(&self, stack: &Stack) -> u64 {
        stack
            .iter()
            .fold(0, |set, open| set | self.regions(open.site))
    }

    fn holds(condition: Option<&Condition>, now: &Now) -> bool {
        condition.is_none_or(|condition| condition.holds(now))
    }

    /// Starts and stops timers by what holds now.
    fn turn(&mut self, metrics: &mut Metrics, now: &Now) {
        let given = Arc::clone(&self.given);
        let all = given.definitions.all.iter().zip(&given.metrics);
        for ((definition, &number), is_active) in all.zip(&mut self.is_active) {
            let holds = is_timed(definition, now);
            if holds == *is_active {
                continue;
            }
            *is_active = holds;
            if let Some(metric) = metrics.metric(now.page, number) {
                match holds {
                    true => metric.start(now.ticks),
                    false => metric.stop(now.ticks),
                }
            }
        }
    }

    /// Counts a call of these regions, or bytes that it moves.
    fn count(&self, metrics: &mut Metrics, now: &Now, regions: u64, calls: u64, bytes: u64) {
        let all = self.given.definitions.all.iter().zip(&self.given.metrics);
        for (definition, &number) in all {
            let amount = match definition.measure {
                Measure::Count(region) if regions & 1 << region != 0 => calls,
                Measure::Bytes(region) if regions & 1 << region != 0 => bytes,
                _ => 0,
            };
            if amount > 0 && Observer::holds(definition.condition.as_ref(), now) {
                if let Some(metric) = metrics.metric(now.page, number) {
                    metric.add(amount);
                }
            }
        }
    }
}

fn is_timed(definition: &Definition, now: &Now) -> bool {
    let is_inside = match definition.measure {
        Measure::Time(None) => true,
        Measure::Time(Some(region)) => now.inside & 1 << region != 0,
        Measure::Count(_) | Measure::Bytes(_) => return false,
    };
    is_inside && Observer::holds(definition.condition.as_ref(), now)
}

impl ThreadState {
    /// Takes over definitions that are new.
    #[cold]
    pub(crate) fn adopt_metrics(&mut self) {
        let Some(live) = &mut self.live else {
            return;
        };
        let known = live
            .metrics
            .observer
            .as_ref()
            .map_or(0, |observer| observer.is_active.len());
        let Some(given) = given::beyond(known) else {
            return;
        };
        without_signals(|| {
            let (page, names) = (self.stack.page(), live.known_names(self.stack.page()));
            let count = page.name_count.load(Ordering::Relaxed) as u32;
            let sites = definitions::read_sites(names, count).unwrap_or_default();
            let before = live.metrics.observer.take();
            let mut is_active = before.map_or_else(Vec::new, |observer| observer.is_active);
            is_active.resize(given.metrics.len(), false);
            for &number in &given.metrics {
                live.metrics.metric(page, number);
            }
            live.metrics.observer = Some(Box::new(Observer {
                sites: sites.iter().map(|site| given.regions_of(site)).collect(),
                given,
                inside: 0,
                is_active,
            }));
        });
        self.looks_at_every_event = true;
        self.observe(None, |_, _, _| {});
    }

    /// A region was entered, and is the innermost now.
    #[cold]
    pub(crate) fn observe_enter(&mut self, site: u32, attributes: Packed) {
        self.observe(Some(site), |observer, metrics, (now, regions)| {
            observer.count(metrics, now, regions, 1, attributes.bytes());
        });
    }

    /// A region is about to be left. Operations with attributes at their end move bytes then.
    #[cold]
    pub(crate) fn observe_exit(&mut self, site: u32, attributes: Packed) {
        self.observe(Some(site), |observer, metrics, (now, regions)| {
            observer.count(metrics, now, regions, 0, attributes.bytes());
        });
    }

    /// Regions were left.
    #[cold]
    pub(crate) fn observe_left(&mut self, site: u32) {
        self.observe(Some(site), |_, _, _| {});
    }

    /// The program has changed a metric.
    pub(super) fn observe_change(&mut self) {
        let observer = self
            .live
            .as_ref()
            .and_then(|live| live.metrics.observer.as_ref());
        let depends = observer.is_some_and(|observer| {
            let all = observer.given.definitions.all.iter();
            let mut conditions = all.filter_map(|definition| definition.condition.as_ref());
            conditions.any(Condition::depends_on_metrics)
        });
        if depends {
            self.observe(None, |_, _, _| {});
        }
    }

    /// Evaluates all definitions, and does `more`, if the place is of a region that one names.
    fn observe(
        &mut self,
        site: Option<u32>,
        more: impl FnOnce(&Observer, &mut Metrics, (&Now, u64)),
    ) {
        let Some(live) = self.live.as_mut() else {
            return;
        };
        let Some(mut observer) = live.metrics.observer.take() else {
            return;
        };
        let regions = site.map_or(0, |site| observer.regions(site));
        if site.is_none() || regions != 0 {
            observer.inside = observer.open(&self.stack);
            let ticks = self.clock.now();
            let now = Now {
                inside: observer.inside,
                page: self.stack.page(),
                thread: self.thread,
                threads: self.threads,
                ticks,
                clock: &self.clock,
                start: self.start,
            };
            observer.turn(&mut live.metrics, &now);
            more(&observer, &mut live.metrics, (&now, regions));
        }
        live.metrics.observer = Some(observer);
    }

    /// Value of a metric now, in nanoseconds if it is a timer.
    pub(super) fn value_of(&self, metric: &Metric) -> u64 {
        value(metric, self.clock.now(), &self.clock, self.start)
    }
}
