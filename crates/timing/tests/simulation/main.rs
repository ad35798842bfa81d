//! The method on simulated clusters, where the truth is known.

mod clocks;
mod exactness;
mod launches;
mod mistakes;
mod overlap;
mod timers;

use pgas_timing::job::Settings;
use pgas_timing::record::Clocks;
use pgas_timing::session::{Measurement, Session, TooFew};
use pgas_timing::simulation::operations::{Algorithm, Collective, Make, make};
use pgas_timing::simulation::{Model, cluster};

/// An operation made of messages.
fn collective(algorithm: Algorithm) -> impl Make {
    make(move |thread| Box::new(Collective::new(thread, algorithm)))
}

/// What thread 0 gets, and all comparisons of clocks.
fn time(
    model: &Model,
    settings: &Settings,
    operation: impl Make,
) -> (Result<Measurement, TooFew>, Vec<Clocks>) {
    let settings = settings.clone();
    let all = cluster::run(model, move |thread| {
        let mut session = Session::begin(thread, &settings);
        let time = session.time(&mut *operation(thread), &mut |_| {});
        let clocks = std::iter::from_fn(|| session.clocks());
        (time, clocks.collect::<Vec<_>>())
    });
    let (time, clocks) = all.into_iter().next().expect("there is a thread 0");
    (time.expect("thread 0 has the result"), clocks)
}
