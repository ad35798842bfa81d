//! A program without a recorder: metrics are accepted, and nothing happens.

use std::time::Duration;

use pgas_program_metrics::{Counter, LONGEST_NAME, MOST_METRICS, MetricError, Timer, define};

#[test]
fn metrics_do_nothing_and_never_run_out() {
    for number in 0..100 {
        let counter = Counter::numbered(number).unwrap();
        counter.set(5);
        counter.add(5);
        counter.subtract(1);
        assert_eq!(counter.value(), 0);
        let timer = counter.attach();
        let _running = timer.scope();
        assert_eq!(timer.elapsed(), Duration::ZERO);
    }
    Timer::new("phase").unwrap().start();
    define("phases = time() if phase == 1").unwrap();
}

#[test]
fn names_are_checked_without_a_recorder_too() {
    let long = "n".repeat(LONGEST_NAME + 1);
    for name in ["", "a\0b", &long] {
        let error = Counter::new(name).unwrap_err();
        assert_eq!(error, MetricError::Name { name: name.into() });
        assert!(Timer::new(name).is_err());
    }
    let error = Timer::new(&long).unwrap_err().to_string();
    assert!(
        error.ends_with("found a name of 41 bytes, expected 1 to 40 without a zero byte"),
        "{error}"
    );
    assert!(Counter::new(&long[1..]).is_ok());
    assert!(define("a\0").is_err());
}

#[test]
fn limits_are_those_of_live_pages() {
    assert_eq!(MOST_METRICS, pgas_live::metric::METRICS);
    assert_eq!(LONGEST_NAME, pgas_live::metric::LONGEST_METRIC);
}
