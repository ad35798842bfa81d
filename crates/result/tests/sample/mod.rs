//! A result in which every field has a value, for tests of its files.

use super::common;
use pgas_result::accesses::{
    Accesses, ArrayLayout, BlockTransfer, CostSource, DistributionPlace, FineGrained,
    LayoutMismatch, LayoutUse, Misplaced, MisplacedThread, OwnAffinity, Placement, ThreadOwn,
    ThreadRuns, ThreadShare, WrongSide,
};
use pgas_result::causes::{Causes, CriticalCallPath, CriticalPath, Effect, RootCause};
use pgas_result::clocks::{ClockSummary, ClockViolations, NodeClock};
use pgas_result::communication::{Communication, Flow, Pair};
use pgas_result::distribution::{Distribution, Spread};
use pgas_result::live::{LiveFinding, LivePlace};
use pgas_result::locality::{ByDistance, Locality, NodePair, Reach};
use pgas_result::machine::{MachineUse, OperationLength};
use pgas_result::phases::{
    Boundary, Loop, Mark, MarkReason, MetricSeries, Outlier, Recurring, Shape, Slowest, WarmUp,
};
use pgas_result::recording::{
    Baseline, Counted, PathCost, Recording, RecordingCost, Throttled, WaitStates,
};
use pgas_result::sampling::{
    CodePlace, Estimate, LibraryTime, OtherLines, PlaceTime, SampledAccesses, SampledFunction,
    SampledLine, SampledModule, SampledPath, SampledStack, SampledTime, Sampling, SamplingClock,
    ThreadAccesses, ThreadPart,
};
use pgas_result::summary::{
    Efficiency, Finding, FindingKind, InstanceStatistics, InstanceTimes, MemberTime, Summary,
    WaitTime, WorstInstance,
};
use pgas_result::synchronization::{Synchronization, SynchronizationAdvice};
use pgas_result::tasks::{ChannelLoad, MessageCost, ProcessorLoad, SendersCost, TaskLoad, Tasks};
use pgas_result::withheld::{BlindSpot, BlindSpotKind, Withheld};
use pgas_result::{AnalysisResult, synchronization, withheld};

fn sampling() -> Sampling {
    let time = |samples: u64, seconds: f64| SampledTime {
        samples,
        estimate: Some(Estimate {
            seconds,
            low_seconds: seconds * 0.75,
            high_seconds: seconds * 1.25,
        }),
    };
    let place = |function: &str, line: u32| CodePlace {
        function: function.into(),
        file: "is.c".into(),
        line,
    };
    Sampling {
        clock: SamplingClock::UserTime,
        period_seconds: 0.001,
        samples: 900,
        lost: 1,
        within_recorder: 2,
        missing_seconds: 0.25,
        elsewhere: 3,
        modules: vec![SampledModule {
            path: "/usr/lib/libc.so.6".into(),
            detail: "functions".into(),
            note: Some("it has no debug information".into()),
            samples: 90,
        }],
        call_paths: vec![SampledPath {
            call_path: 0,
            samples: 800,
            seconds: 0.75,
            sampled_seconds: 0.8,
            missing_seconds: 0.125,
        }],
        lines: vec![SampledLine {
            call_path: 0,
            place: place("qsort", 0),
            module: "libc.so.6".into(),
            called_at: place("rank", 17),
            time: time(80, 0.08),
        }],
        other_lines: OtherLines {
            lines: 4,
            samples: 20,
            seconds: 0.02,
        },
        places: vec![PlaceTime {
            file: "is.c".into(),
            line: 17,
            time: time(80, 0.08),
        }],
        libraries: vec![LibraryTime {
            call_path: 0,
            function: "qsort".into(),
            module: "libc.so.6".into(),
            called_at: place("rank", 17),
            time: time(90, 0.09),
        }],
        accesses: vec![SampledAccesses {
            call_path: 0,
            file: "is.c".into(),
            line: 40,
            accesses: 1000,
            reads: 600,
            bytes: 4000,
            remote_accesses: 500,
            remote_bytes: 2000,
            time: time(100, 0.1),
            by_thread: vec![
                ThreadAccesses {
                    accesses: 500,
                    remote_accesses: 250,
                    seconds: 0.05,
                };
                2
            ],
        }],
        functions: vec![SampledFunction {
            function: "compare".into(),
            file: "is.c".into(),
            line: 12,
            calls: Some(5000),
            inclusive: time(60, 0.06),
            exclusive: time(50, 0.05),
        }],
        stacks: vec![SampledStack {
            call_path: 0,
            frames: vec![place("rank", 17), place("qsort", 0)],
            threads: vec![ThreadPart {
                thread: 1,
                seconds: 0.08,
            }],
        }],
    }
}

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
        until_last_exit: Some(distribution),
    }
}

