//! One-sided traffic by distance and by node, and threads on the wrong node, where all of it is
//! known. One tick is one second.

use crate::common::{FILE, description, find};
use pgas_analyze::search::Stretch;
use pgas_analyze::sums::ThreadSums;
use pgas_analyze::{Analysis, conclude};
use pgas_earl::StreamBuilder;
use pgas_result::consistency;
use pgas_result::locality::{Locality, Reach};
use pgas_result::summary::{Finding, FindingKind};
use pgas_result::withheld::{AdviceKind, BlindSpot, BlindSpotKind};
use pgas_trace::model::{
    Attributes, CallSums, Operation, Profile, ProfileScope, Site, SiteId, ThreadId,
};

const GET: Operation = Operation::Get;

/// One access in `main`, from `begin` to `end`.
fn access(
    stream: &mut StreamBuilder,
    (begin, end): (u64, u64),
    (operation, line): (Operation, u32),
    owner: ThreadId,
    bytes: u64,
) {
    let transfer = Attributes::transfer(owner, bytes);
    stream
        .begin(begin, operation, FILE, line, transfer)
        .leave(end);
}

fn streams(threads: usize) -> Vec<StreamBuilder> {
    let mut streams = vec![StreamBuilder::new(); threads];
    for stream in &mut streams {
        stream.call(0, "main", FILE, 1);
    }
    streams
}

/// Threads on these nodes, with these blind spots.
fn analyse_with(streams: &[StreamBuilder], nodes: &[&str], spots: Vec<BlindSpot>) -> Analysis {
    let sources = streams.iter().map(StreamBuilder::source).collect();
    let mut description = description(streams.len());
    for (location, node) in description.locations.iter_mut().zip(nodes) {
        location.0 = (*node).into();
    }
    description.blind_spots = spots;
    let found = find(sources, Stretch::default());
    let analysis = conclude(&found, 1.0, description, Vec::new());
    let problems = consistency::violations(&analysis.cube, &analysis.summary);
    assert!(problems.is_empty(), "{problems:?}");
    analysis
}

fn analyse(streams: &[StreamBuilder], nodes: &[&str]) -> Analysis {
    analyse_with(streams, nodes, Vec::new())
}

fn locality(analysis: &Analysis) -> &Locality {
    let communication = analysis.summary.communication.as_ref().unwrap();
    communication.locality.as_ref().unwrap()
}

fn reach(operations: u64, bytes: u64, seconds: f64) -> Reach {
    Reach {
        operations,
        timed_operations: operations,
        bytes,
        seconds: Some(seconds),
    }
}

/// Thread 1 of three accesses its own data, that of a thread of its node, and that of another one.
fn three_distances() -> Vec<StreamBuilder> {
    let mut streams = streams(3);
    let stream = &mut streams[1];
    access(stream, (0, 1), (GET, 8), 1, 4);
    access(stream, (10, 12), (Operation::Memput, 9), 0, 100);
    access(stream, (20, 40), (GET, 10), 2, 8);
    access(stream, (40, 70), (Operation::Memget, 11), 2, 1000);
    let copy = Attributes::copy(1, 2, 50);
    stream
        .begin(80, Operation::Memcpy, FILE, 12, copy)
        .leave(85);
    streams[2].leave(100);
    streams
}

#[test]
fn each_operation_counts_at_its_distance() {
    let analysis = analyse(&three_distances(), &["a", "a", "b"]);
    let locality = locality(&analysis);
    let none = Reach::default();
    // The copy counts for both sides, and its time for the one that is not the thread's own.
    let of_thread = locality.by_thread[1];
    assert_eq!(of_thread.own, Some(reach(2, 54, 1.0)));
    assert_eq!(of_thread.same_node, reach(1, 100, 2.0));
    assert_eq!(of_thread.other_node, reach(3, 1058, 55.0));
    assert_eq!(locality.all, of_thread);
    assert_eq!(locality.by_thread[0].own, Some(none));
    assert_eq!(locality.by_thread[0].other_node, none);
    let pairs: Vec<_> = locality
        .node_pairs
        .iter()
        .map(|pair| (pair.node, pair.owner_node, pair.reach.bytes))
        .collect();
    assert_eq!(pairs, [(0, 0, 154), (0, 1, 1058)]);
    assert!(locality.complete && locality.own_recorded);
}

#[test]
fn on_one_node_nothing_goes_to_another_one() {
    let analysis = analyse(&three_distances(), &["a"; 3]);
    let locality = locality(&analysis);
    assert_eq!(locality.all.other_node, Reach::default());
    assert_eq!(locality.all.same_node, reach(4, 1158, 57.0));
    let findings = &analysis.summary.findings;
    assert!(findings.iter().all(|f| !f.cause.contains("other nodes")));
}

