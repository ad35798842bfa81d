//! Random programs whose waiting is known by simulation: what is found must be the truth, per
//! thread and to the tick.

use std::sync::OnceLock;

use crate::common::simulator::{KINDS_OF_STEPS, Simulation};
use crate::common::truth::{Ticks, Truth};
use crate::common::{
    WAIT_STATES, analyse_in, by_place, description, find, instances_add_up, per_thread,
};
use pgas_analyze::conclude;
use pgas_analyze::patterns::PATTERNS;
use pgas_analyze::search::{Found, Stretch};
use pgas_earl::{MemorySource, StreamBuilder};
use pgas_trace::model::Event;
use proptest::prelude::*;

fn compared() -> impl Iterator<Item = &'static str> {
    WAIT_STATES
        .into_iter()
        .chain(["computation", "one_sided", "measurement"])
}

fn steps() -> impl Strategy<Value = Vec<(u8, u64)>> {
    prop::collection::vec((0..KINDS_OF_STEPS, any::<u64>()), 0..60)
}

fn stretches() -> impl Strategy<Value = Stretch> {
    (1u64..200, 1u64..20).prop_map(|(events, per_thread)| Stretch { events, per_thread })
}

/// Does `work` with `cores` cores, from 1 to 3.
fn on_cores<T: Send>(cores: usize, work: impl FnOnce() -> T + Send) -> T {
    static POOLS: OnceLock<Vec<rayon::ThreadPool>> = OnceLock::new();
    let pools = POOLS.get_or_init(|| {
        let pool = |cores| rayon::ThreadPoolBuilder::new().num_threads(cores).build();
        (1..4).map(|cores| pool(cores).expect("a pool")).collect()
    });
    pools[cores - 1].install(work)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_truth_is_found(threads in 1usize..9, steps in steps(), stretch in stretches(), cores in 1usize..4) {
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

        let (path, changes) = Truth::of(&simulation).critical_path();
        prop_assert_eq!(by_place(&analysis, "critical_path"), path);
        prop_assert_eq!(find_in(&simulation, 1).critical.path.changes, changes);

        instances_add_up(&analysis);

        // How much is read at a time makes no difference, nor how many cores do it.
        let other = on_cores(cores, || analyse_in(&simulation.streams, stretch));
        prop_assert_eq!(&analysis.cube, &other.cube);
        prop_assert_eq!(&analysis.summary, &other.summary);
    }
}

/// Results of a simulation whose ticks are multiplied by `scale`.
fn find_in(simulation: &Simulation, scale: u64) -> Found {
    let source = |stream: &StreamBuilder| {
        let events = stream.events().iter().map(|event| Event {
            time: event.time * scale,
            ..*event
        });
        MemorySource::new(stream.sites().to_vec(), events.collect())
    };
    let sources = simulation.streams.iter().map(source).collect();
    find(sources, Stretch::default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Root causes are whole ticks, of which here there are enough that rounding does not count.
    #[test]
    fn root_causes_are_found(threads in 1usize..9, steps in steps()) {
        const SCALE: u64 = 1 << 20;
        let simulation = Simulation::run(threads, &steps);
        let found = find_in(&simulation, SCALE);
        let analysis = conclude(&found, 1.0 / SCALE as f64, description(threads), Vec::new());
        let truth = Truth::of(&simulation).delays();
        for (metric, truth) in ["delay_short_term", "delay_long_term"].into_iter().zip(truth) {
            let delays = by_place(&analysis, metric);
            let value = |ticks: &Ticks, place| ticks.get(place).copied().unwrap_or(0.0);
            for place in delays.keys().chain(truth.keys()) {
                let (found, true_value) = (value(&delays, place), value(&truth, place));
                prop_assert!((found - true_value).abs() < 0.001, "{metric} {place:?}: {found} for {true_value}");
            }
        }
        // Nothing is blamed for more waiting than there was.
        for number in 0..PATTERNS.len() {
            for (_, entry) in found.matcher.severities().entries(number) {
                let blamed: u64 = entry.causes.values().map(|blame| blame.total()).sum();
                prop_assert!(blamed <= entry.total());
            }
        }
    }
}

/// The programs above are a test of a metric only if they have it.
#[test]
fn the_simulation_knows_every_metric() {
    let mut numbers = crate::common::numbers::Numbers(1);
    let steps: Vec<_> = (0..800)
        .map(|_| {
            (
                numbers.below(KINDS_OF_STEPS.into()) as u8,
                numbers.below(u64::MAX),
            )
        })
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
