//! Findings of the whole search on simulated programs with known bottlenecks, and without any.

use std::collections::BTreeMap;

use pgas_base::models::Words;
use pgas_monitor::{Now, OperationTime, Picture, Place, Times, WaitStates};

use crate::simulation::{NOISES, Noise, Series};
use crate::{Change, Claim, Search, shown};

const THREADS: u32 = 4;

fn barrier() -> Place {
    Place {
        region: "upc_barrier".into(),
        file: "heat.upc".into(),
        line: 41,
    }
}

fn compute() -> Place {
    Place {
        region: "exchange".into(),
        line: 30,
        ..barrier()
    }
}

fn operation(kind: &'static str, seconds: f64) -> OperationTime {
    OperationTime {
        place: barrier(),
        activity: "waiting",
        kind,
        seconds,
        calls: 1.0,
        bytes: 0.0,
        threads: 1,
        wait_states: None,
    }
}

/// A second in which threads wait for these shares of the time; those with the largest share wait at
/// its end.
pub(crate) fn picture(second: usize, kind: &'static str, shares: &[f64]) -> Picture {
    let most = shares.iter().copied().fold(0.0, f64::max);
    let now = (0..).zip(shares).map(|(thread, &share)| {
        let waits = share == most && share > 0.0;
        Now {
            thread,
            process: 1,
            node: String::new(),
            activity: if waits { "waiting" } else { "computing" },
            kind: waits.then_some(kind),
            seconds: 0.1,
            place: Some(if waits { barrier() } else { compute() }),
            path: Vec::new(),
            deeper: 0,
            held: if waits { Vec::new() } else { vec![7] },
            wanted: (waits && kind == "lock").then_some(7),
            efficiency: Some(1.0 - share),
            times: Some(times(kind, share, 1.0)),
            metrics: Vec::new(),
            operations: vec![operation(kind, share)],
            arrivals: 0,
            calls: 0.0,
            bytes: Default::default(),
            tasks: None,
        }
    });
    let waiting: f64 = shares.iter().sum();
    let threads = shares.len() as u32;
    Picture {
        schema: 1,
        experiment: String::new(),
        run: String::new(),
        runtime: String::new(),
        words: Default::default(),
        time_unix_ns: 0,
        elapsed: second as f64,
        period: 1.0,
        threads,
        seen: threads,
        efficiency: Some(1.0 - waiting / f64::from(threads)),
        times: times(kind, waiting, f64::from(threads)),
        calls_per_second: 0.0,
        bytes_per_second: Default::default(),
        operations: vec![operation(kind, waiting)],
        waiting: 0,
        waits: Vec::new(),
        now: now.collect(),
        stuck: Vec::new(),
        deadlocks: Vec::new(),
        problems: Vec::new(),
        ring: None,
        tasks: None,
    }
}

fn times(kind: &'static str, waiting: f64, all: f64) -> Times {
    Times {
        computing: all - waiting,
        waiting: BTreeMap::from([(kind, waiting)]),
        ..Times::default()
    }
}

/// The search after a run of `seconds` pictures with these shares of waiting, and all its changes.
fn run(
    kind: &'static str,
    seconds: usize,
    mut shares: impl FnMut(usize) -> Vec<f64>,
) -> (Search, Vec<Change>) {
    let mut search = Search::default();
    let pictures = (1..=seconds).map(|second| picture(second, kind, &shares(second)));
    let changes = pictures.flat_map(|picture| search.look(&picture)).collect();
    (search, changes)
}

fn series(mean: f64, seed: u64) -> Vec<Series> {
    let of_thread = |thread| Series::new(Noise::Following(0.3), mean, 0.06, 100 * seed + thread);
    (0..u64::from(THREADS)).map(of_thread).collect()
}

#[test]
fn a_late_thread_is_named_with_what_it_does() {
    let mut all = series(0.6, 1);
    let (search, changes) = run("barrier", 200, |_| {
        let mut shares: Vec<f64> = all.iter_mut().map(Series::next).collect();
        shares[2] = 0.0;
        shares
    });
    let findings = search.findings();
    let words = Words::default();
    let said: Vec<String> = findings
        .iter()
        .map(|finding| shown(finding, &words))
        .collect();
    assert_eq!(findings.len(), 4, "{said:?}");
    assert!(
        said[2].starts_with("waiting in upc_barrier at heat.upc:41 takes 45"),
        "{said:?}"
    );
    assert_eq!(
        said[3],
        "thread 2 comes late in upc_barrier at heat.upc:41, mostly computing in exchange at heat.upc:30"
    );
    assert!(findings.is_sorted_by(|a, b| a.known_after <= b.known_after));
    assert!(findings[3].known_after <= 60.0, "{findings:?}");
    assert!(
        changes
            .iter()
            .all(|change| matches!(change, Change::Found(_)))
    );
}

#[test]
fn the_holder_of_a_lock_is_named() {
    let (search, _) = run("lock", 200, |_| vec![0.5, 0.5, 0.0, 0.5]);
    let named = search
        .findings()
        .iter()
        .filter_map(|finding| match finding.claim {
            Claim::Thread { thread, kind, .. } => Some((thread, kind)),
            _ => None,
        });
    assert_eq!(named.collect::<Vec<_>>(), [(2, "lock")]);
}

