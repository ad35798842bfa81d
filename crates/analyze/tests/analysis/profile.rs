//! The profile: classes of time, visits, bytes by affinity, the call tree over threads, imbalance,
//! efficiency.

use crate::common::{FILE, analyse, path_name, per_thread, total};
use pgas_analyze::Analysis;
use pgas_cube::model::CallPathId;
use pgas_earl::StreamBuilder;
use pgas_trace::model::{Attributes, Operation};

fn transfer(partner: u32, bytes: u64) -> Attributes {
    Attributes::transfer(partner, bytes)
}

/// Value of a metric by call path name and thread.
fn at(analysis: &Analysis, metric: &str, path: &str) -> Vec<f64> {
    let cube = &analysis.cube;
    let id = cube.metric(metric).unwrap();
    let paths = (0..cube.call_paths.len()).map(CallPathId);
    let found = paths
        .clone()
        .find(|&p| path_name(analysis, p) == path)
        .unwrap_or_else(|| {
            let all: Vec<_> = paths.map(|p| path_name(analysis, p)).collect();
            panic!("no {path} in {all:?}")
        });
    cube.row(id, found)
        .map_or_else(|| vec![0.0; cube.threads.len()], <[f64]>::to_vec)
}

#[test]
fn bytes_are_distinguished_by_direction_and_affinity() {
    let mut s = [StreamBuilder::new(), StreamBuilder::new()];
    s[1].begin(0, Operation::Get, FILE, 1, transfer(0, 4))
        .leave(1);
    s[1].begin(1, Operation::Memget, FILE, 2, transfer(1, 100))
        .leave(2);
    s[1].begin(2, Operation::Put, FILE, 3, transfer(0, 8))
        .leave(3);
    s[1].begin(3, Operation::Memput, FILE, 4, transfer(1, 200))
        .leave(4);
    s[1].begin(4, Operation::Memset, FILE, 5, transfer(0, 300))
        .leave(5);
    let copy = Attributes::copy(1, 0, 1000);
    s[1].begin(5, Operation::Memcpy, FILE, 6, copy).leave(6);
    s[0].begin(0, Operation::NonBlockingGet, FILE, 7, transfer(1, 16))
        .leave(1);
    s[0].begin(1, Operation::NonBlockingPut, FILE, 8, transfer(1, 32))
        .leave(2);
    let a = analyse(&s);
    assert_eq!(per_thread(&a, "bytes_get_remote"), [16.0, 4.0]);
    assert_eq!(per_thread(&a, "bytes_get_local"), [0.0, 1100.0]);
    assert_eq!(
        per_thread(&a, "bytes_put_remote"),
        [32.0, 8.0 + 300.0 + 1000.0]
    );
    assert_eq!(per_thread(&a, "bytes_put_local"), [0.0, 200.0]);
    assert_eq!(total(&a, "bytes_get"), 1120.0);
    assert_eq!(at(&a, "bytes_put", "prog/upc_memcpy:6"), [0.0, 1000.0]);
    assert_eq!(per_thread(&a, "one_sided"), [2.0, 6.0]);
}

#[test]
fn every_operation_has_its_class() {
    use Operation::*;
    let classes: [(&str, &[Operation]); 10] = [
        (
            "computation",
            &[UserRegion, Forall, Malloc, Realloc, MallocFree],
        ),
        ("measurement", &[MeasurementStall]),
        ("no_core", &[NoCore]),
        ("barrier", &[Barrier, CollectiveExit]),
        ("lock", &[Lock, LockAttempt, Unlock]),
        ("fence", &[Fence]),
        (
            "allocation",
            &[
                GlobalAlloc,
                AllAlloc,
                Alloc,
                Free,
                AllFree,
                GlobalLockAlloc,
                AllLockAlloc,
                LockFree,
                AllLockFree,
            ],
        ),
        (
            "one_sided",
            &[Memcpy, Memget, Memput, Memset, Get, Put, NonBlockingSync],
        ),
        (
            "collective",
            &[
                Broadcast,
                Scatter,
                Gather,
                GatherAll,
                Exchange,
                Permute,
                Reduce,
                PrefixReduce,
            ],
        ),
        ("io", &[InputOutput]),
    ];
    for (class, operations) in classes {
        for &operation in operations {
            let mut s = StreamBuilder::new();
            s.operation(3, 10, operation, FILE, 5);
            let a = analyse(&[s]);
            assert_eq!(total(&a, class), 7.0, "{operation:?}");
            assert_eq!(total(&a, "time"), 7.0);
            let pgas = !["computation", "measurement", "no_core"].contains(&class);
            assert_eq!(
                total(&a, "pgas"),
                if pgas { 7.0 } else { 0.0 },
                "{operation:?}"
            );
        }
    }
}

