//! The two files of an analysis: saved, loaded, missing, of different analyses, of another version.

mod common;

use std::fs;

use pgas_cube::accesses::{
    Accesses, ArrayLayout, BlockTransfer, CostSource, DistributionPlace, FineGrained,
    LayoutMismatch, LayoutUse, Misplaced, OwnAffinity, ThreadOwn, ThreadRuns, ThreadShare,
    WrongSide,
};
use pgas_cube::causes::{Causes, CriticalCallPath, CriticalPath, Effect, RootCause};
use pgas_cube::clocks::{ClockSummary, ClockViolations, NodeClock};
use pgas_cube::communication::{Communication, Flow, Pair};
use pgas_cube::distribution::{Distribution, Spread};
use pgas_cube::phases::{Boundary, Loop, Mark, MarkReason, MetricSeries, Outlier, Shape, WarmUp};
use pgas_cube::recording::{Recording, RecordingCost, Throttled, WaitStates};
use pgas_cube::summary::{
    Efficiency, Finding, FindingKind, InstanceStatistics, Summary, WorstInstance,
};
use pgas_cube::synchronization::{AdviceKind, Synchronization, SynchronizationAdvice};
use pgas_cube::{read_summary, write_summary, AnalysisResult, Error};

fn spread() -> Spread {
    let distribution = Distribution {
        count: 8,
        minimum: 0.01,
        lower_quartile: 0.02,
        median: 0.04,
        upper_quartile: 0.1,
        percentile_95: 0.3,
        maximum: 0.3,
        mean: 0.0625,
    };
    Spread {
        instances: distribution,
        threads: distribution,
        until_last_exit: None,
    }
}

fn sample() -> AnalysisResult {
    let worst = WorstInstance {
        at_seconds: 0.123_456_789_012_345_67,
        seconds: 0.1 + 0.2,
        last_thread: 1,
        number: Some(3),
        longest_thread: Some(0),
        longest_seconds: Some(0.2),
    };
    AnalysisResult {
        cube: common::small(),
        summary: Summary {
            schema: 1,
            program: "is \"größe\"".into(),
            arguments: vec!["-c".into(), "W & x".into()],
            threads: 2,
            wall_seconds: 1.6,
            efficiency: Efficiency {
                load_balance: 1.25 / 1.5,
                communication_efficiency: 1.5 / 1.6,
                parallel_efficiency: 1.25 / 1.6,
            },
            withheld: Vec::new(),
            worst_instances: Vec::new(),
            findings: vec![Finding {
                kind: FindingKind::Wait,
                saves_seconds: Some(0.3),
                overlaps: Vec::new(),
                metric: "wait_at_barrier".into(),
                seconds: 0.5,
                percent: 15.625,
                region: "upc_barrier".into(),
                function: "main".into(),
                file: "is.c".into(),
                line: 14,
                call_path: 1,
                culprit_thread: Some(0),
                cause: "Thread 0 came last.".into(),
                advice: "Give it less to do.".into(),
                worst: Some(worst.clone()),
            }],
            instances: vec![InstanceStatistics {
                metric: "wait_at_barrier".into(),
                call_path: 1,
                instances: 8,
                worst: Some(worst),
                last_counts: vec![8, 0],
                spread: Some(spread()),
            }],
            remarks: vec!["The trace of thread 1 ends early.".into()],
            synchronization: Some(Synchronization {
                advice: vec![SynchronizationAdvice {
                    kind: AdviceKind::WeakerEntry,
                    call_path: 1,
                    instances: 8,
                    flag: Some("UPC_IN_ALLSYNC".into()),
                    enough: Some("UPC_IN_NOSYNC".into()),
                    barrier: Some(0),
                    seconds: 0.25,
                    saves_seconds: 0.125,
                }],
                note: Some("a filter was in effect".into()),
            }),
            causes: Some(Causes {
                critical_path: CriticalPath {
                    seconds: 1.5,
                    changes: 3,
                    by_thread: vec![0.5, 1.0],
                    call_paths: vec![CriticalCallPath {
                        call_path: 1,
                        seconds: 1.25,
                        imbalance_seconds: 0.1,
                    }],
                },
                root_causes: vec![RootCause {
                    call_path: 1,
                    thread: 1,
                    short_term_seconds: 0.25,
                    long_term_seconds: 0.125,
                    effects: vec![Effect {
                        metric: "wait_at_barrier".into(),
                        call_path: 1,
                        seconds: 0.375,
                    }],
                }],
            }),
            communication: Some(communication()),
            accesses: accesses(),
            phases: vec![iterations()],
            clocks: Some(ClockSummary {
                method: "linear".into(),
                nodes: vec![NodeClock {
                    host: "north".into(),
                    threads: 2,
                    uncertainty_seconds: Some(1.5e-6),
                    drift_ppm: None,
                    exchanges: 230,
                }],
                waiting_seconds: 0.5,
                below_uncertainty_seconds: 1e-7,
                held_events: 0,
                violations: ClockViolations {
                    barriers: 1,
                    collectives: 0,
                    locks: 2,
                    unexplained: 0,
                    largest_seconds: 1e-6,
                },
            }),
            recording: Recording {
                wait_states: WaitStates::UntilTraceEnds,
                trace_ends_seconds: Some(1.25),
                throttled: vec![Throttled {
                    region: "add".into(),
                    file: "is.c".into(),
                    line: 7,
                    calls: 12_000_000,
                    timed_calls: 375_000,
                    seconds: 0.1,
                    percent: 3.125,
                    since_seconds: Some(0.5),
                }],
                cost: Some(RecordingCost {
                    left_out_calls: 0,
                    own_accesses: 0,
                    fixed_seconds: 0.0,
                    interval: None,
                    cpu_seconds: None,
                    baseline: None,
                    call_paths: Vec::new(),
                    events: 1_000_000,
                    summed_calls: 500,
                    throttled_calls: 12_000_000,
                    seconds: 0.04,
                    percent: 1.25,
                }),
                counters: vec!["visits".into()],
            },
        },
    }
}

