//! From launches to the figures of a measurement.

use super::launches::Launches;
use super::rows::Row;
use super::{Measurement, Session, TooFew};
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
        clock_uncertainty: systematic.starts,
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

/// Errors that are the same in all launches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Systematic {
    /// S: how far starts may be apart.
    starts: f64,
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
        let starts = match settings.method {
            Method::Window if operation.waits() => {
                let seen = Trimmed::of(&all.spreads, settings.trimmed_share);
                all.clocks + seen.map_or(0.0, |seen| seen.mean)
            }
            Method::Window | Method::Barrier | Method::Loop => 0.0,
        };
        Systematic {
            starts,
            reading: session.reading.cost,
        }
    }
}

/// `None` for less than two times, which say nothing about their error.
fn summary(settings: &Settings, times: &[f64], systematic: Systematic) -> Option<Summary> {
    let trimmed = Trimmed::of(times, settings.trimmed_share).filter(|t| t.kept > 1)?;
    let error = trimmed.error(settings.confidence);
    let low = trimmed.mean - error - systematic.starts - systematic.reading;
    Some(Summary {
        correct: trimmed.count as u32,
        kept: trimmed.kept as u32,
        mean: trimmed.mean,
        standard_error: trimmed.standard_error,
        minimum: trimmed.minimum,
        maximum: trimmed.maximum,
        error,
        interval: (low.max(0.0), trimmed.mean + error + systematic.starts),
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
