//! Expected time of an operation that a group of threads performs on a machine.

use crate::model::{Distance, Machine, Measured, Point};
use std::collections::BTreeMap;

/// The threads that perform an operation together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Number of threads.
    pub threads: u32,
    /// Number of nodes that they run on.
    pub nodes: u32,
}

/// An operation whose expected time is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question<'a> {
    /// Programming model, as in results.
    pub model: &'a str,
    /// Name, as in reports.
    pub operation: &'a str,
    /// Arguments that must be those of the measurement.
    pub arguments: BTreeMap<&'a str, &'a str>,
    /// Bytes of each thread's block, if the operation has a size.
    pub bytes: Option<u64>,
}

/// Time of an operation when no thread is late.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// Seconds.
    pub seconds: f64,
    /// Seconds that it may take at most by the interval of the measurement.
    pub high: f64,
    /// Each thread had a core of its own when it was measured.
    pub have_cores: bool,
}

impl Machine {
    /// The time of an operation by the measured points: of the same number of threads on as many
    /// nodes, and where the size lies between two measured ones, on the straight line between
    /// these. `None` beyond what was measured.
    pub fn expected(&self, question: &Question, group: Group) -> Option<Expected> {
        let mut all = self.operations.iter();
        let measured = all.find(|measured| answers(measured, question))?;
        let of_group = measured.points.iter().filter(|point| {
            (point.threads, point.nodes) == (group.threads, group.nodes)
                && point.bytes.is_some() == question.bytes.is_some()
        });
        let points: Vec<&Point> = of_group.collect();
        let Some(bytes) = question.bytes else {
            return points.first().map(|point| at(point));
        };
        let size = |point: &Point| point.bytes.unwrap_or(0);
        let above = points.iter().position(|point| size(point) >= bytes)?;
        if size(points[above]) == bytes {
            return Some(at(points[above]));
        }
        let (low, high) = (at(points[above.checked_sub(1)?]), at(points[above]));
        let (from, to) = (size(points[above - 1]) as f64, size(points[above]) as f64);
        let part = (bytes as f64 - from) / (to - from);
        let between = |a: f64, b: f64| a + part * (b - a);
        Some(Expected {
            seconds: between(low.seconds, high.seconds),
            high: between(low.high, high.high),
            have_cores: low.have_cores && high.have_cores,
        })
    }
}

impl Machine {
    /// The time of an operation that a thread performs alone, on data of the most expensive of some
    /// distances; `None` if it was not measured for all of them.
    pub fn expected_alone(&self, question: &Question, over: &[Distance]) -> Option<Expected> {
        let at_distance = |distance: &Distance| {
            let mut all = self.operations.iter();
            let is_it = |m: &&Measured| m.distance == Some(*distance) && answers(m, question);
            let points = all.find(is_it)?.points.iter();
            let of_size = points.filter(|point| point.bytes == question.bytes);
            of_size.map(at).max_by(|a, b| a.high.total_cmp(&b.high))
        };
        let all: Option<Vec<Expected>> = over.iter().map(at_distance).collect();
        all?.into_iter().max_by(|a, b| a.high.total_cmp(&b.high))
    }
}

fn answers(measured: &Measured, question: &Question) -> bool {
    let has = |(name, value): (&&str, &&str)| {
        measured.arguments.get(*name).map(String::as_str) == Some(*value)
    };
    measured.model == question.model
        && measured.operation == question.operation
        && question.arguments.iter().all(has)
}

fn at(point: &Point) -> Expected {
    Expected {
        seconds: point.seconds,
        high: point.interval.1,
        have_cores: point.have_cores,
    }
}
