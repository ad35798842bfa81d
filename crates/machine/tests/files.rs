//! Files with a machine's costs: kept as they are, refused with the place of a mistake, asked for
//! what an operation should take.

use pgas_machine::{
    Distance, Error, FORMAT, Group, Host, Machine, Measured, Point, Question, Role,
};
use std::collections::BTreeMap;

fn point(threads: u32, bytes: Option<u64>, seconds: f64) -> Point {
    Point {
        threads,
        nodes: 1,
        have_cores: true,
        bytes,
        seconds,
        interval: (0.9 * seconds, 1.1 * seconds),
    }
}

fn measured(role: Role, operation: &str, points: Vec<Point>) -> Measured {
    Measured {
        model: "upc".into(),
        implementation: "pgas-upcc 0.1.0".into(),
        role,
        operation: operation.into(),
        arguments: BTreeMap::new(),
        distance: None,
        points,
    }
}

fn machine() -> Machine {
    let barrier = vec![point(2, None, 1e-6), point(4, None, 3e-6)];
    let mut broadcast = measured(
        Role::Collective,
        "upc_all_broadcast",
        vec![
            point(2, Some(1024), 2e-6),
            point(4, Some(1024), 4e-6),
            point(4, Some(3072), 8e-6),
        ],
    );
    broadcast.arguments.insert("in".into(), "all".into());
    let mut get = measured(
        Role::BlockRead,
        "upc_memget",
        [8, 1024, 65536]
            .map(|m| point(2, Some(m), 1e-6 + m as f64 * 1e-10))
            .to_vec(),
    );
    get.distance = Some(Distance::Near);
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
            measured(Role::Barrier, "upc_barrier", barrier),
            broadcast,
            get,
        ],
    }
}

#[test]
fn a_file_keeps_what_was_measured() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("machine.json");
    machine().write(&path).unwrap();
    assert_eq!(Machine::read(&path).unwrap(), machine());
}

#[test]
fn a_mistake_is_reported_with_its_place() {
    let changed = |change: &dyn Fn(&mut Machine)| {
        let mut machine = machine();
        change(&mut machine);
        Machine::from_json(&serde_json::to_vec(&machine).unwrap()).unwrap_err()
    };
    let negative = changed(&|m| m.operations[1].points[2].seconds = -1.0);
    assert!(
        negative.starts_with("operations[1] (upc_all_broadcast): points[2]: found -1 s"),
        "{negative}"
    );
    let order = changed(&|m| m.operations[0].points.reverse());
    assert!(order.contains("ascending order"), "{order}");
    let newer = changed(&|m| m.format = 2);
    assert!(newer.contains("time --machine"), "{newer}");
    let text = Machine::from_json(b"{\"format\": 1}").unwrap_err();
    assert!(text.contains("missing field"), "{text}");
    let missing = Machine::read(std::path::Path::new("/nowhere/machine.json"));
    assert!(matches!(missing, Err(Error::System { action: "read", .. })));
}

#[test]
fn an_operation_is_expected_to_take_what_as_many_threads_needed() {
    let machine = machine();
    let group = |threads| Group { threads, nodes: 1 };
    let barrier = Question {
        model: "upc",
        operation: "upc_barrier",
        arguments: BTreeMap::new(),
        bytes: None,
    };
    let seconds = |question: &Question, group| {
        let expected = machine.expected(question, group);
        expected.map(|expected| (expected.seconds * 1e9).round())
    };
    assert_eq!(seconds(&barrier, group(4)), Some(3000.0));
    assert_eq!(seconds(&barrier, group(3)), None, "not measured");
    let on_nodes = Group {
        threads: 4,
        nodes: 2,
    };
    assert_eq!(seconds(&barrier, on_nodes), None, "not measured");
    let broadcast = |bytes, mode| Question {
        operation: "upc_all_broadcast",
        arguments: BTreeMap::from([("in", mode)]),
        bytes: Some(bytes),
        ..barrier.clone()
    };
    assert_eq!(seconds(&broadcast(1024, "all"), group(4)), Some(4000.0));
    assert_eq!(seconds(&broadcast(2048, "all"), group(4)), Some(6000.0));
    assert_eq!(seconds(&broadcast(4096, "all"), group(4)), None, "beyond");
    assert_eq!(seconds(&broadcast(512, "all"), group(4)), None, "below");
    assert_eq!(
        seconds(&broadcast(1024, "my"), group(4)),
        None,
        "other mode"
    );
}

/// Small blocks come from a cache, larger ones go through the network.
#[test]
fn a_block_costs_as_much_as_measured_ones_of_about_its_size() {
    let mut machine = machine();
    let times = [(8, 1e-7), (64, 1e-7), (1 << 10, 3e-5), (1 << 16, 9e-5)];
    let get = &mut machine.operations[2];
    let one = get.points[0];
    get.points = times
        .map(|(bytes, seconds)| Point {
            bytes: Some(bytes),
            seconds,
            interval: (seconds, seconds),
            ..one
        })
        .to_vec();
    let taken = |bytes: f64| {
        let near = machine.transfer_near("upc", Role::BlockRead, Distance::Near, bytes);
        let near = near.unwrap();
        near.latency + bytes * near.per_byte
    };
    let is = |bytes, seconds: f64| (taken(bytes) / seconds - 1.0).abs() < 1e-6;
    assert!(is(8.0, 1e-7) && is(30.0, 1e-7), "{}", taken(30.0));
    let half = f64::from((1 << 10) + (1 << 16)) / 2.0;
    assert!(is(half, 6e-5), "{}", taken(half));
    let beyond = taken(2.0 * f64::from(1 << 16));
    assert!(beyond > 1.5e-4 && beyond < 1.6e-4, "{beyond}");
}

#[test]
fn block_transfers_have_a_latency_and_a_rate() {
    let near = machine().transfer("upc", Role::BlockRead, Distance::Near);
    let near = near.unwrap();
    assert!((near.latency / 1e-6 - 1.0).abs() < 1e-6, "{near:?}");
    assert!((near.per_byte / 1e-10 - 1.0).abs() < 1e-6, "{near:?}");
    assert_eq!(
        machine().transfer("upc", Role::BlockRead, Distance::Far),
        None
    );
    assert_eq!(
        machine().transfer("mpi", Role::BlockRead, Distance::Near),
        None
    );
}
