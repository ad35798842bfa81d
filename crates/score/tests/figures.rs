//! Scores of experiments of which everything is known.

use pgas_filter::Filter;
use pgas_score::{Kind, ProposalOptions, Region, Score, propose};
use pgas_trace::builder::Sums;
use pgas_trace::metadata::Baseline;
use pgas_trace::model::{Attributes, Operation, ProfileScope, Site};
use pgas_trace::{Experiment, ExperimentBuilder};

const NONE: Attributes = Attributes::None;

fn score(builder: ExperimentBuilder) -> Score {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("experiment");
    builder.write(&path).unwrap();
    Score::read(&Experiment::open(&path).unwrap(), &|_| ()).unwrap()
}

fn region<'a>(score: &'a Score, name: &str) -> &'a Region {
    let mut found = score.regions.iter().filter(|region| region.name == name);
    let region = found.next().unwrap_or_else(|| panic!("no {name}"));
    assert!(found.next().is_none(), "{name} twice");
    region
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-12)
}

fn close_to(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-3 * b
}

struct Sites {
    main: Site,
    tiny: Site,
    way: Site,
    work: Site,
    barrier: Site,
    get: Site,
}

fn sites() -> Sites {
    Sites {
        main: Site::function("main", "a.upc", 1),
        tiny: Site::function("tiny", "a.upc", 10),
        way: Site::function("way", "a.upc", 20),
        work: Site::function("work", "b.upc", 30),
        barrier: Site::operation(Operation::Barrier, "a.upc", 21),
        get: Site::operation(Operation::Get, "a.upc", 12),
    }
}

/// One thread of 10 ms: a thousand tiny calls of 1 us, a barrier of 1 ms within `way`, 5 ms of
/// work.
fn chatty(event_cost: Option<&str>) -> ExperimentBuilder {
    let at = sites();
    let mut builder = ExperimentBuilder::new("chatty", 1);
    let thread = builder.thread(0);
    thread.enter(0, &at.main, NONE);
    for call in 0..1000 {
        thread.enter(1000 + call * 2000, &at.tiny, NONE);
        thread.exit(2000 + call * 2000, NONE);
    }
    thread.enter(3_000_000, &at.way, NONE);
    thread.enter(3_100_000, &at.barrier, Attributes::Barrier { value: None });
    thread.exit(4_100_000, NONE).exit(4_200_000, NONE);
    thread
        .enter(4_500_000, &at.work, NONE)
        .exit(9_500_000, NONE);
    thread.exit(10_000_000, NONE);
    if let Some(cost) = event_cost {
        thread.property("event_cost", cost);
    }
    builder
}

#[test]
fn events_times_and_costs_are_those_of_the_trace() {
    let score = score(chatty(Some("50000")));
    assert!(!score.cost_is_assumed && !score.partly_without_trace);
    assert!(close(score.threads[0].seconds, 0.010));
    for (name, kind, calls, seconds, inclusive) in [
        ("main", Kind::Communicating, 1, 0.0028, 0.010),
        ("tiny", Kind::User, 1000, 0.001, 0.001),
        ("way", Kind::Communicating, 1, 0.0002, 0.0012),
        ("work", Kind::User, 1, 0.005, 0.005),
        ("upc_barrier", Kind::Pgas, 1, 0.001, 0.001),
    ] {
        let region = region(&score, name);
        let total = region.total();
        assert_eq!(region.kind, kind, "{name}");
        assert_eq!((total.calls, total.events), (calls, 2 * calls), "{name}");
        assert!(close(total.seconds, seconds), "{name}: {total:?}");
        assert!(
            close(total.inclusive_seconds, inclusive),
            "{name}: {total:?}"
        );
        assert!(close(total.cost_seconds, 100e-9 * calls as f64), "{name}");
    }
    assert_eq!(score.regions[0].name, "tiny");
    let all = score.outlook(|_| true);
    assert_eq!(all.events, 2008);
    let cost = 2008.0 * 50e-9;
    assert!(close(all.cost_seconds, cost));
    assert!(close(all.overhead.worst, cost / (0.010 - cost)));
    let tiny = region(&score, "tiny").total().bytes;
    assert!(
        tiny > 0.5 * all.bytes && tiny < all.bytes,
        "{tiny} of {}",
        all.bytes
    );
}

#[test]
fn what_was_assumed_is_said() {
    assert!(score(chatty(None)).cost_is_assumed);
    assert!(score(chatty(Some("fast"))).cost_is_assumed);
}

