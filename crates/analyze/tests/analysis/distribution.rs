//! Arrays with the wrong distribution, from synthetic samples: which block size is proposed, what
//! is withheld, and that waiting for the accesses concerned refers to the array and follows it. One
//! tick is one second.

use crate::common::{FILE, description, find};
use pgas_analyze::one_sided::sampled::Sampled;
use pgas_analyze::search::Stretch;
use pgas_analyze::{Analysis, conclude};
use pgas_earl::StreamBuilder;
use pgas_result::summary::{Finding, FindingKind};
use pgas_trace::model::{Attributes, Operation, Site};
use pgas_trace::samples::{Sample, Samples, SharedArray};

const ELEMENTS: u64 = 1024;
const ADDRESS: u64 = 0x1000;

fn array(block: u64) -> SharedArray {
    SharedArray {
        address: ADDRESS,
        element_bytes: 8,
        block,
        elements: ELEMENTS,
        line: 3,
        name: "a".into(),
        file: FILE.into(),
    }
}

/// Samples of a thread, bursts of eight, that accesses these elements.
fn samples(block: u64, threads: u64, thread: u64, elements: impl Iterator<Item = u64>) -> Samples {
    let remote = elements.filter(|element| element / block % threads != thread);
    let samples = remote.enumerate().map(|(number, element)| Sample {
        site: 0,
        partner: (element / block % threads) as u32,
        address: ADDRESS + 8 * (element / block / threads * block + element % block),
        bytes: 8,
        is_first: number % 8 == 0,
        is_new_period: number % 8 == 0,
        is_locked: false,
    });
    Samples {
        accesses_of_each: 1,
        samples: samples.collect(),
    }
}

/// Four rounds, each a loop of writes at line 8 and a barrier at line 10: 10 seconds a write, of
/// which thread 0 has 40, and the last one twice as many. `elements` are those that a thread of N
/// accesses.
fn analyse<I: Iterator<Item = u64>>(
    threads: u64,
    block: u64,
    elements: impl Fn(u64) -> I,
) -> Analysis {
    let mut streams = Vec::new();
    let mut sampled = Sampled::default();
    let site = Site {
        operation: Operation::Put,
        file: FILE.into(),
        line: 8,
        name: String::new(),
    };
    for thread in 0..threads {
        let mut stream = StreamBuilder::new();
        stream.call(0, "main", FILE, 1);
        let writes = if thread + 1 == threads { 80 } else { 40 };
        for round in 0..4 {
            for write in 0..writes {
                let begin = 1000 * round + 10 * write;
                let partner = ((thread + 1 + write % (threads - 1)) % threads) as u32;
                let transfer = Attributes::transfer(partner, 8);
                stream
                    .begin(begin, Operation::Put, FILE, 8, transfer)
                    .leave(begin + 10);
            }
            let (arrival, departure) = (1000 * round + 10 * writes, 1000 * round + 801);
            let none = Attributes::Barrier { value: None };
            stream
                .begin(arrival, Operation::Barrier, FILE, 10, none)
                .leave(departure);
        }
        stream.leave(4000);
        streams.push(stream.source());
        let samples = samples(block, threads, thread, elements(thread));
        sampled.add(thread as u32, &samples, |_| Some(&site));
    }
    sampled.add_arrays(vec![array(block)]);
    let mut description = description(threads as usize);
    description.sampled = sampled;
    conclude(
        &find(streams, Stretch::default()),
        1.0,
        description,
        Vec::new(),
    )
}

fn at(analysis: &Analysis, line: u32) -> Vec<&Finding> {
    let findings = analysis.summary.findings.iter();
    findings.filter(|finding| finding.line == line).collect()
}

