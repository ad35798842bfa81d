//! Stated intervals hold the truth.

use pgas_timing::job::{Method, Order};
use pgas_timing::simulation::Model;
use pgas_timing::simulation::experiments::{coverage, reproducibility};
use pgas_timing::simulation::operations::Algorithm;

fn assert_covers(order: Order) {
    for threads in [4, 8, 16] {
        let found = coverage(order, threads, 0..100);
        assert!(found.inside >= 95, "{found:?}");
        // An interval that holds everything says nothing.
        assert!(found.stated < 2e-6 * (threads + 4) as f64, "{found:?}");
        assert!(found.error < 0.5e-6, "{found:?}");
    }
}

#[test]
fn the_truth_is_inside_with_clocks_compared_linearly() {
    assert_covers(Order::Linear);
}

#[test]
fn the_truth_is_inside_with_clocks_compared_along_a_ring() {
    assert_covers(Order::Ring);
}

#[test]
fn repetitions_agree_on_the_truth_where_other_methods_do_not() {
    let of = |method| {
        let cluster = Model::cluster(16, 1);
        reproducibility(method, Algorithm::LinearBroadcast, &cluster, 10).expect("a time")
    };
    let [window, barrier, in_a_loop] = [Method::Window, Method::Barrier, Method::Loop].map(of);
    assert!(window.relative_error < 0.01, "{window:?}");
    assert!(window.bias.abs() < 0.05, "{window:?}");
    assert!(barrier.bias < -0.2, "{barrier:?}");
    assert!(in_a_loop.bias < -0.2, "{in_a_loop:?}");
}
