//! Prints how often a comparison calls a difference certain on simulated clusters: where nothing has
//! changed, and where messages take longer; with the errors of clocks, and with their bounds.
//!
//! Argument: the number of comparisons of each kind. Each has four operations.

use pgas_timing::job::{Case, Order, Settings};
use pgas_timing::record::Timing;
use pgas_timing::session::Session;
use pgas_timing::simulation::experiments::{ALGORITHMS, Network};
use pgas_timing::simulation::operations::Collective;
use pgas_timing::simulation::{Model, cluster};
use pgas_timing_report::compare::compare;
use pgas_timing_report::results::{Results, Run, SCHEMA};
use std::collections::BTreeMap;

const THREADS: usize = 8;

fn main() -> Result<(), String> {
    let comparisons = std::env::args().nth(1).map(|number| number.parse::<u64>());
    let Some(Ok(comparisons)) = comparisons else {
        return Err("the number of comparisons is needed".to_owned());
    };
    println!(
        "Comparisons of {} operations on {THREADS} threads that call one of them certainly different",
        ALGORITHMS.len()
    );
    println!("messages  order   repetitions  certain  with bounds of clocks");
    for longer in [0.0, 0.1, 0.5] {
        for order in [Order::Linear, Order::Ring] {
            for repetitions in [1, 3] {
                let settings = Settings {
                    order,
                    repetitions,
                    ..Settings::default()
                };
                let found = certain(&settings, longer, comparisons);
                let [errors, bounds] = found.map(|f| 100.0 * f as f64 / comparisons as f64);
                let change = format!("{:+.0} %", 100.0 * longer);
                let order = format!("{order:?}").to_lowercase();
                println!("{change:8}  {order:6} {repetitions:12} {errors:7.1}% {bounds:21.1}%");
            }
        }
    }
    Ok(())
}

/// Comparisons with a row that is certain: by errors of clocks, and by their bounds.
fn certain(settings: &Settings, longer: f64, comparisons: u64) -> [usize; 2] {
    let mut found = [0; 2];
    for seed in 0..comparisons {
        let before = Network::Asymmetric.cluster(THREADS, seed);
        let after = Model {
            far: (1.0 + longer) * before.far,
            stream: 1,
            ..before.clone()
        };
        let [before, after] = [before, after].map(|model| results(&model, settings));
        let bounds = [&before, &after].map(with_bounds);
        let is_certain = |before: &Results, after: &Results| {
            usize::from(compare(before, after).rows.iter().any(|row| row.certain))
        };
        found[0] += is_certain(&before, &after);
        found[1] += is_certain(&bounds[0], &bounds[1]);
    }
    found
}

fn with_bounds(results: &Results) -> Results {
    let mut results = results.clone();
    for timing in results.runs.iter_mut().flat_map(|run| &mut run.timings) {
        timing.start_error = timing.clock_uncertainty;
    }
    results
}

fn results(model: &Model, settings: &Settings) -> Results {
    Results {
        schema: SCHEMA,
        written_by: String::new(),
        compiler: String::new(),
        settings: settings.clone(),
        runs: vec![Run {
            threads: model.threads as u32,
            nodes: None,
            launcher: None,
            start: None,
            timer: None,
            clocks: Vec::new(),
            timings: timings(model, settings),
            failures: Vec::new(),
            interrupted: false,
        }],
    }
}

/// One start of the program: all operations, each as often as settings say.
fn timings(model: &Model, settings: &Settings) -> Vec<Timing> {
    let with = settings.clone();
    let all = cluster::run(model, move |thread| {
        let mut session = Session::begin(thread, &with);
        let mut timings = Vec::new();
        for (number, algorithm) in ALGORITHMS.into_iter().enumerate() {
            let case = Case {
                operation: format!("{algorithm:?}"),
                bytes: None,
                arguments: BTreeMap::new(),
            };
            for repetition in 0..with.repetitions {
                let mut operation = Collective::new(thread, algorithm);
                let measured = session.time(&mut operation, &mut |_| {});
                let timing = measured.and_then(Result::ok);
                timings
                    .extend(timing.map(|t| t.into_timing(number, case.clone(), repetition, None)));
            }
        }
        timings
    });
    all.into_iter().next().unwrap_or_default()
}