#[test]
fn pieces_of_an_array_that_is_dealt_out_are_found_and_waiting_follows() {
    for threads in [2, 4] {
        let piece = ELEMENTS / threads;
        let analysis = analyse(threads, 1, |thread| thread * piece..(thread + 1) * piece);
        let [array] = &analysis.summary.accesses.distributions[..] else {
            panic!("{:#?}", analysis.summary.accesses);
        };
        assert_eq!((array.block, array.better_block), (1, piece));
        assert!(array.one_block_each && !array.own_recorded);
        assert_eq!(array.samples, ELEMENTS / threads * (threads - 1));
        assert_eq!(array.local_percent, 100.0);
        assert!(
            array.low_percent > 90.0 && array.low_percent < 100.0,
            "{array:#?}"
        );

        let first = &analysis.summary.findings[0];
        assert_eq!(
            (first.kind, first.line),
            (FindingKind::WrongSide, 8),
            "{first:#?}"
        );
        let seconds = 4.0 * 400.0 * (threads as f64 + 1.0);
        assert_eq!(first.seconds, seconds);
        assert!(
            first
                .cause
                .starts_with("Array a (a.upc:3, 1024 elements of 8 bytes, block size 1)")
        );
        assert!(
            first.cause.contains("100 % would be local with block size"),
            "{}",
            first.cause
        );
        let wanted =
            format!("Declare a with one block for each thread: shared [*], here [{piece}]");
        assert!(first.advice.starts_with(&wanted), "{}", first.advice);
        assert_eq!(
            at(&analysis, 8).len(),
            1,
            "{:#?}",
            analysis.summary.findings
        );

        let waits = at(&analysis, 10);
        let wait = waits
            .iter()
            .find(|finding| finding.kind == FindingKind::Wait)
            .unwrap();
        let wanted = "First fix the distribution of a, a finding of its own: 100 % of the waiting";
        assert!(wait.advice.starts_with(wanted), "{wait:#?}");
    }
}

#[test]
fn every_threads_element_of_blocks_wants_block_size_one() {
    let analysis = analyse(2, ELEMENTS / 2, |thread| (thread..ELEMENTS).step_by(2));
    let array = &analysis.summary.accesses.distributions[0];
    assert_eq!((array.better_block, array.one_block_each), (1, false));
    let advice = &at(&analysis, 8)[0].advice;
    assert!(advice.contains("block size 1"), "{advice}");
}

/// Rows of 32 elements, dealt out to the threads in turn.
#[test]
fn rows_in_turn_want_blocks_of_a_row() {
    let rows = |thread: u64| (0..ELEMENTS).filter(move |element| element / 32 % 2 == thread);
    let analysis = analyse(2, 1, rows);
    let array = &analysis.summary.accesses.distributions[0];
    assert_eq!((array.better_block, array.one_block_each), (32, false));
    assert!(at(&analysis, 8)[0].advice.contains("shared [32]"));
}

#[test]
fn nothing_is_said_where_no_block_size_helps_or_too_little_is_known() {
    // All threads use everything.
    let all = analyse(4, 1, |_| 0..ELEMENTS);
    // Every thread uses the same part.
    let part = analyse(4, 1, |_| 0..256);
    // Two bursts.
    let few = analyse(2, 1, |thread| thread * 512..thread * 512 + 32);
    // A user of everything.
    let one = analyse(2, 1, |thread| 0..(1 - thread) * ELEMENTS);
    for analysis in [all, part, few, one] {
        let arrays = &analysis.summary.accesses.distributions;
        assert!(arrays.is_empty(), "{arrays:#?}");
    }
}

/// Both use elements that are a little off their blocks: boundaries of a stencil.
#[test]
fn boundaries_do_not_count() {
    let analysis = analyse(2, ELEMENTS / 2, |thread| {
        (1 - thread) * 512..(1 - thread) * 512 + 256
    });
    let arrays = &analysis.summary.accesses.distributions;
    assert!(arrays.is_empty(), "{arrays:#?}");
    for finding in &analysis.summary.findings {
        let text = format!("{} {}", finding.cause, finding.advice);
        assert!(
            !text.contains("after it") && !text.contains("hift"),
            "{text}"
        );
    }
}
