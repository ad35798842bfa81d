//! Reads the program's own metrics out of a page, and checks them.

use std::mem::offset_of;

use super::Reading;
use crate::metric::{BYTES, COUNTER, LONGEST_METRIC, METRICS, Metric, TIMER};
use crate::page::Page;
use crate::problem::Problem;

/// A metric of the program at the moment of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetricValue {
    /// A number that the program sets.
    Counter {
        /// Its name.
        name: String,
        /// Its value.
        value: u64,
        /// The value is a number of bytes.
        is_bytes: bool,
    },
    /// Time that the program measures.
    Timer {
        /// Its name.
        name: String,
        /// Ticks until the moment of the snapshot, also while it runs.
        ticks: u64,
        /// Nanoseconds beside them, which the program has set.
        nanoseconds: u64,
        /// It runs now.
        is_running: bool,
    },
}

impl Reading<'_> {
    pub(super) fn metrics(&self) -> Result<Vec<MetricValue>, Problem> {
        let offset = offset_of!(Page, metric_count);
        let found = self.words.at(offset);
        let count = usize::try_from(found).ok().filter(|&used| used <= METRICS);
        let Some(count) = count else {
            let expected = format!("at most {METRICS}");
            return Err(self.damaged(offset, format!("{found} metrics"), expected));
        };
        (0..count).map(|number| self.metric(number)).collect()
    }

    fn metric(&self, number: usize) -> Result<MetricValue, Problem> {
        let at = offset_of!(Page, metrics) + number * size_of::<Metric>();
        let name = self.metric_name(at + offset_of!(Metric, name))?;
        match self.words.at(at + offset_of!(Metric, kind)) {
            kind @ (COUNTER | BYTES) => Ok(MetricValue::Counter {
                name,
                value: self.words.at(at + offset_of!(Metric, value)),
                is_bytes: kind == BYTES,
            }),
            TIMER => {
                let (ticks, is_running) = self.ticks(at + offset_of!(Metric, time))?;
                Ok(MetricValue::Timer {
                    name,
                    ticks,
                    nanoseconds: self.words.at(at + offset_of!(Metric, value)),
                    is_running,
                })
            }
            other => {
                let offset = at + offset_of!(Metric, kind);
                Err(self.damaged(offset, format!("metric of kind {other}"), "1 to 3"))
            }
        }
    }

    fn metric_name(&self, offset: usize) -> Result<String, Problem> {
        let mut bytes = self.words.bytes(offset, LONGEST_METRIC);
        let end = bytes.iter().position(|&byte| byte == 0);
        bytes.truncate(end.unwrap_or(LONGEST_METRIC));
        match String::from_utf8(bytes) {
            Ok(name) if !name.is_empty() => Ok(name),
            _ => Err(self.damaged(offset, "no name of a metric", "a name in UTF-8")),
        }
    }
}
