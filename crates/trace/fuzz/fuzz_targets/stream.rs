//! Any bytes as a stream: no panic, no unbounded memory; what is read is ordered in time, nests,
//! and refers to what is there; and it is the same whether it was found through the index or block
//! by block. Mutations keep checksums, lengths and the index right, since no fuzzer gets past them
//! otherwise.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use pgas_trace::format::extent::EXTENT_MAGIC;
use pgas_trace_fuzz::assembly::without_index;
use pgas_trace_fuzz::mutation::mutate;
use pgas_trace_fuzz::numbers::Numbers;
use pgas_trace_fuzz::reading::{contents, open};

fuzz_target!(|input: &[u8]| {
    let Ok(experiment) = open(input) else { return };
    let streams: Vec<_> = experiment.streams().iter().map(contents).collect();
    for stream in experiment.streams() {
        experiment.corrected_events(stream).for_each(drop);
        if let Some((first, last)) = stream.time_range() {
            assert!(experiment.clock().duration(last - first) >= 0.0);
            experiment.clock().seconds(last);
        }
    }
    experiment.all_remarks();
    // Without the index (as after a kill) it is the same stream. Where a block is damaged, the
    // index may lead beyond it.
    if !streams.iter().any(|stream| stream.complete) || !streams.iter().all(|stream| stream.whole) {
        return;
    }
    drop(experiment);
    // Each stream of a file of a node has its own.
    if input.starts_with(&EXTENT_MAGIC) {
        return;
    }
    let cut = without_index(input).expect("a complete stream has an index");
    let Ok(again) = open(cut) else { return };
    let again: Vec<_> = again.streams().iter().map(contents).collect();
    assert_eq!(streams.len(), again.len());
    for (stream, mut again) in streams.into_iter().zip(again) {
        again.complete = stream.complete;
        assert_eq!(stream, again, "another stream without the index");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut numbers = Numbers(u64::from(seed));
    let mutated = match numbers.index(16) {
        0 => None,
        _ => mutate(&data[..size], &mut numbers, |payload| {
            let length = payload.len();
            payload.resize(length + 64, 0);
            let room = payload.len();
            let length = fuzzer_mutate(payload, length, room);
            payload.truncate(length);
        }),
    };
    match mutated.filter(|mutated| mutated.len() <= max_size) {
        Some(mutated) => {
            data[..mutated.len()].copy_from_slice(&mutated);
            mutated.len()
        }
        None => fuzzer_mutate(data, size, max_size),
    }
});