/// Threads that are late in turn cause the same waiting each.
#[test]
fn nobody_is_named_where_all_are_late_in_turn() {
    let (search, _) = run("barrier", 500, |second| {
        let late = second % THREADS as usize;
        (0..THREADS as usize)
            .map(|thread| if thread == late { 0.0 } else { 0.6 })
            .collect()
    });
    let findings = search.findings();
    assert_eq!(findings.len(), 3, "{findings:?}");
}

/// Thread 0 waits in the same barrier as the others, from a call site of its own.
#[test]
fn a_thread_that_waits_at_another_call_site_is_not_late() {
    let mut search = Search::default();
    for second in 1..=200 {
        let mut picture = picture(second, "barrier", &[0.6, 0.6, 0.0, 0.6]);
        let elsewhere = Place {
            line: 99,
            ..barrier()
        };
        picture.now[0].place = Some(elsewhere.clone());
        picture.now[0].operations[0].place = elsewhere.clone();
        picture.operations = vec![operation("barrier", 1.2), operation("barrier", 0.6)];
        picture.operations[1].place = elsewhere;
        search.look(&picture);
    }
    let named = search
        .findings()
        .iter()
        .filter_map(|finding| match &finding.claim {
            Claim::Thread { thread, place, .. } => Some((*thread, place.line)),
            _ => None,
        });
    assert_eq!(named.collect::<Vec<_>>(), [(2, 41), (2, 99)]);
}

#[test]
fn what_does_not_hold_any_more_is_dropped_with_all_below() {
    let (search, changes) = run("barrier", 1000, |second| match second {
        0..300 => vec![0.6, 0.6, 0.0, 0.6],
        _ => vec![0.05; 4],
    });
    assert!(search.findings().is_empty());
    let gone = changes
        .iter()
        .filter(|change| matches!(change, Change::Gone(_)));
    assert_eq!(gone.count(), 4);
}

/// At most 5 of 100 runs of 2,000 pictures have any finding, for each kind of noise.
#[test]
fn balanced_programs_are_left_alone() {
    for noise in NOISES {
        let runs = (0..100).filter(|&seed| {
            let mut common = Series::new(noise, 0.15, 0.06, seed);
            let (_, changes) = run("barrier", 2000, |_| vec![common.next(); 4]);
            !changes.is_empty()
        });
        let runs = runs.count();
        println!("{noise:?}: {runs} of 100 balanced programs with a finding");
        assert!(runs <= 5, "{noise:?}: {runs}");
    }
}

/// Thread and kind of the findings about culprits.
fn named(search: &Search) -> Vec<(u32, &'static str)> {
    let claims = search.findings().iter().map(|finding| &finding.claim);
    let threads = claims.filter_map(|claim| match claim {
        Claim::Thread { thread, kind, .. } => Some((*thread, *kind)),
        _ => None,
    });
    threads.collect()
}

/// The search after pictures in which thread 0 waits for 0.8 of the time; `change` adds what the
/// others do.
fn thread_0_waits(kind: &'static str, change: impl Fn(usize, &mut Picture)) -> Search {
    let mut search = Search::default();
    for second in 1..=300 {
        let mut picture = picture(second, kind, &[0.8, 0.0, 0.0, 0.0]);
        picture.efficiency = Some(0.4);
        for now in &mut picture.now[1..] {
            now.operations.clear();
        }
        change(second, &mut picture);
        search.look(&picture);
    }
    search
}

/// Puts a thread into an operation of another place.
fn waits_elsewhere(picture: &mut Picture, thread: usize) {
    let place = Place {
        line: 99,
        ..barrier()
    };
    let now = &mut picture.now[thread];
    (now.activity, now.kind, now.place) = ("waiting", Some("barrier"), Some(place));
}

/// Thread 0 waits for a flag, threads 1 and 2 in a barrier.
#[test]
fn the_only_busy_thread_is_what_all_others_wait_for() {
    let search = thread_0_waits("point_to_point", |_, picture| {
        waits_elsewhere(picture, 1);
        waits_elsewhere(picture, 2);
    });
    assert_eq!(named(&search), [(3, "point_to_point")]);
}

/// Thread 3 always computes; thread 1 may be the one that sets the flag.
#[test]
fn nobody_is_named_at_a_flag_while_several_threads_are_busy() {
    let search = thread_0_waits("point_to_point", |second, picture| {
        waits_elsewhere(picture, 2);
        if second % 5 < 2 {
            waits_elsewhere(picture, 1);
        }
    });
    assert_eq!(named(&search), []);
}

/// Only the root of a gather waits; thread 3 is the last of the senders.
#[test]
fn the_last_sender_is_named_though_no_sender_waits() {
    let search = thread_0_waits("collective", |second, picture| {
        waits_elsewhere(picture, 1);
        if second % 3 > 0 {
            waits_elsewhere(picture, 2);
        }
        for now in &mut picture.now[1..] {
            now.operations.push(operation("collective", 0.0));
        }
    });
    assert_eq!(named(&search), [(3, "collective")]);
}

