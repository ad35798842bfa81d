//! The points in time of all tracks.

use std::collections::VecDeque;

use super::tier::{Span, trim};
use super::{COARSE, COARSE_POINTS, FINE, FINE_POINTS, MEDIUM, MEDIUM_POINTS};

/// Length that a period without one is given, in seconds.
const SHORTEST: f64 = 1e-3;

/// What a period changes in all tracks, in this order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Step {
    /// The open mean of 10 s ends before this period.
    pub(super) closes_medium: bool,
    /// So does the open coarse mean.
    pub(super) closes_coarse: bool,
    /// Each two coarse means become one, after that: their lengths.
    pub(super) merged: Option<Vec<f64>>,
    /// Length of the period, in seconds.
    pub(super) period: f64,
    /// Points of each resolution that are left after it.
    pub(super) left: [usize; 3],
}

impl Step {
    /// Length of the period in seconds, above 0.
    pub(crate) fn period(&self) -> f64 {
        self.period
    }
}

/// The points in time: ends and lengths.
#[derive(Debug)]
pub(crate) struct Axis {
    pub(super) fine: VecDeque<Span>,
    pub(super) medium: VecDeque<Span>,
    pub(super) coarse: VecDeque<Span>,
    open_medium: Option<Span>,
    open_coarse: Option<Span>,
    /// Seconds of a coarse mean.
    width: f64,
}

impl Default for Axis {
    fn default() -> Self {
        Axis {
            fine: VecDeque::new(),
            medium: VecDeque::new(),
            coarse: VecDeque::new(),
            open_medium: None,
            open_coarse: None,
            width: COARSE,
        }
    }
}

impl Axis {
    /// Adds a period that ends at `elapsed`; times never go back.
    pub(crate) fn add(&mut self, elapsed: f64, period: f64) -> Step {
        // Threads that end take the oldest beginning with them.
        let end = self
            .fine
            .back()
            .map_or(elapsed, |last| elapsed.max(last.end));
        let period = period.max(SHORTEST);
        let span = Span {
            end,
            length: period,
        };
        let closes_medium = close(&mut self.open_medium, &mut self.medium, span, MEDIUM);
        let closes_coarse = close(&mut self.open_coarse, &mut self.coarse, span, self.width);
        let merged = self.merge();
        self.fine.push_back(span);
        trim(&mut self.fine, FINE_POINTS);
        while self.fine.len() > 1 && self.fine[0].end < end - FINE {
            self.fine.pop_front();
        }
        trim(&mut self.medium, MEDIUM_POINTS);
        Step {
            closes_medium,
            closes_coarse,
            merged,
            period,
            left: [self.fine.len(), self.medium.len(), self.coarse.len()],
        }
    }

    fn merge(&mut self) -> Option<Vec<f64>> {
        if self.coarse.len() < COARSE_POINTS {
            return None;
        }
        self.width *= 2.0;
        let before: Vec<Span> = self.coarse.drain(..).collect();
        let pairs = before.chunks_exact(2);
        self.coarse = pairs.map(|pair| pair[0].with(pair[1])).collect();
        Some(before.iter().map(|span| span.length).collect())
    }
}

/// Adds a period to the open mean. If it belongs to the next one, the open one is closed before.
fn close(open: &mut Option<Span>, closed: &mut VecDeque<Span>, span: Span, width: f64) -> bool {
    let number = |span: Span| (span.end / width).floor();
    let ended = open.filter(|open| number(*open) != number(span));
    closed.extend(ended);
    *open = match *open {
        Some(open) if ended.is_none() => Some(open.with(span)),
        _ => Some(span),
    };
    ended.is_some()
}
