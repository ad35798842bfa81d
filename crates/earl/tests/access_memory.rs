//! Events are not kept in memory: what would take much is read with little. In a process of its
//! own, since memory is counted for a whole process.

use std::fs;

use pgas_earl::access::{EventId, EventTrace, History};
use pgas_trace::model::{Attributes, Operation, Site};
use pgas_trace::writer::{CompressionLevel, StreamOptions};
use pgas_trace::{Experiment, ExperimentBuilder};

const THREADS: u32 = 4;
const CALLS: u64 = 80_000;
/// The decoded events would take more than 70 MB.
const ENOUGH: u64 = 32 << 20;

/// Bytes of memory that the process has at present, or had at most.
fn memory(key: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(key)).unwrap();
    let number = line.split_whitespace().nth(1).unwrap();
    number.parse::<u64>().unwrap() << 10
}

#[test]
fn memory_is_bounded() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("e");
    let options = StreamOptions {
        block_size: 256 << 10,
        compression: CompressionLevel::Zstd(1),
    };
    let mut builder = ExperimentBuilder::with_options("long", THREADS, options);
    let main = Site::function("main", "a.upc", 1);
    let get = Site::operation(Operation::Get, "a.upc", 2);
    for number in 0..THREADS {
        let thread = builder.thread(number);
        thread.enter(0, &main, Attributes::None);
        for call in 0..CALLS {
            let time = 10 + call * 20;
            thread
                .enter(time, &get, Attributes::None)
                .exit(time + 5 + u64::from(number), Attributes::None);
        }
    }
    builder.write(&directory).unwrap();
    let experiment = Experiment::open(&directory).unwrap();
    // From here on, the peak is counted anew.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = memory("VmRSS");

    let trace = EventTrace::new(&experiment).unwrap();
    assert_eq!(trace.events(), u64::from(THREADS) * (2 * CALLS + 1));
    let all = trace.replay(0, u64::MAX, &[true; THREADS as usize], History::Read);
    assert_eq!(all.unwrap().count() as u64, trace.events());
    let end = 10 + CALLS * 20;
    assert_eq!(trace.states_at(end).unwrap().threads[3].stack.len(), 1);
    for step in 0..40 {
        // Forwards and backwards, in all threads.
        let number = 1 + (step * 7_919 * 61) % (2 * CALLS);
        let event = trace
            .event(EventId::new(step as u32 % THREADS, number))
            .unwrap();
        let call = (number - 1) / 2;
        let inside = if number % 2 == 1 {
            0
        } else {
            5 + step % u64::from(THREADS)
        };
        assert_eq!(event.time, 10 + call * 20 + inside);
    }
    let used = memory("VmHWM").saturating_sub(before);
    assert!(used < ENOUGH, "{used} bytes");
}
