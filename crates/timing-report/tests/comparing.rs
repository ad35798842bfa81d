//! Comparisons: what is certain, and what is not.

mod common;

use common::{results, timing};
use pgas_timing::job::Timer;
use pgas_timing_report::compare::{compare, compare_all};
use pgas_timing_report::text;

#[test]
fn what_became_slower_is_certain_and_what_did_not_is_not() {
    let before = results(1.0, 1);
    let mut after = results(1.0, 2);
    let slow = &mut after.runs[1].timings[0];
    *slow = timing("upc_barrier", None, 4, 1.3 * 9e-7, 77);
    let comparison = compare(&before, &after);
    let certain: Vec<_> = comparison.rows.iter().filter(|row| row.certain).collect();
    assert_eq!(certain.len(), 1, "{certain:#?}");
    let row = certain[0];
    assert_eq!((row.what.as_str(), row.threads), ("upc_barrier root=0", 4));
    let (low, high) = row.interval.unwrap();
    assert!(low < 1.3 && 1.3 < high, "{row:?}");
    assert_eq!(comparison.fail_on(20.0).len(), 1);
    assert!(comparison.fail_on(30.0).is_empty());
    let shown = text::comparison(&comparison, true);
    assert!(
        shown.contains(" slower\n") && shown.contains("36 rows compared, 1 certainly slower"),
        "{shown}"
    );
}

#[test]
fn faster_rows_never_fail() {
    let comparison = compare(&results(1.0, 1), &results(0.5, 2));
    assert!(
        comparison
            .rows
            .iter()
            .all(|row| row.certain && row.factor < 1.0)
    );
    assert!(comparison.fail_on(0.0).is_empty());
}

/// Of 50 comparisons of equal programs with 36 rows each, those with any certain row.
#[test]
fn equal_programs_hardly_ever_differ() {
    let alarms = (0..50u64).filter(|number| {
        let sides = (results(1.0, 2 * number + 11), results(1.0, 2 * number + 12));
        compare(&sides.0, &sides.1)
            .rows
            .iter()
            .any(|row| row.certain)
    });
    let alarms = alarms.count();
    assert!(
        alarms <= 6,
        "{alarms} of 50, of which 2.5 are expected at most"
    );
}

#[test]
fn repetitions_count_how_starts_differ() {
    // Each start is off by up to 10 %, far beyond its own error.
    let side = |factors: [f64; 3], seed: u64| -> Vec<_> {
        let each = factors.into_iter().enumerate();
        each.map(|(number, factor)| results(factor, seed + number as u64))
            .collect()
    };
    let (before, after) = (side([1.0, 0.9, 1.1], 100), side([1.04, 1.12, 0.95], 200));
    let together = compare_all(&before, &after);
    assert!(together.rows.iter().all(|row| !row.certain));
    assert!(
        !together
            .remarks
            .iter()
            .any(|remark| remark.contains("measured once"))
    );
    let single = compare(&before[0], &after[1]);
    assert!(single.rows.iter().any(|row| row.certain));
    assert!(
        single
            .remarks
            .iter()
            .any(|remark| remark.contains("measured once")),
        "{:?}",
        single.remarks
    );
}

#[test]
fn errors_of_clocks_are_no_difference() {
    let uncertain = |factor: f64, seed: u64| {
        let mut results = results(factor, seed);
        for timing in results.runs.iter_mut().flat_map(|run| &mut run.timings) {
            timing.start_error = 0.2 * timing.summary.mean;
            timing.clock_uncertainty = timing.start_error;
            timing.summary.interval.0 *= 0.8;
            timing.summary.interval.1 *= 1.2;
        }
        results
    };
    let comparison = compare(&uncertain(1.0, 1), &uncertain(1.25, 2));
    assert!(comparison.rows.iter().all(|row| !row.certain));
    let (low, high) = comparison.rows[0].interval.unwrap();
    assert!(low < 1.0 && high > 1.4);
}

#[test]
fn other_settings_and_rows_of_one_side_are_said() {
    let before = results(1.0, 1);
    let mut after = results(1.0, 2);
    after.settings.timer = Timer::Gettimeofday;
    after.runs[0].start.as_mut().unwrap().hosts[1] = "three".into();
    let lost = after.runs[0].timings.remove(0);
    let shown = text::comparison(&compare(&before, &after), true);
    assert!(
        shown.contains("timer: tsc before, gettimeofday after"),
        "{shown}"
    );
    assert!(
        shown.contains("hosts: one two before, one three two after"),
        "{shown}"
    );
    assert_eq!(lost.threads, 2);
    assert!(
        shown.contains("only before: upc_barrier root=0, 2 threads"),
        "{shown}"
    );
}
