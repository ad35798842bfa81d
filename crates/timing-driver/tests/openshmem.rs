//! The driver of OpenSHMEM: every operation is timed and checked.

mod common;
#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;
#[path = "common/variants.rs"]
mod variants;

use common::*;
use not_tested::not_tested;
use pgas_timing::job::Case;
use pgas_timing_driver::sources::OPENSHMEM;
use std::collections::BTreeSet;
use std::process::Command;
use variants::{broken, compiled_by, variants};

/// Operations that the library itself gets wrong, named by a program without the driver: in Open MPI
/// 4.1, fetching operations on bits add nothing or clear all.
const PROBE: &str = r#"
#include <shmem.h>
#include <stdio.h>
static unsigned long number = 2;
#define TRY(name, value, right)                                  \
  number = 2;                                                    \
  shmem_barrier_all();                                           \
  shmem_ulong_atomic_fetch_##name(&number, value, 0);             \
  shmem_barrier_all();                                           \
  if (number != right) printf("shmem_atomic_fetch_" #name "\n");
int main(void) {
  shmem_init();
  TRY(and, ~2UL, 0)
  TRY(or, 1, 3)
  TRY(xor, 1, 3)
  shmem_finalize();
  return 0;
}
"#;

fn is_there(subject: &str) -> bool {
    let is_there = which("oshcc").is_ok() && which("oshrun").is_ok();
    if !is_there {
        not_tested(&format!("{subject}: there is no oshcc or no oshrun"));
    }
    is_there
}

fn start(bench: &Bench, program: &str, pes: usize) -> Command {
    let mut command = Command::new("oshrun");
    command
        .args(["-n", &pes.to_string()])
        .arg(bench.path(program))
        .envs(CONTAINER);
    command
}

fn wrong_in_the_library(bench: &Bench) -> BTreeSet<String> {
    std::fs::write(bench.path("probe.source"), PROBE).unwrap();
    let mut compile = Command::new("oshcc");
    compile
        .args(["-x", "c"])
        .arg(bench.path("probe.source"))
        .arg("-o")
        .arg(bench.path("probe"));
    let output = compile.output().unwrap();
    assert!(output.status.success(), "{}", messages(&output));
    let output = start(bench, "probe", 1).output().unwrap();
    assert!(output.status.success(), "{}", messages(&output));
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(String::from)
        .collect()
}

/// Compare and swap of an `int` overwrites the stack in Open MPI 4.1.
fn needs(operation: &Listed, name: &str, value: &str) -> Option<&'static str> {
    match (name, value) {
        ("type", "int") if operation.name == "shmem_atomic_compare_swap" => None,
        ("partner", "far" | "near") => None,
        _ => Some(""),
    }
}

fn cases(list: &[Listed], pes: usize) -> Vec<Case> {
    let always = |operation: &Listed| match operation.arguments.contains("partner=") {
        true if pes == 1 => "partner=own".to_string(),
        _ => String::new(),
    };
    let number = |name: &str| match name {
        "root" | "partner" | "start" => (pes - 1).to_string(),
        "contenders" => pes.to_string(),
        "log_stride" | "members" => "1".to_string(),
        _ => "3".to_string(),
    };
    variants(list, always, number, needs)
}

#[test]
fn every_operation_is_timed_on_one_to_four_pes() {
    if !is_there("the driver of OpenSHMEM") {
        return;
    }
    let bench = Bench::new(OPENSHMEM, None);
    compiled_by("oshcc", &bench, &[]);
    let wrong = wrong_in_the_library(&bench);
    let list = listed(&mut start(&bench, "driver", 1));
    let right: Vec<_> = list
        .into_iter()
        .filter(|o| !wrong.contains(&o.name))
        .collect();
    for pes in 1..=4 {
        let cases = cases(&right, pes);
        let records = bench.time(start(&bench, "driver", pes), cases.clone());
        assert_all_timed(&records, &cases);
        for timing in timings(&records) {
            let name = timing.what.operation.as_str();
            let is_checked = name.starts_with("shmem_");
            assert!(!is_checked || timing.verified == Some(true), "{timing:?}");
        }
    }
}

/// File, text, what takes its place, and the operation that this breaks.
const CHANGES: &[(&str, &str, &str, &str)] = &[
    ("barriers.c", "  shmem_sync_all();", "", "shmem_sync_all"),
    (
        "transfers.c",
        "shmem_putmem(remote, local, bytes,",
        "shmem_putmem(remote, local, bytes - 1,",
        "shmem_putmem",
    ),
    (
        "transfers.c",
        "shmem_getmem_nbi(local, remote, bytes,",
        "shmem_getmem_nbi(local, remote, bytes - 1,",
        "shmem_getmem_nbi",
    ),
    (
        "transfers.c",
        "shmem_iput64(remote, local, stride, stride,",
        "shmem_iput64(remote, local, stride, 1,",
        "shmem_iput64",
    ),
    (
        "singles.c",
        "shmem_long_p(&of->numbers[i], value_at(of, i)",
        "shmem_long_p(&of->numbers[i], value_at(of, 0)",
        "shmem_long_p",
    ),
    (
        "ordering.c",
        "  shmem_putmem_nbi(&of->numbers[0], &of->written[0], sizeof(long), of->partner);\n  shmem_fence();\n",
        "",
        "shmem_fence",
    ),
    (
        "waiting.c",
        "shmem_long_p(of->number, of->launches, of->partner);",
        "shmem_long_p(of->number, of->launches + 1, of->partner);",
        "shmem_long_wait_until",
    ),
    (
        "set_reductions.c",
        "OF_ALL_TYPES(max)",
        "#define shmem_int_max_to_all shmem_int_min_to_all\nOF_ALL_TYPES(max)",
        "shmem_max_to_all",
    ),
    (
        "atomics.c",
        "static long apply_inc(long number, long value) { return (void)value, number + 1; }",
        "static long apply_inc(long number, long value) { return (void)value, number + 2; }",
        "shmem_atomic_inc",
    ),
    (
        "memory.c",
        "of->memory = shmem_align(ALIGNMENT, bytes_of(of));",
        "of->memory = (long *)((char *)shmem_malloc(bytes_of(of) + 8));",
        "shmem_align",
    ),
];

