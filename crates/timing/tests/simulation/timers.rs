//! Good timers pass the wait patterns, and broken ones are refused.

use pgas_timing::job::{Fault, Settings};
use pgas_timing::record::TimerCheck;
use pgas_timing::session::Session;
use pgas_timing::simulation::{Model, cluster};

fn check(model: &Model) -> TimerCheck {
    let all = cluster::run(model, |thread| {
        Session::begin(thread, &Settings::default()).check_timer()
    });
    let first = all.into_iter().next().flatten();
    first.expect("thread 0 has the result")
}

fn refused(threads: usize, fault: Fault) -> Vec<String> {
    let model = Model {
        fault,
        ..Model::cluster(threads, 1)
    };
    check(&model).refused
}

#[test]
fn a_good_timer_passes_on_2_to_16_threads() {
    for threads in [1, 2, 3, 8, 16] {
        for seed in 0..5 {
            let found = check(&Model::cluster(threads, seed));
            assert_eq!(found.refused, Vec::<String>::new());
            assert!(found.judged);
            let ups = found.rows.iter().filter(|row| row.pattern == "up");
            let numbers: Vec<usize> = ups.map(|row| row.threads).collect();
            assert_eq!(numbers, (2.min(threads)..=threads).collect::<Vec<_>>());
            for row in &found.rows {
                let error = row.summary.mean - row.expected;
                assert!(error.abs() <= row.tolerance, "{row:?}");
            }
        }
    }
}

#[test]
fn a_timer_that_drifts_is_refused() {
    for drift in [0.01, -0.01, 0.3] {
        for threads in [1, 2, 16] {
            let fault = Fault {
                drift,
                ..Fault::default()
            };
            let reasons = refused(threads, fault);
            let said = reasons.iter().any(|reason| reason.contains("pattern rate"));
            assert!(said, "{drift} {threads}: {reasons:?}");
        }
    }
}

#[test]
fn a_timer_that_jumps_is_refused() {
    let fault = Fault {
        step: 10e-6,
        ..Fault::default()
    };
    let reasons = refused(4, fault);
    assert!(
        reasons.iter().any(|reason| reason.contains("1000.000 us")),
        "{reasons:?}"
    );
}

#[test]
fn a_coarse_timer_is_refused() {
    let fault = Fault {
        resolution: 10e-6,
        ..Fault::default()
    };
    for threads in [1, 4] {
        let reasons = refused(threads, fault);
        let said = reasons
            .iter()
            .any(|reason| reason.contains("no difference below"));
        assert!(said, "{reasons:?}");
    }
    let reasons = refused(4, fault);
    assert!(
        reasons.iter().any(|reason| reason.contains("pattern up")),
        "{reasons:?}"
    );
}

#[test]
fn threads_that_share_cores_judge_the_rate_of_a_timer_alone() {
    for (drift, is_refused) in [(0.0, false), (0.3, true), (-0.01, true)] {
        let model = Model {
            have_cores: false,
            fault: Fault {
                drift,
                ..Fault::default()
            },
            ..Model::cluster(4, 1)
        };
        let found = check(&model);
        assert!(!found.judged && found.undecided.len() == 1, "{found:?}");
        let patterns: Vec<&str> = found.rows.iter().map(|row| &*row.pattern).collect();
        assert_eq!(patterns, ["rate"]);
        let refused = found.refused.iter().any(|reason| reason.contains("rate"));
        assert_eq!(refused, is_refused, "{:?}", found.refused);
    }
}
