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
    /// All tasks together.
    AllTasks,
    /// Tasks of a computer.
    #[serde(rename = "tasks_of_node")]
    NodeTasks,
    /// Tasks of a process.
    #[serde(rename = "tasks_of_process")]
    ProcessTasks,
    /// Tasks of a processor.
    #[serde(rename = "tasks_of_thread")]
    ThreadTasks,
    /// Tasks.
    Task,
    /// All channels together.
    AllChannels,
    /// Channels of a computer.
    #[serde(rename = "channels_of_node")]
    NodeChannels,
    /// Channels of a process.
    #[serde(rename = "channels_of_process")]
    ProcessChannels,
    /// Channels of a processor: that of the task that receives.
    #[serde(rename = "channels_of_thread")]
    ThreadChannels,
    /// Channels.
    Channel,
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
    /// Tasks: all, of a node, a process, a processor, single ones.
    Task,
    /// Channels, likewise.
    Channel,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] = [
        Kind::Location,
        Kind::Operation,
        Kind::Path,
        Kind::Lock,
        Kind::Task,
        Kind::Channel,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Location => "location",
            Kind::Operation => "operation",
            Kind::Path => "path",
            Kind::Lock => "lock",
            Kind::Task => "task",
            Kind::Channel => "channel",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Level {
    /// All levels, each after the one above it.
    pub const ALL: [Level; 20] = [
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
        Level::AllTasks,
        Level::NodeTasks,
        Level::ProcessTasks,
        Level::ThreadTasks,
        Level::Task,
        Level::AllChannels,
        Level::NodeChannels,
        Level::ProcessChannels,
        Level::ThreadChannels,
        Level::Channel,
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
            Level::AllTasks => "all_tasks",
            Level::NodeTasks => "tasks_of_node",
            Level::ProcessTasks => "tasks_of_process",
            Level::ThreadTasks => "tasks_of_thread",
            Level::Task => "task",
            Level::AllChannels => "all_channels",
            Level::NodeChannels => "channels_of_node",
            Level::ProcessChannels => "channels_of_process",
            Level::ThreadChannels => "channels_of_thread",
            Level::Channel => "channel",
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
            Level::AllTasks
            | Level::NodeTasks
            | Level::ProcessTasks
            | Level::ThreadTasks
            | Level::Task => Kind::Task,
            Level::AllChannels
            | Level::NodeChannels
            | Level::ProcessChannels
            | Level::ThreadChannels
            | Level::Channel => Kind::Channel,
        }
    }

    /// The level above; that of a path is its own.
    pub fn above(self) -> Option<Self> {
        match self {
            Level::System | Level::Activity | Level::AllLocks => None,
            Level::AllTasks | Level::AllChannels => None,
            Level::Node => Some(Level::System),
            Level::Process => Some(Level::Node),
            Level::Thread => Some(Level::Process),
            Level::Kind => Some(Level::Activity),
            Level::Operation => Some(Level::Kind),
            Level::Path => Some(Level::Path),
            Level::Lock => Some(Level::AllLocks),
            Level::NodeTasks => Some(Level::AllTasks),
            Level::ProcessTasks => Some(Level::NodeTasks),
            Level::ThreadTasks => Some(Level::ProcessTasks),
            Level::Task => Some(Level::ThreadTasks),
            Level::NodeChannels => Some(Level::AllChannels),
            Level::ProcessChannels => Some(Level::NodeChannels),
            Level::ThreadChannels => Some(Level::ProcessChannels),
            Level::Channel => Some(Level::ThreadChannels),
        }
    }

    /// Whether its objects have others below them.
    pub fn has_below(self) -> bool {
        Level::ALL.iter().any(|other| other.above() == Some(self))
    }
}
