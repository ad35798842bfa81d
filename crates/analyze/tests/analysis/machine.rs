//! Programs on a machine whose costs were measured: savings follow from it, and what takes longer
//! than the machine needs is said to be slow. One tick is one second.

use crate::common::{FILE, analyse, analyse_as, description};
use pgas_analyze::Analysis;
use pgas_analyze::search::Stretch;
use pgas_earl::StreamBuilder;
use pgas_machine::{Distance, FORMAT, Host, Machine, Measured, Point, Role};
use pgas_result::accesses::CostSource;
use pgas_result::summary::FindingKind;
use pgas_trace::model::{Attributes, Operation, SyncMode};
use std::collections::BTreeMap;

fn measured(role: Role, operation: &str, points: &[(u32, Option<u64>, f64)]) -> Measured {
    let point = |&(threads, bytes, seconds): &(u32, Option<u64>, f64)| Point {
        threads,
        nodes: 1,
        have_cores: true,
        bytes,
        seconds,
        interval: (0.9 * seconds, 1.1 * seconds),
    };
    Measured {
        model: "upc".into(),
        implementation: "test".into(),
        role,
        operation: operation.into(),
        arguments: BTreeMap::new(),
        distance: None,
        points: points.iter().map(point).collect(),
    }
}

/// A barrier of 3 threads takes 10 s; a block takes 40 s and half a second for each byte near, ten
/// times that far.
fn machine() -> Machine {
    let blocks = |distance, factor: f64| Measured {
        distance: Some(distance),
        ..measured(
            Role::BlockRead,
            "upc_memget",
            &[8, 100, 1000, 10_000].map(|m| (2, Some(m), factor * (40.0 + 0.5 * m as f64))),
        )
    };
    let mut exchange = measured(
        Role::Collective,
        "upc_all_exchange",
        &[(3, Some(64), 20.0), (3, Some(128), 30.0)],
    );
    let modes = ["in", "out"].map(|name| (name.to_owned(), "all".to_owned()));
    exchange.arguments.extend(modes);
    Machine {
        format: FORMAT,
        measured: "2026-01-01T00:00:00Z".into(),
        tool_version: "0.1.0".into(),
        host: Host {
            name: "node".into(),
            cores: 4,
        },
        confidence: 0.95,
        operations: vec![
            measured(
                Role::Barrier,
                "upc_barrier",
                &[(2, None, 5.0), (3, None, 10.0)],
            ),
            blocks(Distance::Near, 1.0),
            blocks(Distance::Far, 10.0),
            exchange,
        ],
    }
}

fn on(machine: Machine, streams: &[StreamBuilder], hosts: &[&str]) -> Analysis {
    let mut described = description(streams.len());
    let hosts = hosts.iter().enumerate();
    described.locations = hosts
        .map(|(t, host)| (host.to_string(), t as u32))
        .collect();
    described.operation_costs = Some(machine);
    analyse_as(streams, Stretch::default(), described)
}

/// Thread 0 reads 100 elements side by side from thread 1, in 20 s each.
fn elements() -> Vec<StreamBuilder> {
    let mut streams = vec![StreamBuilder::new(); 2];
    for stream in &mut streams {
        stream.call(0, "main", FILE, 1);
    }
    for element in 0..100 {
        let begin = 100 * element;
        let transfer = Attributes::transfer_at(1, 8, 0x1000 + 8 * element);
        streams[0]
            .begin(begin, Operation::Get, FILE, 8, transfer)
            .leave(begin + 20);
    }
    for stream in &mut streams {
        stream.leave(10_000);
    }
    streams
}

fn saved_by_a_block(analysis: &Analysis) -> f64 {
    let runs = &analysis.summary.accesses.fine_grained[0];
    assert_eq!(runs.block.source, CostSource::Machine);
    let mut findings = analysis.summary.findings.iter();
    let finding = findings.find(|finding| finding.kind == FindingKind::FineGrained);
    let advice = &finding.expect("a finding").advice;
    assert!(
        advice.contains("on this machine a block transfer of about this size takes"),
        "{advice}"
    );
    runs.threads[0].saves_seconds
}

