//! Findings on single accesses, in situations whose truth is known: what would be saved, at which
//! loop, and whose data lies on the wrong side. One tick is one second.

use crate::common::{FILE, analyse};
use pgas_analyze::Analysis;
use pgas_earl::StreamBuilder;
use pgas_result::accesses::CostSource;
use pgas_result::summary::{Finding, FindingKind};
use pgas_trace::model::{Attributes, Operation, ThreadId};

const GET: Operation = Operation::Get;
const PUT: Operation = Operation::Put;

/// One access in `main`, from `begin` to `end`.
fn access(
    stream: &mut StreamBuilder,
    (begin, end): (u64, u64),
    (operation, line): (Operation, u32),
    owner: ThreadId,
    bytes: u64,
    address: u64,
) {
    let transfer = Attributes::transfer_at(owner, bytes, address);
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

fn of_kind(analysis: &Analysis, kind: FindingKind) -> Vec<&Finding> {
    let findings = analysis.summary.findings.iter();
    findings.filter(|finding| finding.kind == kind).collect()
}

fn only(analysis: &Analysis, kind: FindingKind) -> &Finding {
    let found = of_kind(analysis, kind);
    assert_eq!(found.len(), 1, "{:#?}", analysis.summary.findings);
    found[0]
}

/// Thread 0 reads 100 elements of thread 1 in 20 ticks each, and 16 blocks of 1, 2, ... KiB in 100
/// ticks and one for each 64 bytes.
fn elements_and_blocks(blocks: bool) -> Analysis {
    let mut streams = streams(2);
    let stream = &mut streams[0];
    stream.begin(0, Operation::Forall, FILE, 7, Attributes::None);
    for element in 0..100 {
        let time = (100 * element, 100 * element + 20);
        access(stream, time, (GET, 8), 1, 8, 0x1000 + 8 * element);
    }
    stream.leave(10_000);
    for kib in 1..=16 * u64::from(blocks) {
        let begin = 10_000 * (kib + 1);
        let time = (begin, begin + 100 + 16 * kib);
        access(stream, time, (Operation::Memget, 20), 1, 1024 * kib, 0x9000);
    }
    stream.leave(200_000);
    analyse(&streams)
}

#[test]
fn what_a_block_would_save_follows_from_the_runs_own_blocks() {
    let analysis = elements_and_blocks(true);
    let finding = only(&analysis, FindingKind::FineGrained);
    assert_eq!((finding.line, finding.seconds), (8, 2000.0));
    // One block of 800 bytes takes 100 + 800 / 64.
    let saves = finding.saves_seconds.unwrap();
    assert!((saves - (2000.0 - 112.5)).abs() < 1e-6, "{saves}");
    assert!(
        finding.advice.starts_with(
            "Fetch each run with one upc_memget into private memory before the upc_forall at \
             a.upc:7, and read it there."
        ),
        "{}",
        finding.advice
    );
    assert!(
        finding
            .cause
            .starts_with("100 reads of 8 bytes each form 1 run through data of one thread"),
        "{}",
        finding.cause
    );
    let runs = &analysis.summary.accesses.fine_grained[0];
    assert_eq!(runs.block.source, CostSource::Fitted);
    // The general finding on the same reads is not made; blocks have theirs alone.
    let general: Vec<u32> = of_kind(&analysis, FindingKind::Cost)
        .iter()
        .map(|finding| finding.line)
        .collect();
    assert_eq!(general, [20]);
}

#[test]
fn without_blocks_to_learn_from_the_fastest_access_is_the_latency() {
    let analysis = elements_and_blocks(false);
    let finding = only(&analysis, FindingKind::FineGrained);
    let saves = finding.saves_seconds.unwrap();
    // A byte in a nanosecond, in seconds of these ticks.
    assert!((saves - (2000.0 - 20.0)).abs() < 1e-3, "{saves}");
    assert!(
        finding.advice.contains("as the fastest of these accesses"),
        "{}",
        finding.advice
    );
    let runs = &analysis.summary.accesses.fine_grained[0];
    assert_eq!(runs.block.source, CostSource::Assumed);
}

#[test]
fn a_gap_that_makes_the_block_dearer_than_the_accesses_is_no_reason_for_one() {
    let columns = |stride: u64| {
        let mut streams = streams(2);
        for element in 0..100 {
            let time = (100 * element, 100 * element + 20);
            let place = 0x1000 + stride * element;
            access(&mut streams[0], time, (PUT, 8), 1, 8, place);
        }
        for kib in 1..=16 {
            let begin = 10_000 * (kib + 1);
            let time = (begin, begin + 100 + 16 * kib);
            access(
                &mut streams[0],
                time,
                (Operation::Memput, 20),
                1,
                1024 * kib,
                0x9000,
            );
        }
        streams[0].leave(200_000);
        analyse(&streams)
    };
    let near = columns(32);
    let finding = only(&near, FindingKind::FineGrained);
    assert!(
        finding.cause.contains("32 bytes apart"),
        "{}",
        finding.cause
    );
    assert_eq!(near.summary.accesses.fine_grained[0].stride, Some(32));
    // 99 * 4096 + 8 bytes would take more than 6000 ticks.
    let far = columns(4096);
    assert!(of_kind(&far, FindingKind::FineGrained).is_empty());
    assert_eq!(far.summary.accesses.fine_grained[0].stride, Some(4096));
}

/// Each of `threads` threads writes 50 times to the data of the thread that `target` names, and
/// `own` times to its own.
fn writes(threads: u32, own: u64, target: impl Fn(u32) -> Option<u32>) -> Analysis {
    let mut streams = streams(threads as usize);
    for (thread, stream) in streams.iter_mut().enumerate() {
        let thread = thread as u32;
        for round in 0..50 {
            // No run: places in no order.
            let place = 0x1000 + 8 * (round * round * 7 % 1009);
            if let Some(target) = target(thread) {
                let time = (100 * round, 100 * round + 10);
                access(stream, time, (PUT, 8), target, 8, place);
            }
            if round < own {
                let time = (100 * round + 50, 100 * round + 51);
                access(stream, time, (PUT, 9), thread, 8, place);
            }
        }
        stream.leave(10_000);
    }
    analyse(&streams)
}

#[test]
fn a_shift_is_told_with_its_distance() {
    let analysis = writes(5, 10, |thread| Some((thread + 2) % 5));
    let finding = only(&analysis, FindingKind::WrongSide);
    assert_eq!(
        finding.cause,
        "5 threads each use the data of the thread after it (number + 2): 250 accesses, 100 % of \
         all bytes moved there (what its owner does included)."
    );
    assert_eq!(
        (finding.seconds, finding.saves_seconds),
        (2500.0, Some(500.0))
    );
    let side = &analysis.summary.accesses.wrong_side[0];
    assert_eq!(
        (side.shift, side.own_recorded, side.data.len()),
        (Some(2), true, 5)
    );
    let analysis = writes(5, 5, |thread| Some((thread + 4) % 5));
    let finding = only(&analysis, FindingKind::WrongSide);
    assert!(
        finding.cause.contains("before it (number - 1)"),
        "{}",
        finding.cause
    );
    let analysis = writes(2, 5, |thread| Some(1 - thread));
    let finding = only(&analysis, FindingKind::WrongSide);
    assert!(
        finding
            .cause
            .starts_with("2 threads each use the data of the other one: 100 accesses"),
        "{}",
        finding.cause
    );
}

/// Every exchange with a neighbour looks so from outside: what it does with its own data is not
/// known.
#[test]
fn a_shift_is_not_told_unless_it_makes_nearly_all_accesses_local() {
    for (threads, own) in [(5, 0), (5, 20), (2, 0)] {
        let analysis = writes(threads, own, |thread| Some((thread + 1) % threads));
        let side = of_kind(&analysis, FindingKind::WrongSide);
        assert!(side.is_empty(), "{threads} {own}: {side:#?}");
        for finding in &analysis.summary.findings {
            assert!(!finding.advice.contains("hift"), "{finding:#?}");
            assert!(!finding.cause.contains("after it"), "{finding:#?}");
        }
    }
}

#[test]
fn one_user_of_all_data_is_named_and_so_are_single_pairs() {
    // Thread 0 works on the data of 1, 2, 3.
    let mut streams = streams(4);
    for round in 0..60 {
        let time = (100 * round, 100 * round + 10);
        let place = 0x1000 + 8 * (round * round * 7 % 1009);
        access(
            &mut streams[0],
            time,
            (GET, 8),
            1 + round as u32 % 3,
            8,
            place,
        );
    }
    let analysis = analyse(&streams);
    let finding = only(&analysis, FindingKind::WrongSide);
    assert!(
        finding
            .cause
            .starts_with("Thread 0 alone uses the data of 3 others: 60 accesses"),
        "{}",
        finding.cause
    );
    let pairs = writes(6, 10, |thread| {
        [None, Some(3), None, None, Some(5), Some(0)][thread as usize]
    });
    let finding = only(&pairs, FindingKind::WrongSide);
    assert!(
        finding.cause.contains(
            "thread 5 that of thread 0, thread 1 that of thread 3, thread 4 that of thread 5"
        ),
        "{}",
        finding.cause
    );
}

#[test]
fn data_that_its_owner_uses_more_or_that_several_use_lies_right() {
    let owners = writes(4, 50, |thread| Some((thread + 1) % 4));
    assert!(of_kind(&owners, FindingKind::WrongSide).is_empty());
    // Both neighbours: at each line one of them, in the whole run half each.
    let mut streams = streams(4);
    for (thread, stream) in streams.iter_mut().enumerate() {
        for round in 0..50 {
            let time = |at: u64| (100 * round + at, 100 * round + at + 10);
            let place = 0x1000 + 8 * (round * round * 7 % 1009);
            let (left, right) = ((thread as u32 + 3) % 4, (thread as u32 + 1) % 4);
            access(stream, time(0), (GET, 8), left, 8, place);
            access(stream, time(20), (GET, 9), right, 8, place);
        }
    }
    let analysis = analyse(&streams);
    assert!(of_kind(&analysis, FindingKind::WrongSide).is_empty());
    // One pair alone, of which it is not known what the owner does.
    let one = writes(4, 0, |thread| (thread == 1).then_some(0));
    assert!(of_kind(&one, FindingKind::WrongSide).is_empty());
}

#[test]
fn own_data_is_a_finding_beside_that_of_others_data() {
    let mut streams = streams(2);
    for element in 0..100 {
        let begin = 100 * element;
        let stream = &mut streams[0];
        let place = 0x1000 + 8 * element;
        access(stream, (begin, begin + 20), (GET, 8), 1, 8, place);
        access(stream, (begin + 50, begin + 60), (GET, 8), 0, 8, place);
    }
    let analysis = analyse(&streams);
    let own = only(&analysis, FindingKind::OwnAffinity);
    assert_eq!((own.line, own.seconds), (8, 1000.0));
    assert!((own.saves_seconds.unwrap() - 1000.0).abs() < 1e-3);
    assert!(
        own.advice.contains("before the loop around line 8 in main"),
        "{}",
        own.advice
    );
    let remote = only(&analysis, FindingKind::FineGrained);
    assert_eq!((remote.line, remote.seconds), (8, 2000.0));
    assert!(of_kind(&analysis, FindingKind::Cost).is_empty());
}

#[test]
fn the_matrix_has_every_byte_and_every_second_once() {
    let mut streams = streams(3);
    let stream = &mut streams[1];
    access(stream, (0, 10), (GET, 8), 2, 8, 0x1000);
    access(stream, (10, 13), (Operation::Memput, 9), 0, 100, 0x1000);
    access(stream, (20, 24), (PUT, 10), 1, 4, 0x1000);
    let copy = |source, destination| Attributes::copy(source, destination, 1000);
    for (at, copy) in [(30, copy(1, 2)), (40, copy(0, 2)), (50, copy(0, 0))] {
        stream
            .begin(at, Operation::Memcpy, FILE, 11, copy)
            .leave(at + 5);
    }
    let analysis = analyse(&streams);
    let communication = analysis.summary.communication.as_ref().unwrap();
    let pairs: Vec<_> = communication
        .pairs
        .iter()
        .map(|pair| {
            let flow = &pair.flow;
            let bytes = (flow.get_bytes, flow.put_bytes);
            (
                pair.thread,
                pair.owner,
                flow.operations,
                bytes,
                flow.seconds,
            )
        })
        .collect();
    assert_eq!(
        pairs,
        [
            (1, 0, 3, (2000, 1100), 3.0 + 5.0 + 5.0),
            (1, 1, 2, (1000, 4), 4.0),
            (1, 2, 3, (8, 2000), 10.0 + 5.0),
        ]
    );
    let gets: u64 = communication
        .by_owner
        .iter()
        .map(|flow| flow.get_bytes)
        .sum();
    assert_eq!(gets as f64, crate::common::total(&analysis, "bytes_get"));
    let puts: u64 = communication
        .by_thread
        .iter()
        .map(|flow| flow.put_bytes)
        .sum();
    assert_eq!(puts as f64, crate::common::total(&analysis, "bytes_put"));
    let seconds: f64 = communication
        .by_thread
        .iter()
        .map(|flow| flow.seconds)
        .sum();
    assert_eq!(seconds, crate::common::total(&analysis, "one_sided"));
    assert!(communication.complete);
}

#[test]
fn large_runs_keep_the_pairs_with_most_time_and_all_sums() {
    let threads = 80;
    let mut streams = streams(threads);
    for (thread, stream) in streams.iter_mut().enumerate() {
        let mut now = 0;
        for owner in 0..threads {
            let took = 1 + ((thread * 31 + owner * 17) % 97) as u64;
            access(stream, (now, now + took), (GET, 8), owner as u32, 8, 0);
            now += took;
        }
    }
    let analysis = analyse(&streams);
    let communication = analysis.summary.communication.as_ref().unwrap();
    assert!(!communication.complete);
    assert_eq!(communication.pairs.len(), 1000);
    let least = communication.pairs.iter().map(|pair| pair.flow.seconds);
    let least = least.fold(f64::INFINITY, f64::min);
    let larger = (0..threads * threads)
        .filter(|n| (1 + (n / threads * 31 + n % threads * 17) % 97) as f64 > least)
        .count();
    assert!(larger < 1000, "{larger} pairs have more than {least}");
    for flow in &communication.by_thread {
        assert_eq!((flow.gets, flow.get_bytes), (80, 640));
    }
    let sum: f64 = communication.by_owner.iter().map(|flow| flow.seconds).sum();
    assert_eq!(sum, crate::common::total(&analysis, "one_sided"));
}

/// Each of 4 threads writes the elements that `mine` gives it, of an array of 480 in blocks of
/// `block`; not its own, as if these were not recorded.
fn layout(block: u64, mine: impl Fn(u64) -> Vec<u64>) -> Analysis {
    let mut streams = streams(4);
    for (thread, stream) in (0..).zip(&mut streams) {
        let mut now = 0;
        for index in mine(thread) {
            let owner = index / block % 4;
            let place = index / (4 * block) * block + index % block;
            if owner != thread {
                let at = 0x1000 + 8 * place;
                access(stream, (now, now + 10), (PUT, 8), owner as u32, 8, at);
            }
            now += 100;
        }
        stream.leave(100_000);
    }
    analyse(&streams)
}

#[test]
fn a_block_size_that_does_not_fit_the_loop_is_found_in_both_ways() {
    use pgas_result::accesses::LayoutUse;
    let used = |analysis: &Analysis| {
        let layouts = analysis.summary.accesses.layout.iter();
        layouts.map(|layout| layout.used).collect::<Vec<_>>()
    };
    let in_turn = |thread| (0..120).map(|n| 4 * n + thread).collect::<Vec<u64>>();
    let in_pieces = |thread| (120 * thread..120 * (thread + 1)).collect::<Vec<u64>>();
    let everything = |_| (0..480).collect::<Vec<u64>>();

    let blocked = layout(120, in_turn);
    assert_eq!(used(&blocked), [LayoutUse::InTurn]);
    let about_size_1 = blocked.summary.findings.iter();
    assert!(about_size_1.into_iter().any(|finding| {
        finding
            .advice
            .contains("Declare the array with block size 1")
    }));
    let cyclic = layout(1, in_pieces);
    assert_eq!(used(&cyclic), [LayoutUse::InPieces]);
    let about_blocks = cyclic.summary.findings.iter();
    assert!(
        about_blocks
            .into_iter()
            .any(|finding| finding.advice.contains("one block for each thread ([*]"))
    );

    // A layout that fits leaves no access to others; an array that every thread uses as a whole
    // fits no layout.
    assert!(used(&layout(1, in_turn)).is_empty());
    assert!(used(&layout(120, in_pieces)).is_empty());
    assert!(used(&layout(1, everything)).is_empty());
    assert!(used(&layout(120, everything)).is_empty());
}