#[test]
fn only_what_is_needed_is_proposed_and_prediction_follows_the_filter() {
    let score = score(chatty(Some("50000")));
    let proposal = propose(
        &score,
        ProposalOptions {
            max_overhead: 0.001,
            operations: false,
        },
        |_| true,
    );
    assert!(proposal.sufficient);
    assert_eq!(proposal.names, ["tiny"]);
    let filter = Filter::parse(&proposal.filter_file("why"), "proposed").unwrap();
    let outlook = score.outlook(|region| region.is_kept_by(&filter));
    assert_eq!(outlook.events, 8);
    assert!(outlook.overhead.worst <= 0.001, "{outlook:?}");

    // The way to a barrier stays, and so does main, whatever is asked for.
    let strict = propose(
        &score,
        ProposalOptions {
            max_overhead: 1e-9,
            operations: true,
        },
        |_| true,
    );
    assert!(!strict.sufficient);
    assert_eq!(strict.names, ["tiny", "work"]);
    // Nothing is proposed where all is well.
    let options = ProposalOptions {
        max_overhead: 0.02,
        operations: false,
    };
    let none = propose(&score, options, |_| true);
    assert!(none.sufficient && none.names.is_empty());
}

/// A wrapper with short calls goes if that is needed, the operation in it only if it was asked for.
#[test]
fn operations_go_only_if_asked_for() {
    let at = sites();
    let mut builder = ExperimentBuilder::new("gets", 1);
    let thread = builder.thread(0);
    let transfer = Attributes::transfer(0, 8);
    thread.enter(0, &at.main, NONE);
    for call in 0..1000 {
        let begin = call * 1000;
        thread
            .enter(begin, &at.way, NONE)
            .enter(begin + 10, &at.get, transfer);
        thread.exit(begin + 20, NONE).exit(begin + 40, NONE);
    }
    thread.exit(1_000_000, NONE).property("event_cost", "50000");
    let score = score(builder);
    let options = |operations| ProposalOptions {
        max_overhead: 0.05,
        operations,
    };
    let functions = propose(&score, options(false), |_| true);
    assert_eq!(
        (functions.names, functions.sufficient),
        (vec!["way".to_owned()], false)
    );
    let all = propose(&score, options(true), |_| true);
    assert_eq!((all.names.len(), all.sufficient), (2, true));
    // What another filter leaves out already is not proposed again.
    let rest = propose(&score, options(true), |region| region.name != "way");
    assert_eq!(rest.names, ["upc_get"]);
}

/// Sums of throttled calls: a quarter of them timed, over two blocks of which one has no timed call
/// at all.
#[test]
fn throttled_calls_are_counted_and_their_time_is_taken_from_the_caller() {
    let at = sites();
    let mut builder = ExperimentBuilder::new("throttled", 1);
    let thread = builder.thread(0);
    thread
        .property("event_cost", "30000")
        .property("clock_cost", "20000");
    thread.enter(0, &at.main, NONE).enter(100, &at.tiny, NONE);
    thread.exit(200, NONE).exit(1_000_000, NONE);
    let sums = |calls, timed_calls, ticks| {
        let way = Sums::new(None, &at.main, 0, 0);
        let tiny = Sums {
            timed_calls,
            ..Sums::new(Some(0), &at.tiny, calls, ticks)
        };
        [way, tiny]
    };
    thread.sums(
        ProfileScope::Within,
        (0, 500_000),
        &sums(2000, 1000, 100_000),
    );
    thread.sums(
        ProfileScope::Within,
        (500_000, 1_000_000),
        &sums(2000, 0, 0),
    );
    let score = score(builder);
    let tiny = region(&score, "tiny").total();
    assert_eq!((tiny.calls, tiny.throttled, tiny.events), (4001, 4000, 2));
    assert!(close(tiny.seconds, 400_100e-9), "{tiny:?}");
    assert!(close(region(&score, "main").total().seconds, 599_900e-9));
    // Two events in full, 3000 calls without the clock, 1000 with it.
    let cost = 2.0 * 30e-9 + 6000.0 * 10e-9 + 2000.0 * 30e-9;
    assert!(close(tiny.cost_seconds, cost), "{tiny:?}");
    assert_eq!(score.outlook(|region| region.name != "tiny").events, 2);
}

