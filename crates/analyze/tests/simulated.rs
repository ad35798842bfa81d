//! Random programs whose waiting is known by simulation: what is found must be the truth, per thread and to the tick.

mod common;

use common::simulator::Simulation;
use common::{analyse_in, per_thread, WAIT_STATES};
use pgas_analyze::search::Stretch;
use proptest::prelude::*;

fn compared() -> impl Iterator<Item = &'static str> {
    WAIT_STATES
        .into_iter()
        .chain(["computation", "one_sided", "measurement"])
}

fn steps() -> impl Strategy<Value = Vec<(u8, u64)>> {
    prop::collection::vec((0u8..6, any::<u64>()), 0..60)
}

fn stretches() -> impl Strategy<Value = Stretch> {
    (1u64..200, 1u64..20).prop_map(|(events, per_thread)| Stretch { events, per_thread })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_truth_is_found(threads in 1usize..9, steps in steps(), stretch in stretches()) {
        let simulation = Simulation::run(threads, &steps);
        let analysis = analyse_in(&simulation.streams, Stretch::default());
        for metric in compared() {
            let truth: Vec<f64> = (0..threads)
                .map(|t| simulation.truth.get(&(metric, t)).copied().unwrap_or(0) as f64)
                .collect();
            prop_assert_eq!(per_thread(&analysis, metric), truth, "{}", metric);
        }
        for (thread, stream) in simulation.streams.iter().enumerate() {
            let events = stream.events();
            let span = events[events.len() - 1].time - events[0].time;
            prop_assert_eq!(per_thread(&analysis, "time")[thread], span as f64);
        }
        let about_stalls = |remark: &String| remark.contains("because of the measurement")
            || remark.contains("because the measurement");
        prop_assert!(analysis.summary.remarks.iter().all(about_stalls), "{:?}", analysis.summary.remarks);

        // How much is read at a time makes no difference.
        let other = analyse_in(&simulation.streams, stretch);
        prop_assert_eq!(&analysis.cube, &other.cube);
        prop_assert_eq!(&analysis.summary, &other.summary);
    }
}

/// The programs above are a test of a metric only if they have it.
#[test]
fn the_simulation_knows_every_metric() {
    let mut numbers = common::numbers::Numbers(1);
    let steps: Vec<_> = (0..400)
        .map(|_| (numbers.below(6) as u8, numbers.below(u64::MAX)))
        .collect();
    let simulation = Simulation::run(5, &steps);
    for metric in compared() {
        let known = simulation
            .truth
            .iter()
            .any(|((m, _), &ticks)| *m == metric && ticks > 0);
        assert!(known, "{metric}");
    }
}
