//! Recordings in which calls were summed instead of being in the trace: throttled, without trace,
//! after the limit of the trace's size. With exact sums, the profile must be that of the full
//! trace, to the tick.

use std::collections::BTreeMap;

use crate::common::numbers::Numbers;
use crate::common::simulator::Simulation;
use crate::common::summing::{
    Recording, analyse_recordings, limit, profile, throttle, with_whole_barriers,
};
use crate::common::{FILE, analyse, path_name, per_thread, total};
use pgas_analyze::Analysis;
use pgas_earl::StreamBuilder;
use pgas_result::recording::WaitStates;
use pgas_result::summary::FindingKind;
use pgas_trace::model::{
    Attributes, CallSums, Operation, Profile, ProfileScope, Site, SiteId, ThreadId,
};
use proptest::prelude::*;

/// All values that are not zero, by metric and call path.
fn values(analysis: &Analysis) -> BTreeMap<(String, String), Vec<f64>> {
    let cube = &analysis.cube;
    cube.rows()
        .filter(|(_, _, row)| row.iter().any(|&value| value != 0.0))
        .map(|(metric, path, row)| {
            let metric = cube.metrics[metric.0].unique_name.clone();
            ((metric, path_name(analysis, path)), row.to_vec())
        })
        .collect()
}

/// The same without metrics that `other` does not have.
fn values_known_to(analysis: &Analysis, other: &Analysis) -> BTreeMap<(String, String), Vec<f64>> {
    let mut values = values(analysis);
    values.retain(|(metric, _), _| other.cube.metric(metric).is_some());
    values
}

/// Waits that are found in calls which may be throttled; without events they are not seen.
const OF_TRANSFERS: [&str; 2] = ["completion_wait", "fence_wait"];

/// The same without what follows from the order of events: there, the time of throttled calls is
/// their caller's.
fn without_causes(analysis: &Analysis) -> BTreeMap<(String, String), Vec<f64>> {
    let mut values = values(analysis);
    values.retain(|(metric, _), _| {
        !metric.starts_with("critical_path")
            && !metric.starts_with("delay")
            && !OF_TRANSFERS.contains(&metric.as_str())
    });
    values
}

