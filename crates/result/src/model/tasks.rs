//! Processors, tasks and channels of a program of tasks: who computed, communicated and waited.
//!
//! A processor is a thread of the experiment. Times are seconds. Lists of tasks and of channels are
//! limited; how many are left out is part of the result.

use serde::{Deserialize, Serialize};

/// Loads of the processors, tasks and channels of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tasks {
    /// One for each thread.
    pub processors: Vec<ProcessorLoad>,
    /// Those with the most time computing, communicating and waiting for their processor first.
    pub tasks: Vec<TaskLoad>,
    /// Tasks that the list leaves out.
    pub omitted_tasks: u64,
    /// Those with the most messages first.
    pub channels: Vec<ChannelLoad>,
    /// Channels that the list leaves out.
    pub omitted_channels: u64,
    /// Share of the time of all processors in which they computed, 0 to 1; with a run on one
    /// processor its run time, divided by that of all processors together.
    pub efficiency: f64,
    /// Efficiency times the number of processors.
    pub speedup: f64,
    /// Run time on one processor that the two are relative to; absent if no such run was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_processor_seconds: Option<f64>,
    /// Cost of a message by its size; absent if the sizes of this run do not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_cost: Option<MessageCost>,
}

impl Tasks {
    /// Makes efficiency and speedup those relative to a run on one processor that took `seconds`;
    /// this one took `run_time`. Nothing changes if either is not above 0.
    pub fn relate_to(&mut self, seconds: f64, run_time: f64) {
        if seconds > 0.0 && run_time > 0.0 && !self.processors.is_empty() {
            let processors = self.processors.len() as f64;
            self.efficiency = seconds / (processors * run_time);
            self.speedup = self.efficiency * processors;
            self.one_processor_seconds = Some(seconds);
        }
    }
}

/// Time of one processor. The four parts add up to its run time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProcessorLoad {
    /// Index of the processor.
    pub thread: u32,
    /// In tasks, without operations on tasks and channels.
    pub computing: f64,
    /// In operations on tasks and channels.
    pub communicating: f64,
    /// Without a task that could run.
    pub idle: f64,
    /// Outside of tasks and not idle: start, end, choice of the next task.
    pub rest: f64,
    /// From its first event to its last.
    pub run_time: f64,
    /// Tasks that ran on it.
    pub tasks: u64,
}

/// Time of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskLoad {
    /// Number of the task, unique in the run.
    pub task: u64,
    /// Its function.
    pub name: String,
    /// Source file in which it was created.
    pub file: String,
    /// Line at which it was created.
    pub line: u32,
    /// The task that created it; absent for the main task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// Index of the processor that ran it.
    pub processor: u32,
    /// On its processor, without operations on tasks and channels.
    pub computing: f64,
    /// In operations on tasks and channels.
    pub communicating: f64,
    /// In receive or select, until the message was sent or the channel was closed.
    pub waiting_input: f64,
    /// In send, until the message had a place in the channel.
    pub blocked_in_send: f64,
    /// Able to run, while its processor ran other tasks or was on its way to it.
    pub waiting_processor: f64,
    /// When it was created, or ran first if that is not recorded; since the start of the run.
    pub begin: f64,
    /// When it ended, or was seen last; since the start of the run.
    pub end: f64,
    /// Part of the critical path through messages that is its computing and communicating; absent
    /// if that path was not followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical: Option<f64>,
}

/// Messages of one channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChannelLoad {
    /// Number of the channel, unique in the run.
    pub channel: u64,
    /// Source file in which it was created; empty if that is not recorded.
    pub file: String,
    /// Line at which it was created; 0 if that is not recorded.
    pub line: u32,
    /// Messages that it holds before senders wait; absent if they never do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u64>,
    /// Numbers of the tasks that sent, in order; at most 8.
    pub senders: Vec<u64>,
    /// Number of the task that received last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<u64>,
    /// Messages sent.
    pub messages: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// Mean number of messages in the channel after a send or a receive.
    pub mean_queued: f64,
    /// Largest number of messages in the channel.
    pub max_queued: u64,
    /// Time of senders in which they waited for a place in it.
    pub send_wait: f64,
    /// Time of receivers in which they waited for a message from it.
    pub receive_wait: f64,
}

/// Cost of a message of L bytes: ts + tw L. Half of all messages take no longer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageCost {
    /// Seconds of a message without bytes, sending and receiving together.
    pub ts: f64,
    /// Interval that holds it with a probability of 95 %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ts_interval: Option<(f64, f64)>,
    /// Seconds for each byte more.
    pub tw: f64,
    /// Interval that holds it with a probability of 95 %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tw_interval: Option<(f64, f64)>,
    /// The same by the number of tasks that send to the channel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_senders: Vec<SendersCost>,
}

/// Cost of messages to channels with a number of senders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SendersCost {
    /// Tasks that send to the channel.
    pub senders: u64,
    /// Messages that the figures rest on.
    pub messages: u64,
    /// Median time of a send, in seconds.
    pub send_seconds: f64,
    /// Median time of a receive that did not wait, in seconds.
    pub receive_seconds: f64,
}
