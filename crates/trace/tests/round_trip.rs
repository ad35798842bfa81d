//! Round trip through a stream, whatever the sizes of blocks and the compression.

mod support;

use pgas_trace::writer::{CompressionLevel, StreamOptions};
use pgas_trace::{Experiment, ExperimentBuilder};
use proptest::prelude::*;
use support::{Step, check_every_beginning, read_steps, steps};

fn build(threads: &[Vec<Step>], options: StreamOptions, killed: bool) -> ExperimentBuilder {
    let mut builder = ExperimentBuilder::with_options("p", threads.len() as u32, options);
    for (number, steps) in threads.iter().enumerate() {
        let thread = builder.thread(number as u32);
        for step in steps {
            match step {
                Step::Enter(time, site, attributes) => thread.enter(*time, site, *attributes),
                Step::Exit(time, _, attributes) => thread.exit(*time, *attributes),
            };
        }
        if killed {
            thread.killed();
        }
    }
    builder
}

fn options() -> impl Strategy<Value = StreamOptions> {
    let compression = prop_oneof![
        Just(CompressionLevel::None),
        (1..4).prop_map(CompressionLevel::Zstd)
    ];
    (prop_oneof![1usize..100, Just(4 << 20)], compression).prop_map(|(block_size, compression)| {
        StreamOptions {
            block_size,
            compression,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn streams(threads in proptest::collection::vec(steps(200), 1..4), options in options(), killed in any::<bool>()) {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("e");
        build(&threads, options, killed).write(&directory).unwrap();
        prop_assert_eq!(&read_steps(&directory).unwrap(), &threads);

        let experiment = Experiment::open(&directory).unwrap();
        for (stream, steps) in experiment.streams().iter().zip(&threads) {
            prop_assert_eq!(stream.complete(), !killed);
            prop_assert_eq!(stream.remarks().is_empty(), !killed);
            prop_assert_eq!(stream.lost_blocks(), 0);
            prop_assert_eq!(stream.event_count(), steps.len() as u64);
            // Blocks in reverse order, each by itself, give the same as all in sequence.
            let mut backwards = Vec::new();
            for index in (0..stream.blocks().len()).rev() {
                let info = stream.blocks()[index];
                let block = stream.block_events(index).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
                prop_assert_eq!(block.len(), info.events as usize);
                prop_assert_eq!(block.first().map(|e| e.time), Some(info.first_time));
                prop_assert_eq!(block.last().map(|e| e.time), Some(info.last_time));
                backwards.splice(0..0, block);
            }
            let forwards = stream.events().collect::<Result<Vec<_>, _>>().unwrap();
            prop_assert_eq!(backwards, forwards);
            check_every_beginning(stream);
        }
    }
}