fn communication() -> Communication {
    let flow = Flow {
        operations: 100,
        gets: 60,
        get_bytes: 480,
        puts: 40,
        put_bytes: 320,
        either_bytes: 0,
        seconds: 0.25,
    };
    Communication {
        complete: true,
        pairs: vec![Pair {
            thread: 1,
            owner: 0,
            flow,
        }],
        by_thread: vec![Flow::default(), flow],
        by_owner: vec![flow, Flow::default()],
        unknown: None,
    }
}

fn accesses() -> Accesses {
    Accesses {
        fine_grained: vec![FineGrained {
            call_path: 1,
            threads: vec![ThreadRuns {
                thread: 1,
                runs: 2,
                accesses: 60,
                bytes: 480,
                seconds: 0.125,
                saves_seconds: 0.0625,
            }],
            longest: 40,
            assumed: false,
            stride: Some(64),
            block: BlockTransfer {
                latency_seconds: 1e-6,
                bytes_per_second: Some(1e9),
                source: CostSource::Fitted,
            },
        }],
        own_affinity: vec![OwnAffinity {
            call_path: 1,
            threads: vec![ThreadOwn {
                thread: 0,
                accesses: 7,
                bytes: 56,
                seconds: 0.5,
                saves_seconds: 0.25,
            }],
        }],
        wrong_side: vec![WrongSide {
            call_path: 1,
            data: vec![Misplaced {
                owner: 0,
                thread: 1,
                percent: 75.0,
                accesses: 60,
                bytes: 480,
                seconds: 0.125,
            }],
            shift: Some(1),
            own_recorded: true,
        }],
        layout: vec![LayoutMismatch {
            call_path: 1,
            used: LayoutUse::InTurn,
            threads: vec![ThreadShare {
                thread: 1,
                accesses: 60,
                seconds: 0.125,
            }],
        }],
        distributions: vec![ArrayLayout {
            name: "a".into(),
            file: "a.upc".into(),
            line: 3,
            elements: 1024,
            element_bytes: 8,
            block: 1,
            better_block: 256,
            one_block_each: true,
            samples: 500,
            local_percent: 99.5,
            low_percent: 98.25,
            high_percent: 99.75,
            own_recorded: false,
            loops_follow: false,
            places: vec![DistributionPlace {
                call_path: 1,
                percent: 87.5,
                seconds: 0.125,
                threads: vec![ThreadShare {
                    thread: 1,
                    accesses: 60,
                    seconds: 0.125,
                }],
            }],
        }],
    }
}

