//! Six mistakes of method, each beside the right way.
//!
//! # A loop of linear broadcasts
//!
//! The root sends to the threads 1 .. n-1 in turn, which takes it `o` each. The message for thread
//! `i` arrives after `i o`, and takes `L` on its way and `o` to be received: `t_i = (i + 1) o + L`
//! after the root began. In a loop of `k` calls nobody waits for the receivers, so the root begins
//! call `c` at `c (n - 1) o`, and the last message for thread `i` is there at
//! `(k - 1) (n - 1) o + t_i`. Divided by `k`, and by the time `t_i` that one broadcast takes for
//! this thread, the loop gives the factor
//!
//! `f_i = ((n - 1) (k - 1) o / t_i + 1) / k`
//!
//! With messages that take no time but the root's, `t_i = i o`, this is
//! `(n - 1) (k - 1) / (k i) + 1 / k`: almost `n - 1` times too much by the clock of the first
//! receiver. With a long latency it is the other way round: the loop hides `L`, and even the last
//! thread's time comes out too small.

use super::super::cluster;
use super::super::operations::{Algorithm, Cache, Collective, FirstSlow, make};
use super::{Model, collective, time};
use crate::job::{Method, Settings};
use crate::operation::Operation;
use crate::processes::Processes;

/// One mistake. Times in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    /// Its name.
    pub name: &'static str,
    /// Time by the wrong method.
    pub wrong: f64,
    /// Time by the right one.
    pub right: f64,
}

impl Mistake {
    /// By how much the wrong time is too large; below 1 if it is too small.
    pub fn factor(&self) -> f64 {
        self.wrong / self.right
    }
}

/// All six on clusters with that number of threads. `None` if a measurement failed.
pub fn mistakes(threads: usize, seed: u64) -> Option<Vec<Mistake>> {
    let model = Model::cluster(threads, seed);
    Some(vec![
        first_call(&model)?,
        one_thread(&model)?,
        changing_root(&model)?,
        one_buffer(&model)?,
        barrier_before(&model)?,
        loop_without_starts(&model)?,
    ])
}

/// The operation sets up connections for 2 ms when it is called first; a mean over all eight calls
/// has a share of it.
fn first_call(model: &Model) -> Option<Mistake> {
    let slow = make(|thread| {
        let inner = Collective::new(thread, Algorithm::BinomialBroadcast);
        Box::new(FirstSlow::new(thread, 2e-3, inner))
    });
    let all = cluster::run(model, move |thread| {
        let mut operation = slow(thread);
        let times = (0..8).map(|launch| {
            thread.barrier();
            let begin = thread.true_time();
            operation.run(launch);
            thread.true_time() - begin
        });
        times.sum::<f64>() / 8.0
    });
    Some(Mistake {
        name: "first call counted",
        wrong: all.into_iter().fold(0.0, f64::max),
        right: time(model, &Settings::default(), slow)?.summary.mean,
    })
}

/// The root of a binomial broadcast has sent its messages long before the last thread has one.
fn one_thread(model: &Model) -> Option<Mistake> {
    let settings = Settings {
        per_thread: true,
        ..Settings::default()
    };
    let measured = time(model, &settings, collective(Algorithm::BinomialBroadcast))?;
    Some(Mistake {
        name: "time of one thread",
        wrong: measured.per_thread.first()?.mean,
        right: measured.summary.mean,
    })
}

/// Thread 0 has a node of its own and all others share one: from there a broadcast is another
/// operation.
fn changing_root(model: &Model) -> Option<Mistake> {
    let model = Model {
        first_alone: true,
        threads_per_node: model.threads,
        ..model.clone()
    };
    let rotating =
        make(|thread| Box::new(Collective::rotating(thread, Algorithm::BinomialBroadcast)));
    let settings = Settings::default();
    let fixed = time(&model, &settings, collective(Algorithm::BinomialBroadcast))?;
    Some(Mistake {
        name: "root changed from call to call",
        wrong: time(&model, &settings, rotating)?.summary.mean,
        right: fixed.summary.mean,
    })
}

/// A buffer that the cache does not hold takes 20 us longer.
fn one_buffer(model: &Model) -> Option<Mistake> {
    let with = |buffers| {
        make(move |thread| {
            let inner = Collective::new(thread, Algorithm::BinomialBroadcast);
            Box::new(Cache::new(thread, buffers, 4, 20e-6, inner))
        })
    };
    let settings = Settings::default();
    Some(Mistake {
        name: "one buffer",
        wrong: time(model, &settings, with(1))?.summary.mean,
        right: time(model, &settings, with(16))?.summary.mean,
    })
}

/// The barrier's tree lets thread 0 out first, and with it the root.
fn barrier_before(model: &Model) -> Option<Mistake> {
    let settings = |method| Settings {
        method,
        ..Settings::default()
    };
    let of = |method| {
        time(
            model,
            &settings(method),
            collective(Algorithm::LinearBroadcast),
        )
    };
    Some(Mistake {
        name: "barrier before the operation",
        wrong: of(Method::Barrier)?.summary.mean,
        right: of(Method::Window)?.summary.mean,
    })
}

/// By the clock of the first receiver, which the root serves first.
fn loop_without_starts(model: &Model) -> Option<Mistake> {
    let by_thread = |method| {
        let settings = Settings {
            method,
            per_thread: true,
            ..Settings::default()
        };
        let measured = time(model, &settings, collective(Algorithm::LinearBroadcast))?;
        Some(measured.per_thread.get(1)?.mean)
    };
    Some(Mistake {
        name: "loop without synchronised starts",
        wrong: by_thread(Method::Loop)?,
        right: by_thread(Method::Window)?,
    })
}

/// The factor of a loop of `calls` linear broadcasts by the clock of a thread (from 1): as the
/// formula gives it, and as a cluster without anything random gives it.
pub fn loop_factor(model: &Model, calls: u64, thread: usize) -> (f64, f64) {
    let o = model.overhead;
    let once = (thread + 1) as f64 * o + model.far;
    let sends = (model.threads - 1) as f64 * (calls - 1) as f64 * o;
    let formula = (sends / once + 1.0) / calls as f64;
    let lasts = |calls: u64| {
        let ends = cluster::run(model, move |own| {
            own.idle_until(1.0);
            let mut operation = Collective::new(own, Algorithm::LinearBroadcast);
            (0..calls).for_each(|launch| operation.run(launch));
            own.true_time() - 1.0
        });
        ends[thread]
    };
    (formula, lasts(calls) / calls as f64 / lasts(1))
}