#[test]
fn a_block_in_place_of_elements_saves_all_but_what_it_takes_on_the_machine() {
    let near = on(machine(), &elements(), &["node", "node"]);
    let saved = saved_by_a_block(&near);
    assert!((saved - (2000.0 - 440.0)).abs() < 0.1, "{saved}");
    let runs = &analyse(&elements()).summary.accesses.fine_grained[0];
    assert_eq!(runs.block.source, CostSource::Assumed, "not measured");
}

#[test]
fn data_of_another_node_costs_what_it_costs_there() {
    let far = |machine| on(machine, &elements(), &["node", "other"]);
    let mut cheaper = machine();
    for point in &mut cheaper.operations[2].points {
        point.seconds *= 0.2;
        point.interval = (point.seconds, point.seconds);
    }
    let saved = saved_by_a_block(&far(cheaper));
    assert!((saved - (2000.0 - 880.0)).abs() < 0.1, "{saved}");
    let runs = &far(machine()).summary.accesses.fine_grained[0];
    assert_eq!(runs.threads[0].saves_seconds, 0.0, "4400 s for one block");
}

/// Ten rounds in which thread 2 comes 50 s after the others, and all leave `length` after that.
fn rounds(length: u64, operation: impl Fn(&mut StreamBuilder, u64, u64)) -> Vec<StreamBuilder> {
    let mut streams = vec![StreamBuilder::new(); 3];
    for (thread, stream) in streams.iter_mut().enumerate() {
        stream.call(0, "main", FILE, 1);
        for round in 1..=10 {
            let last = 1000 * round;
            let own = if thread == 2 { last } else { last - 50 };
            operation(stream, own, last + length);
        }
        stream.leave(20_000);
    }
    streams
}

fn barriers(length: u64) -> Vec<StreamBuilder> {
    rounds(length, |stream, came, left| {
        stream.operation(came, left, Operation::Barrier, FILE, 20);
    })
}

#[test]
fn a_barrier_that_takes_longer_than_it_should_is_said_to_be_slow() {
    let slow = on(machine(), &barriers(31), &["node"; 3]);
    let used = slow.summary.machine.as_ref().expect("a machine");
    assert_eq!((used.host.as_str(), used.is_of_run), ("node", true));
    let length = &used.operations[0];
    assert_eq!((length.calls, length.is_slow), (10, true));
    assert_eq!(length.median_seconds, 31.0);
    assert_eq!(length.expected_seconds, Some(10.0));
    let mut findings = slow.summary.findings.iter();
    let sentence = "It is slow for this machine: half of its 10 calls take 31.0 s or more from the \
                    moment when the last thread has come, 3.10 times what 3 threads need here \
                    (10.0 s).";
    assert!(
        findings.any(|finding| finding.cause.contains(sentence)),
        "{:#?}",
        slow.summary.findings
    );
}

#[test]
fn waiting_does_not_make_a_barrier_slow() {
    for length in [2, 10, 15] {
        let fast = on(machine(), &barriers(length), &["node"; 3]);
        let used = fast.summary.machine.as_ref().expect("a machine");
        assert!(!used.operations[0].is_slow, "{used:?}");
        let causes = fast.summary.findings.iter().map(|finding| &finding.cause);
        assert!(
            !causes
                .clone()
                .any(|cause| cause.contains("slow for this machine"))
        );
    }
}

#[test]
fn what_was_not_measured_is_not_compared() {
    // Two nodes.
    let apart = on(machine(), &barriers(300), &["node", "node", "other"]);
    let length = &apart.summary.machine.unwrap().operations[0];
    assert_eq!((length.expected_seconds, length.is_slow), (None, false));
    // Another host.
    let elsewhere = on(machine(), &barriers(300), &["other"; 3]);
    let used = elsewhere.summary.machine.unwrap();
    assert!(!used.is_of_run && used.operations[0].is_slow);
    let remark = "measured on node (2026-01-01T00:00:00Z), where this program did not run";
    let mut remarks = elsewhere.summary.remarks.iter();
    assert!(remarks.any(|text| text.contains(remark)));
    assert_eq!(analyse(&barriers(300)).summary.machine, None);
}

