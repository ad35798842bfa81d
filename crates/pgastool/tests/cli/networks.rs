//! `compile --network`: options passed to the compiler, and, where MPI is installed, programs over it.

use crate::bench::{Bench, Told, UNEVEN, contains};
use crate::not_tested::not_tested;
use pgas_instrument::mpi::{Mpicc, launcher_beside};
use std::path::Path;

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
}

#[test]
fn a_program_over_mpi_is_measured() {
    let bench = Bench::new();
    let mpicc = Mpicc::find(None, Path::new("/usr/bin/cc"));
    let Some(launcher) = mpicc
        .ok()
        .and_then(|mpicc| launcher_beside(&mpicc.path).ok())
    else {
        not_tested("recording programs over MPI: there is no mpicc with an mpirun beside it");
        return;
    };
    bench.compile(UNEVEN, &["--network", "mpi"]);
    let run = |arguments: &[&str]| {
        let told = Told::of(
            bench
                .command(arguments)
                // Containers have one user and few cores.
                .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
                .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
                .env("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        );
        assert_eq!(told.status, Some(0), "{told:?}");
        contains(&told.out, &["sum 10"]);
    };
    run(&["run", "-n", "3", "-o", "own", "./prog"]);
    let launcher = launcher.display().to_string();
    run(&["run", "-o", "written", "--", &launcher, "-n", "3", "./prog"]);
    for experiment in ["own", "written"] {
        bench.ok(&["analyze", experiment]);
        let report = bench.ok(&["report", experiment, "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["threads"], 3, "{experiment}");
    }
}
