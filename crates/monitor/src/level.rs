//! Levels of objects: what belongs to a thread belongs to its process, node, and the system.

use serde::{Deserialize, Serialize};

/// A level of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The whole program, as far as it is seen.
    System,
    /// Computers.
    Node,
    /// Processes.
    Process,
    /// Threads of the program.
    Thread,
    /// Computing, waiting, communicating.
    Activity,
    /// Kinds of waiting and communicating.
    Kind,
    /// Operations at one place in the source.
    Operation,
    /// Call paths, each below the one that is shorter by a region.
    Path,
    /// All locks together.
    AllLocks,
    /// Locks.
    Lock,
}

/// What a level is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Where the program runs: system, node, process, thread.
    Location,
    /// What it does: activity, kind, operation.
    Operation,
    /// In which call paths it is.
    Path,
    /// Locks.
    Lock,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Location, Kind::Operation, Kind::Path, Kind::Lock];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Location => "location",
            Kind::Operation => "operation",
            Kind::Path => "path",
            Kind::Lock => "lock",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Level {
    /// All levels, each after the one above it.
    pub const ALL: [Level; 10] = [
        Level::System,
        Level::Node,
        Level::Process,
        Level::Thread,
        Level::Activity,
        Level::Kind,
        Level::Operation,
        Level::Path,
        Level::AllLocks,
        Level::Lock,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Level::System => "system",
            Level::Node => "node",
            Level::Process => "process",
            Level::Thread => "thread",
            Level::Activity => "activity",
            Level::Kind => "kind",
            Level::Operation => "operation",
            Level::Path => "path",
            Level::AllLocks => "all_locks",
            Level::Lock => "lock",
        }
    }

    /// The level of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Kind of its objects.
    pub fn kind(self) -> Kind {
        match self {
            Level::System | Level::Node | Level::Process | Level::Thread => Kind::Location,
            Level::Activity | Level::Kind | Level::Operation => Kind::Operation,
            Level::Path => Kind::Path,
            Level::AllLocks | Level::Lock => Kind::Lock,
        }
    }

    /// The level above; that of a path is its own.
    pub fn above(self) -> Option<Self> {
        match self {
            Level::System | Level::Activity | Level::AllLocks => None,
            Level::Node => Some(Level::System),
            Level::Process => Some(Level::Node),
            Level::Thread => Some(Level::Process),
            Level::Kind => Some(Level::Activity),
            Level::Operation => Some(Level::Kind),
            Level::Path => Some(Level::Path),
            Level::Lock => Some(Level::AllLocks),
        }
    }

    /// Whether its objects have others below them.
    pub fn has_below(self) -> bool {
        Level::ALL.iter().any(|other| other.above() == Some(self))
    }
}
