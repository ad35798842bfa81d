//! The profile of each thread: its time and visits by call path, what it accessed, and how its
//! trace ends.

use std::borrow::Cow;

use pgas_earl::walker::PathTotals;
use pgas_earl::{PathId, Span};
use serde::{Deserialize, Serialize};

use super::calls::CountedCalls;
use super::epochs::Effects;
use super::one_sided::profile::ThreadAccesses;
use crate::model::thread_end::End;
use crate::model::time_class::Bytes;

/// An oddity of one stream in words that a person can look up: what, how often, where first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oddity {
    /// The oddity in words, in the plural, with its consequence.
    pub what: Cow<'static, str>,
    /// How often it happened on the thread.
    pub count: u64,
    /// Ticks.
    pub first_time: u64,
    /// Where in the source, e.g. "upc_wait (a.upc:12)".
    pub place: String,
}

/// Figures of one thread. Paths are those of the common tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThreadProfile {
    /// From its first event to its last, in ticks, and the time of which there are sums; `None` if
    /// there is neither.
    pub span: Option<Span>,
    /// Number of events in the thread's stream.
    pub events: u64,
    /// By path: exclusive ticks and visits.
    pub totals: Vec<PathTotals>,
    /// By path.
    pub bytes: Vec<Bytes>,
    /// One-sided accesses of the thread.
    pub accesses: ThreadAccesses,
    /// The innermost region that was open at the end, if any was and the program had not ended.
    pub ends_in: Option<PathId>,
    /// How its trace ends.
    pub end: End,
    /// Whether the thread came to the end of the program and out of it, or ended it.
    pub program_ended: bool,
    /// Whether its barriers and collective operations can be counted, since no events are missing
    /// in between.
    pub is_numbered: bool,
    /// Effects of its activity after its latest synchronisation.
    pub rest: Effects,
    /// How often recording was switched off while something happened that links threads.
    pub pauses: u64,
    /// Calls of functions and regions that may be iterations.
    pub calls: Vec<CountedCalls>,
    /// Contradictions to the event model in its stream.
    pub oddities: Vec<Oddity>,
    /// When the latest call of each operation that can be throttled ended, in ticks: by path,
    /// ascending.
    pub last_exits: Vec<(PathId, u64)>,
    /// By number of the counter, then by path: exclusive counts. Only after
    /// [`crate::pipeline::search::Found::add_sums`].
    #[serde(skip)]
    pub counters: Vec<Vec<u64>>,
    /// Figures from sums, not events. Only after [`crate::pipeline::search::Found::add_sums`].
    #[serde(skip)]
    pub summed: Summed,
}

/// Calls of one thread that the events leave out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThrottledCalls {
    /// The call path, by its common number.
    pub path: PathId,
    /// Number of calls.
    pub calls: u64,
    /// Of these, those that were timed.
    pub timed_calls: u64,
    /// Estimated ticks of all of them, without throttled calls inside.
    pub ticks: u64,
}

impl ThrottledCalls {
    /// Whether the program counted them by itself: of throttled calls some are timed.
    pub fn is_counted(&self) -> bool {
        self.timed_calls == 0
    }
}

/// Part of a thread's figures that comes from sums.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summed {
    /// Throttled calls by call path: they are counted in sums and have no events.
    pub throttled: Vec<ThrottledCalls>,
    /// The time of which there are no events, in ticks.
    pub beyond: Option<Span>,
    /// When the events end, in ticks, if a time without events follows them.
    pub events_end: Option<u64>,
    /// Calls in that time.
    pub calls_beyond: u64,
    /// Calls that are only known to have happened.
    pub unplaced: u64,
    /// Calls on the longest paths, where longer ones are cut, and the place of one of them.
    pub deepest: Option<(u64, String)>,
    /// Ticks that were dropped, since estimates came to more than there was.
    pub dropped: u64,
}
