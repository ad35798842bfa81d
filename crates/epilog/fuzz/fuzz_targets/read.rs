//! Any bytes as an EPILOG file: no panic, no unbounded memory; what is taken makes an experiment
//! that can be read and written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgas_epilog::{Options, check, read_file, write_file};
use pgas_trace::Experiment;

fuzz_target!(|input: &[u8]| {
    let Ok(parent) = tempfile::tempdir_in("/dev/shm") else {
        return;
    };
    let path = parent.path().join("x.elg");
    std::fs::write(&path, input).expect("write");
    let Ok(contents) = check(&path) else { return };
    let directory = parent.path().join("e");
    // Names of streams, times beyond what ticks can say: not all that EPILOG allows is an
    // experiment.
    let Ok(imported) = read_file(&path, &directory, &|_| {}) else {
        return;
    };
    assert_eq!(imported.contents, contents);
    let experiment = Experiment::open(&directory).expect("an experiment");
    for stream in experiment.streams() {
        for event in stream.events() {
            event.expect("an event");
        }
    }
    let again = parent.path().join("again.elg");
    write_file(&experiment, &again, Options::default(), &|_| {}).expect("written again");
    check(&again).expect("read again");
});
