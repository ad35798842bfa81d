//! A place where drivers are compiled and run as the command does.

// Each test file uses a part of it.
#![allow(dead_code)]

use pgas_timing::job::{Case, Job, Method, Settings};
use pgas_timing::record::{Record, Timing};
use pgas_timing_driver::sources::{HEADERS, NO_OWN_OPERATION, Source, UPC};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs Open MPI in a container as well.
pub const CONTAINER: [(&str, &str); 4] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ("OMPI_MCA_opal_common_ucx_opal_mem_hooks", "0"),
];

/// An operation as `--list` prints it.
#[derive(Debug, Clone, Deserialize)]
pub struct Listed {
    pub name: String,
    pub arguments: String,
    pub sized: bool,
}

/// A directory with the sources of a driver.
pub struct Bench {
    pub dir: tempfile::TempDir,
}

impl Bench {
    /// Writes the sources; `own` takes the place of the file without an operation.
    pub fn new(driver: &[Source], own: Option<Source>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let own = own.unwrap_or(NO_OWN_OPERATION);
        for (name, text) in HEADERS.iter().chain(driver).chain(&[own]) {
            fs::write(dir.path().join(name), text).unwrap();
        }
        Bench { dir }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Sources and the library, as words of a compiler's command.
    pub fn words(&self) -> Vec<String> {
        let files = fs::read_dir(self.dir.path()).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let sources = files.filter(|f| f.extension().is_some_and(|e| e == "c" || e == "upc"));
        let mut words: Vec<String> = sources.map(|f| f.display().to_string()).collect();
        words.sort();
        words.push(format!("-I{}", self.dir.path().display()));
        words.push(library().display().to_string());
        words.extend(["-lpthread", "-ldl", "-lm"].map(String::from));
        words
    }

    /// Times cases with a driver, quickly.
    pub fn time(&self, command: Command, cases: Vec<Case>) -> Vec<Record> {
        let settings = quick();
        let output = self.try_time(command, Job { cases, settings });
        assert!(output.status.success(), "{}", messages(&output));
        self.records()
    }

    pub fn try_time(&self, mut command: Command, job: Job) -> Output {
        let job = serde_json::to_vec(&job).unwrap();
        fs::write(self.path("job.json"), job).unwrap();
        command.arg(self.path("job.json")).arg(self.path("records"));
        command.output().unwrap()
    }

    pub fn records(&self) -> Vec<Record> {
        let text = fs::read_to_string(self.path("records")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect()
    }
}

/// The library that cargo has made for this test: the newest one.
fn library() -> PathBuf {
    let directory = std::env::current_exe().unwrap();
    let files = fs::read_dir(directory.parent().unwrap()).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let libraries = files.filter(|file| {
        let name = file.file_name().unwrap().to_string_lossy();
        name.starts_with("libpgas_timing_driver") && name.ends_with(".a")
    });
    let age = |file: &PathBuf| fs::metadata(file).unwrap().modified().unwrap();
    libraries.max_by_key(age).expect("cargo makes the library")
}

/// A few launches, whether the machine is busy or not.
pub fn quick() -> Settings {
    Settings {
        method: Method::Barrier,
        initial_launches: 1,
        stage_launches: 2,
        most_launches: 3,
        most_correct: 2,
        fewest_correct: 2,
        exchanges: 10,
        check_timer: false,
        cache_bytes: 4096,
        ..Settings::default()
    }
}

pub fn listed(command: &mut Command) -> Vec<Listed> {
    let output = command.arg("--list").output().unwrap();
    assert!(output.status.success(), "{}", messages(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A case with arguments such as "in=my out=no".
pub fn case(operation: &Listed, arguments: &str) -> Case {
    let pairs = arguments
        .split_whitespace()
        .filter_map(|pair| pair.split_once('='));
    Case {
        operation: operation.name.clone(),
        bytes: operation.sized.then_some(48),
        arguments: pairs
            .map(|(n, v)| (n.to_string(), v.to_string()))
            .collect::<BTreeMap<_, _>>(),
    }
}

pub fn named(list: &[Listed], name: &str) -> Listed {
    let found = list.iter().find(|operation| operation.name == name);
    found
        .unwrap_or_else(|| panic!("{name} is not listed"))
        .clone()
}

pub fn timings(records: &[Record]) -> Vec<&Timing> {
    let timings = records.iter().filter_map(|record| match record {
        Record::Timing(timing) => Some(timing),
        _ => None,
    });
    timings.collect()
}

/// Cases that failed, with the reasons.
pub fn failures(records: &[Record]) -> Vec<(usize, &str)> {
    let failures = records.iter().filter_map(|record| match record {
        Record::Failed { case, reason } => Some((*case, reason.as_str())),
        _ => None,
    });
    failures.collect()
}

/// All cases were timed, and found right where there is a check.
pub fn assert_all_timed(records: &[Record], cases: &[Case]) {
    let failures: Vec<_> = failures(records);
    let failures: Vec<_> = failures
        .iter()
        .map(|(i, reason)| (&cases[*i], reason))
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
    assert_eq!(timings(records).len(), cases.len());
    assert!(matches!(records.last(), Some(Record::End)));
    for timing in timings(records) {
        assert_ne!(timing.verified, Some(false), "{timing:?}");
        assert!(timing.summary.mean >= 0.0, "{timing:?}");
    }
}

pub fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The blocks of code of a page that are saved as files, by name.
pub fn files_of_page(page: &str) -> BTreeMap<String, String> {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let text = fs::read_to_string(book.join(page)).unwrap();
    let files = text.split("<!-- file: ").skip(1).map(|part| {
        let (name, rest) = part.split_once(" -->").unwrap();
        let code = rest.split("```").nth(1).unwrap();
        (
            name.to_string(),
            code.split_once('\n').unwrap().1.to_string(),
        )
    });
    files.collect()
}

/// Compiles a driver in this process, by the compiler as a library.
pub fn compiled(bench: &Bench, options: &str) {
    let program = bench.path("driver").display().to_string();
    let options = options.split_whitespace().map(String::from);
    let words = bench.words().into_iter().chain(options);
    let words = words.chain(["-Wall", "-Wextra", "-Werror", "-O1", "-o"].map(String::from));
    let words = words.chain([program]).map(Into::into).collect();
    assert_eq!(pgas_upcc::main(words), 0, "the driver does not compile");
}

pub fn run(bench: &Bench, threads: usize) -> Command {
    let mut command = Command::new(bench.path("driver"));
    command.env("PGAS_THREADS", threads.to_string());
    command
}

pub fn driver(own: Option<Source>) -> Bench {
    let bench = Bench::new(UPC, own);
    compiled(&bench, "");
    bench
}

/// A program on the path.
pub fn which(program: &str) -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|directory| directory.join(program));
    let mut found = found.filter(|file| file.is_file());
    found.next().ok_or_else(|| format!("no {program}"))
}
