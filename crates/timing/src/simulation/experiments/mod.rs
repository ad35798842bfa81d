//! Experiments on simulated clusters: how exact the method is, what mistakes cost that it avoids,
//! and how well its results repeat.

mod coverage;
mod mistakes;
mod reproducibility;

pub use coverage::{ALGORITHMS, Coverage, Network, coverage};
pub use mistakes::{Mistake, loop_factor, mistakes};
pub use reproducibility::{Scatter, reproducibility};

use super::Model;
use super::cluster;
use super::operations::{Algorithm, Collective, Make, make};
use crate::job::Settings;
use crate::session::{Measurement, Session};

/// Times an operation on a simulated cluster; `None` if too few launches were correct.
fn time(model: &Model, settings: &Settings, operation: impl Make) -> Option<Measurement> {
    let settings = settings.clone();
    let all = cluster::run(model, move |thread| {
        let mut session = Session::begin(thread, &settings);
        session.time(&mut *operation(thread), &mut |_| {})
    });
    all.into_iter().next().flatten()?.ok()
}

/// An operation made of messages, with thread 0 as its root.
fn collective(algorithm: Algorithm) -> impl Make {
    make(move |thread| Box::new(Collective::new(thread, algorithm)))
}