#[test]
fn own_data_of_which_nothing_is_known_is_no_zero() {
    let mut streams = streams(2);
    access(&mut streams[0], (0, 10), (GET, 8), 1, 8);
    let spot = BlindSpot {
        kind: BlindSpotKind::OwnAccesses,
        text: String::new(),
    };
    let analysis = analyse_with(&streams, &["a", "b"], vec![spot]);
    let locality = locality(&analysis);
    assert!(!locality.own_recorded);
    assert_eq!(locality.all.own, None);
    assert_eq!(locality.all.other_node, reach(1, 8, 10.0));
}

#[test]
fn without_the_node_of_each_thread_there_are_no_distances() {
    let streams = three_distances();
    let sources = streams.iter().map(StreamBuilder::source).collect();
    let mut description = description(3);
    description.has_unknown_nodes = true;
    let found = find(sources, Stretch::default());
    let analysis = conclude(&found, 1.0, description, Vec::new());
    assert_eq!(analysis.summary.communication.unwrap().locality, None);
}

#[test]
fn sums_by_node_are_of_all_pairs_where_the_matrix_has_only_some() {
    let threads = 80;
    let mut streams = streams(threads);
    for stream in &mut streams {
        for owner in 0..threads as u64 {
            access(stream, (owner, owner + 1), (GET, 8), owner as u32, 8);
        }
    }
    let nodes: Vec<&str> = (0..threads)
        .map(|t| if t < 40 { "a" } else { "b" })
        .collect();
    let analysis = analyse(&streams, &nodes);
    let communication = analysis.summary.communication.as_ref().unwrap();
    assert!(!communication.complete);
    let locality = locality(&analysis);
    assert_eq!(locality.all.own, Some(reach(80, 640, 80.0)));
    assert_eq!(
        locality.all.same_node,
        reach(80 * 39, 8 * 80 * 39, 80.0 * 39.0)
    );
    assert_eq!(
        locality.all.other_node,
        reach(80 * 40, 8 * 80 * 40, 80.0 * 40.0)
    );
    assert_eq!(locality.node_pairs.len(), 4);
    assert!(placements(&analysis).is_empty());
}

fn placements(analysis: &Analysis) -> Vec<&Finding> {
    let findings = analysis.summary.findings.iter();
    let kind = FindingKind::Placement;
    findings.filter(|finding| finding.kind == kind).collect()
}

/// Each thread reads a block of each of its partners in 10 ticks.
fn exchange(threads: u32, partners: impl Fn(u32) -> Vec<u32>) -> Vec<StreamBuilder> {
    let mut streams = streams(threads as usize);
    for (thread, stream) in (0..).zip(&mut streams) {
        let mut now = 0;
        for partner in partners(thread) {
            access(
                stream,
                (now, now + 10),
                (Operation::Memget, 8),
                partner,
                4096,
            );
            now += 10;
        }
        stream.leave(100);
    }
    streams
}

#[test]
fn a_ring_that_is_dealt_out_to_nodes_in_turn_is_on_the_wrong_nodes() {
    let ring = exchange(8, |thread| vec![(thread + 1) % 8, (thread + 7) % 8]);
    let in_turn = analyse(&ring, &["a", "b"].repeat(4));
    let found = placements(&in_turn);
    assert_eq!(found.len(), 1);
    let finding = found[0];
    assert_eq!((finding.line, finding.seconds), (8, 160.0));
    assert_eq!(finding.saves_seconds, Some(20.0));
    assert_eq!(
        finding.cause,
        "Of all bytes between threads 0, 2, 4 and 6 (on a) and other threads, 100 % are to or \
         from threads on b. Of all bytes between threads 1, 3, 5 and 7 (on b) and other threads, \
         100 % are to or from threads on a."
    );
    assert!(finding.advice.contains("swap places"), "{}", finding.advice);
    // The same seconds as what the operations cost.
    assert!(!finding.overlaps.is_empty());
    let in_blocks = analyse(&ring, &["a", "a", "a", "a", "b", "b", "b", "b"]);
    assert!(placements(&in_blocks).is_empty());
    assert!(placements(&analyse(&ring, &["a"; 8])).is_empty());
    assert!(placements(&analyse(&ring, &["a", "b", "c", "d", "e", "f", "g", "h"])).is_empty());
}

