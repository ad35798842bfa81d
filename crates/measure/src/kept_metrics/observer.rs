//! Evaluates the definitions of metrics on one thread: when it enters or leaves a region that a
//! definition names, and when the program changes a metric.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pgas_live::metric::TIMER;
use pgas_live::{Metric, Page};
use pgas_metrics::{Condition, Definition, Measure, Values};
use pgas_trace_format::clock::CalibrationPair;
use pgas_trace_format::definitions;
use pgas_trace_format::model::Site;

use super::affecting::Affecting;
use super::given::Given;
use super::slots::Slots;
use crate::clock::Clock;
use crate::stack::Stack;

/// See the module.
pub(crate) struct Observer {
    given: Arc<Given>,
    /// By place: the regions that it is of.
    sites: Vec<u64>,
    /// By definition: whether its time counts now.
    is_active: Vec<bool>,
    affecting: Affecting,
}

/// State of the thread that conditions are evaluated on.
pub(crate) struct Now<'a> {
    pub(crate) inside: u64,
    pub(crate) page: &'a Page,
    pub(crate) thread: u32,
    pub(crate) threads: u32,
    pub(crate) ticks: u64,
    pub(crate) clock: &'a Clock,
    /// When the thread began to record.
    pub(crate) start: CalibrationPair,
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

/// Value of a metric at `now` (ticks), in nanoseconds if it is a timer.
pub(crate) fn value(metric: &Metric, now: u64, clock: &Clock, start: CalibrationPair) -> u64 {
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
    /// For these definitions, the places and the metrics so far, in place of the one `before` it.
    pub(crate) fn new(
        given: Arc<Given>,
        sites: &[Site],
        metrics: &[Metric],
        before: Option<&Observer>,
    ) -> Self {
        let mut is_active = before.map_or_else(Vec::new, |before| before.is_active.clone());
        is_active.resize(given.metrics.len(), false);
        Observer {
            sites: sites.iter().map(|site| given.regions_of(site)).collect(),
            affecting: Affecting::new(&given.definitions.all, metrics),
            given,
            is_active,
        }
    }

    /// Number of definitions.
    pub(crate) fn known(&self) -> usize {
        self.is_active.len()
    }

    /// Whether the change of a metric by the program can start or stop a time.
    pub(crate) fn is_affected(&mut self, number: usize, metric: &Metric) -> bool {
        self.affecting.affects(number, metric)
    }

    /// Notes the regions of a place that is new.
    #[cold]
    pub(super) fn note_place(&mut self, definition: &[u8]) {
        let site = definitions::read_sites(definition, 1)
            .ok()
            .and_then(|mut all| all.pop());
        let regions = site.map_or(0, |site| self.given.regions_of(&site));
        self.sites.push(regions);
    }

    pub(crate) fn regions(&self, site: u32) -> u64 {
        self.sites.get(site as usize).copied().unwrap_or(0)
    }

    pub(crate) fn open(&self, stack: &Stack) -> u64 {
        stack
            .iter()
            .fold(0, |set, open| set | self.regions(open.site))
    }

    fn holds(condition: Option<&Condition>, now: &Now) -> bool {
        condition.is_none_or(|condition| condition.holds(now))
    }

    /// Starts and stops timers by what holds now.
    pub(crate) fn turn(&mut self, slots: &mut Slots, now: &Now) {
        let given = Arc::clone(&self.given);
        let all = given.definitions.all.iter().zip(&given.metrics);
        for ((definition, &number), is_active) in all.zip(&mut self.is_active) {
            let holds = is_timed(definition, now);
            if holds == *is_active {
                continue;
            }
            *is_active = holds;
            if let Some(metric) = slots.metric(now.page, number) {
                match holds {
                    true => metric.start(now.ticks),
                    false => metric.stop(now.ticks),
                }
            }
        }
    }

    /// Counts a call of these regions, or bytes that it moves.
    pub(crate) fn count(&self, slots: &mut Slots, now: &Now, regions: u64, calls: u64, bytes: u64) {
        let all = self.given.definitions.all.iter().zip(&self.given.metrics);
        for (definition, &number) in all {
            let amount = match definition.measure {
                Measure::Count(region) if regions & 1 << region != 0 => calls,
                Measure::Bytes(region) if regions & 1 << region != 0 => bytes,
                _ => 0,
            };
            if amount > 0 && Observer::holds(definition.condition.as_ref(), now) {
                if let Some(metric) = slots.metric(now.page, number) {
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