/// It lacks nothing that a result can have.
pub fn sample() -> AnalysisResult {
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
            models: vec!["upc".into()],
            wall_seconds: 1.6,
            efficiency: Efficiency {
                load_balance: 1.25 / 1.5,
                communication_efficiency: 1.5 / 1.6,
                parallel_efficiency: 1.25 / 1.6,
            },
            withheld: vec![Withheld {
                advice: vec![withheld::AdviceKind::Layout],
                reasons: vec![BlindSpot {
                    kind: BlindSpotKind::Throttled,
                    text: "calls of upc_get were throttled".into(),
                }],
                command: Some("pgastool run ./is".into()),
            }],
            sampling: Some(sampling()),
            live_findings: vec![LiveFinding {
                key: "thread 1 barrier upc_barrier at a.upc:3".into(),
                text: "thread 1 comes late in upc_barrier at a.upc:3".into(),
                kind: Some("barrier".into()),
                place: Some(LivePlace {
                    region: "upc_barrier".into(),
                    file: "a.upc".into(),
                    line: 3,
                }),
                thread: Some(1),
                task: Some("task 2 (smoother)".into()),
                share: Some(0.5),
                pattern: Some("late_broadcast".into()),
                evidence: Some("waits_least".into()),
                meanwhile: Some("computing in main at a.upc:2".into()),
                known_after_seconds: 1.5,
                gone_after_seconds: Some(2.5),
            }],
            machine: Some(MachineUse {
                measured: "2026-01-01T00:00:00Z".into(),
                host: "node".into(),
                is_of_run: true,
                operations: vec![OperationLength {
                    call_path: 1,
                    calls: 3,
                    median_seconds: 2e-5,
                    expected_seconds: Some(1e-5),
                    is_slow: true,
                    is_of_one_thread: true,
                }],
            }),
            tasks: Some(tasks()),
            worst_instances: vec![InstanceTimes {
                metric: "wait_at_barrier".into(),
                call_path: 1,
                last_thread: 1,
                members: vec![MemberTime {
                    thread: 0,
                    begin_seconds: 0.1,
                    end_seconds: 0.5,
                }],
                waits: vec![WaitTime {
                    thread: 0,
                    against: Some(1),
                    begin_seconds: 0.1,
                    end_seconds: 0.45,
                    parts: vec![(0.1, 0.25), (0.3, 0.45)],
                }],
            }],
            findings: [1, 0]
                .map(|other| Finding {
                    kind: FindingKind::Wait,
                    saves_seconds: Some(0.3),
                    overlaps: vec![other],
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
                })
                .into(),
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
                    kind: synchronization::AdviceKind::WeakerEntry,
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
                    drift_ppm: Some(0.25),
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
                counted: vec![Counted {
                    is_function: false,
                    region: "upc_get".to_owned(),
                    file: "is.c".to_owned(),
                    line: 40,
                    calls: 1000,
                }],
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
                    interval: Some((1.0, 1.5)),
                    cpu_seconds: Some(3.2),
                    baseline: Some(Baseline {
                        program: "./plain".into(),
                        runs: 3,
                        cpu_seconds: 3.1,
                        differ_too_much: true,
                    }),
                    call_paths: vec![PathCost {
                        call_path: 1,
                        seconds: 0.03,
                    }],
                    events: 1_000_000,
                    summed_calls: 500,
                    throttled_calls: 12_000_000,
                    counted_accesses: 0,
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
        unknown: Some(flow),
        locality: Some(locality()),
    }
}