#[test]
fn one_thread_apart_from_its_partners_is_named_with_a_thread_to_swap_with() {
    // Threads 0 to 2 work with each other, and so do 3 and 4 with 5; 2 and 3 are exchanged.
    let groups = [[0, 1, 3], [2, 4, 5]];
    let partners = move |thread: u32| {
        let group = groups.iter().find(|group| group.contains(&thread));
        group.map_or_else(Vec::new, |group| {
            group.iter().copied().filter(|&t| t != thread).collect()
        })
    };
    let nodes = ["a", "a", "a", "b", "b", "b"];
    let analysis = analyse(&exchange(6, partners), &nodes);
    let threads = &analysis.summary.accesses.placement[0].threads;
    let named: Vec<_> = threads.iter().map(|t| (t.thread, t.swap_with)).collect();
    assert_eq!(named, [(2, 3), (3, 2)]);
    assert_eq!(threads[0].percent, 100.0);
    assert_eq!(threads[0].bytes, 4 * 4096);
    assert_eq!(placements(&analysis)[0].seconds, 40.0);
}

#[test]
fn no_placement_is_better_for_an_exchange_of_all_with_all() {
    let all = exchange(4, |thread| (0..4).filter(|&t| t != thread).collect());
    assert!(placements(&analyse(&all, &["a", "a", "b", "b"])).is_empty());
    assert!(placements(&analyse(&all, &["a", "b", "a", "b"])).is_empty());
    let two = exchange(2, |thread| vec![1 - thread]);
    assert!(placements(&analyse(&two, &["a", "b"])).is_empty());
}

#[test]
fn placement_is_no_matter_where_transfers_take_no_time_or_were_not_all_seen() {
    let ring = || exchange(4, |thread| vec![(thread + 1) % 4, (thread + 3) % 4]);
    let mut short = ring();
    short.iter_mut().for_each(|stream| {
        stream.call(100, "work", FILE, 20).leave(100_000);
    });
    let in_turn = ["a", "b", "a", "b"];
    assert!(!placements(&analyse(&ring(), &in_turn)).is_empty());
    assert!(placements(&analyse(&short, &in_turn)).is_empty());
    let spot = BlindSpot {
        kind: BlindSpotKind::Filtered,
        text: "upc_get was left out by a filter".into(),
    };
    let filtered = analyse_with(&ring(), &in_turn, vec![spot]);
    assert!(placements(&filtered).is_empty());
    let withheld = &filtered.summary.withheld;
    assert!(
        withheld
            .iter()
            .any(|w| w.advice.contains(&AdviceKind::Placement))
    );
}

#[test]
fn findings_on_single_accesses_say_that_they_go_to_other_nodes() {
    let mut streams = streams(3);
    for element in 0..100 {
        let owner = if element < 75 { 2 } else { 1 };
        let time = (10 * element, 10 * element + 5);
        access(&mut streams[0], time, (GET, 8), owner, 8);
    }
    streams[0].leave(2000);
    let cause = |nodes: &[&str]| {
        let analysis = analyse(&streams, nodes);
        let mut findings = analysis.summary.findings.into_iter();
        findings.find(|finding| finding.line == 8).unwrap().cause
    };
    let told = " Of the accesses here, 75 % go to data on other nodes";
    assert!(
        cause(&["a", "a", "b"]).contains(told),
        "{}",
        cause(&["a", "a", "b"])
    );
    assert!(!cause(&["a"; 3]).contains("other nodes"));
}

/// Counted accesses have numbers and bytes, and no time: not a time of zero.
#[test]
fn counted_accesses_have_no_time() {
    let counted = CallSums {
        parent: Some(0),
        site: SiteId(1),
        partner: Some(1),
        calls: 1000,
        timed_calls: 0,
        ticks: 0,
        bytes: 8000,
        counters: Vec::new(),
    };
    let main = CallSums {
        site: SiteId(0),
        parent: None,
        partner: None,
        calls: 0,
        bytes: 0,
        ..counted.clone()
    };
    let mut all = streams(2);
    access(&mut all[0], (10, 15), (Operation::Memget, 9), 1, 100);
    let get = Site::operation(GET, FILE, 12);
    all[0].leave(1000);
    let mut sites = all[0].sites().to_vec();
    sites[1] = get;
    let block = Profile {
        scope: ProfileScope::Within,
        first_time: 0,
        last_time: 1000,
        unplaced_calls: 0,
        counters: Vec::new(),
        entries: vec![main, counted],
    };
    let mut sums = ThreadSums::new(0);
    sums.add(&block, &sites).unwrap();
    let sources = all.iter().map(StreamBuilder::source).collect();
    let mut found = find(sources, Stretch::default());
    found.add_sums(&[sums, ThreadSums::new(1)]);
    let mut description = description(2);
    description.locations[1].0 = "b".into();
    let analysis = conclude(&found, 1.0, description, Vec::new());
    let reached = Reach {
        operations: 1001,
        timed_operations: 1,
        bytes: 8100,
        seconds: Some(5.0),
    };
    assert_eq!(locality(&analysis).all.other_node, reached);
}
