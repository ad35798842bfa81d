//! Traces that were cut, at different points on different threads: what is found is never more than
//! in the whole trace, the threads whose traces do not reach the end are named, and nobody is said
//! to disagree who does not.

use std::collections::BTreeSet;
use std::convert::Infallible;

use crate::common::simulator::Simulation;
use crate::common::{FILE, WAIT_STATES, by_place, check_sums, description, per_thread};
use pgas_analyze::search::{Stretch, search};
use pgas_analyze::{Analysis, conclude};
use pgas_earl::{EventSource, StreamBuilder};
use pgas_trace::Clocks;
use pgas_trace::model::{Attributes, Event, EventKind, Operation, Site, SiteId};
use proptest::prelude::*;

/// A stream in memory, of a thread that may have been ended in the midst of something.
struct Source {
    sites: Vec<Site>,
    events: std::vec::IntoIter<Event>,
    interrupted_after: Option<u64>,
}

impl EventSource for Source {
    type Error = Infallible;

    fn next_event(&mut self) -> Option<Result<Event, Infallible>> {
        self.events.next().map(Ok)
    }

    fn site(&self, id: SiteId) -> Option<&Site> {
        self.sites.get(id.0 as usize)
    }

    fn interrupted_after(&self) -> Option<u64> {
        self.interrupted_after
    }
}

/// How a stream ends before its end.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// Share of its events, of 1000, that are left.
    share: usize,
    /// The recorder was there to leave what was open.
    closed: bool,
}

/// The stream up to the cut, and the number of regions that were open there.
fn cut(stream: &StreamBuilder, cut: Cut) -> (Source, usize) {
    let whole = stream.events();
    let mut events = whole[..(whole.len() * cut.share).div_ceil(1000)].to_vec();
    let mut open = Vec::new();
    for event in &events {
        match event.kind {
            EventKind::Enter { site, .. } => open.push(site),
            EventKind::Exit { .. } => {
                open.pop();
            }
        }
    }
    let depth = open.len();
    let mut interrupted_after = None;
    if let (Some(last), Some(next)) = (events.last(), whole.get(events.len())) {
        let (last, next) = (last.time, next.time);
        if cut.closed && next > last {
            interrupted_after = Some(last);
            for site in open.into_iter().rev() {
                let attributes = Attributes::None;
                let kind = EventKind::Exit { site, attributes };
                events.push(Event { time: next, kind });
            }
        }
    }
    let source = Source {
        sites: stream.sites().to_vec(),
        events: events.into_iter(),
        interrupted_after,
    };
    (source, depth)
}

fn analyse(sources: Vec<Source>) -> Analysis {
    let threads = sources.len();
    let clocks = Clocks::one();
    let found = search(sources, &clocks, Stretch::default(), &mut |_| {});
    let found = found.unwrap_or_else(|failure| panic!("{failure}"));
    let analysis = conclude(&found, 1.0, description(threads), Vec::new());
    check_sums(&analysis);
    analysis
}

/// The threads that a remark's pieces begin with: of "threads 0-2 and 5 are in ...; thread 3: the
/// trace ends ..." 0, 1, 2, 5, 3.
fn named(remark: &str) -> BTreeSet<usize> {
    let mut named = BTreeSet::new();
    for piece in remark.split("; ") {
        let piece = piece
            .trim_start_matches("the traces do not reach the end of the program: ")
            .trim_start_matches("there are no events of ");
        let Some(list) = piece
            .strip_prefix("threads ")
            .or_else(|| piece.strip_prefix("thread "))
        else {
            continue;
        };
        for word in list.split([' ', ',', ':']).filter(|word| !word.is_empty()) {
            let ends: Vec<usize> = word.split('-').map_while(|n| n.parse().ok()).collect();
            match ends[..] {
                [one] => named.extend([one]),
                [first, last] => named.extend(first..=last),
                _ if word == "and" => {}
                _ => break,
            }
        }
    }
    named
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_trace_shows_less_and_says_so(
        steps in prop::collection::vec((0u8..6, any::<u64>()), 0..40),
        cuts in prop::collection::vec((0usize..=1000, any::<bool>()), 1..6),
    ) {
        let simulation = Simulation::run(cuts.len(), &steps);
        let whole = crate::common::analyse(&simulation.streams);
        let streams = simulation.streams.iter().zip(&cuts);
        let cut: Vec<_> = streams
            .map(|(stream, &(share, closed))| cut(stream, Cut { share, closed }))
            .collect();
        let unfinished: BTreeSet<usize> = (0..cut.len())
            .filter(|&thread| cut[thread].1 > 0)
            .collect();
        let empty = cut.iter().enumerate().filter(|(_, (source, _))| source.events.len() == 0);
        let empty: BTreeSet<usize> = empty.map(|(thread, _)| thread).collect();
        let part = analyse(cut.into_iter().map(|(source, _)| source).collect());

        // Of time without a core more counts where those that were waited for are cut off.
        for metric in WAIT_STATES.iter().filter(|metric| **metric != "no_core_after_wait") {
            let all = by_place(&whole, metric);
            for (place, seconds) in by_place(&part, metric) {
                let most = all.get(&place).copied().unwrap_or(0.0);
                prop_assert!(seconds <= most, "{metric} at {place:?}: {seconds} of {most}");
            }
        }
        // Not computation: where the second half of a barrier is cut off, what lies before it is no part of a barrier. And
        // how much of the time without a core was waiting is not known of an operation that others are not seen to leave.
        for metrics in [&["time"][..], &["pgas", "no_core"], &["visits"]] {
            let sum = |analysis: &Analysis| {
                let of_each = metrics.iter().map(|metric| per_thread(analysis, metric));
                of_each.reduce(|a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect()).unwrap()
            };
            for (part, all) in sum(&part).iter().zip(sum(&whole)) {
                prop_assert!(*part <= all, "{metrics:?}: {part} of {all}");
            }
        }

        let remarks = &part.summary.remarks;
        prop_assert!(!remarks.iter().any(|r| r.contains("disagree")), "{remarks:#?}");
        let ends = remarks.iter().find(|r| r.starts_with("the traces do not reach"));
        match ends {
            None => prop_assert!(unfinished.is_empty(), "{unfinished:?}: {remarks:#?}"),
            Some(ends) => {
                let expected = unfinished.union(&empty).copied().collect();
                prop_assert_eq!(named(ends), expected, "{}", ends);
            }
        }
    }
}

/// With a thousand threads the remark is as short as with four.
#[test]
fn one_thread_of_a_thousand_is_named_alone() {
    let stream = |thread: u64| {
        let mut s = StreamBuilder::new();
        s.call(0, "main", FILE, 1);
        s.operation(1, 5, Operation::Barrier, FILE, 7);
        match thread {
            77 => s.begin(7, Operation::AllAlloc, FILE, 9, Attributes::None),
            _ => s.begin(6, Operation::Barrier, FILE, 8, Attributes::None),
        };
        s
    };
    let streams: Vec<StreamBuilder> = (0..1024).map(stream).collect();
    let analysis = crate::common::analyse(&streams);
    assert_eq!(
        analysis.summary.remarks[0],
        "the threads disagree: thread 77 is in upc_all_alloc (a.upc:9), called from main, entered \
         as collective operation 0 after 7.00 s, while threads 0-76 and 78-1023 are in \
         upc_barrier (a.upc:8), called from main, entered as barrier 1 after 6.00 s; numbers \
         count from 0; operations of all threads are matched up to there"
    );
}
