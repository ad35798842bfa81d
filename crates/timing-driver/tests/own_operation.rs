//! Operations of one's own: the examples of the book, and one that fails.

mod common;
#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;

use common::*;
use not_tested::not_tested;
use pgas_timing_driver::sources::MPI;
use std::process::Command;

/// Complains on one thread.
const FAILS: &str = r#"
#include <upc.h>
#include "pgas_operation.h"
static void *prepare(const pgas_case *with) {
  if (MYTHREAD == 1) pgas_complain(with, "thread %d has a reason", MYTHREAD);
  return (void *)with;
}
static void run(void *state, long launch) { (void)state, (void)launch; }
static void *prepare_well(const pgas_case *with) { return (void *)with; }
static int check(void *state, long launch) {
  (void)launch;
  if (MYTHREAD > 0) pgas_complain(state, "not as it should be");
  return MYTHREAD > 0;
}
PGAS_OPERATION(.name = "own", .help = "fails", .prepare = PREPARE, .run = run, .check = check)
"#;

#[test]
fn reasons_name_the_threads_that_have_them() {
    for (prepare, expected) in [
        ("prepare", "thread 1: thread 1 has a reason"),
        (
            "prepare_well",
            "wrong result: threads 1, 2: not as it should be",
        ),
    ] {
        let text = FAILS
            .replace("PREPARE", prepare)
            .replace("static void *", "void *");
        let bench = driver(Some(("own.upc", text.leak())));
        let list = listed(&mut run(&bench, 3));
        let records = bench.time(run(&bench, 3), vec![case(&named(&list, "own"), "")]);
        assert_eq!(failures(&records), [(0, expected)]);
    }
}

#[test]
fn the_example_in_upc_is_timed() {
    let text = files_of_page("timing-own-operation.md")
        .remove("halo.upc")
        .unwrap();
    let bench = driver(Some(("own.upc", text.leak())));
    let list = listed(&mut run(&bench, 3));
    let halo = named(&list, "halo");
    let all = [case(&halo, ""), case(&halo, "distance=2")];
    let records = bench.time(run(&bench, 3), all.to_vec());
    assert_all_timed(&records, &all);
}

#[test]
fn the_example_in_c_for_mpi_is_timed() {
    let (Ok(mpicc), Ok(mpirun)) = (which("mpicc"), which("mpirun")) else {
        return not_tested("an operation of one's own for MPI: there is no mpicc");
    };
    let text = files_of_page("timing-own-operation.md")
        .remove("ring.c")
        .unwrap();
    let bench = Bench::new(MPI, Some(("own.c", text.leak())));
    let mut compile = Command::new(mpicc);
    compile
        .args(["-O1", "-Wall", "-Wextra"])
        .args(bench.words())
        .arg("-o")
        .arg(bench.path("driver"));
    let output = compile.output().unwrap();
    assert!(output.status.success(), "{}", messages(&output));
    assert_eq!(messages(&output), "");
    let start = || {
        let mut command = Command::new(&mpirun);
        command
            .args(["-n", "3"])
            .arg(bench.path("driver"))
            .envs(CONTAINER);
        command
    };
    let list = listed(&mut start());
    let all = [case(&named(&list, "ring"), "")];
    let records = bench.time(start(), all.to_vec());
    assert_all_timed(&records, &all);
    assert!(timings(&records)[0].overlap.is_some());
}