/// A sample that was interrupted says too much; nobody gets more time than there was.
#[test]
fn estimates_stay_within_what_the_caller_had() {
    let at = sites();
    let mut builder = ExperimentBuilder::new("interrupted", 1);
    let thread = builder.thread(0);
    thread.enter(0, &at.main, NONE).exit(1_000_000, NONE);
    let sums = [
        Sums::new(None, &at.main, 0, 0),
        // Ten times what there was, by 30 samples of a thousand calls.
        Sums {
            timed_calls: 30,
            ..Sums::new(Some(0), &at.way, 1000, 300_000)
        },
        Sums {
            timed_calls: 30,
            ..Sums::new(Some(1), &at.tiny, 1000, 150_000)
        },
    ];
    thread.sums(ProfileScope::Within, (0, 1_000_000), &sums);
    let score = score(builder);
    let seconds = |name| region(&score, name).total().seconds;
    assert!(close(seconds("way") + seconds("tiny"), 0.001));
    assert_eq!(seconds("main"), 0.0);
    assert!(seconds("tiny") > 0.0009);
}

#[test]
fn a_profile_is_scored_like_a_trace() {
    let at = sites();
    let mut builder = ExperimentBuilder::new("profile", 1);
    let thread = builder.thread(0);
    let second = 1_000_000_000;
    let sums = [
        Sums::new(None, &at.main, 1, second),
        Sums::new(Some(0), &at.tiny, 5_000_000, second / 2),
        Sums::new(Some(0), &at.way, 10, second / 10),
        Sums::new(Some(2), &at.barrier, 10, second / 20),
    ];
    thread.sums(ProfileScope::Beyond, (0, second), &sums);
    thread.property("event_cost", "20000");
    let score = score(builder);
    assert!(score.partly_without_trace);
    assert!(close(score.threads[0].seconds, 1.0));
    let tiny = region(&score, "tiny").total();
    assert_eq!(
        (tiny.calls, tiny.events, tiny.throttled),
        (5_000_000, 10_000_000, 0)
    );
    assert!(close(region(&score, "main").total().seconds, 0.4));
    assert_eq!(region(&score, "way").kind, Kind::Communicating);
    assert_eq!(region(&score, "tiny").kind, Kind::User);
    assert!(tiny.bytes > 0.0);
    let options = ProposalOptions {
        max_overhead: 0.01,
        operations: false,
    };
    let proposal = propose(&score, options, |_| true);
    assert_eq!(
        (proposal.names, proposal.sufficient),
        (vec!["tiny".to_owned()], true)
    );
}

/// One thread does all that is chatty: what counts is its own overhead, not the mean.
#[test]
fn the_worst_thread_decides() {
    let at = sites();
    let mut builder = ExperimentBuilder::new("uneven", 4);
    for number in 0..4 {
        let thread = builder.thread(number);
        thread.enter(0, &at.main, NONE);
        for call in 0..if number == 2 { 1000 } else { 0 } {
            thread
                .enter(call * 1000, &at.tiny, NONE)
                .exit(call * 1000 + 500, NONE);
        }
        thread.exit(1_000_000, NONE).property("event_cost", "10000");
    }
    let score = score(builder);
    let all = score.outlook(|_| true);
    assert_eq!(all.overhead.worst_thread, 2);
    assert!(
        all.overhead.worst > 0.02 && all.overhead.mean < 0.01,
        "{all:?}"
    );
    let options = ProposalOptions {
        max_overhead: 0.01,
        operations: false,
    };
    assert_eq!(propose(&score, options, |_| true).names, ["tiny"]);
}

/// Waiting for buffers is overhead, and becomes less with the bytes.
#[test]
fn waiting_for_buffers_shrinks_with_the_trace() {
    let at = sites();
    let stall = Site::operation(Operation::MeasurementStall, "", 0);
    let mut builder = ExperimentBuilder::new("stalled", 1);
    let thread = builder.thread(0);
    thread.enter(0, &at.main, NONE);
    for call in 0..1000 {
        thread
            .enter(call * 1000, &at.tiny, NONE)
            .exit(call * 1000 + 500, NONE);
    }
    thread.enter(1_000_000, &stall, NONE).exit(2_000_000, NONE);
    thread.exit(10_000_000, NONE).property("event_cost", "1");
    let score = score(builder);
    let all = score.outlook(|_| true);
    // It is waiting, no CPU time.
    assert!((all.stall_seconds - 0.001).abs() < 1e-9, "{all:?}");
    assert!(all.cost_seconds < 1e-6, "{all:?}");
    assert!(close_to(all.overhead.worst, 0.001 / 0.009), "{all:?}");
    let quiet = score.outlook(|region| region.name != "tiny");
    assert!(quiet.stall_seconds < 0.2 * all.stall_seconds, "{quiet:?}");
    assert!(quiet.overhead.worst < 0.2 * all.overhead.worst, "{quiet:?}");
    assert_eq!(region(&score, "measurement stall").kind, Kind::Measurement);
}

