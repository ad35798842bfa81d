//! Tasks and channels of a processor: an area of a live file that only programs of tasks use.
//!
//! The thread of the processor stores, readers look at any time. A row is reused when its task has
//! ended; a reader that finds another owner after reading a row than before skips it.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use pgas_trace_format::buffers::page::PAGE;

/// Tasks that have a row at a time.
pub const TASKS: usize = 1024;
/// Channels whose creation is known: those that the processor created last.
pub const CHANNELS: usize = 1024;
/// Ports that have a row: uses of a channel by a task, to send or to receive.
pub const PORTS: usize = 2048;

/// The task runs.
pub const RUNS: u64 = 0;
/// It waits for a message of one channel.
pub const RECEIVES: u64 = 1;
/// It waits for room in a channel.
pub const SENDS: u64 = 2;
/// It waits for a message of one of several channels.
pub const SELECTS: u64 = 3;
/// It waits for its processor.
pub const READY: u64 = 4;

/// The task sends through the port.
pub const OUTPUT: u64 = 1;
/// The task receives through the port.
pub const INPUT: u64 = 2;

/// Bytes before the rows of tasks, of channels, of ports, and of all.
pub const TASKS_AT: usize = 64;
/// See [`TASKS_AT`].
pub const CHANNELS_AT: usize = TASKS_AT + TASKS * size_of::<TaskRow>();
/// See [`TASKS_AT`].
pub const PORTS_AT: usize = CHANNELS_AT + CHANNELS * size_of::<ChannelRow>();
/// Bytes of the area.
pub const AREA: usize = (PORTS_AT + PORTS * size_of::<PortRow>()).next_multiple_of(PAGE);

/// Begin of the area: counts, all of which only grow.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct TasksHead {
    /// Rows of tasks that have been used.
    pub task_rows: AtomicU64,
    /// Rows of ports that have been used.
    pub port_rows: AtomicU64,
    /// Channels that the processor created. Channel *n* has row *n* modulo [`CHANNELS`].
    pub channels: AtomicU64,
    /// Tasks that the processor's tasks created, for any processor.
    pub created: AtomicU64,
    /// Tasks that ended on the processor.
    pub ended: AtomicU64,
    /// Channels whose input was deleted here.
    pub closed: AtomicU64,
    /// Operations on ports that had no row.
    pub uncounted: AtomicU64,
    /// Nothing.
    pub unused: AtomicU64,
}

const _: () = assert!(size_of::<TasksHead>() == TASKS_AT);

/// A task.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct TaskRow {
    /// Its number plus 1; 0 while the row is nobody's.
    pub number: AtomicU64,
    /// Number of its place: function, file and line of its creation.
    pub site: AtomicU64,
    /// Ticks in which it ran, as [`crate::Row::time`].
    pub running: AtomicI64,
    /// Ticks of these that its operations on channels took.
    pub communicating: AtomicU64,
    /// [`RUNS`] to [`READY`].
    pub state: AtomicU64,
    /// Ticks: since when.
    pub since: AtomicU64,
    /// The channel that it waits for, plus 1; 0 if there is none.
    pub channel: AtomicU64,
    /// Number of times that the processor began to run it.
    pub runs: AtomicU64,
}

const _: () = assert!(size_of::<TaskRow>() == 64);

impl TaskRow {
    /// Gives the row to a task.
    pub fn begin(&self, task: u64, site: u32) {
        self.number.store(0, Ordering::Release);
        for word in [&self.communicating, &self.state, &self.since] {
            word.store(0, Ordering::Relaxed);
        }
        for word in [&self.channel, &self.runs] {
            word.store(0, Ordering::Relaxed);
        }
        self.running.store(0, Ordering::Relaxed);
        self.site.store(u64::from(site), Ordering::Relaxed);
        self.number.store(task.wrapping_add(1), Ordering::Release);
    }

    /// The task is in this state since `time`, and waits for this channel.
    #[inline(always)]
    pub fn turn(&self, state: u64, channel: Option<u64>, time: u64) {
        let channel = channel.map_or(0, |channel| channel.wrapping_add(1));
        self.channel.store(channel, Ordering::Relaxed);
        self.since.store(time, Ordering::Relaxed);
        self.state.store(state, Ordering::Release);
    }
}

/// A channel that a task of the processor created.
#[derive(Debug)]
#[repr(C)]
pub struct ChannelRow {
    /// Its number plus 1; 0 while the row is nobody's.
    pub number: AtomicU64,
    /// Messages that it holds before senders wait, plus 1; 0 if they never do.
    pub capacity: AtomicU64,
    /// Number of the place of its creation.
    pub site: AtomicU64,
    /// Nothing.
    pub unused: AtomicU64,
}

const _: () = assert!(size_of::<ChannelRow>() == 32);

impl ChannelRow {
    /// Gives the row to a channel.
    pub fn begin(&self, channel: u64, capacity: Option<u64>, site: u32) {
        self.number.store(0, Ordering::Release);
        let capacity = capacity.map_or(0, |capacity| capacity.saturating_add(1));
        self.capacity.store(capacity, Ordering::Relaxed);
        self.site.store(u64::from(site), Ordering::Relaxed);
        let number = channel.wrapping_add(1);
        self.number.store(number, Ordering::Release);
    }
}

/// A task's use of a channel.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct PortRow {
    /// Number of the channel plus 1; 0 while the row is nobody's.
    pub channel: AtomicU64,
    /// Number of the task.
    pub task: AtomicU64,
    /// [`OUTPUT`] or [`INPUT`].
    pub direction: AtomicU64,
    /// Messages that the task sent or received.
    pub calls: AtomicU64,
    /// Bytes of these.
    pub bytes: AtomicU64,
    /// Ticks in these operations, waits included, as [`crate::Row::time`].
    pub time: AtomicI64,
    /// Messages that all tasks had sent or received with the last of these.
    pub last: AtomicU64,
    /// Messages in the channel after it.
    pub queued: AtomicU64,
}

const _: () = assert!(size_of::<PortRow>() == 64);

impl PortRow {
    /// Gives the row to a task and a channel.
    pub fn begin(&self, channel: u64, task: u64, direction: u64) {
        self.channel.store(0, Ordering::Release);
        for word in [&self.calls, &self.bytes, &self.last, &self.queued] {
            word.store(0, Ordering::Relaxed);
        }
        self.time.store(0, Ordering::Relaxed);
        self.task.store(task, Ordering::Relaxed);
        self.direction.store(direction, Ordering::Relaxed);
        let number = channel.wrapping_add(1);
        self.channel.store(number, Ordering::Release);
    }

    /// A message was sent or received: its number in the channel, from 0.
    #[inline(always)]
    pub fn count(&self, message: u64, bytes: u64, queued: u64) {
        crate::row::add(&self.calls, 1);
        crate::row::add(&self.bytes, bytes);
        self.last.store(message.wrapping_add(1), Ordering::Relaxed);
        self.queued.store(queued, Ordering::Relaxed);
    }
}