#[test]
fn no_thread_is_named_while_some_are_not_seen() {
    let search = thread_0_waits("point_to_point", |_, picture| {
        waits_elsewhere(picture, 1);
        waits_elsewhere(picture, 2);
        picture.threads += 1;
    });
    assert_eq!(named(&search), []);
}

/// Thread 3 is late at one barrier and waits as long as the others at another one.
#[test]
fn a_late_thread_may_wait_at_other_barriers() {
    let mut search = Search::default();
    for second in 1..=200 {
        let mut picture = picture(second, "barrier", &[0.3, 0.3, 0.3, 0.0]);
        let other = OperationTime {
            place: Place {
                line: 99,
                ..barrier()
            },
            ..operation("barrier", 0.4)
        };
        for now in &mut picture.now[1..] {
            now.operations.push(other.clone());
            now.times = Some(times("barrier", 0.7, 1.0));
        }
        search.look(&picture);
    }
    assert_eq!(named(&search), [(3, "barrier")]);
}

fn in_broadcast(picture: &mut Picture, sync_in_all: bool) {
    let entry = match sync_in_all {
        true => "collective_sync_in",
        false => "late_broadcast",
    };
    let states = WaitStates {
        root: Some(0),
        of_root: Some("wait_inside_collective"),
        of_others: Some(entry),
        completion: Some("collective_sync_out"),
    };
    for one in picture.now.iter_mut().flat_map(|now| &mut now.operations) {
        one.wait_states = Some(states);
    }
}

/// The pattern that is named for threads with these shares of waiting and numbers of arrivals.
fn pattern_of(shares: &[f64], sync_in_all: bool, arrivals: &[u64]) -> Option<String> {
    let mut search = Search::default();
    for second in 1..=60 {
        let mut picture = picture(second, "collective", shares);
        in_broadcast(&mut picture, sync_in_all);
        for (now, come) in picture.now.iter_mut().zip(arrivals) {
            now.arrivals = second as u64 + come;
        }
        search.look(&picture);
    }
    let mut findings = search.findings().iter();
    let place = findings.find(|one| matches!(one.claim, Claim::Place { .. }));
    place.and_then(|place| place.pattern.clone())
}

#[test]
fn waiting_has_the_name_that_the_analysis_gives_it() {
    let late_root = [0.0, 0.5, 0.5, 0.5];
    let all = [0.5, 0.5, 0.5, 0.5];
    let one_left = [0.0, 0.0, 0.0, 0.9];
    for (shares, sync_in_all, arrivals, expected) in [
        (late_root, false, [0, 1, 1, 1], "late_broadcast"),
        (late_root, true, [0, 1, 1, 1], "collective_sync_in"),
        (
            [0.9, 0.0, 0.0, 0.0],
            false,
            [1, 0, 0, 0],
            "wait_inside_collective",
        ),
        (all, false, [1, 1, 1, 1], "collective_sync_out"),
        // The others are further on.
        (one_left, false, [2, 2, 2, 1], "collective_sync_out"),
    ] {
        let found = pattern_of(&shares, sync_in_all, &arrivals);
        assert_eq!(found.as_deref(), Some(expected), "{arrivals:?}");
    }
}

#[test]
fn a_place_is_found_again_when_its_wait_state_becomes_known() {
    let mut search = Search::default();
    let mut found = Vec::new();
    for second in 1..=60 {
        let mut picture = picture(second, "collective", &[0.0, 0.5, 0.5, 0.5]);
        picture.now[1..].iter_mut().for_each(|now| now.arrivals = 1);
        if second > 30 {
            in_broadcast(&mut picture, false);
        }
        found.extend(search.look(&picture));
    }
    let patterns = found.iter().filter_map(|change| match change {
        Change::Found(one) if matches!(one.claim, Claim::Place { .. }) => Some(one.pattern.clone()),
        _ => None,
    });
    let late = Some("late_broadcast".to_owned());
    assert_eq!(patterns.collect::<Vec<_>>(), [None, late]);
}

/// Threads 0 and 3 come to the barrier at the same time, as thread 0 has waited for thread 3.
#[test]
fn the_thread_that_a_late_one_has_waited_for_is_named() {
    let mut search = Search::default();
    for second in 1..=200 {
        let mut picture = picture(second, "barrier", &[0.0, 0.5, 0.5, 0.0]);
        let flag = Place {
            region: "wait for a flag".into(),
            ..barrier()
        };
        let waiting = &mut picture.now[0];
        (waiting.activity, waiting.kind) = ("waiting", Some("point_to_point"));
        waiting.place = Some(flag);
        search.look(&picture);
    }
    assert_eq!(named(&search), [(3, "barrier")]);
    let finding = search.findings().last().unwrap();
    assert_eq!(finding.evidence.as_deref(), Some("only_one_busy"));
    let said = shown(finding, &Words::default());
    assert!(
        said.starts_with("thread 3 keeps others waiting in upc_barrier"),
        "{said}"
    );
}
