//! Tasks and channels in a period of a running program, as docs/schema/watch-1.json has them.

use serde::Deserialize;

use crate::place::Place;

/// Tasks and channels of a run.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct TasksNow {
    /// The processors, by number.
    pub processors: Vec<ProcessorNow>,
    /// Tasks that have begun and not ended, by number; if there are too many, those that ran most.
    pub tasks: Vec<TaskNow>,
    /// Channels that such tasks use, by number; if there are too many, those of the most messages.
    pub channels: Vec<ChannelNow>,
    /// Tasks that are not listed: they have not begun, or there is no room for them.
    pub omitted_tasks: u64,
    /// Channels that are not listed: nobody has used them, or there is no room for them.
    pub omitted_channels: u64,
    /// Tasks that wait for what can no longer come, or for much longer than they use to.
    pub stuck: Vec<StuckTask>,
}

/// A processor.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ProcessorNow {
    /// Its number: that of its thread.
    pub thread: u32,
    /// Share of the period in which it ran tasks; `null` if it has just been found.
    pub load: Option<f64>,
    /// Share of the period in which it had no task that can run.
    pub idle: Option<f64>,
    /// Bytes of memory that its process has; `null` if unknown.
    pub memory: Option<u64>,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TaskNow {
    /// Its number: that in its process, and the process above bit 32.
    pub task: u64,
    /// Its function and where it was created.
    pub place: Place,
    /// Its processor.
    pub thread: u32,
    /// `running`, `receiving`, `sending`, `selecting` (it waits in that), or `ready`: it can run,
    /// but does not.
    pub state: String,
    /// Seconds for which it has been in that state; one that has got ready had to wait before.
    pub seconds: f64,
    /// The channel that it waits for.
    pub channel: Option<u64>,
    /// Seconds that a wait there took on average before; `null` if unknown.
    pub usual: Option<f64>,
    /// Seconds of the period in its own code.
    pub computing: f64,
    /// Seconds of the period in operations on channels, without waits.
    pub communicating: f64,
    /// Share of the period in which it ran; `null` if its processor has just been found.
    pub load: Option<f64>,
}

/// A channel.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct ChannelNow {
    /// Its number, as that of a task.
    pub channel: u64,
    /// Where it was created; empty if that is not known any more.
    pub place: Place,
    /// Messages that it holds before senders wait; `null` if they never do, or that is unknown.
    pub capacity: Option<u64>,
    /// Tasks that have sent, and not ended.
    pub senders: Vec<u64>,
    /// The task that has received, and not ended.
    pub receiver: Option<u64>,
    /// The processor of the receiver, else of a sender.
    pub thread: u32,
    /// Messages sent in the period.
    pub sends: f64,
    /// Messages received in the period.
    pub receives: f64,
    /// Bytes sent in the period.
    pub sent_bytes: f64,
    /// Bytes received in the period.
    pub received_bytes: f64,
    /// Seconds of the period in sends, waits included, of all senders together.
    pub send_seconds: f64,
    /// Seconds of the period in receives, waits included.
    pub receive_seconds: f64,
    /// Messages sent since the channel was created.
    pub produced: u64,
    /// Messages received since then.
    pub consumed: u64,
    /// Messages in it now.
    pub queued: u64,
}

/// A task that does not get on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct StuckTask {
    /// The task.
    pub task: u64,
    /// Its function and where it was created.
    pub place: Place,
    /// Its processor.
    pub thread: u32,
    /// `receiving`, `sending` or `selecting`.
    pub state: String,
    /// The channel that it waits for.
    pub channel: Option<u64>,
    /// Where that was created.
    pub channel_place: Option<Place>,
    /// Seconds for which it has been waiting.
    pub seconds: f64,
    /// Seconds that this took on average before; `null` if it is the first time.
    pub usual: Option<f64>,
    /// Nobody who could end the wait gets on.
    pub is_deadlocked: bool,
    /// Those who could end it, as far as they are known, in words.
    pub others: Vec<String>,
}

/// A task that a finding is about.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TaskRef {
    /// Its number.
    pub task: u64,
    /// Its function and where it was created.
    pub place: Place,
}
