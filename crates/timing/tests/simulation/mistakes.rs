//! Mistakes that the method avoids have the size that they must have.

use pgas_timing::simulation::Model;
use pgas_timing::simulation::experiments::{loop_factor, mistakes};

#[test]
fn each_mistake_shows_beside_the_right_way() {
    let found = mistakes(16, 1).expect("launches are correct");
    let factors: Vec<f64> = found.iter().map(|mistake| mistake.factor()).collect();
    let [first, one, root, buffer, barrier, in_a_loop] = factors[..] else {
        panic!("six mistakes, not {found:?}");
    };
    // 2 ms of eight calls.
    assert!(
        (found[0].wrong - found[0].right - 250e-6).abs() < 10e-6,
        "{first}"
    );
    assert!(one < 0.2, "{one}");
    assert!(root < 0.9, "{root}");
    assert!(
        (found[3].right - found[3].wrong - 20e-6).abs() < 1e-6,
        "{buffer}"
    );
    assert!(barrier < 0.8, "{barrier}");
    assert!(in_a_loop > 1.5, "{in_a_loop}");
}

#[test]
fn a_loop_of_linear_broadcasts_is_wrong_by_the_factor_of_the_formula() {
    for threads in [2, 5, 16] {
        for calls in [1, 2, 8, 100] {
            for far in [0.0, 1.5e-6, 40e-6] {
                let model = Model {
                    far,
                    ..Model::quiet(threads)
                };
                for thread in [1, threads / 2, threads - 1] {
                    let (formula, simulated) = loop_factor(&model, calls, thread);
                    assert!(
                        (formula / simulated - 1.0).abs() < 1e-6,
                        "{threads} {calls} {far} {thread}: {formula} {simulated}"
                    );
                }
            }
        }
    }
}
