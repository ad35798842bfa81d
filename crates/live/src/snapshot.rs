//! What one thread does at one moment: read out of its page word by word, and checked.

use std::mem::offset_of;

use pgas_trace_format::clock::CalibrationPair;
use pgas_trace_format::model;

use crate::collective::Collective;
use crate::page::{self, LOCKS, Page, ROWS_AT, SHOWN_REGIONS, STACK_AT};
use crate::problem::Problem;
use crate::row::{OPERATION_ROWS, PARTNERS, ROWS, Row, SHARED, SITE_ROWS};
use crate::stack::StackEntry;
use crate::words::Words;

pub use metrics::MetricValue;
pub use tasks::{Channel, Port, Task, TaskState, Tasks};

/// Readings of the open regions before those that agree are taken.
const ATTEMPTS: usize = 64;
/// Nanoseconds by which clocks of different cores, and readings of two words, may differ.
const SLACK: u64 = 1_000_000;

/// Whether the thread goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It does.
    Running,
    /// Its recording has ended, in good order.
    Ended,
}

/// Counters of an operation at a place, or at all places beyond those that have their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The operation.
    pub operation: model::Operation,
    /// Number of the place; `None` if there are several.
    pub place: Option<u32>,
    /// Root and modes of the last call that has ended; `None` if there is none, or they are not
    /// known.
    pub collective: Option<Collective>,
    /// Ticks in it until the moment of the snapshot, also while the thread is in it.
    pub ticks: u64,
    /// If the thread is in it: since when, in ticks.
    pub since: Option<u64>,
    /// Calls, the current one included.
    pub calls: u64,
    /// Those of them that were not timed.
    pub untimed: u64,
    /// Bytes moved, by [`crate::row::Partner`].
    pub bytes: [u64; PARTNERS],
}

/// What the thread does now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// It is in no operation.
    Computing {
        /// Ticks: since then.
        since: u64,
    },
    /// It is in an operation.
    In {
        /// Index in [`Snapshot::operations`].
        operation: usize,
        /// Ticks: since then.
        since: u64,
    },
}

/// A region of the current call path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathRegion {
    /// Number of its place; `None` if it has none.
    pub place: Option<u32>,
    /// Ticks: when it was entered; `None` if that is not known.
    pub since: Option<u64>,
}

/// What a thread does at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The moment.
    pub time: CalibrationPair,
    /// Whether the thread goes on.
    pub state: State,
    /// All operations that the thread has called.
    pub operations: Vec<Operation>,
    /// What it does.
    pub activity: Activity,
    /// Open regions, outermost first.
    pub path: Vec<PathRegion>,
    /// Regions that are open beyond those of `path`: there are too many, or they changed too fast.
    pub deeper: u64,
    /// Locks that it holds.
    pub held: Vec<u64>,
    /// Number of locks that it holds beyond those.
    pub held_beyond: u64,
    /// Lock that it waits for.
    pub wanted: Option<u64>,
    /// Ticks in which the recorder held it up.
    pub stalled: u64,
    /// Ticks in which the program had switched recording off.
    pub paused: u64,
    /// It has done so now.
    pub is_paused: bool,
    /// Counters and timers of the program's own, in the order of their registration.
    pub metrics: Vec<MetricValue>,
    /// Tasks and channels; empty in programs of other models.
    pub tasks: Tasks,
    /// Number of definitions that there are.
    pub definitions: u64,
    /// Definitions are missing: there was no room for all.
    pub are_definitions_cut: bool,
}

/// A page that is being read.
pub(crate) struct Reading<'a> {
    pub(crate) file: &'a str,
    pub(crate) words: Words<'a>,
    /// When the thread began, and the moment of the snapshot.
    pub(crate) start: CalibrationPair,
    pub(crate) now: CalibrationPair,
}

macro_rules! field {
    ($self:ident, $field:ident) => {
        $self.words.at(offset_of!(Page, $field))
    };
}

