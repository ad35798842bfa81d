//! Random programs: what is counted in blocks, in parallel, is what a simple reading from first to
//! last finds.

use std::collections::BTreeMap;

use pgas_score::Score;
use pgas_trace::model::{Attributes, EventKind, Operation, Site};
use pgas_trace::writer::{CompressionLevel, StreamOptions};
use pgas_trace::{Experiment, ExperimentBuilder};
use proptest::prelude::*;

const FUNCTIONS: usize = 6;

fn site(number: usize) -> Site {
    match number {
        FUNCTIONS => Site::operation(Operation::Fence, "a.upc", 9),
        number => Site::function(&format!("f{number}"), "a.upc", 1),
    }
}

/// Steps of time, and either a site to enter or the end of what is open.
fn build(steps: &[(u16, Option<usize>)]) -> ExperimentBuilder {
    let options = StreamOptions {
        // Small blocks: many of them, with open regions at their borders.
        block_size: 200,
        compression: CompressionLevel::Zstd(1),
    };
    let mut builder = ExperimentBuilder::with_options("random", 1, options);
    let thread = builder.thread(0);
    let (mut now, mut open) = (0u64, 0);
    for &(step, enter) in steps {
        now += u64::from(step);
        match enter {
            Some(number) => {
                thread.enter(now, &site(number), Attributes::None);
                open += 1;
            }
            None if open > 0 => {
                thread.exit(now, Attributes::None);
                open -= 1;
            }
            None => {}
        }
    }
    for _ in 0..open {
        thread.exit(now, Attributes::None);
    }
    builder
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn blocks_add_up_to_the_stream(
        steps in proptest::collection::vec(
            (0u16..2000, proptest::option::weighted(0.5, 0..=FUNCTIONS)), 1..800),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("experiment");
        build(&steps).write(&path).unwrap();
        let experiment = Experiment::open(&path).unwrap();
        let score = Score::read(&experiment, &|_| ()).unwrap();

        // name: events, exclusive ticks, inclusive ticks, communicates
        let mut expected: BTreeMap<String, (u64, u64, u64, bool)> = BTreeMap::new();
        for stream in experiment.streams() {
            let mut open: Vec<(String, u64)> = Vec::new();
            let mut last = 0;
            for event in stream.events() {
                let event = event.unwrap();
                if let Some((name, _)) = open.last() {
                    expected.get_mut(name).unwrap().1 += event.time - last;
                }
                last = event.time;
                match event.kind {
                    EventKind::Enter { site, .. } => {
                        let site = stream.site(site);
                        let name = match site.operation {
                            Operation::Function => site.name.clone(),
                            operation => operation.name().to_owned(),
                        };
                        if site.operation != Operation::Function {
                            for (name, _) in &open {
                                expected.get_mut(name).unwrap().3 = true;
                            }
                        }
                        expected.entry(name.clone()).or_default().0 += 1;
                        open.push((name, event.time));
                    }
                    EventKind::Exit { .. } => {
                        let (name, entered) = open.pop().unwrap();
                        let figures = expected.get_mut(&name).unwrap();
                        figures.0 += 1;
                        figures.2 += event.time - entered;
                    }
                }
            }
        }
        let per_tick = experiment.clock().seconds_per_tick();
        let mut bytes = 0.0;
        prop_assert_eq!(score.regions.len(), expected.len());
        for region in &score.regions {
            let total = region.total();
            let (events, exclusive, inclusive, communicates) = expected[&region.name];
            prop_assert_eq!(total.events, events, "{}", region.name);
            prop_assert_eq!(total.seconds, exclusive as f64 * per_tick, "{}", region.name);
            prop_assert_eq!(total.inclusive_seconds, inclusive as f64 * per_tick);
            if region.operation == Operation::Function {
                let name = if communicates { "COM" } else { "USR" };
                prop_assert_eq!(region.kind.name(), name, "{}", region.name);
            }
            bytes += total.bytes;
        }
        // All of the blocks but their headers' share and the regions that are open when they begin.
        let stored: u64 = experiment.streams()[0].blocks().iter().map(|b| b.stored_bytes()).sum();
        prop_assert!(bytes <= stored as f64, "{} of {}", bytes, stored);
        prop_assert!(expected.is_empty() || bytes > 0.3 * stored as f64, "{} of {}", bytes, stored);
    }
}
