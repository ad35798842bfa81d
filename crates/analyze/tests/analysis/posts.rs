//! Waits for flags, events and partners, on events that are written down here, with the truth worked
//! out by hand. One tick is one second.

use crate::common::{FILE, analyse, by_place, per_thread, total};
use pgas_analyze::Analysis;
use pgas_earl::StreamBuilder;
use pgas_trace::model::{Attributes, GroupFlow, Operation};

/// Address of the flag of each thread.
const FLAG: u64 = 0x1000;

fn flag(owner: u32) -> Attributes {
    Attributes::transfer_at(owner, 8, FLAG)
}

fn event(object: u64, units: u64) -> Attributes {
    Attributes::Object { object, units }
}

/// Seconds of a metric by the last name of the call path and thread.
fn values(analysis: &Analysis, metric: &str) -> Vec<(String, usize, f64)> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let places = by_place(analysis, metric).into_iter();
    let mut values: Vec<_> = places
        .map(|((path, thread), seconds)| (last(&path), thread, seconds))
        .collect();
    values.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    values
}

fn value(analysis: &Analysis, metric: &str, name: &str, thread: usize) -> f64 {
    let values = values(analysis, metric);
    let found = values
        .iter()
        .filter(|(known, of, _)| known == name && *of == thread);
    found.map(|(_, _, seconds)| seconds).sum()
}

/// The thread that is waited for at a place.
fn culprit(analysis: &Analysis, metric: &str) -> Option<u32> {
    let mut findings = analysis.summary.findings.iter();
    findings
        .find(|finding| finding.metric == metric)?
        .culprit_thread
}

/// A thread in `main`.
fn stream() -> StreamBuilder {
    let mut stream = StreamBuilder::new();
    stream.call(0, "main", FILE, 1);
    stream
}

/// A region of a thread.
fn during(
    stream: &mut StreamBuilder,
    operation: Operation,
    (begin, end): (u64, u64),
    attributes: Attributes,
    line: u32,
) {
    stream.begin(begin, operation, FILE, line, attributes);
    stream.leave(end);
}

fn work(stream: &mut StreamBuilder, name: &str, begin: u64, end: u64) {
    stream.call(begin, name, FILE, 2);
    stream.leave(end);
}

fn finish(mut streams: Vec<StreamBuilder>, at: u64) -> Analysis {
    for stream in &mut streams {
        stream.leave(at);
    }
    analyse(&streams)
}

#[test]
fn a_flag_is_waited_for_until_it_is_written() {
    let mut streams = vec![stream(), stream()];
    work(&mut streams[0], "compute", 0, 50);
    during(&mut streams[0], Operation::Put, (50, 52), flag(1), 5);
    during(&mut streams[1], Operation::FlagWait, (10, 53), flag(1), 7);
    let a = finish(streams, 60);
    assert_eq!(per_thread(&a, "flag_wait"), [0.0, 40.0]);
    assert_eq!(per_thread(&a, "point_to_point"), [0.0, 43.0]);
    assert_eq!(value(&a, "delay_short_term", "compute", 0), 40.0);
    // The path goes on with the waiting thread once the flag is set, or stays with the writer.
    assert_eq!(total(&a, "critical_path"), 60.0);
    let finding = &a.summary.findings[0];
    assert_eq!(finding.metric, "flag_wait");
    assert_eq!(finding.culprit_thread, Some(0));
    assert!(finding.cause.contains("compute"), "{}", finding.cause);
}

#[test]
fn a_flag_that_nobody_is_seen_to_write_says_so_by_its_operation_alone() {
    let mut streams = vec![stream(), stream()];
    // Another word, and a write that came before.
    let other = Attributes::transfer_at(1, 8, FLAG + 8);
    during(&mut streams[0], Operation::Put, (5, 6), flag(1), 4);
    during(&mut streams[0], Operation::Put, (50, 52), other, 5);
    during(&mut streams[1], Operation::FlagWait, (10, 53), flag(1), 7);
    let a = finish(streams, 60);
    assert_eq!(total(&a, "flag_wait"), 0.0);
    assert_eq!(per_thread(&a, "point_to_point"), [0.0, 43.0]);
    assert_eq!(total(&a, "delay"), 0.0);
}

