//! Clocks are compared as they are, and followed.

use crate::{collective, time};
use pgas_timing::job::{Order, Settings, Timer};
use pgas_timing::operation::Operation;
use pgas_timing::processes::Processes;
use pgas_timing::record::Clocks;
use pgas_timing::simulation::Model;
use pgas_timing::simulation::Thread;
use pgas_timing::simulation::operations::{Algorithm, make};

/// Half a second of computation, so that a measurement takes long.
struct Long<'a>(&'a Thread<'a>);

impl Operation for Long<'_> {
    fn ready(&mut self, _launch: u64) {}

    fn run(&mut self, _launch: u64) {
        self.0.spin(0.5);
    }

    fn done(&mut self, _launch: u64) {}
}

fn settings(order: Order) -> Settings {
    Settings {
        order,
        ..Settings::default()
    }
}

/// Offset and drift of the node's clock against that of node 0.
fn truth(model: &Model, node: usize) -> (f64, f64) {
    let [(offset, drift), (own_offset, own_drift)] = [model.clock(0), model.clock(node)];
    (offset - own_offset, (1.0 + own_drift) / (1.0 + drift) - 1.0)
}

/// Offsets are those at the time of the comparison, which is less than a second after the begin; the
/// drift changes them by less than 100 us until then.
fn assert_right(model: &Model, clocks: &Clocks) {
    for thread in 0..model.threads {
        let (offset, _) = truth(model, model.node(thread));
        let error = clocks.offsets[thread] - offset;
        assert!(error.abs() < 110e-6, "{thread}: {error} {clocks:?}");
        assert!(clocks.uncertainties[thread] < 1.3e-6 * 16.0, "{clocks:?}");
    }
}

#[test]
fn offsets_are_those_of_the_clocks() {
    for order in [Order::Linear, Order::Ring] {
        for (threads, threads_per_node) in [(4, 1), (7, 2), (16, 4)] {
            let model = Model {
                threads_per_node,
                ..Model::cluster(threads, 3)
            };
            let (_, clocks) = time(&model, &settings(order), collective(Algorithm::Barrier));
            assert!(clocks.len() >= 2);
            clocks
                .iter()
                .for_each(|clocks| assert_right(&model, clocks));
        }
    }
}

#[test]
fn drift_is_followed_during_a_long_measurement() {
    for order in [Order::Linear, Order::Ring] {
        let model = Model::cluster(4, 9);
        let operation = make(|thread| Box::new(Long(thread)));
        let (time, clocks) = time(&model, &settings(order), operation);
        let time = time.expect("launches are correct");
        // Thread 0's clock is the measure.
        let (_, drift) = model.clock(0);
        let expected = 0.5 * (1.0 + drift);
        assert!((time.summary.mean - expected).abs() < 1e-6, "{time:?}");
        assert!(clocks.len() > 3, "compared {} times", clocks.len());
        let last = clocks.last().expect("there are some");
        for thread in 1..model.threads {
            let (_, drift) = truth(&model, thread);
            let error = last.drifts[thread] - drift;
            assert!(error.abs() < 1e-6, "{thread}: {error} {last:?}");
        }
        // A stage takes some seconds, in which 100 ppm would be hundreds of microseconds.
        assert!(time.clock_uncertainty < 60e-6, "{}", time.clock_uncertainty);
    }
}

#[test]
fn threads_of_a_node_share_a_clock_unless_all_are_to_be_compared() {
    let model = Model {
        threads_per_node: 4,
        ..Model::cluster(4, 5)
    };
    let run = |settings: &Settings| time(&model, settings, collective(Algorithm::Barrier));
    let (one, clocks) = run(&Settings::default());
    assert_eq!(clocks.len(), 1);
    assert_eq!(
        (clocks[0].exchanges, &clocks[0].uncertainties[..]),
        (0, &[0.0; 4][..])
    );
    let one = one.expect("launches are correct");
    let all = Settings {
        compare_all: true,
        ..Settings::default()
    };
    let model_timer = Settings {
        timer: Timer::Model,
        ..Settings::default()
    };
    for settings in [all, model_timer] {
        let (several, clocks) = run(&settings);
        assert!(clocks[0].exchanges > 300, "{clocks:?}");
        let several = several.expect("launches are correct");
        assert!(several.clock_uncertainty > one.clock_uncertainty);
        assert!(several.start_error > one.start_error);
        assert!(several.start_error < 0.5 * several.clock_uncertainty);
    }
}
