//! What threads of a simulated cluster share: the messages on their way.

use super::model::Model;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// A message, and when it arrives.
pub(super) struct Message {
    pub(super) arrival: f64,
    pub(super) words: Vec<u64>,
}

/// Messages from one thread to another.
#[derive(Default)]
struct Way {
    least: f64,
    last_arrival: f64,
    messages: VecDeque<Message>,
}

pub(super) struct World {
    pub(super) model: Model,
    ways: RefCell<Vec<Way>>,
    /// By thread: the one that it waits for.
    waits_for: Vec<Cell<Option<usize>>>,
}

impl World {
    pub(super) fn new(model: &Model) -> Self {
        let threads = model.threads;
        let ways = (0..threads * threads).map(|pair| Way {
            least: model.latency(pair / threads, pair % threads),
            ..Way::default()
        });
        World {
            ways: RefCell::new(ways.collect()),
            waits_for: vec![Cell::new(None); threads],
            model: model.clone(),
        }
    }

    /// Puts a message on its way, which takes longer than the least time by a share of that.
    pub(super) fn send(&self, from: usize, to: usize, time: f64, longer: f64, words: &[u64]) {
        let mut ways = self.ways.borrow_mut();
        let way = &mut ways[from * self.model.threads + to];
        // Messages do not overtake each other.
        let arrival = (time + way.least * (1.0 + longer)).max(way.last_arrival);
        way.last_arrival = arrival;
        way.messages.push_back(Message {
            arrival,
            words: words.to_vec(),
        });
    }

    pub(super) fn take(&self, from: usize, to: usize) -> Option<Message> {
        let mut ways = self.ways.borrow_mut();
        let message = ways[from * self.model.threads + to].messages.pop_front();
        let waits_for = match message {
            Some(_) => None,
            None => Some(from),
        };
        self.waits_for[to].set(waits_for);
        message
    }

    /// The thread need not wait any more.
    pub(super) fn can_run(&self, thread: usize) -> bool {
        self.waits_for[thread].get().is_none_or(|from| {
            let ways = self.ways.borrow();
            !ways[from * self.model.threads + thread].messages.is_empty()
        })
    }
}