#[test]
fn names_with_wildcards_in_them_mean_themselves() {
    let mut builder = ExperimentBuilder::new("odd", 1);
    let main = Site::function("main", "a.upc", 1);
    let thread = builder.thread(0);
    thread.enter(0, &main, NONE);
    let names = ["operator*", "a[0]", "b\\c", "two words", "x#y"];
    for (index, name) in names.iter().enumerate() {
        let site = Site::function(name, "a.upc", 2);
        for call in 0..100 {
            let begin = 1000 * index as u64 + 10 * call;
            thread.enter(begin, &site, NONE).exit(begin + 1, NONE);
        }
    }
    thread.exit(100_000, NONE).property("event_cost", "20000");
    let score = score(builder);
    let options = ProposalOptions {
        max_overhead: 0.001,
        operations: false,
    };
    let proposal = propose(&score, options, |_| true);
    assert_eq!(proposal.names.len(), names.len());
    let filter = Filter::parse(&proposal.filter_file(""), "proposed").unwrap();
    for name in names {
        assert!(!filter.includes_function(name, "a.upc"), "{name}");
    }
    assert!(filter.includes_function("operators", "a.upc"));
    assert!(filter.includes_function("a0", "a.upc"));
}

/// One thread of a tiny program that had no core for most of its time and whose recorder took most
/// of the CPU time: nothing that a filter could change.
fn tiny(baseline: bool) -> ExperimentBuilder {
    let at = sites();
    let no_core = Site::operation(Operation::NoCore, "", 0);
    let mut builder = ExperimentBuilder::new("tiny", 1);
    let thread = builder.thread(0);
    thread.enter(0, &at.main, NONE);
    thread
        .enter(1_000_000, &no_core, NONE)
        .exit(30_000_000, NONE);
    thread
        .enter(31_000_000, &at.tiny, NONE)
        .exit(31_001_000, NONE);
    thread.exit(38_000_000, NONE);
    for (key, value) in [
        ("event_cost", "12000"),
        ("function_cost", "30000"),
        ("operation_cost", "50000"),
        ("own_access_cost", "1000"),
        ("own_accesses", "100000"),
        ("set_up_cpu_time", "3000000"),
        ("finish_cpu_time", "2000000"),
        ("helper_cpu_time", "3000000"),
    ] {
        thread.property(key, value);
    }
    let metadata = builder.metadata_mut();
    metadata.cpu_seconds = Some(0.017);
    metadata.baseline = baseline.then(|| Baseline {
        program: "plain".into(),
        cpu_seconds: vec![0.0089],
    });
    builder
}

#[test]
fn starting_the_recorder_is_a_cost_that_no_filter_changes() {
    let score = score(tiny(false));
    let all = score.outlook(|_| true);
    // Two calls, what was looked at, and the recorder's own work; no core is nobody's cost.
    let calls = 2.0 * 30e-9;
    assert!(close(all.cost_seconds, 0.008 + 1e-4 + calls), "{all:?}");
    assert!(close(all.cost_seconds, score.cost.seconds), "{score:?}");
    assert!(close(all.cost_percent, score.cost.percent), "{score:?}");
    assert!(close(score.unchanged_seconds, 0.0081), "{score:?}");
    assert!(
        close(all.overhead.worst, calls / (0.009 - calls)),
        "{all:?}"
    );
    let options = ProposalOptions {
        max_overhead: 0.01,
        operations: false,
    };
    let proposal = propose(&score, options, |_| true);
    assert!(proposal.sufficient && proposal.names.is_empty());
    let mut names = score.regions.iter().map(|region| region.name.as_str());
    assert!(
        names.all(|name| name == "main" || name == "tiny"),
        "{score:?}"
    );
}

#[test]
fn a_measured_baseline_counts_for_the_score_too() {
    let score = score(tiny(true));
    assert!(close(score.cost.seconds, 0.0081), "{:?}", score.cost);
    let baseline = score.cost.baseline.expect("a plain run");
    assert_eq!((baseline.cpu_seconds, baseline.runs), (0.0089, 1));
    assert!(close(score.outlook(|_| true).cost_seconds, 0.0081));
}
