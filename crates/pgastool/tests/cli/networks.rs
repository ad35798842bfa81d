//! `compile --network`: options passed to the compiler, and, where MPI is installed, programs over it.

use crate::bench::{Bench, Told, UNEVEN, contains};
use crate::not_tested::not_tested;
use pgas_instrument::mpi::{Mpicc, launcher_beside};
use serde_json::Value;
use std::path::{Path, PathBuf};

#[test]
fn the_compiler_is_told_the_network() {
    let bench = Bench::new();
    bench.write("prog.upc", "int main(void) { return 0; }\n");
    let show = |options: &[&str]| {
        bench.ok(&[&["compile", "--show"], options, &["-o", "prog", "prog.upc"]].concat())
    };
    let shown = show(&["--network", "mpi", "--mpicc", "/opt/mpi/bin/mpicc"]);
    contains(&shown, &[" -network=mpi -mpicc=/opt/mpi/bin/mpicc -inst "]);
    assert!(!show(&[]).contains("network"));
    // What compares the clocks of threads that a test disguises: over MPI the runtime has its own.
    let disguised = |network: &str| {
        let mut command = bench.command(&["compile", "--show", "-o", "prog", "prog.upc"]);
        command
            .env("PGAS_TEST_CLOCKS", "0")
            .env("PGAS_NETWORK", network);
        Told::of(&mut command).out
    };
    let cells = "pgas_upc_cells.upc";
    contains(&disguised("smp"), &[cells]);
    let shown = disguised("mpi");
    assert!(!shown.contains(cells), "{shown}");
    let shown = show(&["-network=mpi"]);
    contains(&shown, &[" -network=mpi "]);
    assert!(!shown.contains(cells), "{shown}");
    let shown = show(&["--network", "mpi", "--no-instrument"]);
    contains(&shown, &["/pgas-upcc -network=mpi -o prog prog.upc"]);
}

#[test]
fn a_network_that_there_is_none_of_is_refused() {
    let bench = Bench::new();
    bench.write("prog.upc", "int main(void) { return 0; }\n");
    let err = bench.refused(&["compile", "--network", "udp", "-c", "prog.upc"]);
    contains(&err, &["'udp' is not a network", "smp (", "mpi ("]);
    let told = Told::of(
        bench
            .command(&["compile", "-c", "prog.upc"])
            .env("PGAS_NETWORK", "udp"),
    );
    assert_eq!(told.status, Some(1), "{told:?}");
    contains(&told.err, &["'udp' (from PGAS_NETWORK) is not a network"]);
    let told = Told::of(
        bench
            .command(&["compile", "--network", "mpi", "-o", "prog", "prog.upc"])
            .env("MPICC", "/no/mpicc"),
    );
    assert_eq!(told.status, Some(1), "{told:?}");
    contains(
        &told.err,
        &["no mpicc", "`/no/mpicc` (from MPICC)", "needs none"],
    );
}

#[test]
fn the_doctor_looks_at_the_mpi() {
    let bench = Bench::new();
    let doctor = |mpicc: &str| {
        let told = Told::of(bench.command(&["doctor"]).env("MPICC", mpicc));
        assert_eq!(told.status, Some(0), "{told:?}");
        told.out
    };
    let said = doctor("/no/mpicc");
    contains(
        &said,
        &["warning  network", "MPICC=/no/mpicc", "correct MPICC"],
    );
    // A C compiler that knows no MPI.
    let said = doctor("false");
    contains(
        &said,
        &["warning  network", "does not work", "another MPI in MPICC"],
    );
    if launcher().is_none() {
        not_tested("how doctor tries an MPI: there is no mpicc with an mpirun beside it");
        return;
    }
    let line = |said: &str| {
        let mut lines = said.lines();
        let line = lines.find(|line| line.contains("other nodes' data"));
        line.expect("a line about data of other nodes").to_owned()
    };
    let said = line(&bench.ok(&["doctor"]));
    assert!(said.starts_with("ok "), "{said}");
    let works = said.contains("work here, too: a read takes ");
    let waits = said.contains("they wait for calls of the other process");
    assert!(works != waits, "{said}");
}

/// The launcher of the MPI here.
fn launcher() -> Option<PathBuf> {
    let mpicc = Mpicc::find(None, Path::new("/usr/bin/cc")).ok()?;
    launcher_beside(&mpicc.path).ok()
}

