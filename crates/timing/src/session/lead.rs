//! Stages one after another, until there are enough launches.

use super::Session;
use super::body::Body;
use super::launches::Launches;
use super::order::Order;
use super::rows::Row;
use super::stage::{self, Plan};
use super::stopping;
use crate::job::{Method, Settings};
use crate::operation::Operation;
use crate::processes::Processes;
use crate::record::Stage;
use crate::ticks;

/// Where rule 1 ends with fewer correct launches than rule 2 asks for, the interval comes from a
/// moment at which the machine was busy with something else. Stages then begin anew with stage 0,
/// for at most this many rounds.
const MOST_ROUNDS: u32 = 5;

/// Seconds after which no further round begins: a machine that is busy for so long remains so, and
/// others of a long list of operations wait.
const LONGEST_ROUNDS: f64 = 2.0;

/// Longest time that the first start of a stage is put off, in seconds.
const LONGEST_BROADCAST: f64 = 0.1;

/// Decay of the time that is reserved for orders, per stage in which all threads were in time.
const SHORTER: f64 = 0.8;

impl<P: Processes + ?Sized> Session<'_, P> {
    /// Launches an operation until there are enough of them. The result is on thread 0.
    pub(super) fn launches(
        &mut self,
        settings: &Settings,
        operation: &mut dyn Operation,
        body: Body,
        progress: &mut dyn FnMut(u32),
    ) -> Option<Launches> {
        match self.processes.thread() {
            0 => Some(self.lead(settings, operation, body, progress)),
            _ => {
                self.follow(settings, operation, body);
                None
            }
        }
    }

    fn follow(&mut self, settings: &Settings, operation: &mut dyn Operation, body: Body) {
        loop {
            let order = Order::End.pass(self.processes);
            match Plan::of(order, settings.method, body) {
                Some(plan) => {
                    stage::perform(self, &plan, operation);
                }
                None if order == Order::Compare => self.compare(),
                None => return,
            }
        }
    }

    fn lead(
        &mut self,
        settings: &Settings,
        operation: &mut dyn Operation,
        body: Body,
        progress: &mut dyn FnMut(u32),
    ) -> Launches {
        let mut all = Launches::default();
        let mut launch = 0;
        let begin = self.processes.now();
        for round in 1..=MOST_ROUNDS {
            let mut interval = 0;
            while interval == 0 || !stopping::is_enough(settings, &all, round) {
                interval = self.stage(settings, operation, body, &mut launch, interval, &mut all);
                progress(all.launches);
            }
            let is_enough = all.times.len() >= settings.fewest_correct as usize;
            if is_enough || self.processes.now() - begin > LONGEST_ROUNDS {
                break;
            }
        }
        Order::End.pass(self.processes);
        all
    }

    /// A stage, stage 0 if there is no interval yet; returns the interval of the next.
    fn stage(
        &mut self,
        settings: &Settings,
        operation: &mut dyn Operation,
        body: Body,
        launch: &mut u64,
        interval: u64,
        all: &mut Launches,
    ) -> u64 {
        let is_first = interval == 0;
        let launches = match is_first {
            true => settings.initial_launches.max(1),
            false => settings.stage_launches.max(1),
        };
        self.refresh(settings, interval * u64::from(launches));
        let now = self.clock.global(self.processes.now());
        let order = Order::Stage {
            start: now + ticks::from_seconds(self.broadcast).unsigned_abs(),
            interval,
            launches,
            launch: *launch,
        };
        order.pass(self.processes);
        *launch += u64::from(launches);
        let Some(plan) = Plan::of(order, settings.method, body) else {
            return interval;
        };
        let plan = Plan {
            tolerance: all.tolerance,
            ..plan
        };
        all.rows = stage::perform(self, &plan, operation);
        self.adjust_broadcast(&plan, &all.rows);
        let end = all.rows.iter().map(Row::end).max().unwrap_or(plan.start);
        let incorrect = all.rows.iter().filter(|row| !row.is_correct()).count();
        all.stages.push(Stage {
            interval: ticks::between(0, interval),
            launches,
            incorrect: incorrect as u32,
            took: ticks::between(begin(settings, &plan, &all.rows), end),
        });
        let is_bad = incorrect as f64 > settings.incorrect_share * f64::from(launches);
        if !is_first {
            self.count(settings, launches, end, all);
            self.tolerate(settings, all);
        }
        if is_first || is_bad {
            next_interval(settings, &plan, end)
        } else {
            interval
        }
    }

    /// Compares the clocks again if they would be too uncertain at the end of a stage.
    fn refresh(&mut self, settings: &Settings, length: u64) {
        let now = self.clock.global(self.processes.now());
        if settings.method == Method::Window && self.history.is_stale(now, now + length) {
            Order::Compare.pass(self.processes);
            self.compare();
        }
    }

    /// Doubles the time that is reserved for orders if a thread received one after the first start.
    /// The time then decays to the measured one, since a thread that lost its core for a moment says
    /// nothing about later broadcasts.
    fn adjust_broadcast(&mut self, plan: &Plan, rows: &[Row]) {
        let is_late = rows.first().is_some_and(|row| row.started_late);
        // Threads that share cores are late however early they get the order.
        if plan.interval == 0 || !self.processes.have_cores() {
            return;
        }
        self.broadcast = match is_late {
            true => (2.0 * self.broadcast).min(LONGEST_BROADCAST),
            false => (SHORTER * self.broadcast).max(self.measured_broadcast),
        };
    }

    /// Threads that share cores cannot all start at once: the first ones must wait in the operation
    /// or end it before the others get a core. So what counts as late follows from the launches, as
    /// the interval between them does: if too many of a stage were late, the next one allows what all
    /// but q of these launches kept to. The distance of starts is in the interval of the result.
    fn tolerate(&self, settings: &Settings, all: &mut Launches) {
        let late = all.rows.iter().filter(|row| row.started_late).count();
        let too_many = late as f64 > settings.incorrect_share * all.rows.len() as f64;
        if self.processes.have_cores() || settings.method != Method::Window || !too_many {
            return;
        }
        let mut by_launch: Vec<u64> = all.rows.iter().map(|row| row.late).collect();
        by_launch.sort_unstable();
        let kept = (1.0 - settings.incorrect_share) * by_launch.len() as f64;
        let index = (kept.ceil() as usize).clamp(1, by_launch.len()) - 1;
        let wider = settings.interval_factor * by_launch[index] as f64;
        all.tolerance = all.tolerance.max(wider as u64);
    }

    fn count(&self, settings: &Settings, launches: u32, end: u64, all: &mut Launches) {
        all.launches += launches;
        if settings.method == Method::Window {
            all.apart = all.apart.max(self.history.apart(self.settings.order, end));
        }
        for row in &all.rows {
            if row.is_correct() {
                all.times.push(row.time());
                all.spreads.push(row.spread());
                all.by_thread
                    .push(row.spans.iter().map(|span| span.seconds()).collect());
            } else {
                all.started_late += u32::from(row.started_late);
            }
        }
    }
}

/// When a stage began: as it was scheduled, or when the first thread was there.
fn begin(settings: &Settings, plan: &Plan, rows: &[Row]) -> u64 {
    let first = rows.iter().map(Row::start).min();
    let is_scheduled = settings.method == Method::Window;
    first.filter(|_| !is_scheduled).unwrap_or(plan.start)
}

/// d = g (e - s) / k.
fn next_interval(settings: &Settings, plan: &Plan, end: u64) -> u64 {
    let took = ticks::between(plan.start, end).max(0.0);
    let interval = settings.interval_factor * took / f64::from(plan.launches);
    ticks::from_seconds(interval).unsigned_abs().max(1)
}
