//! Overlap of an operation whose halves are known.

use crate::time;
use pgas_timing::job::Settings;
use pgas_timing::operation::Operation;
use pgas_timing::simulation::operations::{Collective, make};
use pgas_timing::simulation::{Model, Thread};

#[test]
fn the_way_of_a_message_is_hidden_and_its_receipt_is_not() {
    let model = Model {
        far: 20e-6,
        ..Model::quiet(2)
    };
    let message = make(|thread| Box::new(Collective::in_halves(thread)));
    let (time, _) = time(&model, &Settings::default(), message);
    let time = time.expect("they are correct");
    let overlap = time.overlap.expect("it has halves");
    // T = L + 2 o; with computation between the halves, the receiver takes T + o.
    let expected = 1.0 - model.overhead / (model.far + 2.0 * model.overhead);
    assert!((overlap.hidden - expected).abs() < 0.01, "{overlap:?}");
    let (low, high) = overlap.interval;
    assert!(low <= expected && expected <= high, "{overlap:?}");
    let of_time = overlap.computation / time.summary.mean;
    assert!((of_time - 1.0).abs() < 0.01, "{overlap:?}");
}

/// An operation that a progress thread of the library performs on the core of its caller.
struct OnTheSameCore<'a>(&'a Thread<'a>);

const PROGRESS: f64 = 30e-6;

impl Operation for OnTheSameCore<'_> {
    fn ready(&mut self, _launch: u64) {}

    fn run(&mut self, launch: u64) {
        self.start(launch);
        self.complete(launch);
    }

    fn done(&mut self, _launch: u64) {}

    fn has_halves(&self) -> bool {
        true
    }

    fn start(&mut self, _launch: u64) {
        self.0.needs_progress(PROGRESS);
    }

    fn complete(&mut self, _launch: u64) {
        self.0.wait_for_progress();
    }
}

#[test]
fn a_progress_thread_that_takes_the_core_hides_nothing() {
    let operation = make(|thread| Box::new(OnTheSameCore(thread)));
    let (time, _) = time(&Model::quiet(2), &Settings::default(), operation);
    let time = time.expect("they are correct");
    assert!((time.summary.mean / PROGRESS - 1.0).abs() < 0.02);
    let overlap = time.overlap.expect("it has halves");
    assert!(overlap.hidden < 0.01, "{overlap:?}");
}
