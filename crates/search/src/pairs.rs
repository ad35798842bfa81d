//! All pairs of tasks that are joined by a channel, each with the two hypotheses about it.

use std::collections::BTreeMap;

use pgas_monitor::{ChannelNow, TaskNow, TasksNow};

use crate::claim::{Claim, Finding, TaskRef};
use crate::hypothesis::part_of;
use crate::pair::{Bottleneck, Slow, Values};

/// Pairs that are tested at a time.
const PAIRS: usize = 256;

/// Channel, producer, consumer.
type PairKey = (u64, u64, u64);

/// The pairs of a program.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    pairs: BTreeMap<PairKey, Pair>,
    /// Pairs so far, those that have gone included.
    number: usize,
}

#[derive(Debug)]
struct Pair {
    hypotheses: [Bottleneck; 2],
    producer: TaskRef,
    consumer: TaskRef,
    place: pgas_monitor::Place,
}

impl Pairs {
    /// Adds a period; pairs of which one task has ended are forgotten. `error` is the probability
    /// of a false alarm over all pairs.
    pub(crate) fn add(&mut self, now: Option<&TasksNow>, error: f64) {
        let Some(now) = now else {
            self.pairs.clear();
            return;
        };
        let mut old = std::mem::take(&mut self.pairs);
        for (channel, producer, consumer) in joined(now) {
            let key = (channel.channel, producer.task, consumer.task);
            let known = old.remove(&key);
            if known.is_none() && self.pairs.len() + old.len() >= PAIRS {
                continue;
            }
            let mut pair = known.unwrap_or_else(|| {
                self.number += 1;
                Pair::new(channel, producer, consumer, part_of(error, self.number - 1))
            });
            if let Some(values) = Values::of(channel, producer, consumer) {
                pair.add(&values);
            }
            self.pairs.insert(key, pair);
        }
    }

    /// Adds the findings.
    pub(crate) fn confirmed(&self, into: &mut Vec<Finding>) {
        for ((channel, ..), pair) in &self.pairs {
            for (slow, hypothesis) in Slow::ALL.into_iter().zip(&pair.hypotheses) {
                if hypothesis.is_confirmed() {
                    into.push(pair.finding(*channel, slow, hypothesis));
                }
            }
        }
    }
}

/// Channels with each of their senders, and their receiver.
fn joined(now: &TasksNow) -> impl Iterator<Item = (&ChannelNow, &TaskNow, &TaskNow)> {
    now.channels.iter().flat_map(move |channel| {
        let consumer = channel.receiver.and_then(|task| now.task(task));
        let senders = channel.senders.iter();
        let senders = senders.filter_map(|task| now.task(*task));
        senders.filter_map(move |producer| Some((channel, producer, consumer?)))
    })
}

impl Pair {
    fn new(channel: &ChannelNow, producer: &TaskNow, consumer: &TaskNow, error: f64) -> Self {
        let known = |task: &TaskNow| TaskRef {
            task: task.task,
            place: task.place.clone(),
        };
        // Half of the error for each of the two.
        Pair {
            hypotheses: Slow::ALL.map(|slow| Bottleneck::new(slow, error / 2.0)),
            producer: known(producer),
            consumer: known(consumer),
            place: channel.place.clone(),
        }
    }

    fn add(&mut self, values: &Values) {
        for hypothesis in &mut self.hypotheses {
            hypothesis.add(values);
        }
    }

    fn finding(&self, channel: u64, slow: Slow, hypothesis: &Bottleneck) -> Finding {
        Finding {
            claim: Claim::Channel {
                slow: slow.name(),
                channel,
                place: self.place.clone(),
                producer: self.producer.clone(),
                consumer: self.consumer.clone(),
            },
            share: hypothesis.mean(),
            known_after: 0.0,
            pattern: None,
            evidence: None,
            meanwhile: None,
        }
    }
}
