//! Launchers and batch systems of sites, played by scripts (`tests/stand-ins/launchers`) that take,
//! refuse and pass on what the real ones do: the recorder's settings must reach processes that have
//! no environment but what the launcher gives them.

mod batch_jobs;
mod over_mpi;

use crate::bench::{Bench, Told, UNEVEN, contains, last_line, tools};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables of batch systems and launchers, which this test itself may run under.
const FOREIGN: [&str; 12] = [
    "PGAS_LAUNCHER",
    "SLURM_JOB_ID",
    "SLURM_JOBID",
    "SLURM_STEP_NUM_TASKS",
    "PBS_JOBID",
    "LSB_JOBID",
    "COBALT_JOBID",
    "FLUX_JOB_ID",
    "FLUX_ENCLOSING_ID",
    "OMPI_COMM_WORLD_SIZE",
    "PMI_SIZE",
    "LOADEDMODULES",
];

struct Site {
    bench: Bench,
}

impl Site {
    /// With these stand-ins on the path, each under the name that it is called by, and a program of
    /// the embedded compiler.
    fn with(stand_ins: &[(&str, &str)]) -> Self {
        let bench = Bench::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stand-ins/launchers");
        fs::create_dir(bench.path("site")).unwrap();
        for (file, name) in [("start.sh", "start.sh")].iter().chain(stand_ins) {
            let place = bench.path("site").join(name);
            fs::copy(folder.join(file), &place).unwrap();
            fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
        }
        bench.compile(UNEVEN, &[]);
        Self { bench }
    }

    /// With a program that says that Berkeley UPC compiled it, for a network of this name.
    fn berkeley(stand_ins: &[(&str, &str)], network: &str) -> Self {
        let site = Self::with(stand_ins);
        site.script(
            "site/upcc",
            &format!(
                r#"case "$1" in
  -version) echo "This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0"; exit 0 ;;
  --version|-V) echo "upcc: unknown option $1" >&2; exit 1 ;;
esac
for a; do
  shift
  case "$a" in -inst-toolname=*|-lines) ;; *) set -- "$@" "$a" ;; esac