#[test]
fn a_pipeline_is_due_to_the_thread_at_its_beginning() {
    // Each thread computes for 10 seconds when the one before it has set its flag, the first one
    // for 40.
    let mut streams = vec![stream(), stream(), stream(), stream()];
    let mut ready = 0;
    for thread in 0..4u32 {
        let own = &mut streams[thread as usize];
        if thread > 0 {
            during(own, Operation::FlagWait, (1, ready + 1), flag(thread), 7);
        }
        let (begin, name) = match thread {
            0 => (0, "prepare"),
            _ => (ready + 1, "step"),
        };
        let end = if thread == 0 { 40 } else { begin + 10 };
        work(own, name, begin, end);
        if thread < 3 {
            during(own, Operation::Put, (end, end + 1), flag(thread + 1), 5);
        }
        // The last one decides how long the run takes.
        own.leave(end + 2);
        ready = end;
    }
    let a = analyse(&streams);
    let waits = [0.0, 39.0, 50.0, 61.0];
    assert_eq!(per_thread(&a, "flag_wait"), waits);
    assert_eq!(value(&a, "delay_short_term", "prepare", 0), 39.0);
    // Threads 2 and 3 waited for it through those before them.
    let through = value(&a, "delay_long_term", "prepare", 0);
    assert!(through > 70.0, "{:?}", values(&a, "delay_long_term"));
    assert_eq!(value(&a, "critical_path", "prepare", 0), 40.0);
    for thread in 1..4 {
        assert_eq!(value(&a, "critical_path", "step", thread), 10.0);
    }
}

#[test]
fn an_event_waits_for_as_many_posts_as_it_takes() {
    let mut streams = vec![stream(), stream(), stream()];
    during(&mut streams[0], Operation::Post, (20, 21), event(3, 1), 5);
    during(&mut streams[1], Operation::Post, (35, 36), event(3, 2), 6);
    during(
        &mut streams[2],
        Operation::EventWait,
        (10, 37),
        event(3, 2),
        7,
    );
    // There is one left.
    during(
        &mut streams[2],
        Operation::EventWait,
        (40, 41),
        event(3, 1),
        8,
    );
    let a = finish(streams, 50);
    assert_eq!(per_thread(&a, "event_wait"), [0.0, 0.0, 25.0]);
    assert_eq!(culprit(&a, "event_wait"), Some(1));
}

#[test]
fn partners_wait_for_the_last_of_them_alone() {
    // Thread 0 synchronises with 1 and 2; these with 0 only. Thread 3 does something else.
    let pair = |from: u64, to: u64| event(1 << 63 | from << 31 | to, 1);
    let mut streams = vec![stream(), stream(), stream(), stream()];
    let meet = |stream: &mut StreamBuilder, me: u64, others: &[u64], begin: u64, end: u64| {
        stream.begin(begin, Operation::PartnerSync, FILE, 9, Attributes::None);
        for &other in others {
            during(stream, Operation::Post, (begin, begin), pair(me, other), 9);
        }
        for &other in others {
            during(stream, Operation::EventWait, (end, end), pair(other, me), 9);
        }
        stream.leave(end);
    };
    meet(&mut streams[0], 0, &[1, 2], 10, 41);
    meet(&mut streams[1], 1, &[0], 20, 22);
    meet(&mut streams[2], 2, &[0], 40, 42);
    work(&mut streams[3], "other", 0, 90);
    let a = finish(streams, 100);
    assert_eq!(per_thread(&a, "partner_wait"), [30.0, 0.0, 0.0, 0.0]);
    assert_eq!(culprit(&a, "partner_wait"), Some(2));
    // Posts and waits within it are no regions of their own.
    let paths = by_place(&a, "visits");
    assert!(
        paths.keys().all(|(path, _)| !path.contains("post")),
        "{paths:?}"
    );
}

#[test]
fn one_write_may_end_the_waits_of_several_threads() {
    let mut streams = vec![stream(), stream(), stream()];
    during(&mut streams[0], Operation::Put, (50, 51), flag(0), 5);
    during(&mut streams[1], Operation::FlagWait, (10, 52), flag(0), 7);
    during(&mut streams[2], Operation::FlagWait, (30, 55), flag(0), 7);
    let a = finish(streams, 60);
    assert_eq!(per_thread(&a, "flag_wait"), [0.0, 40.0, 20.0]);
}

/// The part of one thread in an operation of the first three threads.
fn in_group(stream: &mut StreamBuilder, flow: GroupFlow, root: Option<u32>, span: (u64, u64)) {
    let attributes = Attributes::Group {
        group: 77,
        members: 3,
        flow,
        root,
    };
    during(stream, Operation::GroupCollective, span, attributes, 11);
}