fn steps() -> impl Strategy<Value = Vec<(u8, u64)>> {
    prop::collection::vec((0u8..6, any::<u64>()), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn throttling_does_not_change_the_profile(threads in 1usize..5, steps in steps(), seed in any::<u64>()) {
        let simulation = Simulation::run(threads, &steps);
        let full = analyse(&simulation.streams);
        let recordings: Vec<Recording> = simulation.streams.iter().enumerate().map(|(thread, stream)| {
            let throttled = |site: &Site| match site.operation {
                Operation::Function => {
                    let name = u64::from(site.name.as_bytes()[0]);
                    site.name != "main" && Numbers(seed ^ thread as u64 ^ name << 8).chance(2)
                }
                Operation::Fence | Operation::Get | Operation::Memput => {
                    Numbers(seed ^ site.operation as u64).chance(2)
                }
                _ => false,
            };
            throttle(stream, throttled)
        }).collect();
        let summed = analyse_recordings(&recordings);
        prop_assert_eq!(without_causes(&full), without_causes(&summed));
        prop_assert_eq!(per_thread(&full, "critical_path"), per_thread(&summed, "critical_path"));
        prop_assert_eq!(full.summary.efficiency, summed.summary.efficiency);
        prop_assert_eq!(summed.summary.recording.wait_states, WaitStates::All);
        let removed: usize = simulation.streams.iter().zip(&recordings)
            .map(|(stream, recording)| stream.events().len() - recording.stream.events().len())
            .sum();
        let calls: u64 = summed.summary.recording.throttled.iter().map(|t| t.calls).sum();
        prop_assert_eq!(calls * 2, removed as u64);
    }

    #[test]
    fn without_trace_all_is_known_but_waiting(threads in 1usize..5, steps in steps()) {
        let simulation = Simulation::run(threads, &steps);
        let streams: Vec<_> = simulation.streams.iter().map(with_whole_barriers).collect();
        let full = analyse(&streams);
        let recordings: Vec<_> = streams.iter().map(|stream| limit(stream, 0)).collect();
        prop_assert!(recordings.iter().all(|recording| recording.stream.events().is_empty()));
        let summed = analyse_recordings(&recordings);
        prop_assert_eq!(values_known_to(&full, &summed), values(&summed));
        prop_assert_eq!(full.summary.efficiency, summed.summary.efficiency);
        prop_assert_eq!(full.summary.wall_seconds, summed.summary.wall_seconds);
        prop_assert_eq!(summed.summary.recording.wait_states, WaitStates::None);
        prop_assert_eq!(summed.cube.metric("wait_at_barrier"), None);
        prop_assert!(summed.summary.instances.is_empty());
    }

    #[test]
    fn behind_the_limit_of_the_trace_the_profile_goes_on(
        threads in 1usize..5,
        steps in steps(),
        ends in prop::collection::vec(1u64..3000, 5),
    ) {
        let simulation = Simulation::run(threads, &steps);
        let streams: Vec<_> = simulation.streams.iter().map(with_whole_barriers).collect();
        let full = analyse(&streams);
        let recordings: Vec<_> = streams.iter().zip(&ends).map(|(stream, &end)| limit(stream, end)).collect();
        let summed = analyse_recordings(&recordings);
        // Waiting is known of a part only; what contains it is complete.
        let waiting = |metric: &str| {
            let parent = full.cube.metric(metric).and_then(|id| full.cube.metrics[id.0].parent);
            let mut around = parent.map(|id| full.cube.metrics[id.0].unique_name.as_str());
            if around == Some("early_gather") {
                around = Some("collective");
            }
            metric == "early_gather" || matches!(around, Some("barrier" | "lock" | "allocation" | "collective"))
        };
        let profile = |analysis: &Analysis| {
            let mut values = without_causes(analysis);
            values.retain(|(metric, _), _| !waiting(metric));
            values
        };
        prop_assert_eq!(profile(&full), profile(&summed));
        prop_assert_eq!(full.summary.wall_seconds, summed.summary.wall_seconds);
        let limited = recordings.iter().any(|recording| !recording.sums.is_empty());
        let traced = recordings.iter().any(|recording| !recording.stream.events().is_empty());
        let expected = match (limited, traced) {
            (false, _) => WaitStates::All,
            (true, true) => WaitStates::UntilTraceEnds,
            (true, false) => WaitStates::None,
        };
        prop_assert_eq!(summed.summary.recording.wait_states, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// For any values in sums, parts add up to wholes, and the time does not change.
    #[test]
    fn nonsense_breaks_nothing(
        steps in prop::collection::vec((0u8..6, any::<u64>()), 1..8),
        blocks in prop::collection::vec((0u64..3, amounts(), amounts(), any::<u64>()), 0..5),
    ) {
        nonsense(&steps, blocks);
    }
}

/// Sums that were once wrong.
#[test]
fn nonsense_of_times_beyond_any_run_breaks_nothing() {
    nonsense(
        &[(0, 3_315_776_045_442_503_791)],
        vec![(0, 0, 0, 9_645_436_384_783_063_321)],
    );
}

/// Analyses a run of two threads with sums of any values, and checks the result.
fn nonsense(steps: &[(u8, u64)], blocks: Vec<(u64, u64, u64, u64)>) {
    let simulation = Simulation::run(2, steps);
    let full = analyse(&simulation.streams);
    let mut recordings: Vec<Recording> = simulation
        .streams
        .iter()
        .map(|stream| Recording {
            stream: stream.clone(),
            sums: Vec::new(),
        })
        .collect();
    let mut is_beyond = false;
    for (scope, begin, end, seed) in blocks {
        let scope = ProfileScope::from_number(scope).unwrap();
        is_beyond |= scope == ProfileScope::Beyond;
        let mut numbers = Numbers(seed);
        let recording = &mut recordings[numbers.below(2) as usize];
        let sites = recording.stream.sites().len() as u64;
        let entries = (0..numbers.below(9))
            .map(|index| {
                let calls = amount(&mut numbers);
                CallSums {
                    partner: numbers.chance(2).then(|| numbers.below(2) as ThreadId),
                    bytes: amount(&mut numbers),
                    counters: vec![amount(&mut numbers)],
                    ..sums(
                        numbers
                            .below(index + 1)
                            .checked_sub(1)
                            .map(|parent| parent as u32),
                        numbers.below(sites) as u32,
                        calls,
                        numbers.below(calls.saturating_add(1).max(1)),
                        amount(&mut numbers),
                    )
                }
            })
            .collect();
        recording.sums.push(Profile {
            counters: vec!["cycles".into()],
            ..profile(scope, (begin.min(end), begin.max(end)), entries)
        });
    }
    let summed = analyse_recordings(&recordings);
    if !is_beyond {
        assert_eq!(per_thread(&full, "time"), per_thread(&summed, "time"));
        assert_eq!(
            per_thread(&full, "wait_at_barrier"),
            per_thread(&summed, "wait_at_barrier")
        );
    }
}

/// Of every size.
fn amount(numbers: &mut Numbers) -> u64 {
    let shift = numbers.below(64);
    numbers.below(u64::MAX) >> shift
}

fn amounts() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0u32..64).prop_map(|(value, shift)| value >> shift)
}

/// The programs above are a test of throttling only if calls are throttled in calls that are not.
#[test]
fn the_simulation_has_calls_to_throttle() {
    let mut numbers = Numbers(1);
    let steps: Vec<_> = (0..300)
        .map(|_| (numbers.below(6) as u8, numbers.below(u64::MAX)))
        .collect();
    let simulation = Simulation::run(3, &steps);
    let stream = &simulation.streams[2];
    let everything = throttle(stream, |site| site.name != "main");
    let calls = |recording: &Recording, name: &str| -> u64 {
        let entries = recording.sums.iter().flat_map(|profile| &profile.entries);
        entries
            .filter(|entry| {
                let site = &stream.sites()[entry.site.0 as usize];
                site.name == name || site.operation.name() == name
            })
            .map(|entry| entry.calls)
            .sum()
    };
    for name in ["upc_fence", "upc_get", "upc_memput", "smooth", "norm"] {
        let all = calls(&everything, name);
        assert!(all > 5, "{all} calls of {name}");
    }
    // Functions with something in them that is recorded stay.
    let functions = throttle(stream, |site| site.operation == Operation::Function);
    assert!(calls(&functions, "smooth") < calls(&everything, "smooth"));
}

fn sums(parent: Option<u32>, site: u32, calls: u64, timed_calls: u64, ticks: u64) -> CallSums {
    CallSums {
        parent,
        site: SiteId(site),
        partner: None,
        calls,
        timed_calls,
        ticks,
        bytes: 0,
        counters: Vec::new(),
    }
}

/// main from 0 to 1000 with a barrier from 800 to 900; sites: main, barrier, then `more`.
fn main_with_barrier(more: &[Site]) -> StreamBuilder {
    let mut stream = StreamBuilder::new();
    stream.call(0, "main", FILE, 1);
    stream
        .operation(800, 900, Operation::Barrier, FILE, 7)
        .leave(1000);
    let events = stream.take_events();
    for site in more {
        stream.enter(0, site.clone(), Attributes::None).leave(0);
    }
    stream.take_events();
    for event in events {
        stream.push(event.time, event.kind);
    }
    stream
}

fn one(stream: StreamBuilder, profiles: Vec<Profile>) -> Analysis {
    analyse_recordings(&[Recording {
        stream,
        sums: profiles,
    }])
}

#[test]
fn sampled_calls_take_their_share_of_the_callers_time() {
    let add = Site::function("add", FILE, 3);
    let block = profile(
        ProfileScope::Within,
        (0, 1000),
        vec![sums(None, 0, 0, 0, 0), sums(Some(0), 2, 1_000_000, 30, 9)],
    );
    // 1,000,000 calls at 0.3 ticks would be 300,000: more than main has without its barrier.
    let a = one(main_with_barrier(std::slice::from_ref(&add)), vec![block]);
    let v = values(&a);
    let at = |metric: &str, path: &str| v.get(&(metric.into(), path.into())).map(|row| row[0]);
    assert_eq!(at("computation", "prog/main/add"), Some(900.0));
    assert_eq!(at("visits", "prog/main/add"), Some(1e6));
    assert_eq!(at("computation", "prog/main"), None);
    assert_eq!(at("barrier", "prog/main/upc_barrier:7"), Some(100.0));
    assert_eq!(total(&a, "time"), 1000.0);
    let remarks = &a.summary.remarks;
    assert!(
        remarks
            .iter()
            .any(|r| r.contains("exceed those of their callers")),
        "{remarks:?}"
    );

    let block = profile(
        ProfileScope::Within,
        (0, 1000),
        vec![sums(None, 0, 0, 0, 0), sums(Some(0), 2, 1000, 30, 9)],
    );
    let a = one(main_with_barrier(&[add]), vec![block]);
    assert_eq!(a.summary.remarks, Vec::<String>::new());
    let throttled = &a.summary.recording.throttled[0];
    assert_eq!((throttled.region.as_str(), throttled.line), ("add", 3));
    assert_eq!((throttled.calls, throttled.timed_calls), (1000, 30));
    assert_eq!((throttled.seconds, throttled.percent), (300.0, 30.0));
}

#[test]
fn the_cause_of_a_wait_names_what_was_throttled() {
    let add = Site::function("add", FILE, 3);
    let block = |ticks| {
        profile(
            ProfileScope::Within,
            (0, 1000),
            vec![sums(None, 0, 0, 0, 0), sums(Some(0), 2, 9, 9, ticks)],
        )
    };
    let mut early = StreamBuilder::new();
    early.call(0, "main", FILE, 1);
    early
        .operation(100, 900, Operation::Barrier, FILE, 7)
        .leave(1000);
    let cause = |ticks| {
        let a = analyse_recordings(&[
            Recording {
                stream: main_with_barrier(std::slice::from_ref(&add)),
                sums: vec![block(ticks)],
            },
            Recording {
                stream: early.clone(),
                sums: Vec::new(),
            },
        ]);
        let finding = a
            .summary
            .findings
            .iter()
            .find(|f| f.metric == "wait_at_barrier");
        finding.unwrap().cause.clone()
    };
    let named = "computing in main (a.upc:1), mostly in calls of add (a.upc:3) from there";
    assert!(cause(800).contains(named), "{}", cause(800));
    assert!(!cause(200).contains("mostly"), "{}", cause(200));
}

#[test]
fn throttled_transfers_are_no_computation() {
    let get = Site::operation(Operation::Get, FILE, 9);
    let copy = Site::operation(Operation::Memcpy, FILE, 10);
    let entry = |site, partner: ThreadId, ticks, bytes| CallSums {
        partner: Some(partner),
        bytes,
        ..sums(Some(0), site, 10, 10, ticks)
    };
    let block = profile(
        ProfileScope::Within,
        (0, 1000),
        vec![
            sums(None, 0, 0, 0, 0),
            entry(2, 0, 100, 80),
            entry(2, 1, 50, 40),
            entry(3, 0, 20, 1000),
            entry(3, 1, 30, 500),
        ],
    );
    let stream = main_with_barrier(&[get, copy]);
    let a = analyse_recordings(&[
        Recording {
            stream: stream.clone(),
            sums: vec![block],
        },
        Recording {
            stream,
            sums: Vec::new(),
        },
    ]);
    assert_eq!(per_thread(&a, "one_sided"), [200.0, 0.0]);
    assert_eq!(per_thread(&a, "computation"), [700.0, 900.0]);
    assert_eq!(per_thread(&a, "bytes_get_local"), [80.0 + 1000.0, 0.0]);
    // Of a copy with another thread it is not known which side is there.
    assert_eq!(per_thread(&a, "bytes_get_remote"), [40.0, 0.0]);
    assert_eq!(per_thread(&a, "bytes_get"), [80.0 + 40.0 + 1500.0, 0.0]);
    assert_eq!(per_thread(&a, "bytes_put"), [1500.0, 0.0]);
}

/// Accesses in the trace wait for the recorder; those that are throttled do not, and take a
/// fraction of it.
#[test]
fn throttled_accesses_cost_no_more_than_their_call_path() {
    let mut stream = StreamBuilder::new();
    stream.call(0, "main", FILE, 1);
    for access in 0..40 {
        let begin = 10 + 5 * access;
        let read = Attributes::transfer(1, 8);
        stream
            .begin(begin, Operation::Get, FILE, 9, read)
            .leave(begin + 4);
    }
    stream.leave(1000);
    let throttled = CallSums {
        partner: Some(1),
        bytes: 8000,
        ..sums(Some(0), 1, 1000, 1000, 300)
    };
    let block = profile(
        ProfileScope::Within,
        (0, 1000),
        vec![sums(None, 0, 0, 0, 0), throttled],
    );
    let mut other = StreamBuilder::new();
    other.call(0, "main", FILE, 1).leave(1000);
    let a = analyse_recordings(&[
        Recording {
            stream,
            sums: vec![block],
        },
        Recording {
            stream: other,
            sums: Vec::new(),
        },
    ]);
    // Each in the trace takes 4, each of the others 0.3.
    assert_eq!(per_thread(&a, "one_sided"), [160.0 + 300.0, 0.0]);
    let findings = a.summary.findings.iter();
    let mut fine_grained = findings.filter(|f| f.kind == FindingKind::FineGrained);
    let finding = fine_grained.next().expect("a finding");
    assert!((finding.seconds - 460.0).abs() < 1e-9, "{finding:?}");
    assert!(
        finding.cause.starts_with("1040 reads of 8 bytes each"),
        "{}",
        finding.cause
    );
}

#[test]
fn a_throttled_caller_that_was_never_timed_has_the_time_of_its_callees() {
    let (f, g) = (Site::function("f", FILE, 3), Site::function("g", FILE, 4));
    let block = profile(
        ProfileScope::Within,
        (0, 1000),
        vec![
            sums(None, 0, 0, 0, 0),
            sums(Some(0), 2, 5, 0, 0),
            sums(Some(1), 3, 10, 5, 100),
        ],
    );
    let a = one(main_with_barrier(&[f, g]), vec![block]);
    let v = values(&a);
    let g = v[&("time".to_owned(), "prog/main/f/g".to_owned())][0];
    assert_eq!(g, 200.0);
    assert_eq!(total(&a, "computation"), 900.0);
}

/// Sums that claim 100 ticks for a fence (site 2) within an operation (site 1) of main.
fn fence_within_operation() -> Profile {
    profile(
        ProfileScope::Within,
        (0, 1000),
        vec![
            sums(None, 0, 0, 0, 0),
            sums(Some(0), 1, 0, 0, 0),
            sums(Some(1), 2, 4, 4, 100),
        ],
    )
}

#[test]
fn waiting_is_not_given_away() {
    // Thread 0 waits from 800 to 900 in the barrier; sums claim that a fence inside took all of it.
    let fence = Site::operation(Operation::Fence, FILE, 8);
    let mut late = StreamBuilder::new();
    late.call(0, "main", FILE, 1);
    late.operation(890, 900, Operation::Barrier, FILE, 7)
        .leave(1000);
    let a = analyse_recordings(&[
        Recording {
            stream: main_with_barrier(&[fence]),
            sums: vec![fence_within_operation()],
        },
        Recording {
            stream: late,
            sums: Vec::new(),
        },
    ]);
    assert_eq!(per_thread(&a, "wait_at_barrier"), [90.0, 0.0]);
    assert_eq!(per_thread(&a, "fence"), [10.0, 0.0]);
}

#[test]
fn the_time_of_recorded_accesses_is_not_given_away() {
    // Sums claim that a fence inside of the copy took all of its 100 ticks.
    let mut stream = StreamBuilder::new();
    stream.call(0, "main", FILE, 1);
    let copy = Attributes::transfer(0, 4096);
    stream
        .begin(700, Operation::Memput, FILE, 6, copy)
        .leave(800)
        .operation(900, 900, Operation::Fence, FILE, 8)
        .leave(1000);
    let a = analyse_recordings(&[Recording {
        stream,
        sums: vec![fence_within_operation()],
    }]);
    assert_eq!(per_thread(&a, "one_sided"), [100.0]);
    assert_eq!(per_thread(&a, "fence"), [0.0]);
}

#[test]
fn what_is_known_of_a_run_without_trace_is_said() {
    let stream = main_with_barrier(&[]);
    let recordings = [0, 0].map(|end| limit(&stream, end));
    let a = analyse_recordings(&recordings);
    assert_eq!(total(&a, "barrier"), 200.0);
    let remarks = &a.summary.remarks;
    assert!(
        remarks[0].starts_with("recorded with --profile"),
        "{remarks:?}"
    );
    let finding = &a.summary.findings[0];
    assert_eq!(finding.metric, "barrier");
    assert!(
        finding.cause.contains("waiting for others included"),
        "{finding:?}"
    );
    assert!(finding.advice.contains("without --profile"), "{finding:?}");
}

#[test]
fn the_end_of_a_limited_trace_is_said() {
    let stream = main_with_barrier(&[]);
    let recordings = [limit(&stream, 850), limit(&stream, 2000)];
    let a = analyse_recordings(&recordings);
    assert_eq!(per_thread(&a, "time"), [1000.0, 1000.0]);
    assert_eq!(per_thread(&a, "barrier"), [100.0, 100.0]);
    assert_eq!(per_thread(&a, "visits"), [3.0, 3.0]);
    assert_eq!(a.summary.recording.trace_ends_seconds, Some(800.0));
    // One remark, not also that a thread's trace ends and that barriers are not complete.
    let [remark] = &a.summary.remarks[..] else {
        panic!("{:?}", a.summary.remarks);
    };
    assert!(
        remark.starts_with("the trace ends at 13.3 min of 16.7 min, at the limit of its size"),
        "{remark}"
    );
}

#[test]
fn calls_without_a_place_are_told() {
    let mut block = profile(ProfileScope::Within, (0, 1000), Vec::new());
    block.unplaced_calls = 12;
    let a = one(main_with_barrier(&[]), vec![block.clone(), block]);
    let remarks = &a.summary.remarks;
    assert!(
        remarks[0].starts_with("24 calls are missing"),
        "{remarks:?}"
    );
}

#[test]
fn sums_that_cannot_be_true_break_nothing() {
    let f = Site::function("f", FILE, 3);
    let huge = |site, parent| CallSums {
        bytes: u64::MAX,
        counters: vec![u64::MAX],
        ..sums(parent, site, u64::MAX, u64::MAX / 3, u64::MAX)
    };
    let block = |scope| Profile {
        counters: vec!["cycles".into()],
        unplaced_calls: u64::MAX,
        ..profile(
            scope,
            (0, 900),
            vec![
                huge(0, None),
                huge(2, Some(0)),
                huge(2, Some(1)),
                huge(2, None),
            ],
        )
    };
    for scope in [
        ProfileScope::Within,
        ProfileScope::Beyond,
        ProfileScope::Counters,
    ] {
        let stream = main_with_barrier(std::slice::from_ref(&f));
        let a = one(stream, vec![block(scope), block(scope)]);
        assert_eq!(total(&a, "time"), 1000.0, "{scope:?}");
    }
    // Behind the last event, or long before the first.
    for span in [(5000, 6000), (0, u64::MAX)] {
        let mut beyond = block(ProfileScope::Beyond);
        (beyond.first_time, beyond.last_time) = span;
        one(main_with_barrier(std::slice::from_ref(&f)), vec![beyond]);
    }
}