#[test]
fn equal_paths_of_different_threads_are_one_row() {
    let mut s = [StreamBuilder::new(), StreamBuilder::new()];
    // Sites and paths are met in different orders, and thus numbered differently.
    s[0].call(0, "main", FILE, 1).call(2, "f", FILE, 9).leave(5);
    s[0].call(5, "g", FILE, 20).leave(6).leave(10);
    s[1].call(0, "main", FILE, 1)
        .call(1, "g", FILE, 20)
        .leave(5);
    s[1].call(5, "f", FILE, 9).leave(12).leave(20);
    let a = analyse(&s);
    assert_eq!(at(&a, "computation", "prog/main/f"), [3.0, 7.0]);
    assert_eq!(at(&a, "computation", "prog/main/g"), [1.0, 4.0]);
    assert_eq!(at(&a, "computation", "prog/main"), [6.0, 9.0]);
    assert_eq!(at(&a, "visits", "prog/main/f"), [1.0, 1.0]);
    assert_eq!(a.cube.call_paths.len(), 4);
    assert_eq!(a.cube.regions.len(), 4);
    // (longest - mean), and on which thread.
    assert_eq!(at(&a, "imbalance", "prog/main/f"), [0.0, 2.0]);
    assert_eq!(total(&a, "imbalance"), 2.0 + 1.5 + 1.5);
    let e = a.summary.efficiency;
    assert_eq!((e.load_balance, e.communication_efficiency), (0.75, 1.0));
}

#[test]
fn operations_are_distinguished_by_the_line_of_the_call() {
    let mut s = StreamBuilder::new();
    s.call(0, "main", FILE, 1);
    s.begin(1, Operation::Get, FILE, 7, transfer(0, 4)).leave(2);
    s.begin(3, Operation::Get, FILE, 8, transfer(0, 4)).leave(5);
    s.leave(6);
    let a = analyse(&[s]);
    assert_eq!(at(&a, "one_sided", "prog/main/upc_get:7"), [1.0]);
    assert_eq!(at(&a, "one_sided", "prog/main/upc_get:8"), [2.0]);
    // One region, called from two places.
    let region = a
        .cube
        .regions
        .iter()
        .filter(|r| r.name == "upc_get")
        .count();
    assert_eq!(region, 1);
    let node = a.cube.call_paths.iter().find(|c| c.line == 8).unwrap();
    assert_eq!(a.cube.regions[node.region.0].module, "UPC");
    assert_eq!(node.file, FILE);
}

#[test]
fn time_is_each_threads_own_and_wall_time_that_of_all() {
    let mut s = [StreamBuilder::new(), StreamBuilder::new()];
    s[0].call(5, "main", FILE, 1).leave(50);
    s[1].call(10, "main", FILE, 1).leave(105);
    let a = analyse(&s);
    assert_eq!(per_thread(&a, "time"), [45.0, 95.0]);
    assert_eq!(a.summary.wall_seconds, 100.0);
    assert_eq!(a.summary.efficiency.communication_efficiency, 0.95);
}

#[test]
fn all_that_a_thread_alone_does_is_critical() {
    let mut s = StreamBuilder::new();
    s.call(5, "main", FILE, 1).call(6, "f", FILE, 2).leave(9);
    s.leave(10);
    let a = analyse(&[s]);
    assert_eq!(at(&a, "critical_path", "prog/main"), [2.0]);
    assert_eq!(at(&a, "critical_path", "prog/main/f"), [3.0]);
    assert_eq!(total(&a, "critical_path_imbalance"), 0.0);
    assert_eq!(total(&a, "delay"), 0.0);
}