/// Runs a program that prints "sum 10" over MPI.
fn run(bench: &Bench, variables: &[(&str, &str)], arguments: &[&str]) {
    let told = Told::of(
        bench
            .command(arguments)
            // Containers have one user and few cores.
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
            .envs(variables.iter().copied()),
    );
    assert_eq!(told.status, Some(0), "{told:?}");
    contains(&told.out, &["sum 10"]);
}

/// The report on an experiment that is analysed first.
fn report(bench: &Bench, experiment: &str) -> Value {
    bench.ok(&["analyze", experiment]);
    let report = bench.ok(&["report", experiment, "--format", "json"]);
    serde_json::from_str(&report).unwrap()
}

#[test]
fn a_program_over_mpi_is_measured() {
    let bench = Bench::new();
    let Some(launcher) = launcher() else {
        not_tested("recording programs over MPI: there is no mpicc with an mpirun beside it");
        return;
    };
    bench.compile(UNEVEN, &["--network", "mpi"]);
    run(&bench, &[], &["run", "-n", "3", "-o", "own", "./prog"]);
    let launcher = launcher.display().to_string();
    let written = ["run", "-o", "written", "--", &launcher, "-n", "3", "./prog"];
    run(&bench, &[], &written);
    for experiment in ["own", "written"] {
        assert_eq!(report(&bench, experiment)["threads"], 3, "{experiment}");
    }
}

/// Each thread reads 4,096 elements of the other one, sets its flag 100 times, and writes one
/// element.
const WAITS: &str = "\
#include <upc.h>
#include <stdio.h>
#define N 4096
shared [N] int data[N * THREADS];
strict shared [1] int flags[THREADS];
int main(void)
{
    int other = (MYTHREAD + 1) % THREADS;
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += data[N * other + i];
    for (int i = 0; i < 100; i++)
        flags[other] = i;
    data[N * other] = 10;
    upc_barrier;
    sum += data[N * MYTHREAD];
    if (MYTHREAD == 0)
        printf(\"sum %ld\\n\", sum);
    return 0;
}
";

/// Calls of a region at a line by each of two threads.
fn visits(report: &Value, region: &str, line: u64) -> [f64; 2] {
    let paths = report["call_paths"].as_array().unwrap();
    let of_line = paths
        .iter()
        .filter(|path| path["region"] == region && path["line"] == line);
    of_line.fold([0.0; 2], |[a, b], path| {
        let visits = &path["metrics"]["visits"];
        [
            a + visits[0].as_f64().unwrap(),
            b + visits[1].as_f64().unwrap(),
        ]
    })
}

#[test]
fn counted_accesses_that_wait_for_another_node_are_recorded() {
    let bench = Bench::new();
    if launcher().is_none() {
        not_tested("single accesses over MPI: there is no mpicc with an mpirun beside it");
        return;
    }
    bench.compile(WAITS, &["--network", "mpi"]);
    for (cached, experiment) in [("1", "cached"), ("0", "not-cached")] {
        let variables = [("PGAS_NODE_SIZE", "1"), ("PGAS_FAR_CACHE", cached)];
        run(
            &bench,
            &variables,
            &["run", "-n", "2", "-o", experiment, "./prog"],
        );
        let report = report(&bench, experiment);
        let of_line = |line, what: &str| {
            let waiting = visits(&report, &format!("off-node upc_{what}"), line);
            let counted = visits(&report, &format!("upc_{what}"), line);
            [0, 1].map(|thread| (waiting[thread], counted[thread]))
        };
        for (waiting, counted) in of_line(11, "get") {
            assert_eq!(waiting + counted, 4096.0, "{experiment}");
            match cached {
                "0" => assert_eq!(waiting, 4096.0),
                // Those that others of their line have brought do not wait.
                _ => assert!(waiting > 0.0 && counted > 0.0, "{waiting} {counted}"),
            }
        }
        assert_eq!(of_line(13, "put"), [(100.0, 0.0); 2], "{experiment}");
        assert_eq!(of_line(16, "get"), [(0.0, 1.0); 2], "{experiment}");
        for pair in report["communication"]["pairs"].as_array().unwrap() {
            let is_own = pair["thread"] == pair["owner"];
            assert_eq!(pair["operations"], if is_own { 1 } else { 4197 }, "{pair}");
        }
    }
}
