//! The kernels of `examples/shmem` and `examples/coarrays` verify their results and print a checksum
//! of them: both are the same, bit by bit, whether they are measured or not. So are the checks of
//! programs that call each function of OpenSHMEM, or in unusual ways.

mod measured;
#[path = "measured/mpi.rs"]
mod mpi;
#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;

use std::path::{Path, PathBuf};
use std::process::Command;

use measured::{analysed, check_sums, pgastool, run_with, succeed};
use mpi::{CONTAINER, has, runs};
use serde_json::Value;

/// Folders below the top directory.
const SHMEM_KERNELS: &str = "examples/shmem";
const SHMEM_PROGRAMS: &str = "crates/pgastool/tests/programs/shmem";
const COARRAY_KERNELS: &str = "examples/coarrays";

/// Sources of a folder, by name.
fn sources(folder: &str, extension: &str) -> Vec<PathBuf> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = std::fs::read_dir(top.join(folder)).expect("sources");
    let mut sources: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    sources.retain(|path| path.extension().is_some_and(|e| e == extension));
    sources.sort();
    assert!(!sources.is_empty(), "{folder}");
    sources
}

/// Arguments of a program: a size with which it does not take long.
fn arguments(source: &Path) -> &'static [&'static str] {
    match source.file_stem().is_some_and(|stem| stem == "transpose") {
        true => &["100", "3"],
        false => &[],
    }
}

/// A compiler, its options, and what comes after the source.
struct Compiler<'a> {
    name: &'a str,
    options: &'a [&'a str],
    libraries: &'a [&'a str],
}

impl Compiler<'_> {
    fn add_arguments(&self, command: &mut Command, program: &Path, source: &Path) {
        command
            .arg("-O2")
            .args(self.options)
            .arg("-o")
            .arg(program)
            .arg(source)
            .args(self.libraries);
    }

    fn plain(&self, program: &Path, source: &Path) -> Command {
        let mut command = Command::new(self.name);
        self.add_arguments(&mut command, program, source);
        command
    }

    fn measured(&self, dir: &Path, program: &Path, source: &Path) -> Command {
        let mut command = pgastool(dir);
        command.envs(CONTAINER).args(["compile", self.name]);
        self.add_arguments(&mut command, program, source);
        command
    }
}

/// Recorded figures, over all threads, without the end of the program.
fn calls(report: &Value) -> f64 {
    let paths = report["call_paths"].as_array().expect("call paths");
    let is_end = |path: &&Value| {
        ["shmem_finalize", "end program"]
            .iter()
            .any(|end| path["region"] == *end)
    };
    let visits = paths.iter().filter(|path| !is_end(path));
    let visits = visits.flat_map(|path| path["metrics"]["visits"].as_array().expect("visits"));
    visits
        .map(|visits| visits.as_f64().expect("a number"))
        .sum()
}

/// Prints the same as `by_itself`, which has verified its result, when it is compiled and run with
/// the tool, and is recorded.
fn stays_the_same(
    dir: &Path,
    compiler: &Compiler<'_>,
    source: &Path,
    processes: u32,
    by_itself: &mut Command,
) {
    let name = source.display();
    let plain = succeed(
        by_itself
            .args(arguments(source))
            .envs(CONTAINER)
            .current_dir(dir),
    )
    .stdout;
    let plain = String::from_utf8(plain).expect("text");
    assert!(plain.contains("verified"), "{name} by itself:\n{plain}");

    let program = dir.join("measured");
    succeed(&mut compiler.measured(dir, &program, source));
    let experiment = dir.join("experiment");
    let printed = run_with(
        &CONTAINER,
        dir,
        &program,
        arguments(source),
        processes,
        &experiment,
    );
    // What `run` itself prints is the experiment.
    let expected = format!("{plain}{}\n", experiment.display());
    assert_eq!(printed, expected, "{name} with {}", compiler.name);

    let report = analysed(dir, &experiment);
    check_sums(&report);
    assert_eq!(report["threads"], processes, "{name}");
    let least = 3.0 * f64::from(processes);
    assert!(
        calls(&report) > least,
        "{name}: hardly anything is recorded"
    );
}

/// All with four processes.
fn all_stay_the_same(sources: &[PathBuf], compiler: &Compiler<'_>) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut first = compiler.plain(&dir.path().join("plain"), &sources[0]);
    if !runs(compiler.name, first.current_dir(dir.path()), "./plain") {
        return;
    }
    for source in sources {
        let dir = tempfile::tempdir().expect("a folder");
        let mut plain = compiler.plain(&dir.path().join("plain"), source);
        succeed(plain.current_dir(dir.path()));
        let mut run = Command::new("mpirun");
        run.args(["-np", "4", "./plain"]);
        stays_the_same(dir.path(), compiler, source, 4, &mut run);
    }
}

#[test]
fn kernels_of_openshmem_give_the_same_results() {
    let compiler = Compiler {
        name: "oshcc",
        options: &[],
        libraries: &["-lm"],
    };
    all_stay_the_same(&sources(SHMEM_KERNELS, "c"), &compiler);
}

#[test]
fn programs_of_openshmem_give_the_same_results() {
    let c = Compiler {
        name: "oshcc",
        // Old names of functions are called, too.
        options: &["-w"],
        libraries: &["-lm", "-lpthread"],
    };
    all_stay_the_same(&sources(SHMEM_PROGRAMS, "c"), &c);
    let cxx = Compiler {
        name: "oshc++",
        options: &[],
        libraries: &[],
    };
    all_stay_the_same(&sources(SHMEM_PROGRAMS, "cc"), &cxx);
}

#[test]
fn kernels_of_coarrays_give_the_same_results() {
    let compiler = Compiler {
        name: "caf",
        options: &[],
        libraries: &[],
    };
    all_stay_the_same(&sources(COARRAY_KERNELS, "f90"), &compiler);
}

/// Of gfortran's library for one image, which has no teams; `calls` needs two images.
#[test]
fn kernels_of_one_image_give_the_same_results() {
    if !has("gfortran") {
        return;
    }
    let compiler = Compiler {
        name: "gfortran",
        options: &["-fcoarray=lib"],
        libraries: &["-lcaf_single"],
    };
    let needs_more =
        |source: &PathBuf| source.ends_with("calls.f90") || source.ends_with("teams.f90");
    for source in sources(COARRAY_KERNELS, "f90")
        .iter()
        .filter(|source| !needs_more(source))
    {
        let dir = tempfile::tempdir().expect("a folder");
        let plain = dir.path().join("plain");
        succeed(compiler.plain(&plain, source).current_dir(dir.path()));
        stays_the_same(dir.path(), &compiler, source, 1, &mut Command::new(plain));
    }
}
