//! Histories of long runs, against the values that went in.

use super::*;

/// A track whose value is the number of the hour.
fn run(seconds: usize, period: f64) -> (Axis, Track) {
    let (mut axis, mut track) = (Axis::default(), Track::default());
    for number in 1..=seconds {
        let elapsed = number as f64 * period;
        let step = axis.add(elapsed, period);
        track.add((elapsed / 3600.0).floor(), &step);
    }
    (axis, track)
}

fn check_order(points: &[Point]) {
    for pair in points.windows(2) {
        assert!(pair[0].elapsed < pair[1].elapsed, "{pair:?}");
        let gap = pair[1].elapsed - pair[1].period - pair[0].elapsed;
        assert!(gap.abs() < 1e-3, "{pair:?}");
    }
}

#[test]
fn ten_hours_are_kept_without_gaps() {
    let (axis, track) = run(36_000, 1.0);
    let points = track.points(&axis);
    check_order(&points);
    assert!(
        points[0].elapsed - points[0].period < 1e-9,
        "{:?}",
        points[0]
    );
    assert_eq!(points.last().map(|point| point.elapsed), Some(36_000.0));
    let fine = points.iter().rev().take_while(|point| point.period == 1.0);
    assert_eq!(fine.count(), 301);
    for point in points.iter().filter(|point| point.elapsed % 3600.0 > 200.0) {
        let hour = (point.elapsed / 3600.0).floor();
        assert!((point.value - hour).abs() < 1e-5, "{point:?}");
    }
}

#[test]
fn a_run_of_weeks_needs_no_more_memory() {
    // With a period of 50 s, coarse means are merged twice.
    let (axis, track) = run(150_000, 50.0);
    let points = track.points(&axis);
    check_order(&points);
    assert!(points.len() <= FINE_POINTS + MEDIUM_POINTS + COARSE_POINTS);
    assert!(points[0].elapsed - points[0].period < 1e-6);
    let whole: f64 = points.iter().map(|point| point.value * point.period).sum();
    let expected: f64 = (1..=150_000)
        .map(|one| (f64::from(one) * 50.0 / 3600.0).floor() * 50.0)
        .sum();
    assert!((whole / expected - 1.0).abs() < 1e-4, "{whole} {expected}");
}

#[test]
fn short_periods_leave_no_gap_before_the_means() {
    let (axis, track) = run(20_000, 0.05);
    check_order(&track.points(&axis));
}

#[test]
fn an_object_that_comes_later_has_only_its_own_time() {
    let (mut axis, mut first, mut second) = (Axis::default(), Track::default(), Track::default());
    for number in 1..=150_000_u32 {
        let step = axis.add(f64::from(number), 1.0);
        first.add(1.0, &step);
        if number > 110_050 {
            second.add(if number % 2 == 0 { 2.0 } else { f64::NAN }, &step);
        }
    }
    let points = second.points(&axis);
    assert!(points[0].elapsed >= 110_000.0, "{:?}", points[0]);
    assert!(points.iter().all(|point| point.value == 2.0));
    assert!(first.points(&axis)[0].elapsed <= 200.0);
}

#[test]
fn time_that_goes_back_stands_still() {
    let mut axis = Axis::default();
    let mut track = Track::default();
    for elapsed in [5.0, 6.0, 2.0, 7.0] {
        let step = axis.add(elapsed, 1.0);
        track.add(elapsed, &step);
    }
    let ends: Vec<f64> = track.points(&axis).iter().map(|one| one.elapsed).collect();
    assert_eq!(ends, [5.0, 6.0, 6.0, 7.0]);
}
