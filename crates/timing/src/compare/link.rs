//! Exchanges of messages between two threads, and the meeting of their clocks.

use crate::processes::Processes;
use pgas_clocks::{Meeting, Search};
use std::time::Duration;

const QUESTION: u64 = 1;
const NO_MORE: u64 = 0;

/// A clock against another.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Link {
    /// `None` for a thread that did not ask.
    pub(super) meeting: Option<Meeting>,
    /// Exchanges that it took.
    pub(super) exchanges: u64,
}

impl Link {
    pub(super) const WORDS: usize = 4;

    pub(super) fn to_words(self) -> [u64; Self::WORDS] {
        match self.meeting {
            None => [0; Self::WORDS],
            Some(met) => [met.own, met.other, met.round_trip, self.exchanges],
        }
    }

    pub(super) fn from_words(words: &[u64]) -> Self {
        Link {
            meeting: (words[3] != 0).then(|| Meeting {
                own: words[0],
                other: words[1],
                round_trip: words[2],
            }),
            exchanges: words[3],
        }
    }
}

/// Asks another thread for its clock until the shortest round trip is found. `ticks` are those that
/// are compared, at a time of the thread's timer.
pub(super) fn ask<P: Processes + ?Sized>(
    processes: &P,
    ticks: &dyn Fn(f64) -> u64,
    other: usize,
    patience: u32,
) -> Link {
    let mut answer = [0];
    // The first answer may wait for others to be compared before, so it says nothing.
    processes.send(other, &[QUESTION]);
    processes.receive(other, &mut answer);
    let mut search = Search::new(patience);
    let begin = processes.now();
    loop {
        let sent = processes.now();
        processes.send(other, &[QUESTION]);
        processes.receive(other, &mut answer);
        let received = processes.now();
        search.add(ticks(sent), ticks(received), answer[0]);
        let elapsed = Duration::try_from_secs_f64(received - begin).unwrap_or_default();
        if search.is_over(elapsed) {
            break;
        }
    }
    processes.send(other, &[NO_MORE]);
    Link {
        meeting: search.shortest(),
        exchanges: search.exchanges(),
    }
}

/// Answers until the other has had enough.
pub(super) fn answer<P: Processes + ?Sized>(
    processes: &P,
    ticks: &dyn Fn(f64) -> u64,
    other: usize,
) {
    let mut question = [0];
    loop {
        processes.receive(other, &mut question);
        if question[0] == NO_MORE {
            return;
        }
        processes.send(other, &[ticks(processes.now())]);
    }
}
