//! Programs over MPI: which launcher starts them, and with what.

use super::*;

#[test]
fn programs_over_mpi_are_started_by_the_launcher_of_their_mpi() {
    let stand_ins = [
        ("mpirun-openmpi", "mpirun.openmpi"),
        ("mpirun-mpich", "mpiexec.mpich"),
        ("mpirun-mpich", "mpirun"),
        ("srun", "srun"),
    ];
    let once = ("STAND_IN_ONCE", "1");
    let site = Site::over_mpi(&stand_ins, "mpicc.openmpi");
    let told = site.ok(&["run", "-n", "3", "-o", "a", "./prog"], &[once]);
    contains(&told.out, &["sum 10"]);
    site.ok(&["analyze", "a"], &[]);
    let told = site.ok(&["run", "-o", "b", "./prog"], &[once]);
    contains(&told.err, &["1 thread: -n says how many"]);
    // The recorder's settings reach the processes, which have nothing else.
    let calls = site.calls();
    contains(&calls[0], &["-x PGAS_THREADS ", "-x PGAS_EXPERIMENT "]);
    let calls: Vec<String> = calls.iter().map(|call| without_identity(call)).collect();
    assert_eq!(
        calls,
        ["mpirun.openmpi -np 3 ./prog", "mpirun.openmpi -np 1 ./prog"]
    );

    let show = |site: &Site, arguments: &[&str], environment: &[(&str, &str)]| {
        let arguments = [&["run", "--show"], arguments, &["./prog"]].concat();
        site.ok(&arguments, environment).out
    };
    // On several nodes; more threads than this machine has cores.
    let shown = show(&site, &["-n", "6", "--nodes", "2"], &[]);
    contains(&shown, &["/mpirun.openmpi -np 6 --map-by ppr:3:node "]);
    assert!(!shown.contains("oversubscribe"), "{shown}");
    let shown = show(&site, &["-n", "1024"], &[]);
    contains(
        &shown,
        &["OMPI_MCA_rmaps_base_oversubscribe=1", "-np 1024 "],
    );
    // In a batch job its launcher is preferred; a user's choice is what counts.
    let job = [("SLURM_JOB_ID", "7"), ("SLURM_NTASKS", "4")];
    contains(&show(&site, &[], &job), &["srun --ntasks=4 "]);
    let shown = show(&site, &["--launcher", "mpirun"], &job);
    contains(&shown, &[" mpirun -n 4 -genv PGAS_THREADS 4 "]);
    let err = site.refused(&["run", "-n", "2", "--launcher", "direct", "./prog"], &[]);
    contains(&err, &["cannot be started directly with 2 threads"]);

    let site = Site::over_mpi(&stand_ins, "mpicc.mpich");
    contains(
        &show(&site, &["-n", "2"], &[]),
        &["/mpiexec.mpich -n 2 -genv "],
    );
    let site = Site::over_mpi(&stand_ins, "mpicc");
    contains(&show(&site, &["-n", "2"], &[]), &["/mpirun -n 2 -genv "]);
    let site = Site::over_mpi(&[], "mpicc.openmpi");
    let err = site.refused(&["run", "-n", "2", "./prog"], &[]);
    contains(
        &err,
        &[
            "no launcher",
            "/mpirun.openmpi, ",
            "openmpi-bin",
            "--launcher",
        ],
    );
}

#[test]
fn a_launcher_that_stands_before_a_program_over_mpi_starts_it() {
    let stand_ins = [("mpirun-openmpi", "mpirun.openmpi")];
    let once = ("STAND_IN_ONCE", "1");
    let site = Site::over_mpi(&stand_ins, "mpicc.openmpi");
    let written = ["mpirun.openmpi", "--oversubscribe", "-np", "3", "./prog"];
    let run = |options: &[&'static str]| [&["run"], options, &["--"], &written].concat();
    let told = site.ok(&run(&["-o", "a"]), &[once]);
    contains(&told.out, &["sum 10"]);
    site.ok(&["analyze", "a"], &[]);
    let described = fs::read_to_string(site.path("a/experiment.json")).unwrap();
    let described: serde_json::Value = serde_json::from_str(&described).unwrap();
    assert_eq!(described["threads"], 3);
    let launcher = described["launcher"].as_str().unwrap();
    assert!(
        launcher.ends_with("/mpirun.openmpi --oversubscribe -np 3"),
        "{launcher}"
    );
    site.ok(&run(&["-n", "3", "-o", "b"]), &[once]);
    for call in site.calls() {
        contains(&call, &["-x PGAS_EXPERIMENT "]);
        assert_eq!(
            without_identity(&call),
            "mpirun.openmpi --oversubscribe -np 3 ./prog"
        );
    }
    let site = Site::over_mpi(&stand_ins, "mpicc.openmpi");
    let err = site.refused(&run(&["-n", "2"]), &[]);
    contains(&err, &["start 3 processes, -n 2 given"]);
    let err = site.refused(&["run", "mpirun.openmpi", "./prog"], &[]);
    contains(&err, &["how many processes", "pgastool run -n 4"]);
}
