//! From launches to the figures of a measurement.

use super::launches::Launches;
use super::rows::Row;
use super::{Measurement, Session, TooFew};
use crate::compare::Apart;
use crate::job::{Method, Settings};
use crate::operation::Operation;
use crate::processes::Processes;
use crate::record::{Launch, Summary};
use crate::ticks;
use pgas_statistics::trimmed::Trimmed;

pub(super) fn measurement<P: Processes + ?Sized>(
    session: &Session<P>,
    settings: &Settings,
    all: Launches,
    operation: &dyn Operation,
) -> Result<Measurement, TooFew> {
    let systematic = Systematic::of(session, settings, &all, operation);
    let Some(summary) = summary(settings, &all.times, systematic) else {
        return Err(TooFew {
            correct: all.times.len() as u32,
            launches: all.launches,
            started_late: all.started_late,
            have_cores: session.processes.have_cores(),
        });
    };
    Ok(Measurement {
        method: settings.method,
        threads: session.processes.threads(),
        launches: all.launches,
        summary,
        clock_uncertainty: systematic.bound(),
        start_error: systematic.too_long(),
        per_thread: per_thread(session, settings, &all, systematic),
        picture: match settings.picture {
            true => all.rows.iter().map(picture).collect(),
            false => Vec::new(),
        },
        times: all.times,
        stages: all.stages,
        overlap: None,
    })
}

/// Errors that are the same in all launches, in seconds.
#[derive(Debug, Clone, Copy, Default)]
struct Systematic {
    /// How far starts may be apart without being seen.
    apart: Apart,
    /// l: how far they are apart as clocks show it.
    seen: f64,
    /// r: one reading of the timer.
    reading: f64,
}

impl Systematic {
    fn of<P: Processes + ?Sized>(
        session: &Session<P>,
        settings: &Settings,
        all: &Launches,
        operation: &dyn Operation,
    ) -> Self {
        let reading = session.reading.cost;
        if settings.method != Method::Window || !operation.waits() {
            return Systematic {
                reading,
                ..Systematic::default()
            };
        }
        let seen = Trimmed::of(&all.spreads, settings.trimmed_share);
        Systematic {
            apart: all.apart,
            seen: seen.map_or(0.0, |seen| seen.mean),
            reading,
        }
    }

    /// S: how far starts may be apart in any case.
    fn bound(&self) -> f64 {
        self.apart.bound + self.seen
    }

    /// By how much the mean may be too long at the confidence.
    fn too_long(&self) -> f64 {
        self.apart.all + self.seen
    }

    /// The interval around a mean with an error of its own.
    fn interval(&self, mean: f64, error: f64) -> (f64, f64) {
        let low = mean - error.hypot(self.apart.all) - self.seen - self.reading;
        let high = mean + error.hypot(self.apart.two) + self.seen;
        (low.max(0.0), high)
    }
}

/// `None` for less than two times, which say nothing about their error.
fn summary(settings: &Settings, times: &[f64], systematic: Systematic) -> Option<Summary> {
    let trimmed = Trimmed::of(times, settings.trimmed_share).filter(|t| t.kept > 1)?;
    let error = trimmed.error(settings.confidence);
    Some(Summary {
        correct: trimmed.count as u32,
        kept: trimmed.kept as u32,
        mean: trimmed.mean,
        standard_error: trimmed.standard_error,
        minimum: trimmed.minimum,
        maximum: trimmed.maximum,
        error,
        interval: systematic.interval(trimmed.mean, error),
    })
}

fn per_thread<P: Processes + ?Sized>(
    session: &Session<P>,
    settings: &Settings,
    all: &Launches,
    systematic: Systematic,
) -> Vec<Summary> {
    if !settings.per_thread {
        return Vec::new();
    }
    let threads = 0..session.processes.threads();
    let of = |thread: usize| all.by_thread.iter().map(|times| times[thread]).collect();
    threads
        .filter_map(|thread| {
            let times: Vec<f64> = of(thread);
            summary(settings, &times, systematic)
        })
        .collect()
}

/// Times since the scheduled start; since the first start, where none was scheduled.
fn picture(row: &Row) -> Launch {
    let first = row.spans.iter().map(|span| span.start).min();
    let since = first.map_or(row.scheduled, |first| first.min(row.scheduled));
    Launch {
        starts: row
            .spans
            .iter()
            .map(|span| ticks::between(since, span.start))
            .collect(),
        ends: row
            .spans
            .iter()
            .map(|span| ticks::between(since, span.end))
            .collect(),
        correct: row.is_correct(),
    }
}
