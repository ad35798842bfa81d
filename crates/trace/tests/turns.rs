//! Streams that are read in turns, with less memory than a block needs: the events are those of
//! reading without a pause.

use pgas_trace::model::{Attributes, Event, Operation, Site};
use pgas_trace::reader::BlockMemory;
use pgas_trace::{Experiment, ExperimentBuilder};

/// Transfers whose times and sizes leave little to compress, in a block of some hundred thousand
/// bytes.
fn experiment(directory: &std::path::Path) -> Experiment {
    let mut builder = ExperimentBuilder::new("turns", 1);
    let main = Site::function("main", "a.upc", 1);
    let stream = builder.thread(0).enter(0, &main, Attributes::None);
    let mut time = 0;
    for number in 0..40_000u64 {
        let odd = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
        let site = Site::operation(Operation::Memget, "a.upc", 10 + (odd % 7) as u32);
        time += 1 + odd;
        stream.enter(time, &site, Attributes::transfer(odd as u32 % 4, odd));
        time += 20 + odd % 90;
        stream.exit(time, Attributes::None);
    }
    stream.exit(time, Attributes::None);
    builder.write(directory).unwrap();
    Experiment::open(directory).unwrap()
}

#[test]
fn what_is_given_up_is_read_again() {
    let directory = tempfile::tempdir().unwrap();
    let experiment = experiment(&directory.path().join("experiment"));
    let stream = &experiment.streams()[0];
    let all: Vec<Event> = stream.events().map(Result::unwrap).collect();
    let memory = BlockMemory::new(1, 1);
    let whole = stream.blocks()[0].raw_bytes() as usize;
    assert!(2 * memory.share() < whole, "{whole}");

    for turn in [1000, 4321, 70_000] {
        let mut reading = stream.events().sharing(&memory);
        let mut events = Vec::new();
        loop {
            // What comes one by one and what comes at once follow each other.
            events.extend(reading.by_ref().take(3).map(Result::unwrap));
            let before = events.len();
            let mut left = turn;
            while left > 0 {
                let length = events.len();
                reading.fill(&mut events, left).unwrap();
                if events.len() == length {
                    break;
                }
                left -= events.len() - length;
            }
            reading.rest();
            if events.len() == before {
                break;
            }
        }
        assert_eq!(events.len(), all.len());
        assert!(events == all, "turns of {turn} events");
    }
}
