//! Comparing groups of runs: what noise alone is called, what a real change is called, and how
//! limits are judged. Runs are made by code with known means and known scatter.

#[path = "../../cube/tests/common/mod.rs"]
mod common;
#[path = "../../trace/tests/support/numbers.rs"]
mod numbers;

use numbers::Numbers;
use pgas_cube::model::{CallPath, CallPathId, Cube, MetricId, Region, RegionId};
use pgas_result::comparison::{
    By, Change, Comparison, ComparisonError, FindingStatus, GateResult, Question, Run, Verdict,
    WALL_TIME, compare,
};
use pgas_result::recording::{Recording, RecordingCost};
use pgas_result::summary::{Efficiency, Finding, FindingKind, Summary};

/// Mean 0, standard deviation 1 (Box and Muller).
fn normal(numbers: &mut Numbers) -> f64 {
    let (a, b) = (numbers.uniform(), numbers.uniform());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// As run times scatter: mostly little, upwards more. Mean about 1, standard deviation about
/// `scatter`.
fn skewed(numbers: &mut Numbers, scatter: f64) -> f64 {
    (scatter * normal(numbers) - scatter * scatter / 2.0).exp()
}

const REGIONS: usize = 20;
const THREADS: usize = 2;

/// A run whose regions take `means` seconds on each thread, each with noise of its own.
fn run(name: &str, means: &[f64], mut noise: impl FnMut() -> f64) -> Run {
    let mut cube = Cube::default();
    let small = common::small();
    cube.metrics = small.metrics.clone();
    (cube.machine, cube.nodes, cube.threads) = (small.machine, small.nodes, small.threads);
    for number in 0..means.len() {
        cube.regions.push(Region {
            name: format!("region_{number}"),
            module: "a.c".into(),
            begin_line: 10 * (number as u32 + 1),
            end_line: 0,
            description: String::new(),
        });
        cube.call_paths.push(CallPath {
            region: RegionId(number),
            parent: (number > 0).then_some(CallPathId(0)),
            file: "a.c".into(),
            line: 10 * (number as u32 + 1),
        });
    }
    let mut wall = 0.0;
    for (number, mean) in means.iter().enumerate() {
        let value = mean * noise();
        wall += value;
        for metric in [0, 1] {
            cube.row_mut(MetricId(metric), CallPathId(number))
                .fill(value);
        }
    }
    Run {
        name: name.into(),
        summary: Some(summary(wall)),
        cube,
        sources: None,
    }
}

fn summary(wall_seconds: f64) -> Summary {
    Summary {
        schema: 1,
        program: "is".into(),
        arguments: Vec::new(),
        threads: THREADS as u32,
        models: vec!["upc".into()],
        wall_seconds,
        efficiency: Efficiency {
            load_balance: 0.9,
            communication_efficiency: 0.8,
            parallel_efficiency: 0.72,
        },
        findings: Vec::new(),
        instances: Vec::new(),
        remarks: Vec::new(),
        recording: Recording::default(),
        clocks: None,
        causes: None,
        synchronization: None,
        withheld: Vec::new(),
        worst_instances: Vec::new(),
        sampling: None,
        machine: None,
        tasks: None,
        live_findings: Vec::new(),
        communication: None,
        accesses: Default::default(),
        phases: Vec::new(),
    }
}

fn question(by: By, limits: &[&str]) -> Question {
    Question {
        metric: "time".into(),
        by,
        limits: limits.iter().map(|limit| limit.parse().unwrap()).collect(),
    }
}

fn compared(before: &[Run], after: &[Run]) -> Comparison {
    compare(before, after, &question(By::Region, &[])).unwrap()
}

fn verdict_of(comparison: &Comparison, region: &str) -> Verdict {
    let mut places = comparison.places.iter();
    let place = places.find(|place| place.place.region == region);
    place.expect("the region is compared").change.verdict
}

/// Groups of `count` runs with noise of `scatter` each.
fn group(numbers: &mut Numbers, means: &[f64], count: usize, scatter: f64) -> Vec<Run> {
    (0..count)
        .map(|k| run(&format!("run-{k}"), means, || skewed(numbers, scatter)))
        .collect()
}

/// How often, in percent, runs that differ by noise alone are said to have changed: in any of 20
/// regions, and in their run time. Five in a hundred are meant to be.
#[test]
fn noise_is_rarely_called_a_change() {
    const TRIALS: usize = 400;
    for (count, scatter) in [(3, 0.02), (5, 0.10)] {
        let mut numbers = Numbers(count as u64);
        let (mut any_place, mut wall) = (0, 0);
        for _ in 0..TRIALS {
            let before = group(&mut numbers, &[1.0; REGIONS], count, scatter);
            let after = group(&mut numbers, &[1.0; REGIONS], count, scatter);
            let comparison = compared(&before, &after);
            let places = &comparison.places;
            any_place += usize::from(places.iter().any(|p| p.change.verdict.is_change()));
            wall += usize::from(comparison.wall.verdict.is_change());
        }
        let share = |alarms: usize| 100.0 * alarms as f64 / TRIALS as f64;
        println!(
            "{count} runs a side, {:.0} % noise: false alarms {:.1} % (places), {:.1} % (run time)",
            100.0 * scatter,
            share(any_place),
            share(wall)
        );
        // 5 %, and as much again for 400 trials being few: beyond 8.5 % would be an accident of one
        // in a thousand.
        assert!(share(any_place) <= 8.5 && share(wall) <= 8.5);
    }
}

/// One region in twenty takes 10 % longer, with 2 % of noise.
#[test]
fn a_change_well_above_the_noise_is_found() {
    const TRIALS: usize = 200;
    let mut means = [1.0; REGIONS];
    means[7] = 1.1;
    let mut numbers = Numbers(99);
    let (mut found, mut mistaken) = (0, 0);
    for _ in 0..TRIALS {
        let before = group(&mut numbers, &[1.0; REGIONS], 5, 0.02);
        let after = group(&mut numbers, &means, 5, 0.02);
        let comparison = compared(&before, &after);
        found += usize::from(verdict_of(&comparison, "region_7") == Verdict::Worse);
        let others = comparison
            .places
            .iter()
            .filter(|p| p.place.region != "region_7");
        mistaken += others.filter(|p| p.change.verdict.is_change()).count();
    }
    println!("found {found} of {TRIALS}, and {mistaken} changes that are none");
    assert!(found * 100 >= TRIALS * 95, "{found} of {TRIALS}");
    assert!(mistaken * 100 <= found * 10, "{mistaken} beside {found}");
}

/// How often a limit of 10 % is said to be exceeded that is just kept, and one that is not.
#[test]
fn limits_hold_against_noise() {
    const TRIALS: usize = 300;
    let mut numbers = Numbers(5);
    let mut exceeded = |means: f64| {
        let mut count = 0;
        for _ in 0..TRIALS {
            let before = group(&mut numbers, &[1.0], 4, 0.03);
            let after = group(&mut numbers, &[means], 4, 0.03);
            let question = question(By::Region, &["time+10", "wall_time+10"]);
            let comparison = compare(&before, &after, &question).unwrap();
            assert_eq!(comparison.gates[0].result, comparison.gates[1].result);
            count += usize::from(comparison.is_regression());
        }
        100.0 * count as f64 / TRIALS as f64
    };
    let (kept, broken) = (exceeded(1.1), exceeded(1.3));
    println!(
        "limit of 10 %: exceeded by a growth of 10 % in {kept:.1} %, of 30 % in {broken:.1} %"
    );
    assert!(kept <= 9.0 && broken >= 95.0, "{kept} {broken}");
}

#[test]
fn a_run_compared_with_itself_has_not_changed() {
    let one = run("one", &[1.0, 2.0], || 1.0);
    for by in [By::Region, By::Line, By::CallPath, By::Thread] {
        let one = std::slice::from_ref(&one);
        let comparison = compare(one, one, &question(by, &["time+0", "wall_time+0"])).unwrap();
        assert!(!comparison.places.is_empty() && comparison.notes.is_empty());
        assert!(
            comparison
                .places
                .iter()
                .all(|place| place.change.change == 0.0)
        );
        assert!(
            comparison
                .metrics
                .iter()
                .all(|metric| metric.change.change == 0.0)
        );
        assert!(!comparison.is_regression() && !comparison.noise_is_known());
    }
}

/// Whatever values are grouped by, their sum is the metric's.
#[test]
fn groups_share_the_whole_among_them() {
    let mut numbers = Numbers(3);
    let before = group(&mut numbers, &[1.0, 0.5, 2.0], 2, 0.1);
    let after = group(&mut numbers, &[1.0, 0.7, 1.0], 3, 0.1);
    for by in [By::Region, By::Line, By::CallPath, By::Thread] {
        let comparison = compare(&before, &after, &question(by, &[])).unwrap();
        let total = &comparison.metrics[0];
        assert_eq!(total.metric, "time");
        let sum = |get: fn(&Change) -> f64| -> f64 {
            comparison
                .places
                .iter()
                .map(|place| get(&place.change))
                .sum()
        };
        assert!((sum(|c| c.before) - total.change.before).abs() < 1e-9);
        assert!((sum(|c| c.after) - total.change.after).abs() < 1e-9);
        let sizes: Vec<f64> = comparison
            .places
            .iter()
            .map(|p| p.change.change.abs())
            .collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    }
}

#[test]
fn lines_that_shifted_are_the_same_place() {
    let before = run("before", &[1.0, 2.0], || 1.0);
    let mut after = run("after", &[1.0, 3.0], || 1.0);
    for region in &mut after.cube.regions {
        region.begin_line += 5;
    }
    for path in &mut after.cube.call_paths {
        path.line += 5;
    }
    let (before, after) = ([before], [after]);
    let comparison = compare(&before, &after, &question(By::Line, &[])).unwrap();
    let first = &comparison.places[0];
    assert_eq!((first.place.file.as_str(), first.place.line), ("a.c", 25));
    assert_eq!(first.place.region, "region_1");
    assert_eq!((first.change.before, first.change.after), (4.0, 6.0));
    assert_eq!(comparison.places.len(), 2);
}

/// A line of the old text is not the line of the new text that has its number: where a call is
/// gone, another one may stand at its line.
#[test]
fn a_line_that_is_gone_is_not_the_line_that_has_its_number_now() {
    let before = run("before", &[0.0, 5.0, 2.0], || 1.0);
    let mut after = run("after", &[0.0, 3.0], || 1.0);
    // The second call of before went up to where the first one was, which is gone.
    after.cube.regions[1].name = "region_2".into();
    let comparison = compare(&[before], &[after], &question(By::Line, &[])).unwrap();
    let rows: Vec<_> = comparison
        .places
        .iter()
        .map(|row| {
            let place = &row.place;
            let change = &row.change;
            (
                place.region.as_str(),
                place.line,
                place.gone,
                change.before,
                change.after,
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("region_1", 20, true, 10.0, 0.0),
            ("region_2", 20, false, 4.0, 6.0)
        ]
    );
}

#[test]
fn different_numbers_of_threads_are_compared_by_their_means() {
    let before = run("two", &[1.0], || 1.0);
    let mut after = run("four", &[1.0], || 1.0);
    let more = after.cube.threads.clone();
    after.cube.threads.extend(more);
    let mut wide = Cube::default();
    wide.metrics = after.cube.metrics.clone();
    wide.regions = after.cube.regions.clone();
    wide.call_paths = after.cube.call_paths.clone();
    wide.threads = after.cube.threads.clone();
    wide.nodes = after.cube.nodes.clone();
    wide.row_mut(MetricId(0), CallPathId(0)).fill(0.5);
    after.cube = wide;
    let (before, after) = ([before], [after]);
    let comparison = compare(&before, &after, &question(By::Region, &["time+0"])).unwrap();
    assert!(comparison.per_thread && !comparison.is_regression());
    assert_eq!(comparison.metrics[0].change.before, 1.0);
    assert_eq!(comparison.metrics[0].change.after, 0.5);
    assert_eq!(comparison.places[0].change.after, 0.5);
    assert!(
        comparison
            .notes
            .iter()
            .any(|note| note.contains("2 threads before and 4 after"))
    );
    let comparison = compare(&before, &after, &question(By::Thread, &[])).unwrap();
    assert_eq!(comparison.places.len(), 2, "only those that both have");
    assert!(
        comparison
            .places
            .iter()
            .all(|place| place.change.after == 0.5)
    );
}

fn finding(metric: &str, call_path: usize, seconds: f64) -> Finding {
    Finding {
        kind: FindingKind::Wait,
        metric: metric.into(),
        seconds,
        percent: 10.0,
        region: "upc_barrier".into(),
        function: "main".into(),
        file: "a.c".into(),
        line: 20,
        call_path,
        culprit_thread: None,
        cause: "Late.".into(),
        advice: "Be earlier.".into(),
        worst: None,
        saves_seconds: None,
        overlaps: Vec::new(),
    }
}

#[test]
fn findings_come_and_go() {
    let with = |findings: &[Finding]| {
        let mut run = run("run", &[1.0, 2.0, 3.0], || 1.0);
        run.summary.as_mut().unwrap().findings = findings.to_vec();
        run
    };
    let before = [
        with(&[finding("lock", 1, 0.9), finding("wait_at_barrier", 2, 0.5)]),
        with(&[finding("lock", 1, 0.9), finding("wait_at_barrier", 2, 0.5)]),
    ];
    let after = [
        with(&[
            finding("wait_at_barrier", 2, 0.1),
            finding("early_gather", 0, 0.3),
        ]),
        with(&[finding("wait_at_barrier", 2, 0.1)]),
    ];
    let comparison = compared(&before, &after);
    let told: Vec<_> = comparison
        .findings
        .iter()
        .map(|f| {
            (
                f.metric.as_str(),
                f.status,
                f.in_before,
                f.in_after,
                f.change.verdict,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("lock", FindingStatus::Gone, 2, 0, Verdict::Better),
            (
                "wait_at_barrier",
                FindingStatus::Stays,
                2,
                2,
                Verdict::Better
            ),
            ("early_gather", FindingStatus::New, 0, 1, Verdict::TooNoisy),
        ]
    );
}

#[test]
fn unknown_metrics_are_refused_with_similar_names() {
    let one = [run("one", &[1.0], || 1.0)];
    for (metric, limit) in [("wait_at_bariers", "time+1"), ("time", "wait_at_bariers+1")] {
        let mut question = question(By::Region, &[limit]);
        question.metric = metric.into();
        let Err(ComparisonError::UnknownMetric { name, likely }) = compare(&one, &one, &question)
        else {
            panic!("{metric} {limit}");
        };
        assert_eq!(
            (name.as_str(), likely[0].as_str()),
            ("wait_at_bariers", "wait_at_barrier")
        );
    }
    assert_eq!(
        compare(&one, &[], &question(By::Region, &[])),
        Err(ComparisonError::NoRuns)
    );
}

/// A file of severities alone has no summary: the run time comes from its attribute, or from its
/// threads.
#[test]
fn files_without_a_summary_can_be_compared() {
    let mut one = run("one.cube", &[1.0], || 1.0);
    one.summary = None;
    assert_eq!(one.wall_seconds(), 1.0);
    one.cube
        .attributes
        .insert("wall_seconds".into(), "1.5".into());
    assert_eq!(one.wall_seconds(), 1.5);
    let one = [one];
    let limit = format!("{WALL_TIME}+5");
    let comparison = compare(&one, &one, &question(By::Region, &[&limit])).unwrap();
    assert_eq!(comparison.gates[0].result, GateResult::Kept);
    assert_eq!(
        (comparison.efficiency, comparison.findings.len()),
        (None, 0)
    );
}

/// One run of `wall` seconds; recording took `percent` of it, with `interval` as its bounds.
fn recorded(wall: f64, percent: f64, interval: (f64, f64)) -> [Run; 1] {
    let mut run = run("run", &[wall], || 1.0);
    let summary = run.summary.as_mut().unwrap();
    summary.recording.cost = Some(RecordingCost {
        events: 1_000_000,
        summed_calls: 0,
        throttled_calls: 0,
        counted_accesses: 0,
        left_out_calls: 0,
        own_accesses: 0,
        seconds: wall * percent / 100.0,
        fixed_seconds: 0.0,
        percent,
        interval: Some(interval),
        cpu_seconds: Some(wall),
        baseline: None,
        call_paths: Vec::new(),
    });
    [run]
}

#[test]
fn a_difference_that_recording_explains_is_not_judged() {
    let question = question(By::Region, &["wall_time+5"]);
    let gate = |before: &[Run], after: &[Run]| {
        let comparison = compare(before, after, &question).unwrap();
        let gate = comparison.gates[0].result;
        assert_eq!(comparison.is_regression(), gate == GateResult::Exceeded);
        (gate, comparison.wall.verdict, comparison.notes.len())
    };
    // 2 s more, of which recording may be all.
    let (before, after) = (
        recorded(10.0, 94.0, (85.0, 97.0)),
        recorded(12.0, 95.0, (86.0, 98.0)),
    );
    let not_judged = (GateResult::NotJudged, Verdict::NotJudged, 1);
    assert_eq!(gate(&before, &after), not_judged);
    // The same, of runs in which it took next to nothing.
    let (before, after) = (
        recorded(10.0, 1.0, (0.8, 1.2)),
        recorded(12.0, 1.0, (0.8, 1.2)),
    );
    let judged = (GateResult::Exceeded, Verdict::Unknown, 0);
    assert_eq!(gate(&before, &after), judged);
    // Three times as long, where recording took at most a third.
    let (before, after) = (
        recorded(10.0, 30.0, (28.0, 32.0)),
        recorded(30.0, 30.0, (28.0, 32.0)),
    );
    assert_eq!(
        gate(&before, &after),
        (GateResult::Exceeded, Verdict::Unknown, 1)
    );
}

/// Three regions of ten seconds, of which recording took 80 % of the second and nothing of the
/// third.
fn recorded_by_place(means: &[f64; 3]) -> [Run; 1] {
    let mut run = run("run", means, || 1.0);
    let whole: f64 = means.iter().sum::<f64>() * THREADS as f64;
    let seconds = 0.8 * means[1] * THREADS as f64;
    let percent = 100.0 * seconds / whole;
    let of_region = pgas_result::recording::PathCost {
        call_path: 1,
        seconds,
    };
    run.summary.as_mut().unwrap().recording.cost = Some(RecordingCost {
        events: 1_000_000,
        summed_calls: 0,
        throttled_calls: 0,
        counted_accesses: 0,
        left_out_calls: 0,
        own_accesses: 0,
        seconds,
        fixed_seconds: 0.0,
        percent,
        interval: Some((0.9 * percent, 1.1 * percent)),
        cpu_seconds: Some(whole),
        baseline: None,
        call_paths: vec![of_region],
    });
    [run]
}

#[test]
fn a_place_that_recording_did_not_touch_is_judged() {
    let before = recorded_by_place(&[10.0, 10.0, 10.0]);
    let after = recorded_by_place(&[10.0, 12.0, 12.0]);
    for by in [By::Region, By::Line, By::CallPath] {
        let comparison = compare(&before, &after, &question(by, &[])).unwrap();
        let verdict = |line: u32| {
            let mut places = comparison.places.iter();
            let place = places.find(|place| place.place.line == line);
            place.expect("the line is compared").change.verdict
        };
        assert_eq!(verdict(20), Verdict::NotJudged, "{by:?}");
        assert_eq!(verdict(30), Verdict::Unknown, "{by:?}");
    }
    // The share of the whole run would not explain it.
    let nowhere = |mut runs: [Run; 1]| {
        let summary = runs[0].summary.as_mut().unwrap();
        summary.recording.cost.as_mut().unwrap().call_paths.clear();
        runs
    };
    let comparison = compared(&nowhere(before), &nowhere(after));
    assert_eq!(verdict_of(&comparison, "region_1"), Verdict::Unknown);
}
