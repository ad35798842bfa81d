//! Hypotheses about a task that sends to another one through a channel: the other one cannot keep
//! up, or the sender is too slow. Each is a conjunction of statements about means of noisy series,
//! and confirmed while all of them are.

use pgas_monitor::{ChannelNow, TaskNow};

use crate::hypothesis::Hypothesis;

/// Load above which a task is the bottleneck, and below which it is held up by the other one.
const BUSY: f64 = 0.9;
const HELD_UP: f64 = 0.5;
/// Messages above which the queue of a channel without a limit is long.
const LONG_QUEUE: f64 = 10.0;

/// Which of the two tasks is the bottleneck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slow {
    Producer,
    Consumer,
}

impl Slow {
    pub(crate) const ALL: [Slow; 2] = [Slow::Consumer, Slow::Producer];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Slow::Producer => "producer",
            Slow::Consumer => "consumer",
        }
    }
}

/// Values of a period of two tasks and their channel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Values {
    /// Share of the period in which each of them ran.
    pub(crate) producer: f64,
    pub(crate) consumer: f64,
    /// Messages in the channel in proportion to twice those from which on its queue is long, at
    /// most 1.
    pub(crate) queue: f64,
    /// Mean time in send in proportion to the sum of those in send and in receive; `None` if there
    /// was neither.
    pub(crate) send: Option<f64>,
    /// Senders wait where the queue is full.
    pub(crate) is_bounded: bool,
}

impl Values {
    pub(crate) fn of(channel: &ChannelNow, producer: &TaskNow, consumer: &TaskNow) -> Option<Self> {
        Some(Values {
            producer: producer.load?,
            consumer: consumer.load?,
            queue: queue(channel),
            send: send(channel),
            is_bounded: channel.capacity.is_some(),
        })
    }
}

fn queue(channel: &ChannelNow) -> f64 {
    // A message that nobody can hold lies in the channel until it is received.
    let full = match channel.capacity {
        Some(capacity) => (capacity as f64).max(1.0),
        None => 2.0 * LONG_QUEUE,
    };
    (channel.queued as f64 / full).min(1.0)
}

/// In a period with few messages most of the time may be that of waits that still last: as many
/// messages are sent as received in the long run, so that times tell what means do.
fn send(channel: &ChannelNow) -> Option<f64> {
    let senders = channel.senders.len().max(1) as f64;
    let sends = channel.send_seconds / senders;
    let all = sends + channel.receive_seconds;
    (all > 0.0).then(|| sends / all)
}

/// The hypothesis that one of two tasks is the bottleneck.
#[derive(Debug)]
pub(crate) struct Bottleneck {
    slow: Slow,
    /// Load of the slow one, of the other one, queue, times.
    parts: [Hypothesis; 4],
    /// Whether times in send and in receive say something.
    has_times: bool,
}

impl Bottleneck {
    /// It is confirmed wrongly only if one of its statements is: each may have the whole `error`.
    pub(crate) fn new(slow: Slow, error: f64) -> Self {
        let limits = [BUSY, 1.0 - HELD_UP, 0.5, 0.5];
        Bottleneck {
            slow,
            parts: limits.map(|limit| Hypothesis::new(limit, error)),
            has_times: false,
        }
    }

    /// Adds the values of a period.
    pub(crate) fn add(&mut self, values: &Values) {
        let (slow, other) = match self.slow {
            Slow::Producer => (values.producer, values.consumer),
            Slow::Consumer => (values.consumer, values.producer),
        };
        // Of a slow producer, the queue is short and receiving takes longer.
        let side = |value: f64| match self.slow {
            Slow::Producer => 1.0 - value,
            Slow::Consumer => value,
        };
        let [load, rest, queue, times] = &mut self.parts;
        load.add(slow);
        rest.add(1.0 - other);
        queue.add(side(values.queue));
        // Of two that never wait, times say nothing.
        let is_telling = values.is_bounded || self.slow == Slow::Producer;
        if let Some(send) = values.send.filter(|_| is_telling) {
            self.has_times = true;
            times.add(side(send));
        }
    }

    pub(crate) fn is_confirmed(&self) -> bool {
        let parts = if self.has_times { 4 } else { 3 };
        self.parts[..parts].iter().all(Hypothesis::is_confirmed)
    }

    /// Mean share of the time in which the other task did not run.
    pub(crate) fn mean(&self) -> f64 {
        self.parts[1].mean()
    }
}
