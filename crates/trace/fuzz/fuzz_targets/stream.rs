//! Any bytes as a stream: no panic, no unbounded memory; and what is read nests and is ordered in time. The checksums
//! are made right first, since no fuzzer gets past them otherwise.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgas_trace::model::EventKind;
use pgas_trace::format::checksum;
use pgas_trace::{experiment, Experiment, Metadata};

fuzz_target!(|input: &[u8]| {
    let mut bytes = input.to_vec();
    reseal(&mut bytes);
    let Ok(parent) = tempfile::tempdir_in("/dev/shm") else { return };
    let directory = parent.path().join("e");
    experiment::create(&directory, &Metadata::new("fuzz", &[], 4)).expect("create");
    std::fs::write(directory.join("streams/thread-0000.pgt"), &bytes).expect("write");
    let Ok(experiment) = Experiment::open(&directory) else { return };
    for stream in experiment.streams() {
        let (mut depth, mut time) = (0_u64, 0);
        for event in stream.events() {
            let Ok(event) = event else { break };
            assert!(event.time >= time);
            time = event.time;
            match event.kind {
                EventKind::Enter { site, .. } => {
                    stream.site(site);
                    depth += 1;
                }
                EventKind::Exit { .. } => depth = depth.checked_sub(1).expect("an Enter for each Exit"),
            }
        }
        for index in 0..stream.blocks().len() {
            if let Ok(block) = stream.block_events(index) {
                block.for_each(drop);
            }
        }
    }
});

fn reseal(bytes: &mut [u8]) {
    if bytes.len() < 64 {
        return;
    }
    let sum = checksum(&bytes[..56]);
    bytes[56..64].copy_from_slice(&sum.to_le_bytes());
    let mut at = 64;
    while at + 80 <= bytes.len() {
        let mut length = [0; 4];
        length.copy_from_slice(&bytes[at + 40..at + 44]);
        let end = at + 80 + u32::from_le_bytes(length) as usize;
        if end > bytes.len() {
            return;
        }
        let sum = checksum(&bytes[at + 80..end]);
        bytes[at + 64..at + 72].copy_from_slice(&sum.to_le_bytes());
        let sum = checksum(&bytes[at..at + 76]) as u32;
        bytes[at + 76..at + 80].copy_from_slice(&sum.to_le_bytes());
        at = end;
    }
}