#[test]
fn a_collective_operation_is_compared_at_its_size_and_modes() {
    let exchange = |bytes: u64, mode| {
        rounds(60, move |stream, came, left| {
            let attributes = Attributes::Collective {
                root: None,
                sent: 3 * bytes,
                received: 3 * bytes,
                sync_in: mode,
                sync_out: SyncMode::All,
            };
            stream
                .begin(came, Operation::Exchange, FILE, 30, Attributes::None)
                .exit(left, attributes);
        })
    };
    let expected = |bytes, mode| {
        let analysis = on(machine(), &exchange(bytes, mode), &["node"; 3]);
        analysis.summary.machine.unwrap().operations[0].expected_seconds
    };
    assert_eq!(expected(64, SyncMode::All), Some(20.0));
    assert_eq!(expected(96, SyncMode::All), Some(25.0));
    assert_eq!(expected(1024, SyncMode::All), None, "larger than measured");
    assert_eq!(expected(64, SyncMode::Mine), None, "other mode");
}

/// Thread 1 takes a lock ten times, which each time takes `length`: free, or held by thread 0 until
/// just before the end.
fn locks(length: u64, is_held: bool) -> Vec<StreamBuilder> {
    let lock = Attributes::Lock { lock: 7 };
    let mut streams = vec![StreamBuilder::new(); 2];
    for stream in &mut streams {
        stream.call(0, "main", FILE, 1);
    }
    for round in 1..=10 {
        let begin = 10_000 * round;
        let given_back = match is_held {
            true => begin + length - 1,
            false => begin - 5000,
        };
        streams[0]
            .begin(begin - 9000, Operation::Lock, FILE, 5, lock)
            .leave(begin - 8990)
            .begin(given_back, Operation::Unlock, FILE, 6, lock)
            .leave(given_back + 1);
        streams[1]
            .begin(begin, Operation::Lock, FILE, 15, lock)
            .leave(begin + length)
            .begin(begin + length + 10, Operation::Unlock, FILE, 16, lock)
            .leave(begin + length + 11);
    }
    for stream in &mut streams {
        stream.leave(120_000);
    }
    streams
}

/// The lengths at thread 1's locks on a machine where a free lock takes 10 s near and 100 s far.
fn at_locks(length: u64, is_held: bool, hosts: [&str; 2]) -> (Analysis, Option<(u64, bool)>) {
    let mut machine = machine();
    for (distance, seconds) in [(Distance::Near, 10.0), (Distance::Far, 100.0)] {
        machine.operations.push(Measured {
            distance: Some(distance),
            ..measured(Role::Lock, "upc_lock", &[(2, None, seconds)])
        });
    }
    let analysis = on(machine, &locks(length, is_held), &hosts);
    let used = analysis.summary.machine.as_ref().expect("a machine");
    let mut operations = used.operations.iter();
    let line = |call_path: usize| analysis.cube.call_paths[call_path].line;
    let of_thread_1 = operations.find(|o| line(o.call_path) == 15);
    let found = of_thread_1.map(|o| (o.calls, o.is_slow));
    (analysis, found)
}

#[test]
fn a_free_lock_that_takes_longer_than_it_should_is_said_to_be_slow() {
    let (slow, found) = at_locks(400, false, ["node"; 2]);
    assert_eq!(found, Some((10, true)));
    let sentence = "Taking it is slow for this machine even when nobody holds it: half of 10 such \
                    calls take";
    let causes = slow.summary.findings.iter().map(|finding| &finding.cause);
    assert!(
        causes.clone().any(|cause| cause.contains(sentence)),
        "{:#?}",
        slow.summary.findings
    );
    let (_, found) = at_locks(12, false, ["node"; 2]);
    assert_eq!(found, Some((10, false)), "as long as it should");
    let (_, found) = at_locks(130, false, ["node", "other"]);
    assert_eq!(
        found,
        Some((10, false)),
        "the lock may be on the other node"
    );
}

#[test]
fn a_lock_that_is_held_is_not_slow() {
    let (_, found) = at_locks(400, true, ["node"; 2]);
    assert_eq!(found, None);
}