#[test]
fn members_of_a_group_wait_for_the_last_of_them_and_nobody_else_does() {
    let mut streams = vec![stream(), stream(), stream(), stream()];
    for (thread, begin) in [(0, 10), (1, 40), (2, 25)] {
        in_group(&mut streams[thread], GroupFlow::All, None, (begin, 42));
    }
    work(&mut streams[3], "other", 0, 90);
    let a = finish(streams, 100);
    assert_eq!(per_thread(&a, "group_wait"), [30.0, 0.0, 15.0, 0.0]);
    assert_eq!(per_thread(&a, "collective"), [32.0, 2.0, 17.0, 0.0]);
    assert_eq!(culprit(&a, "group_wait"), Some(1));
    assert_eq!(a.summary.remarks, [""; 0]);
}

#[test]
fn with_a_root_a_group_waits_for_it_or_it_for_the_group() {
    for (flow, waits) in [
        (GroupFlow::FromRoot, [30.0, 0.0, 0.0]),
        (GroupFlow::ToRoot, [0.0, 10.0, 0.0]),
        (GroupFlow::Unknown, [0.0, 0.0, 0.0]),
    ] {
        let mut streams = vec![stream(), stream(), stream()];
        for (thread, begin) in [(0, 10), (1, 40), (2, 50)] {
            in_group(&mut streams[thread], flow, Some(1), (begin, 60));
        }
        let a = finish(streams, 100);
        assert_eq!(per_thread(&a, "group_wait"), waits, "{flow:?}");
    }
}

#[test]
fn the_operations_of_a_group_are_matched_by_their_order() {
    let mut streams = vec![stream(), stream(), stream()];
    for (first, second) in [(0, 1), (1, 2), (2, 0)] {
        // Each comes last once; all leave the first one before any comes to the second one.
        in_group(
            &mut streams[first],
            GroupFlow::All,
            None,
            (10 + 10 * first as u64, 35),
        );
        in_group(
            &mut streams[first],
            GroupFlow::All,
            None,
            (40 + 10 * second as u64, 65),
        );
    }
    let a = finish(streams, 100);
    assert_eq!(per_thread(&a, "group_wait"), [30.0, 10.0, 20.0]);
}

#[test]
fn an_arrival_that_is_missing_is_not_guessed() {
    let mut streams = vec![stream(), stream(), stream()];
    in_group(&mut streams[0], GroupFlow::All, None, (10, 42));
    in_group(&mut streams[1], GroupFlow::All, None, (40, 42));
    let a = finish(streams, 100);
    assert_eq!(total(&a, "group_wait"), 0.0);
    let said = a
        .summary
        .remarks
        .iter()
        .find(|text| text.contains("groups"));
    assert!(
        said.is_some_and(|text| text.starts_with("in 2 calls")),
        "{said:?}"
    );
}

#[test]
fn behind_a_gap_in_the_recording_groups_are_not_matched_and_a_remark_says_so() {
    let mut streams = vec![stream(), stream(), stream()];
    streams[0].begin(1, Operation::MeasurementStall, FILE, 0, Attributes::None);
    let nothing_numbered = Attributes::Skipped {
        barriers: 0,
        collectives: 0,
    };
    streams[0].exit(2, nothing_numbered);
    for (thread, begin) in [(0, 10), (1, 40), (2, 25)] {
        in_group(&mut streams[thread], GroupFlow::All, None, (begin, 42));
    }
    let a = finish(streams, 100);
    assert_eq!(total(&a, "group_wait"), 0.0);
    let remarks = &a.summary.remarks;
    assert!(
        remarks.iter().any(|text| text.contains("of groups")),
        "{remarks:?}"
    );
}

#[test]
fn a_core_is_missed_where_a_group_is_not_known_to_wait() {
    let mut streams = vec![stream(), stream()];
    for (own, flow) in streams.iter_mut().zip([GroupFlow::Unknown; 2]) {
        let attributes = Attributes::Group {
            group: 5,
            members: 2,
            flow,
            root: None,
        };
        own.begin(10, Operation::GroupCollective, FILE, 11, attributes);
        during(own, Operation::NoCore, (20, 50), Attributes::None, 0);
        own.leave(60);
    }
    let a = finish(streams, 100);
    assert_eq!(per_thread(&a, "no_core"), [30.0, 30.0]);
    assert_eq!(total(&a, "no_core_after_wait"), 0.0);
    assert_eq!(per_thread(&a, "collective"), [20.0, 20.0]);
}
