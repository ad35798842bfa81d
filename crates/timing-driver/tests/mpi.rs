//! The driver of MPI, with each MPI that is installed: every operation is timed and checked.

mod common;
#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;
#[path = "common/variants.rs"]
mod variants;

use common::*;
use not_tested::not_tested;
use pgas_timing::record::Record;
use pgas_timing_driver::sources::MPI;
use std::process::Command;
use variants::{broken, compiled_by, variants};

/// An MPI: its compiler and its launcher.
type Installed = (&'static str, &'static str);

/// Debian's names, where both are installed beside each other, or the only one.
const OPEN_MPI: &[Installed] = &[("mpicc.openmpi", "mpirun.openmpi"), ("mpicc", "mpirun")];
const MPICH: &[Installed] = &[("mpicc.mpich", "mpirun.mpich")];

fn installed(names: &[Installed]) -> Option<Installed> {
    let is_there =
        |(compiler, launcher): &&Installed| which(compiler).is_ok() && which(launcher).is_ok();
    names.iter().find(is_there).copied()
}

fn start(launcher: &str, bench: &Bench, ranks: usize) -> Command {
    let mut command = Command::new(launcher);
    command
        .args(["-n", &ranks.to_string()])
        .arg(bench.path("driver"))
        .envs(CONTAINER);
    command
}

/// Operators of bits are for integers. Compare and swap of 8 bytes in an allocated window ends
/// Open MPI 4.1 with a segmentation fault.
fn needs(operation: &Listed, name: &str, value: &str) -> Option<&'static str> {
    let swaps = operation.name == "MPI_Compare_and_swap";
    match (name, value) {
        ("type", "long" | "unsigned_long" | "long_long" | "unsigned_long_long") if swaps => {
            Some("window=create")
        }
        ("op", "land" | "lor" | "lxor" | "band" | "bor" | "bxor") => Some("type=int"),
        ("count" | "stride", _) => Some("datatype=vector"),
        ("degree", _) => Some("topology=graph"),
        ("partner", "far") => None,
        _ => Some(""),
    }
}

/// All operations, and on the first number of ranks also each value of each of their arguments.
fn all_operations(names: &[Installed], mpi: &str, numbers: &[usize]) {
    let Some((compiler, launcher)) = installed(names) else {
        return not_tested(&format!(
            "the driver of MPI with {mpi}: it is not installed"
        ));
    };
    let bench = Bench::new(MPI, None);
    compiled_by(compiler, &bench, &[]);
    let list = listed(&mut start(launcher, &bench, 1));
    for &ranks in numbers {
        let number = |name: &str| match name {
            "root" | "partner" => (ranks - 1).to_string(),
            "stride" => "24".to_string(),
            "dims" => format!("1x{ranks}"),
            "degree" => "1".to_string(),
            _ => "2".to_string(),
        };
        let cases = match ranks == numbers[0] {
            true => variants(&list, |_| String::new(), number, needs),
            false => list.iter().map(|operation| case(operation, "")).collect(),
        };
        let records = bench.time(start(launcher, &bench, ranks), cases.clone());
        assert_all_timed(&records, &cases);
        let verified = timings(&records)
            .iter()
            .filter(|t| t.verified == Some(true))
            .count();
        let patterns = cases
            .iter()
            .filter(|c| !c.operation.starts_with("MPI_"))
            .count();
        assert_eq!(verified, cases.len() - patterns);
    }
}

#[test]
fn every_operation_is_timed_with_open_mpi() {
    all_operations(OPEN_MPI, "Open MPI", &[3, 2, 4]);
}

#[test]
fn every_operation_is_timed_with_mpich() {
    all_operations(MPICH, "MPICH", &[2]);
}

/// Operations that do nothing or the wrong thing.
const BROKEN: &[(&str, &str, &str)] = &[
    (
        "blocks.h",
        "return MPI_##function(__VA_ARGS__, of->comm);",
        "return 0;",
    ),
    (
        "blocks.h",
        "return MPI_##function(__VA_ARGS__, of->comm, request);",
        "*request = MPI_REQUEST_NULL; return 0;",
    ),
    (
        "reductions.c",
        "return MPI_##function(send, receive, __VA_ARGS__, of->comm);",
        "return 0;",
    ),
    ("barriers.c", "  MPI_Barrier(MPI_COMM_WORLD);", ""),
    (
        "messages.c",
        "MPI_Send(OUTGOING(of, launch))",
        "MPI_Send(OUTGOING(of, launch + 1))",
    ),
    (
        "messages.c",
        "MPI_Isend(OUTGOING(of, launch)",
        "MPI_Isend(OUTGOING(of, launch + 1)",
    ),
    (
        "windows.c",
        "MPI_##function(local, __VA_ARGS__);",
        "(void)local, (void)place;",
    ),
    ("atomics.c", "MPI_Accumulate(", "(void)("),
    ("atomics.c", "MPI_Fetch_and_op(", "(void)("),
    ("atomics.c", "MPI_Compare_and_swap(", "(void)("),
    ("atomics.c", "MPI_Raccumulate(", "(void)("),
    ("atomics.c", "MPI_Rget_accumulate(", "(void)("),
    ("messages.c", "MPI_Sendrecv_replace(", "(void)("),
    (
        "creation.c",
        "-of->rank, &made->comm",
        "of->rank, &made->comm",
    ),
];

