//! Comparison of the threads' clocks, again and again during a measurement.
//!
//! Of each node one thread takes part, since threads of a node read the same clock; with the
//! model's own timer, or if it is asked for, each thread does. Thread 0's clock is the global one.
//! It keeps the results of all comparisons, predicts by them how the clocks will stand
//! ([`pgas_clocks::predict`]) and gives each thread its line.
//!
//! As soon as rates are known, further pairs are compared, which close loops. By these the clocks are
//! adjusted, and it is known how wrong they are: usually by a small part of the bound that a single
//! comparison has.
//!
//! How long a comparison holds follows from the prediction: clocks are compared again when the
//! uncertainty at the end of the next stage would be half as large again as right after a
//! comparison. Since the rate is the better known the further the comparisons lie apart, they
//! become rarer: each lasts for about a quarter of the time since the first.

mod apart;
mod global;
mod history;
mod link;
mod loops;
mod ring;

pub(crate) use apart::Apart;
pub(crate) use global::GlobalClock;
pub(crate) use history::History;

use crate::collectives;
use crate::job::{Order, Settings, Timer};
use crate::processes::Processes;
use crate::ticks;
use link::Link;

/// Words of a thread's line.
const LINE_WORDS: usize = 8;

/// Which thread's clock each thread reads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sharing {
    /// By thread: the first one with the same clock.
    pub(crate) first: Vec<usize>,
    /// Those that are the first with their clock.
    pub(crate) clocks: Vec<usize>,
}

impl Sharing {
    pub(crate) fn new<P: Processes + ?Sized>(processes: &P, settings: &Settings) -> Self {
        let all = settings.compare_all || settings.timer == Timer::Model;
        let threads = 0..processes.threads();
        let first: Vec<usize> = threads
            .map(|thread| {
                let mut before = 0..thread;
                let shared =
                    before.find(|&other| !all && processes.node(other) == processes.node(thread));
                shared.unwrap_or(thread)
            })
            .collect();
        let is_first = |&thread: &usize| first[thread] == thread;
        let clocks = (0..processes.threads()).filter(is_first).collect();
        Sharing { first, clocks }
    }
}

/// The time that threads of a clock count from: that of the first of them.
pub(crate) fn epoch<P: Processes + ?Sized>(processes: &P, sharing: &Sharing) -> f64 {
    let thread = processes.thread();
    let first = sharing.first[thread];
    let mut word = [processes.now().to_bits()];
    if first != thread {
        processes.receive(first, &mut word);
    }
    for other in thread + 1..processes.threads() {
        if sharing.first[other] == thread {
            processes.send(other, &word);
        }
    }
    f64::from_bits(word[0])
}

/// Compares all clocks; all threads call it. Thread 0 adds the result to its history.
pub(crate) fn compare<P: Processes + ?Sized>(
    processes: &P,
    settings: &Settings,
    sharing: &Sharing,
    clock: &mut GlobalClock,
    history: &mut History,
) {
    let begin = processes.now();
    let link = match settings.order {
        Order::Linear => linear(processes, settings, sharing, clock),
        Order::Ring => ring::exchange(processes, settings, sharing, clock),
    };
    let words = collectives::gather(processes, &link.to_words());
    let mut lines = Vec::new();
    if processes.thread() == 0 {
        let links = words.chunks(Link::WORDS).map(Link::from_words);
        history.add(&links.collect::<Vec<_>>(), sharing, settings.order);
        let now = clock.global(processes.now());
        history.note(sharing, settings.order, processes.now() - begin, now);
        lines = history.lines(sharing);
    }
    let line = collectives::scatter(processes, lines, LINE_WORDS);
    clock.follow(&line);
    close_loops(processes, settings, sharing, clock, history);
}

/// Finds out how wrong the corrected clocks are, if their rates are known; all threads call it.
fn close_loops<P: Processes + ?Sized>(
    processes: &P,
    settings: &Settings,
    sharing: &Sharing,
    clock: &mut GlobalClock,
    history: &mut History,
) {
    let mut words = [u64::from(history.knows_rates())];
    collectives::broadcast(processes, &mut words);
    if words[0] == 0 || sharing.clocks.len() < 3 {
        return;
    }
    let found = loops::exchange(processes, settings, sharing, clock);
    let own: Vec<u64> = found.iter().flat_map(|link| link.to_words()).collect();
    let all = collectives::gather(processes, &own);
    if processes.thread() == 0 {
        let now = clock.global(processes.now());
        let links: Vec<Link> = all.chunks(Link::WORDS).map(Link::from_words).collect();
        history.close_loops(&links, sharing, settings, now);
    }
    let words = match processes.thread() {
        0 => history.trust(sharing, settings.confidence),
        _ => Vec::new(),
    };
    let words = collectives::scatter(processes, words, 2);
    clock.trust(words[0] as i64, f64::from_bits(words[1]));
}

/// One clock after another with thread 0's.
fn linear<P: Processes + ?Sized>(
    processes: &P,
    settings: &Settings,
    sharing: &Sharing,
    clock: &GlobalClock,
) -> Link {
    let thread = processes.thread();
    let own = |time| clock.own(time);
    if thread == 0 {
        for &other in &sharing.clocks[1..] {
            link::answer(processes, &own, other);
        }
    } else if sharing.first[thread] == thread {
        return link::ask(processes, &own, 0, settings.exchanges);
    }
    Link::default()
}

/// Picoseconds as seconds.
fn seconds(ticks: f64) -> f64 {
    ticks / ticks::PER_SECOND
}