#[test]
fn operations_that_are_broken_are_noticed() {
    if !is_there("broken operations of OpenSHMEM") {
        return;
    }
    let bench = Bench::new(OPENSHMEM, None);
    let changes: Vec<_> = CHANGES
        .iter()
        .map(|(file, right, wrong, _)| (*file, *right, *wrong))
        .collect();
    broken(&bench, &changes);
    compiled_by("oshcc", &bench, &["-w"]);
    let list = listed(&mut start(&bench, "driver", 1));
    let mut cases: Vec<_> = CHANGES
        .iter()
        .map(|(.., name)| case(&named(&list, name), ""))
        .collect();
    cases.push(case(&named(&list, "shmem_barrier_all"), ""));
    let records = bench.time(start(&bench, "driver", 2), cases.clone());
    let failed: Vec<_> = failures(&records).iter().map(|(case, _)| *case).collect();
    let expected: Vec<_> = (0..CHANGES.len()).collect();
    assert_eq!(failed, expected, "{:#?}", failures(&records));
    for (_, reason) in failures(&records) {
        assert!(reason.starts_with("wrong result: "), "{reason}");
    }
    assert_eq!(timings(&records).len(), 1);
}

/// OpenSHMEM 1.4: collective operations, atomic ones, transfers and the rest.
const OF_1_4: &[(&str, &str)] = &[
    (
        "",
        "barrier_all barrier sync_all sync quiet fence malloc calloc align realloc free",
    ),
    (
        "",
        "putmem putmem_nbi getmem getmem_nbi iput64 iget64 long_p long_g long_wait_until",
    ),
    ("", "set_lock clear_lock test_lock set_clear_lock"),
    (
        "",
        "broadcast32 broadcast64 collect32 collect64 fcollect32 fcollect64",
    ),
    ("", "alltoall32 alltoall64 alltoalls32 alltoalls64"),
    (
        "",
        "and_to_all or_to_all xor_to_all max_to_all min_to_all sum_to_all prod_to_all",
    ),
    (
        "atomic_",
        "fetch set swap compare_swap fetch_add add fetch_inc inc fetch_and and",
    ),
    ("atomic_", "fetch_or or fetch_xor xor"),
];

/// Those that came with 1.5.
const SINCE_1_5: &[(&str, &str)] = &[
    (
        "",
        "team_sync broadcastmem collectmem fcollectmem alltoallmem alltoallsmem",
    ),
    (
        "",
        "and_reduce or_reduce xor_reduce max_reduce min_reduce sum_reduce prod_reduce",
    ),
    ("", "putmem_signal putmem_signal_nbi"),
];

#[test]
fn every_operation_of_the_standard_is_listed() {
    if !is_there("the list of OpenSHMEM's operations") {
        return;
    }
    let bench = Bench::new(OPENSHMEM, None);
    compiled_by("oshcc", &bench, &[]);
    let list = listed(&mut start(&bench, "driver", 1));
    let is_missing = |(before, names): &(&str, &str)| {
        let names = names.split(' ').map(|name| format!("shmem_{before}{name}"));
        let missing = names.filter(|name| list.iter().all(|o| o.name != *name));
        missing.collect::<Vec<String>>()
    };
    let missing: Vec<_> = OF_1_4.iter().flat_map(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let missing: Vec<_> = SINCE_1_5.iter().flat_map(is_missing).collect();
    match version(&bench) >= (1, 5) {
        true => assert!(missing.is_empty(), "{missing:?}"),
        false => {
            assert!(missing.len() >= 15, "{missing:?}");
            not_tested("operations of OpenSHMEM 1.5: the library is older");
        }
    }
}

/// Of the standard, as the header has it.
fn version(bench: &Bench) -> (u32, u32) {
    let path = bench.path("version.source");
    let text = "#include <shmem.h>\nVERSION SHMEM_MAJOR_VERSION SHMEM_MINOR_VERSION\n";
    std::fs::write(&path, text).unwrap();
    let mut preprocess = Command::new("oshcc");
    let output = preprocess.args(["-E", "-P", "-x", "c"]).arg(&path).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    let line = text.lines().find(|line| line.starts_with("VERSION "));
    let mut words = line.unwrap().split(' ').skip(1).map(|w| w.parse().unwrap());
    (words.next().unwrap(), words.next().unwrap())
}
