//! Stages, rules to stop, and launches that do not count.

use crate::{collective, time};
use pgas_timing::job::{Method, Settings};
use pgas_timing::simulation::Model;
use pgas_timing::simulation::operations::{Algorithm, Collective, FirstSlow, make};

const BARRIER: Algorithm = Algorithm::Barrier;

#[test]
fn an_exact_time_needs_few_launches_and_rule_1_ends_the_others() {
    let settings = Settings::default();
    let (time_of_few, _) = time(&Model::quiet(4), &settings, collective(BARRIER));
    assert_eq!(time_of_few.expect("they are correct").launches, 16);
    let strict = Settings {
        relative_error: 0.0,
        ..settings.clone()
    };
    let (most, _) = time(&Model::cluster(4, 1), &strict, collective(BARRIER));
    let most = most.expect("they are correct");
    assert!(most.summary.correct > 30 && most.launches <= 48, "{most:?}");
    let many = Settings {
        most_correct: 1000,
        ..strict
    };
    let (all, _) = time(&Model::cluster(4, 1), &many, collective(BARRIER));
    assert_eq!(all.expect("they are correct").launches, 104);
}

#[test]
fn stage_0_takes_the_first_call_and_gives_the_interval() {
    let slow = make(|thread| {
        Box::new(FirstSlow::new(
            thread,
            5e-3,
            Collective::new(thread, BARRIER),
        ))
    });
    let settings = Settings::default();
    let (time, _) = time(&Model::cluster(8, 2), &settings, slow);
    let time = time.expect("they are correct");
    assert!(time.times.iter().all(|&time| time < 1e-4), "{time:?}");
    let [first, second] = [time.stages[0], time.stages[1]];
    assert_eq!((first.interval, first.launches), (0.0, 4));
    let expected = 1.1 * first.took / 4.0;
    assert!(
        (second.interval / expected - 1.0).abs() < 1e-6,
        "{first:?} {second:?}"
    );
}

#[test]
fn incorrect_launches_do_not_count_and_lengthen_the_interval() {
    // An interval that is much too short for most launches.
    let settings = Settings {
        interval_factor: 1.0,
        ..Settings::default()
    };
    let model = Model {
        jitter: 2.0,
        ..Model::cluster(8, 4)
    };
    let (time, _) = time(&model, &settings, collective(BARRIER));
    let time = time.expect("some are correct");
    let incorrect: u32 = time.stages.iter().map(|stage| stage.incorrect).sum();
    assert!(incorrect > 0, "{:?}", time.stages);
    assert_eq!(time.summary.correct + incorrect, time.launches);
    let intervals: Vec<f64> = time.stages[1..]
        .iter()
        .map(|stage| stage.interval)
        .collect();
    for (stage, next) in time.stages[1..].iter().zip(&intervals[1..]) {
        let is_bad = f64::from(stage.incorrect) > 0.25 * f64::from(stage.launches);
        let expected = if is_bad {
            stage.took / 8.0
        } else {
            stage.interval
        };
        assert!((next / expected - 1.0).abs() < 1e-6, "{:?}", time.stages);
    }
}

#[test]
fn too_many_disturbances_end_with_a_reason_and_not_with_a_time() {
    let model = Model {
        noise_rate: 2e5,
        noise_length: 30e-6,
        ..Model::cluster(8, 4)
    };
    let (time, _) = time(&model, &Settings::default(), collective(BARRIER));
    let few = time.expect_err("nothing starts in time");
    assert!(few.correct < 10 && few.launches > 100, "{few:?}");
    assert!(few.to_string().contains("a thread started late"), "{few}");
}

#[test]
fn threads_that_share_cores_get_a_time_whose_interval_says_how_far_starts_were_apart() {
    let model = Model {
        noise_rate: 2e5,
        noise_length: 30e-6,
        have_cores: false,
        ..Model::cluster(8, 4)
    };
    let settings = Settings {
        picture: true,
        ..Settings::default()
    };
    let (time, _) = time(&model, &settings, collective(BARRIER));
    let time = time.expect("late starts are allowed as far as they are usual");
    let summary = time.summary;
    assert!(summary.correct >= 10, "{summary:?}");
    assert!(time.start_error > 20e-6, "{}", time.start_error);
    let (low, high) = summary.interval;
    assert!(high - low > 1.5 * time.start_error, "{summary:?}");
}

#[test]
fn figures_follow_from_the_times() {
    for method in [Method::Window, Method::Barrier, Method::Loop] {
        let settings = Settings {
            method,
            per_thread: true,
            picture: true,
            ..Settings::default()
        };
        let (time, _) = time(&Model::cluster(4, 1), &settings, collective(BARRIER));
        let time = time.expect("they are correct");
        let summary = time.summary;
        assert_eq!(summary.correct as usize, time.times.len());
        assert_eq!(summary.kept, summary.correct - 2 * (summary.correct / 4));
        let (low, high) = summary.interval;
        assert!(low <= summary.mean - summary.error && summary.mean + summary.error <= high);
        assert_eq!(time.per_thread.len(), 4);
        let slowest = time
            .per_thread
            .iter()
            .map(|thread| thread.mean)
            .fold(0.0, f64::max);
        assert!(slowest <= summary.mean * 1.000_001, "{slowest} {summary:?}");
        let launches = if method == Method::Loop { 1 } else { 8 };
        assert_eq!(time.picture.len(), launches);
        for launch in &time.picture {
            let ends = launch.starts.iter().zip(&launch.ends);
            assert!(ends.clone().count() == 4 && ends.clone().all(|(start, end)| start < end));
        }
    }
}
