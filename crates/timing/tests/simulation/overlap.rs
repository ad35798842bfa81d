//! Overlap of an operation whose halves are known.

use crate::time;
use pgas_timing::job::Settings;
use pgas_timing::simulation::Model;
use pgas_timing::simulation::operations::{Collective, make};

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
    assert_eq!(overlap.computation, time.summary.mean);
}