fn locality() -> Locality {
    let reach = Reach {
        operations: 100,
        timed_operations: 90,
        bytes: 800,
        seconds: Some(0.25),
    };
    let distances = ByDistance {
        own: Some(reach),
        same_node: reach,
        other_node: reach,
    };
    Locality {
        all: distances,
        by_thread: vec![distances; 2],
        own_recorded: true,
        complete: true,
        node_pairs: vec![NodePair {
            node: 0,
            owner_node: 0,
            reach,
        }],
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
        placement: vec![Placement {
            call_path: 1,
            threads: vec![MisplacedThread {
                thread: 1,
                node: 0,
                partner_node: 0,
                swap_with: 0,
                percent: 75.0,
                bytes: 800,
                seconds: 0.125,
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
        recurring: Some(Recurring {
            every: 5,
            first: 4,
            seconds: 0.2,
            others_seconds: 0.13,
        }),
        outliers: vec![Outlier {
            iteration: 7,
            at_seconds: 1.1,
            seconds: 0.2,
        }],
        slowest: Some(Slowest {
            thread: 1,
            first_share: 0.75,
            last_share: 0.5,
            call_path: Some(0),
            region: "main".into(),
        }),
        iterations_per_value: 5,
        series: ["duration", "computation"]
            .map(|metric| MetricSeries {
                metric: metric.into(),
                values: vec![0.1 + 0.05, 0.13],
                mean: 0.14,
                first_quarter: 0.15,
                last_quarter: 0.13,
                change_percent: Some(-12.5),
                slope: -0.001,
                probability: 0.3,
                shape: Shape::WarmUp,
                recorded_iterations: Some(5),
            })
            .into(),
        marks: vec![Mark {
            reason: MarkReason::Throttled,
            after_iteration: 5,
            at_seconds: 0.8,
            until_seconds: Some(0.9),
            metrics: vec!["computation".into()],
            region: "upc_get".into(),
            file: "is.c".into(),
            line: 17,
        }],
    }
}

/// Two processors, each with a task, and a channel between these.
fn tasks() -> Tasks {
    let processor = |thread| ProcessorLoad {
        thread,
        computing: 0.5,
        communicating: 0.2,
        idle: 0.2,
        rest: 0.1,
        run_time: 1.0,
        tasks: 1,
    };
    Tasks {
        processors: vec![processor(0), processor(1)],
        tasks: vec![TaskLoad {
            task: 1,
            name: "worker".into(),
            file: "a.rs".into(),
            line: 4,
            parent: Some(0),
            processor: 1,
            computing: 0.5,
            communicating: 0.2,
            waiting_input: 0.1,
            blocked_in_send: 0.05,
            waiting_processor: 0.05,
            begin: 0.0,
            end: 1.0,
            critical: Some(0.3),
        }],
        omitted_tasks: 1,
        channels: vec![ChannelLoad {
            channel: 0,
            file: "a.rs".into(),
            line: 3,
            capacity: Some(2),
            senders: vec![1],
            receiver: Some(0),
            messages: 10,
            bytes: 80,
            mean_queued: 0.5,
            max_queued: 2,
            send_wait: 0.05,
            receive_wait: 0.1,
        }],
        omitted_channels: 1,
        efficiency: 0.5,
        speedup: 1.0,
        one_processor_seconds: Some(1.0),
        message_cost: Some(MessageCost {
            ts: 1e-7,
            ts_interval: Some((5e-8, 2e-7)),
            tw: 1e-10,
            tw_interval: Some((0.0, 2e-10)),
            by_senders: vec![SendersCost {
                senders: 1,
                messages: 10,
                send_seconds: 1e-7,
                receive_seconds: 5e-8,
            }],
        }),
    }
}