#[test]
fn operations_that_are_broken_are_noticed() {
    let Some((compiler, launcher)) = installed(OPEN_MPI) else {
        return not_tested("broken operations of MPI: there is no mpicc");
    };
    let bench = Bench::new(MPI, None);
    broken(&bench, BROKEN);
    compiled_by(compiler, &bench, &["-w"]);
    let list = listed(&mut start(launcher, &bench, 1));
    let collective = |name: &str| {
        ["bcast", "gather", "scatter", "alltoall"]
            .iter()
            .any(|part| {
                name.to_lowercase().contains(part) && !name.to_lowercase().contains("reduce")
            })
    };
    let others = [
        "MPI_Reduce",
        "MPI_Allreduce",
        "MPI_Reduce_scatter",
        "MPI_Reduce_scatter_block",
        "MPI_Scan",
        "MPI_Exscan",
        "MPI_Barrier",
        "MPI_Send",
        "MPI_Isend",
        "MPI_Put",
        "MPI_Get",
        "MPI_Accumulate",
        "MPI_Fetch_and_op",
        "MPI_Compare_and_swap",
        "MPI_Raccumulate",
        "MPI_Rget_accumulate",
        "MPI_Rput",
        "MPI_Rget",
        "MPI_Sendrecv_replace",
        "MPI_Comm_split",
    ];
    let wrong = list
        .iter()
        .filter(|o| collective(&o.name) || others.contains(&o.name.as_str()));
    let mut cases: Vec<_> = wrong.map(|operation| case(operation, "")).collect();
    let expected: Vec<_> = (0..cases.len()).collect();
    assert_eq!(expected.len(), 30 + others.len());
    cases.push(case(&named(&list, "MPI_Ssend"), ""));
    let records = bench.time(start(launcher, &bench, 3), cases.clone());
    let failed: Vec<_> = failures(&records).iter().map(|(case, _)| *case).collect();
    assert_eq!(failed, expected, "{:#?}", failures(&records));
    for (_, reason) in failures(&records) {
        assert!(reason.starts_with("wrong result: "), "{reason}");
    }
    assert_eq!(timings(&records).len(), 1);
}

#[test]
fn arguments_that_do_not_fit_are_complained_of() {
    let Some((compiler, launcher)) = installed(OPEN_MPI) else {
        return not_tested("arguments of MPI's operations: there is no mpicc");
    };
    let bench = Bench::new(MPI, None);
    compiled_by(compiler, &bench, &[]);
    let list = listed(&mut start(launcher, &bench, 1));
    let wrong = [
        (
            "MPI_Neighbor_alltoall",
            "dims=2x2",
            "dims=2x2 are not the dimensions of 3 ranks; an example: 3x1",
        ),
        (
            "MPI_Bcast",
            "root=3",
            "argument root is 3; it may be from 0 to 2",
        ),
        (
            "MPI_Send",
            "partner=far",
            "partner=far: there is no other thread on another node than thread 0",
        ),
        (
            "MPI_Allreduce",
            "op=bxor",
            "floating-point numbers have no op=bxor",
        ),
        (
            "MPI_Alltoall",
            "datatype=vector count=5",
            "a size of 48 bytes: elements have 5 pieces of 8 bytes, 16 apart",
        ),
    ];
    let cases: Vec<_> = wrong
        .iter()
        .map(|(name, words, _)| case(&named(&list, name), words))
        .collect();
    let records = bench.time(start(launcher, &bench, 3), cases);
    let reasons: Vec<_> = failures(&records)
        .iter()
        .map(|(_, reason)| reason.to_string())
        .collect();
    for ((_, _, expected), reason) in wrong.iter().zip(&reasons) {
        assert!(reason.ends_with(expected), "{reason}");
    }
    assert_eq!(reasons.len(), wrong.len());
    assert!(matches!(records.last(), Some(Record::End)));
}

/// The collective operations of MPI 3.1, chapters 5 and 7, in the form that waits.
const COLLECTIVES: &str = "Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv \
                           Alltoall Alltoallv Alltoallw Reduce Allreduce Reduce_scatter_block \
                           Reduce_scatter Scan Exscan Neighbor_allgather Neighbor_allgatherv \
                           Neighbor_alltoall Neighbor_alltoallv Neighbor_alltoallw";

/// Its one-sided communication, chapter 11, and messages between two processes.
const OTHERS: &str = "Put Get Accumulate Get_accumulate Fetch_and_op Compare_and_swap Rput Rget \
                      Raccumulate Rget_accumulate Win_fence Send Ssend Bsend Rsend Isend Start \
                      Sendrecv Sendrecv_replace";

#[test]
fn every_collective_and_one_sided_operation_of_mpi_3_is_listed() {
    let Some((compiler, launcher)) = installed(OPEN_MPI) else {
        return not_tested("the list of MPI's operations: there is no mpicc");
    };
    let bench = Bench::new(MPI, None);
    compiled_by(compiler, &bench, &[]);
    let list = listed(&mut start(launcher, &bench, 1));
    let waiting = COLLECTIVES.split(' ').map(|name| format!("MPI_{name}"));
    let others = COLLECTIVES
        .split(' ')
        .map(|name| format!("MPI_I{}", name.to_lowercase()));
    let all = waiting
        .chain(others)
        .chain(OTHERS.split(' ').map(|name| format!("MPI_{name}")));
    let missing: Vec<String> = all
        .filter(|name| list.iter().all(|operation| operation.name != *name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    let sync = |name: &str| named(&list, name).arguments;
    assert!(sync("MPI_Put").contains("sync=lock_all|lock|lock_exclusive|fence|pscw"));
    assert!(sync("MPI_Rput").contains("sync=lock_all|lock|lock_exclusive "));
    assert!(sync("MPI_Reduce_scatter").contains("blocks=equal|rising"));
}
