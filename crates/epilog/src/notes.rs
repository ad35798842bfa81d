//! Additions to EPILOG in files of ours: strings that no definition refers to, which other readers
//! keep or skip like any other. From them an experiment is restored as it was, down to the length
//! of a tick.

use pgas_trace::metadata::SCHEMA;
use pgas_trace::model::{Attributes, Operation, SyncMode};
use pgas_trace::{ClockKind, Metadata};
use serde::{Deserialize, Serialize};

use crate::format::MAX_STRING;
use crate::format::fields::Problem;

/// Prefix of the string with the description of the experiment; JSON follows.
pub const EXPERIMENT: &str = "pgastool experiment ";
/// The same of one thread.
pub const THREAD: &str = "pgastool thread ";
/// Prefix of a string with numbers of channels, which have communicators after the others, in order.
pub const CHANNELS: &str = "pgastool channels ";
/// Numbers of channels in one such string.
const CHANNELS_IN_STRING: usize = 2000;
/// Version of these notes and of the conventions.
pub const VERSION: u32 = 1;
/// Value of the property that says which clock a thread reads: a file has one for all.
pub const ONE_CLOCK: &str = "one clock";

/// Of the experiment as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExperimentNote {
    pub version: u32,
    pub metadata: Metadata,
    /// Tick that is second 0 of the file.
    pub first_tick: u64,
    pub seconds_per_tick: f64,
    /// Number of the clock ([`pgas_trace::ClockKind::number`]).
    pub clock: u8,
}

impl ExperimentNote {
    /// # Errors
    /// A [`Problem`] if a value is not one that this program can use.
    pub fn check(&self) -> Result<(), Problem> {
        let wrong = |found: String, expected: &str| {
            let found = format!("a note of pgastool with {found}");
            Err(Problem::new(found, expected))
        };
        if self.version != VERSION {
            return wrong(
                format!("version {}", self.version),
                "1; use a newer pgastool",
            );
        }
        if self.metadata.schema != SCHEMA {
            let found = format!("schema {}", self.metadata.schema);
            return wrong(found, "1; use a newer pgastool");
        }
        if !(1e-11..=1e-6).contains(&self.seconds_per_tick) {
            let found = format!("ticks of {} seconds", self.seconds_per_tick);
            return wrong(found, "10 picoseconds to a microsecond");
        }
        if ClockKind::from_number(self.clock).is_none() {
            return wrong(format!("clock {}", self.clock), "0 or 1");
        }
        Ok(())
    }
}

/// Of one thread that has a stream.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ThreadNote {
    pub thread: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<(String, String)>,
    /// Number of Enters and Exits after which the stream ends with regions open; EPILOG demands the
    /// Exits after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_after: Option<u64>,
    /// Exits of tasks that begin no wait, counted from 0, after which the task was to run on; after
    /// the others it had ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yields: Vec<u64>,
}

/// The string for an experiment. Fields that do not fit into the format's longest string are left
/// out, arguments first.
pub fn experiment(mut note: ExperimentNote) -> String {
    let mut text = json(EXPERIMENT, &note);
    if text.len() > MAX_STRING {
        note.metadata.arguments.clear();
        text = json(EXPERIMENT, &note);
    }
    if text.len() > MAX_STRING {
        note.metadata.remarks.clear();
        note.metadata.recording.clear();
        text = json(EXPERIMENT, &note);
    }
    text
}

/// The string for a thread.
pub fn thread(mut note: ThreadNote) -> String {
    let mut text = json(THREAD, &note);
    if text.len() > MAX_STRING {
        note.yields.clear();
        text = json(THREAD, &note);
    }
    if text.len() > MAX_STRING {
        note.properties.clear();
        text = json(THREAD, &note);
    }
    text
}

/// The strings for the channels of a program.
pub fn channels(numbers: &[u64]) -> impl Iterator<Item = String> + '_ {
    let parts = numbers.chunks(CHANNELS_IN_STRING);
    parts.map(|part| json(CHANNELS, &part))
}

fn json(begin: &str, note: &impl Serialize) -> String {
    // Only maps with keys that are no strings, and failing implementations, cannot be written:
    // there are none here.
    let text = serde_json::to_string(note).unwrap_or_default();
    format!("{begin}{text}")
}

/// The description of a region, from which its operation is known whatever its name is.
pub fn description(operation: Operation) -> &'static str {
    match operation {
        Operation::Function => "function",
        Operation::UserRegion => "user region",
        _ => operation.name(),
    }
}

/// The operation that a description means.
pub fn described(description: &str) -> Option<Operation> {
    let runtime = Operation::ALL.into_iter().filter(|op| !op.is_user());
    let user = [Operation::Function, Operation::UserRegion];
    let mut all = user.into_iter().chain(runtime);
    all.find(|operation| self::description(*operation) == description)
}

/// Communicators, all with all threads: 0 for operations without modes, then one for each pair of
/// modes, so that the exit of a collective operation says its modes.
pub const COMMUNICATORS: u32 = 10;

const MODES: [SyncMode; 3] = [SyncMode::None, SyncMode::Mine, SyncMode::All];

/// The communicator for these modes.
pub fn communicator(sync_in: SyncMode, sync_out: SyncMode) -> u32 {
    let number = |mode| MODES.iter().position(|&m| m == mode).unwrap_or(0) as u32;
    1 + 3 * number(sync_in) + number(sync_out)
}

/// The modes that a communicator stands for.
pub fn modes(communicator: u32) -> Option<(SyncMode, SyncMode)> {
    let number = communicator.checked_sub(1)? as usize;
    Some((*MODES.get(number / 3)?, MODES[number % 3]))
}

/// Attributes as they come back, where all that is lost are distinctions without a difference: a
/// barrier without a value says so, and an attempt to lock says whether it was successful.
pub fn at_enter(operation: Operation) -> Attributes {
    match operation {
        Operation::Notify | Operation::Wait | Operation::Barrier => {
            Attributes::Barrier { value: None }
        }
        _ => Attributes::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_and_mode_has_its_own() {
        for operation in Operation::ALL {
            assert_eq!(described(description(operation)), Some(operation));
        }
        let mut seen = std::collections::BTreeSet::new();
        for sync_in in MODES {
            for sync_out in MODES {
                let number = communicator(sync_in, sync_out);
                assert!(number < COMMUNICATORS && seen.insert(number));
                assert_eq!(modes(number), Some((sync_in, sync_out)));
            }
        }
        assert_eq!((modes(0), modes(COMMUNICATORS)), (None, None));
    }
}