done
exec '{}/pgas-upcc' "$@" -Wl,--allow-multiple-definition
"#,
                tools().display()
            ),
        );
        let source = format!(
            "{UNEVEN}\nconst char network[] = \"$GASNetConduitName: {network} $\";\nconst char \
             *name(void) {{ return network; }}\n"
        );
        site.bench.write("prog.upc", source);
        site.ok(&["compile", "-o", "prog", "prog.upc"], &[]);
        site
    }

    /// With a program that says that it is over MPI, linked by `mpicc` in the directory of the
    /// stand-ins. It starts its threads itself (`STAND_IN_ONCE`), so that no MPI is needed.
    fn over_mpi(stand_ins: &[(&str, &str)], mpicc: &str) -> Self {
        let site = Self::with(stand_ins);
        let mpicc = site.path("site").canonicalize().unwrap().join(mpicc);
        let note = format!(
            "compiler=embedded;threads=dynamic;instrumented=yes;network=mpi;mpicc={};\0",
            mpicc.display()
        );
        site.bench.write("note", note);
        let changed = Command::new("objcopy")
            .args(["--update-section", ".pgas_info=note", "prog"])
            .current_dir(site.bench.path(""))
            .status();
        assert!(changed.unwrap().success());
        site
    }

    fn script(&self, name: &str, text: &str) {
        self.bench.write(name, format!("#!/bin/sh\n{text}"));
        fs::set_permissions(self.bench.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn told(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Told {
        let mut command = self.bench.command(arguments);
        // Launchers hand on what is set.
        command.env_remove("PGAS_NO_CORE");
        for name in FOREIGN {
            command.env_remove(name);
        }
        command.env("PATH", self.search_path());
        command.envs(environment.iter().copied());
        Told::of(&mut command)
    }

    fn search_path(&self) -> String {
        let path = std::env::var("PATH").unwrap();
        format!("{}:{path}", self.bench.path("site").display())
    }

    fn ok(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Told {
        let told = self.told(arguments, environment);
        assert_eq!(told.status, Some(0), "{arguments:?}: {told:?}");
        told
    }

    fn refused(&self, arguments: &[&str], environment: &[(&str, &str)]) -> String {
        let told = self.told(arguments, environment);
        assert_eq!(told.status, Some(2), "{arguments:?}: {told:?}");
        assert_eq!(self.bench.experiments(), [""; 0]);
        told.err
    }

    /// How launchers were called, words with blanks between them, and names that change from run to
    /// run replaced.
    fn calls(&self) -> Vec<String> {
        let log = fs::read_to_string(self.bench.path("site/log")).unwrap_or_default();
        let here = self.bench.path("").canonicalize().unwrap();
        let here = here.to_str().unwrap().trim_end_matches('/').to_string();
        log.lines()
            .map(|line| line.replace('\t', " ").replace(&here, "HERE"))
            .collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.bench.path(name)
    }
}

/// The command lines of all launchers for a program whose threads are one process, and that what is
/// recorded is all there, with the settings and the filter of the run.
#[test]
fn each_launcher_starts_a_program_of_the_embedded_compiler() {
    let site = Site::with(&[
        ("srun", "srun"),
        ("mpirun-openmpi", "mpirun"),
        ("mpirun-mpich", "mpiexec.hydra"),
        ("aprun", "aprun"),
        ("jsrun", "jsrun"),
    ]);
    site.bench.write(
        "f",
        "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE work\nSCOREP_REGION_NAMES_END\n",
    );
    let all = [
        (
            "srun",
            "srun --ntasks=1 --nodes=1 --cpus-per-task=3 --export=ALL ./prog 0 a b",
        ),
        (
            "mpirun --oversubscribe",
            "mpirun --oversubscribe -np 1 --bind-to none -x PGAS_THREADS -x PGAS_BUFFER -x \
             PGAS_FILES -x PGAS_FILTER -x PGAS_RUN_ID -x PGAS_EXPERIMENT ./prog 0 a b",
        ),
        (
            "mpiexec.hydra",
            "mpiexec.hydra -n 1 -genv PGAS_THREADS 3 -genv PGAS_BUFFER 65536 -genv PGAS_FILES \
             thread -genv PGAS_FILTER HERE/e2/run.filter -genv PGAS_RUN_ID IDENTITY -genv \
             PGAS_EXPERIMENT HERE/e2 ./prog 0 a b",
        ),
        (
            "aprun",
            "aprun -n 1 -d 3 -e PGAS_THREADS=3 -e PGAS_BUFFER=65536 -e PGAS_FILES=thread -e \
             PGAS_FILTER=HERE/e3/run.filter -e PGAS_RUN_ID=IDENTITY -e PGAS_EXPERIMENT=HERE/e3 \
             ./prog 0 a b",
        ),
        (
            "jsrun",
            "jsrun --nrs=1 --tasks_per_rs=1 --cpu_per_rs=3 --bind=none -E PGAS_THREADS=3 -E \
             PGAS_BUFFER=65536 -E PGAS_FILES=thread -E PGAS_FILTER=HERE/e4/run.filter -E \
             PGAS_RUN_ID=IDENTITY -E PGAS_EXPERIMENT=HERE/e4 ./prog 0 a b",
        ),
    ];
    for (number, (launcher, called)) in all.iter().enumerate() {
        let directory = format!("e{number}");
        let arguments = [
            "run",
            "-n",
            "3",
            "--launcher",
            launcher,
            "--filter",
            "f",
            "--buffer",
            "64K",
            "--files",
            "thread",
            "-o",
            &directory,
            "./prog",
            "0",
            "a b",
        ];
        // A job that was handed in without its environment.
        let told = site.ok(&arguments, &[("SLURM_EXPORT_ENV", "NONE")]);
        contains(&told.out, &["[0][a b]sum 10"]);
        assert_eq!(last_line(&told.out), directory);
        let described = fs::read_to_string(site.path(&directory).join("experiment.json")).unwrap();
        let id = serde_json::from_str::<serde_json::Value>(&described).unwrap()["id"].clone();
        let called = called.replace("IDENTITY", id.as_str().unwrap());
        assert_eq!(*site.calls().last().unwrap(), called);
        let described: serde_json::Value = serde_json::from_str(&described).unwrap();
        assert_eq!(described["launcher"], *launcher);
        site.ok(&["analyze", &directory], &[]);
        let report = site
            .ok(&["report", &directory, "--format", "json"], &[])
            .out;
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["threads"], 3, "{launcher}");
        let regions = site
            .ok(&["events", &directory, "--region", "work"], &[])
            .out;
        assert!(
            !regions.contains("> work"),
            "the filter was not seen: {regions}"
        );
    }
}

#[test]
fn programs_for_networks_have_a_process_for_each_thread() {
    let site = Site::berkeley(&[("srun", "srun"), ("upcrun", "upcrun")], "IBV");
    let once = ("STAND_IN_ONCE", "1");
    let job = [
        ("SLURM_JOB_ID", "7"),
        ("SLURM_NTASKS", "4"),
        ("SLURM_JOB_NUM_NODES", "2"),
        once,
    ];
    // Its own launcher, in a job and elsewhere; the job says how many threads.
    let told = site.ok(&["run", "--show", "./prog"], &job);
    assert_eq!(site.bench.experiments(), [""; 0]);
    contains(&told.out, &["UPC_ENVPREFIX=PGAS_", "upcrun -q -n 4 ./prog"]);
    contains(
        &told.err,
        &["4 threads, as SLURM_NTASKS of the Slurm job 7 says"],
    );
    let told = site.ok(&["run", "-o", "own", "./prog"], &job);
    contains(&told.out, &["sum 10"]);
    // The directory of a test is a node's own, and the job has two.
    contains(&told.err, &["warning: ", "own file system", "-o"]);
    site.ok(&["analyze", "own"], &[]);

    fs::remove_file(site.path("site/upcrun")).unwrap();
    let told = site.ok(&["run", "-o", "slurms", "./prog"], &job);
    contains(&told.out, &["sum 10"]);
    let told = site.ok(
        &[
            "run",
            "-n",
            "6",
            "--nodes",
            "2",
            "--launcher",
            "srun --exclusive",
            "--show",
            "./prog",
        ],
        &job,
    );
    contains(
        &told.out,
        &["srun --exclusive --ntasks=6 --nodes=2 --ntasks-per-node=3 --export=ALL ./prog"],
    );
    contains(&told.err, &["warning: ", "6 threads", "meant for 4"]);
    // More than one node could have.
    let told = site.ok(
        &[
            "run",
            "-n",
            "4096",
            "--launcher",
            "srun",
            "--show",
            "./prog",
        ],
        &[],
    );
    contains(&told.out, &["srun --ntasks=4096 "]);
    assert_eq!(
        site.calls(),
        [
            "upcrun -q -n 4 ./prog",
            "srun --ntasks=4 --export=ALL ./prog"
        ]
    );
}

/// Without the names that are the recorder's business.
fn without_identity(call: &str) -> String {
    let words = call.split(' ').collect::<Vec<_>>();
    let shown = words.iter().enumerate().filter(|(at, word)| {
        let named = |word: &str| word.starts_with("PGAS_") || word.contains("HERE/");
        !(named(word) || **word == "-x" && named(words[at + 1]))
    });
    shown.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_program_for_one_node_is_not_started_on_two() {
    let site = Site::berkeley(&[("srun", "srun"), ("upcrun", "upcrun")], "SMP");
    let err = site.refused(&["run", "-n", "4", "--nodes", "2", "./prog"], &[]);
    contains(&err, &["`./prog` cannot run on 2 nodes", "-network=smp"]);

    let site = Site::with(&[("srun", "srun"), ("upcrun", "upcrun")]);
    let err = site.refused(
        &[
            "run",
            "-n",
            "4",
            "--nodes",
            "2",
            "--launcher",
            "srun",
            "./prog",
        ],
        &[],
    );
    contains(&err, &["2 nodes", "compiled for one node", "--network mpi"]);
    let job = [
        ("SLURM_JOB_ID", "7"),
        ("SLURM_NTASKS", "4"),
        ("SLURM_JOB_NUM_NODES", "2"),
    ];
    contains(&site.refused(&["run", "./prog"], &job), &["2 nodes", "-n"]);
    let err = site.refused(&["run", "-n", "4", "--launcher", "upcrun", "./prog"], &[]);
    contains(&err, &["upcrun cannot start `./prog`", "--launcher"]);
    // As a site's default it is meant for others.
    site.ok(
        &["run", "-n", "2", "./prog"],
        &[("PGAS_LAUNCHER", "upcrun")],
    );
    assert_eq!(site.calls(), [""; 0]);
}

#[test]
fn the_number_of_threads() {
    let site = Site::with(&[]);
    let err = site.refused(&["run", "./prog"], &[]);
    contains(&err, &["number of threads is missing", "-n 4"]);
    // One process with several cores.
    let cores = [
        ("SLURM_JOB_ID", "7"),
        ("SLURM_NTASKS", "1"),
        ("SLURM_CPUS_PER_TASK", "3"),
    ];
    let told = site.ok(&["run", "-o", "a", "./prog"], &cores);
    contains(
        &told.err,
        &["3 threads, as SLURM_CPUS_PER_TASK of the Slurm job 7 says"],
    );
    let told = site.ok(&["run", "-n", "5", "-o", "b", "./prog"], &cores);
    contains(&told.err, &["warning: ", "5 threads", "meant for 3"]);
    let err = site.told(&["run", "./prog"], &[("COBALT_JOBID", "7")]).err;
    contains(&err, &["Cobalt job 7 does not say"]);

    site.bench.compile(UNEVEN, &["--threads", "2"]);
    let told = site.ok(&["run", "-o", "c", "./prog"], &cores);
    contains(&told.err, &["2 threads: it was compiled for them"]);
    site.ok(&["analyze", "c"], &[]);
}

#[test]
fn a_template_describes_any_launcher() {
    let site = Site::with(&[]);
    site.script(
        "mylaunch",
        "[ \"$1\" = -p3 ] && [ \"$2\" = -N ] && [ \"$3\" = 1 ] || exit 9\nshift 3\necho \
         mine\nexec env -i PATH=/usr/bin:/bin \"$@\"\n",
    );
    let template = "./mylaunch -p{threads} -N {nodes} {environment} {program} {arguments}";
    let told = site.ok(
        &[
            "run",
            "-n",
            "3",
            "--launcher",
            template,
            "./prog",
            "0",
            "x y",
        ],
        &[],
    );
    contains(&told.out, &["mine\n", "[0][x y]"]);
    site.ok(&["analyze", last_line(&told.out)], &[]);
    let told = site.ok(
        &["run", "-n", "3", "-o", "d", "./prog"],
        &[("PGAS_LAUNCHER", template)],
    );
    contains(&told.out, &["mine\n"]);
    // Without a place for the environment nothing reaches the recorder there, which is noticed.
    let blind = "./mylaunch -p{threads} -N {nodes} {program}";
    let told = site.told(
        &["run", "-n", "3", "--launcher", blind, "-o", "e", "./prog"],
        &[],
    );
    contains(&told.err, &["warning: ", "PGAS_EXPERIMENT"]);

    let err = site
        .told(
            &[
                "run",
                "-n",
                "3",
                "--launcher",
                "./mylaunch {ranks}",
                "./prog",
            ],
            &[],
        )
        .err;
    contains(&err, &["`{ranks}`", "{threads}, {nodes}"]);
    let err = site
        .told(
            &["run", "-n", "3", "./prog"],
            &[("PGAS_LAUNCHER", "./mylaunch -x")],
        )
        .err;
    contains(&err, &["PGAS_LAUNCHER", "./mylaunch -x", "{program}"]);
}

#[test]
fn something_may_stand_between_the_tool_and_the_program() {
    let site = Site::with(&[("srun", "srun")]);
    site.script("wrapper", "echo wrapped\nexec \"$@\"\n");
    let told = site.ok(
        &[
            "run",
            "-n",
            "2",
            "-o",
            "a",
            "./wrapper",
            "env",
            "A=1",
            "./prog",
            "0",
            "x",
        ],
        &[],
    );
    contains(&told.out, &["wrapped\n[0][x]"]);
    let report = fs::read_to_string(site.path("a/experiment.json")).unwrap();
    contains(&report, &["\"program\": \"./prog\""]);
    site.ok(
        &[
            "run",
            "-n",
            "2",
            "-o",
            "b",
            "--launcher",
            "srun",
            "./wrapper",
            "./prog",
        ],
        &[],
    );
    assert_eq!(
        site.calls(),
        ["srun --ntasks=1 --nodes=1 --cpus-per-task=2 --export=ALL ./wrapper ./prog"]
    );
    // A script that knows its program.
    site.script("start", "exec ./prog \"$@\"\n");
    let err = site.told(&["run", "-n", "2", "./start", "0"], &[]).err;
    contains(&err, &["./start", "not a compiled program", "--program"]);
    let told = site.ok(
        &[
            "run",
            "-n",
            "2",
            "-o",
            "c",
            "--program",
            "./prog",
            "./start",
            "0",
            "y",
        ],
        &[],
    );
    contains(&told.out, &["[0][y]"]);
    site.ok(&["analyze", "c"], &[]);
    // Without measurement anything is run.
    let told = site.ok(
        &["run", "-n", "2", "--no-measure", "./start", "0", "z"],
        &[],
    );
    contains(&told.out, &["[0][z]"]);
}

#[test]
fn statuses_come_through_launchers() {
    let site = Site::with(&[("srun", "srun"), ("mpirun-mpich", "mpirun")]);
    for launcher in ["srun", "mpirun"] {
        let told = site.told(
            &["run", "-n", "2", "--launcher", launcher, "./prog", "42"],
            &[],
        );
        assert_eq!(told.status, Some(42), "{told:?}");
    }
    let told = site.told(
        &[
            "run",
            "-n",
            "2",
            "--launcher",
            "srun --nonsense",
            "-o",
            "x",
            "./prog",
        ],
        &[],
    );
    assert_eq!(told.status, Some(1));
    contains(&told.err, &["unrecognized option '--nonsense'"]);
    let told = site.told(
        &[
            "run",
            "-n",
            "2",
            "--no-measure",
            "--launcher",
            "srun",
            "/bin/sh",
            "-c",
            "kill -SEGV $$",
        ],
        &[],
    );
    assert_eq!(told.status, Some(139));
    let told = site.told(
        &[
            "run",
            "-n",
            "2",
            "--repeat",
            "2",
            "-o",
            "r",
            "--launcher",
            "srun",
            "./prog",
            "3",
        ],
        &[],
    );
    assert_eq!(told.status, Some(3), "{told:?}");
    assert!(site.path("r/repeat-02/experiment.json").is_file());
}

#[test]
fn a_launcher_around_the_tool_is_noticed() {
    let site = Site::with(&[]);
    let err = site.refused(
        &["run", "-n", "4", "./prog"],
        &[("OMPI_COMM_WORLD_SIZE", "4")],
    );
    contains(
        &err,
        &["mpirun has started pgastool 4 times", "--launcher mpirun"],
    );
}