fn iterations() -> Loop {
    Loop {
        call_path: 1,
        boundary: Boundary::Ends,
        region: "upc_barrier".into(),
        file: "is.c".into(),
        line: 14,
        function: "main".into(),
        body: "rank".into(),
        iterations: 10,
        begin_seconds: 0.1,
        end_seconds: 1.5,
        coverage: 1.4 / 1.6,
        mean_seconds: 0.14,
        median_seconds: 0.13,
        min_seconds: 0.1 + 0.02,
        max_seconds: 0.3,
        warm_up: Some(WarmUp {
            iterations: 1,
            seconds: 0.3,
            others_seconds: 0.13,
        }),
        recurring: None,
        outliers: vec![Outlier {
            iteration: 7,
            at_seconds: 1.1,
            seconds: 0.2,
        }],
        slowest: None,
        iterations_per_value: 5,
        series: vec![MetricSeries {
            metric: "duration".into(),
            values: vec![0.1 + 0.05, 0.13],
            mean: 0.14,
            first_quarter: 0.15,
            last_quarter: 0.13,
            change_percent: None,
            slope: -0.001,
            probability: 0.3,
            shape: Shape::WarmUp,
            recorded_iterations: Some(5),
        }],
        marks: vec![Mark {
            reason: MarkReason::Throttled,
            after_iteration: 5,
            at_seconds: 0.8,
            until_seconds: None,
            metrics: vec!["computation".into()],
            region: "upc_get".into(),
            file: "is.c".into(),
            line: 17,
        }],
    }
}

#[test]
fn saved_and_loaded() {
    let directory = tempfile::tempdir().unwrap();
    let result = sample();
    // Twice: a second analysis replaces the first.
    result.save(&directory).unwrap();
    result.save(&directory).unwrap();
    assert_eq!(AnalysisResult::load(&directory).unwrap(), result);
    let mut names: Vec<_> = fs::read_dir(directory.path().join("analysis"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["profile.cube", "summary.json"]);
}

#[test]
fn kinds_of_findings_of_other_versions_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("summary.json");
    let text = serde_json::to_string_pretty(&sample().summary).unwrap();
    let kind = "\"kind\": \"wait\",";
    assert!(text.contains(kind), "{text}");
    for other in ["", "\"kind\": \"of_a_later_version\","] {
        fs::write(&path, text.replace(kind, other)).unwrap();
        let summary = read_summary(&path).unwrap();
        assert_eq!(summary.findings[0].kind, FindingKind::Other);
    }
}

#[test]
fn what_is_missing_is_said_with_the_command() {
    let directory = tempfile::tempdir().unwrap();
    let error = AnalysisResult::load(&directory).unwrap_err();
    assert!(matches!(error, Error::NotAnalysed { .. }));
    let command = format!("run `pgastool analyze {}`", directory.path().display());
    let message = error.to_string();
    assert!(
        message.starts_with("this experiment was not analysed"),
        "{message}"
    );
    assert!(message.ends_with(&command), "{message}");

    sample().save(&directory).unwrap();
    fs::remove_file(AnalysisResult::summary_path(&directory)).unwrap();
    let error = AnalysisResult::load(&directory).unwrap_err();
    assert!(matches!(error, Error::NotAnalysed { .. }));

    let error = AnalysisResult::load(directory.path().join("no")).unwrap_err();
    assert!(matches!(error, Error::NoExperiment(_)));
    let error = AnalysisResult::load(AnalysisResult::profile_path(&directory)).unwrap_err();
    assert!(matches!(error, Error::NoExperiment(_)));
}