impl Reading<'_> {
    pub(crate) fn snapshot(&self) -> Result<Snapshot, Problem> {
        let state = self.state()?;
        // Before the rows, so that the places of all rows are among them.
        let operations = self.operations()?;
        let tasks = self.tasks()?;
        let definitions = field!(self, name_count);
        let (stalled, _) = self.ticks(offset_of!(Page, stalled))?;
        let (paused, is_paused) = self.ticks(offset_of!(Page, paused))?;
        let (path, deeper) = self.path(definitions)?;
        let mut held = Vec::new();
        for lock in 0..LOCKS {
            let word = self.words.at(offset_of!(Page, held) + 8 * lock);
            held.extend(word.checked_sub(1));
        }
        Ok(Snapshot {
            time: self.now,
            state,
            activity: self.activity(&operations)?,
            operations,
            path,
            deeper,
            held,
            held_beyond: field!(self, held_beyond),
            wanted: field!(self, wanted).checked_sub(1),
            stalled,
            paused,
            is_paused,
            metrics: self.metrics()?,
            tasks,
            definitions,
            are_definitions_cut: field!(self, names_cut) != 0,
        })
    }

    fn state(&self) -> Result<State, Problem> {
        match field!(self, state) {
            page::BEGINNING => Err(Problem::Beginning {
                file: self.file.to_owned(),
            }),
            page::RUNNING => Ok(State::Running),
            page::ENDED => Ok(State::Ended),
            other => Err(self.damaged(
                offset_of!(Page, state),
                format!("state {other}"),
                "0, 1 or 2",
            )),
        }
    }

    fn operations(&self) -> Result<Vec<Operation>, Problem> {
        let mut operations = Vec::new();
        let counts = [
            (0, SITE_ROWS, offset_of!(Page, site_rows)),
            (SITE_ROWS, OPERATION_ROWS, offset_of!(Page, operation_rows)),
        ];
        for (first, most, offset) in counts {
            let used = self.words.at(offset);
            let used = usize::try_from(used).ok().filter(|&used| used <= most);
            let Some(used) = used else {
                let found = format!("{} rows", self.words.at(offset));
                return Err(self.damaged(offset, found, format!("at most {most}")));
            };
            for row in first..first + used {
                operations.push(self.operation(row)?);
            }
        }
        let all = operations
            .iter()
            .fold(0u64, |sum, row| sum.saturating_add(row.ticks));
        let most = self.longest();
        match all > most {
            true => Err(self.damaged(
                ROWS_AT,
                format!("{all} ticks in operations"),
                format!("at most {most}, which have passed"),
            )),
            false => Ok(operations),
        }
    }

    fn operation(&self, row: usize) -> Result<Operation, Problem> {
        let at = ROWS_AT + row * size_of::<Row>();
        let place = self.words.at(at + offset_of!(Row, place));
        let number = (place >> 32) as u8;
        let damaged = |found: String, expected: &str| {
            self.damaged(at + offset_of!(Row, place), found, expected)
        };
        let Some(operation) = model::Operation::from_number(number) else {
            let expected = "the number of a known operation";
            return Err(damaged(format!("operation {number}"), expected));
        };
        let Ok(collective) = Collective::of(place) else {
            let expected = "root and modes of a collective operation";
            return Err(damaged(format!("{:#x}", place >> 40), expected));
        };
        let (ticks, is_open) = self.ticks(at + offset_of!(Row, time))?;
        let since = self.words.at(at + offset_of!(Row, since));
        let bytes_at = at + offset_of!(Row, bytes);
        let site = place as u32;
        Ok(Operation {
            operation,
            place: (site != SHARED).then_some(site),
            collective,
            ticks,
            since: is_open.then_some(since),
            calls: self.words.at(at + offset_of!(Row, calls)),
            untimed: self.words.at(offset_of!(Page, untimed) + 8 * row),
            bytes: std::array::from_fn(|partner| self.words.at(bytes_at + 8 * partner)),
        })
    }

    /// A word of time, and whether its stretch still lasts.
    fn ticks(&self, offset: usize) -> Result<(u64, bool), Problem> {
        let word = self.words.at(offset) as i64;
        let ticks = match word {
            0.. => word as u64,
            // It may have begun a moment after that of the snapshot.
            open => u64::try_from(open.saturating_add_unsigned(self.now.ticks)).unwrap_or(0),
        };
        let most = self.longest();
        if ticks > most {
            let found = format!("{ticks} ticks");
            return Err(self.damaged(offset, found, format!("at most {most}, which have passed")));
        }
        Ok((ticks, word < 0))
    }

    /// Ticks that have passed since the thread began, and those by which readings may differ.
    fn longest(&self) -> u64 {
        let passed = self.now.ticks.saturating_sub(self.start.ticks);
        passed.saturating_add(self.slack())
    }

    fn slack(&self) -> u64 {
        let ticks = u128::from(self.now.ticks.saturating_sub(self.start.ticks));
        let nanoseconds = self.now.nanoseconds.saturating_sub(self.start.nanoseconds);
        let slack = ticks * u128::from(SLACK) / u128::from(nanoseconds.max(1));
        u64::try_from(slack).unwrap_or(u64::MAX).max(SLACK)
    }

    fn activity(&self, operations: &[Operation]) -> Result<Activity, Problem> {
        let open = operations.iter().enumerate();
        let open = open.filter_map(|(index, operation)| Some((operation.since?, index)));
        // One that was read early may have ended before another one was read.
        let activity = match open.max() {
            Some((since, operation)) => Activity::In { operation, since },
            None => Activity::Computing {
                since: field!(self, computes_since),
            },
        };
        let (Activity::In { since, .. } | Activity::Computing { since }) = activity;
        let latest = self.now.ticks.saturating_add(self.slack());
        let earliest = self.start.ticks.saturating_sub(self.slack());
        match (earliest..=latest).contains(&since) {
            true => Ok(activity),
            false => Err(Problem::Clock {
                file: self.file.to_owned(),
                found: format!("{since} ticks"),
                expected: format!("{earliest} to {latest}"),
            }),
        }
    }

    /// The open regions that two readings agree on, outermost first, and how many there are beyond.
    fn path(&self, definitions: u64) -> Result<(Vec<PathRegion>, u64), Problem> {
        let mut before = self.entries();
        let mut agreed = 0;
        for _ in 0..ATTEMPTS {
            let after = self.entries();
            let pairs = before.1.iter().zip(&after.1);
            agreed = pairs.take_while(|(a, b)| a.is_same(b)).count();
            let is_whole = before.0 == after.0 && agreed == after.1.len();
            before = after;
            if is_whole {
                break;
            }
        }
        let (depth, mut entries) = before;
        entries.truncate(agreed);
        let mut path = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let place = entry.place();
            if let Some(site) = place.filter(|&site| u64::from(site) >= definitions) {
                // A place that was defined after they were counted is one that others may follow.
                let newer = field!(self, name_count);
                if u64::from(site) >= newer && field!(self, names_cut) == 0 {
                    return Err(self.damaged(
                        STACK_AT + (index + 1) * size_of::<StackEntry>(),
                        format!("place {site}"),
                        format!("a number below {newer}"),
                    ));
                }
            }
            path.push(PathRegion {
                place,
                since: Some(entry.begin).filter(|&begin| begin != 0),
            });
        }
        let deeper = depth.saturating_sub(path.len() as u64);
        Ok((path, deeper))
    }

    /// The number of open regions, and the first of them.
    fn entries(&self) -> (u64, Vec<StackEntry>) {
        let depth = field!(self, depth);
        let shown = usize::try_from(depth).unwrap_or(usize::MAX);
        let shown = shown.min(SHOWN_REGIONS);
        let entry = |index: usize| {
            let at = STACK_AT + (index + 1) * size_of::<StackEntry>();
            StackEntry::of_words([0, 8, 16, 24].map(|word| self.words.at(at + word)))
        };
        (depth, (0..shown).map(entry).collect())
    }

    fn damaged(
        &self,
        offset: usize,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        Problem::damaged(self.file, offset, found, expected)
    }
}

const _: () = assert!(ROWS == SITE_ROWS + OPERATION_ROWS);

mod metrics;
mod tasks;
#[cfg(test)]
mod tests;
