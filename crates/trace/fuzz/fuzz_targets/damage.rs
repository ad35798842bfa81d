//! A good file that was damaged, with its checksums as they were: whatever can still be read is
//! what it was. The input says which file, and what is done to it: bytes changed, moved, removed,
//! cut off.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use pgas_trace_fuzz::reading::{Contents, contents, open};

/// The samples, with what they say.
fn samples() -> &'static [(Vec<u8>, Vec<Contents>)] {
    static SAMPLES: OnceLock<Vec<(Vec<u8>, Vec<Contents>)>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let directory = std::env::var_os("FUZZ_SAMPLES")
            .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/stream").into());
        let mut paths: Vec<_> = std::fs::read_dir(directory)
            .expect("the directory of samples")
            .map(|entry| entry.expect("a sample").path())
            .collect();
        paths.sort();
        let read = |path: std::path::PathBuf| {
            let bytes = std::fs::read(path).expect("a sample");
            let experiment = open(&bytes).expect("a sample that can be read");
            let said = experiment.streams().iter().map(contents).collect();
            (bytes, said)
        };
        paths.into_iter().map(read).collect()
    })
}

fuzz_target!(|input: &[u8]| {
    let Some((&which, edits)) = input.split_first() else {
        return;
    };
    let samples = samples();
    let (bytes, said) = &samples[which as usize % samples.len()];
    let mut damaged = bytes.clone();
    for edit in edits.chunks_exact(6) {
        apply(&mut damaged, edit);
    }
    let Ok(experiment) = open(&damaged) else {
        return;
    };
    for stream in experiment.streams() {
        let read = contents(stream);
        // A thread that nothing of is left has a stream, too.
        let nothing = Contents::default();
        let original = said
            .iter()
            .find(|original| original.thread == read.thread)
            .unwrap_or(&nothing);
        assert!(original.sites.starts_with(&read.sites), "other sites");
        assert!(
            is_part_of(&read.properties, &original.properties),
            "other properties"
        );
        assert!(is_part_of(&read.blocks, &original.blocks), "other events");
        assert!(is_part_of(&read.profiles, &original.profiles), "other sums");
        assert!(
            is_part_of(&read.comparisons, &original.comparisons),
            "other comparisons"
        );
        if stream.lost_blocks() == 0 && stream.lost_events() == 0 {
            assert!(
                original.events.0.starts_with(&read.events.0),
                "other events in a whole stream"
            );
        }
    }
});

/// Operation, place (2 bytes), length or value, and where to (2 bytes).
fn apply(bytes: &mut Vec<u8>, edit: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    let place = |low: u8, high: u8| usize::from(u16::from_le_bytes([low, high])) % bytes.len();
    let (at, to) = (place(edit[1], edit[2]), place(edit[4], edit[5]));
    let end = (at + usize::from(edit[3])).min(bytes.len());
    match edit[0] % 8 {
        0 => bytes[at] ^= 1 << (edit[3] % 8),
        1 => bytes[at] = edit[3],
        2 => bytes[at..end].fill(0),
        3 => bytes.truncate(at),
        4 => drop(bytes.drain(at..end)),
        5 => {
            let to = to.min(bytes.len() - (end - at));
            bytes.copy_within(at..end, to);
        }
        6 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(to..to, part);
        }
        _ => {
            // Bytes that stand for integers, by one more or less.
            bytes[at] = bytes[at].wrapping_add(edit[3] | 1);
        }
    }
}

/// Whether these are some of the others, in their order.
fn is_part_of<T: PartialEq>(some: &[T], all: &[T]) -> bool {
    let mut all = all.iter();
    some.iter().all(|one| all.any(|other| other == one))
}