#[test]
fn files_of_different_analyses_are_refused() {
    type Damage = fn(&mut AnalysisResult);
    let damages: [(&str, Damage); 15] = [
        ("of 3 threads", |r| r.summary.threads = 3),
        ("call path 2", |r| r.summary.findings[0].call_path = 2),
        ("call path", |r| r.summary.instances[0].call_path = 2),
        ("a thread", |r| {
            r.summary.findings[0].culprit_thread = Some(2)
        }),
        ("a thread", |r| r.summary.instances[0].last_counts.push(1)),
        ("a thread", |r| {
            r.summary.findings[0].worst.as_mut().unwrap().last_thread = 2;
        }),
        ("communication matrix", |r| {
            r.summary.communication.as_mut().unwrap().by_owner.pop();
        }),
        ("thread 2", |r| {
            r.summary.communication.as_mut().unwrap().pairs[0].owner = 2;
        }),
        ("thread 3", |r| {
            r.summary.accesses.fine_grained[0].threads[0].thread = 3;
        }),
        ("call path 9", |r| {
            r.summary.accesses.fine_grained[0].call_path = 9;
        }),
        ("call path 2", |r| {
            r.summary.accesses.own_affinity[0].call_path = 2;
        }),
        ("call path 5", |r| {
            r.summary.accesses.layout[0].call_path = 5;
        }),
        ("call path 6", |r| {
            r.summary.accesses.distributions[0].places[0].call_path = 6;
        }),
        ("thread 8", |r| {
            r.summary.accesses.distributions[0].places[0].threads[0].thread = 8;
        }),
        ("thread 7", |r| {
            r.summary.accesses.wrong_side[0].data[0].thread = 7;
        }),
    ];
    for (words, damage) in damages {
        let directory = tempfile::tempdir().unwrap();
        sample().save(&directory).unwrap();
        let mut other = sample();
        damage(&mut other);
        write_summary(&other.summary, AnalysisResult::summary_path(&directory)).unwrap();
        let error = AnalysisResult::load(&directory).unwrap_err();
        assert!(matches!(error, Error::Inconsistent { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        let error = other.save(&directory).unwrap_err();
        assert!(matches!(error, Error::Unwritable { .. }), "{error}");
    }
}

#[test]
fn a_summary_that_is_none() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("summary.json");
    // As earlier versions have written it: without a checksum, any of these would be a summary that was changed.
    let right = serde_json::to_string_pretty(&sample().summary).unwrap();
    for (old, new, words) in [
        (
            "\"schema\": 1",
            "\"schema\": 2",
            "found schema 2, expected schema 1",
        ),
        ("\"schema\": 1", "\"schema\": -1", ":2 (byte 15)"),
        ("\"threads\": 2,", "", "threads"),
        ("1.6", "\"1.6\"", "invalid type"),
        ("\"load_balance\"", "load_balance", "key must be a string"),
    ] {
        let wrong = right.replacen(old, new, 1);
        assert_ne!(wrong, right);
        fs::write(&path, &wrong).unwrap();
        let message = read_summary(&path).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
        assert!(message.contains("summary.json:"), "{message}");
    }
    for length in (0..right.trim_end().len()).step_by(7) {
        fs::write(&path, &right.as_bytes()[..length]).unwrap();
        assert!(read_summary(&path).is_err());
    }
    // What a later version adds does not hurt.
    let more = right.replacen("\"schema\": 1", "\"schema\": 1, \"more\": [1]", 1);
    fs::write(&path, more).unwrap();
    assert_eq!(read_summary(&path).unwrap(), sample().summary);
}

#[test]
fn numbers_that_json_cannot_hold_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    type Damage = fn(&mut Summary);
    let damages: [Damage; 7] = [
        |s| s.wall_seconds = f64::NAN,
        |s| s.efficiency.load_balance = f64::INFINITY,
        |s| s.findings[0].percent = f64::NAN,
        |s| s.instances[0].worst.as_mut().unwrap().at_seconds = f64::NAN,
        |s| s.communication.as_mut().unwrap().pairs[0].flow.seconds = f64::NAN,
        |s| s.accesses.fine_grained[0].block.bytes_per_second = Some(f64::INFINITY),
        |s| s.accesses.wrong_side[0].data[0].percent = f64::NAN,
    ];
    for damage in damages {
        let mut result = sample();
        damage(&mut result.summary);
        let error = result.save(&directory).unwrap_err();
        assert!(matches!(error, Error::Unwritable { .. }), "{error}");
        assert!(AnalysisResult::load(&directory).is_err());
    }
}
