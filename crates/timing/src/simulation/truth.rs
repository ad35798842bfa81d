//! The true time of an operation: all threads start at the same true time.

use super::cluster;
use super::model::Model;
use super::operations::Make;
use pgas_statistics::trimmed::Trimmed;

const LAUNCHES: u64 = 600;
/// Launches at the begin that do not count.
const FIRST: u64 = 4;

/// Mean over launches, trimmed as times are, of the maximum over threads. Launches are `interval`
/// seconds apart; those into whose start a disturbance falls do not count.
pub fn truth(
    model: &Model,
    interval: f64,
    trimmed_share: f64,
    operation: impl Make,
) -> Option<f64> {
    let model = Model {
        stream: model.stream + 1_000_000,
        ..model.clone()
    };
    let all = cluster::run(&model, move |thread| {
        let mut operation = operation(thread);
        let launches = (0..LAUNCHES).map(|launch| {
            let start = 1.0 + launch as f64 * interval;
            thread.idle_until(start);
            let late = thread.true_time() > start;
            operation.run(launch);
            (late, thread.true_time() - start)
        });
        launches.collect::<Vec<_>>()
    });
    let launches = (FIRST as usize..LAUNCHES as usize).filter_map(|launch| {
        let times = || all.iter().map(|thread| thread[launch]);
        let late = times().any(|(late, _)| late);
        (!late).then(|| times().map(|(_, time)| time).fold(0.0, f64::max))
    });
    let times: Vec<f64> = launches.collect();
    Trimmed::of(&times, trimmed_share).map(|times| times.mean)
}
