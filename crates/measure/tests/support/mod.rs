//! Compiles C programs with the decoder and the recorder, runs them, and prints what was recorded.
#![allow(dead_code)] // each test file uses its own part

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use pgas_trace::model::{CallSums, EventKind, Operation, ProfileScope, Site};
use pgas_trace::{Experiment, Metadata, Stream, experiment};
use tempfile::TempDir;

/// Which numbers of events the decoder is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// Of the embedded runtime: Berkeley UPC's numbers, and more events.
    Embedded,
    /// Of Berkeley UPC.
    Berkeley,
    /// Of GNU UPC and Clang UPC.
    Gnu,
}

fn crate_directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Builds the recorder's library as a program is linked with it, once per test process.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        // Tests lie in <target>/<profile>/deps.
        let executable = std::env::current_exe().expect("path of the test");
        let profile = executable
            .parent()
            .and_then(Path::parent)
            .expect("target directory");
        let target = profile.parent().expect("target directory");
        let release = profile.ends_with("release");
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args([
                "build",
                "--quiet",
                "--offline",
                "--package",
                "pgas-measure",
                "--lib",
                "--target-dir",
            ])
            .arg(target)
            .current_dir(crate_directory());
        if release {
            cargo.arg("--release");
        }
        let output = cargo.output().expect("run cargo");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let library = profile.join("libpgas_measure.a");
        assert!(library.is_file(), "{} was not built", library.display());
        library
    })
}

/// A program of `tests/programs`, compiled in a directory of its own.
pub struct Program {
    pub directory: TempDir,
    pub executable: PathBuf,
}

pub fn compile(name: &str, numbering: Numbering) -> Program {
    compile_with(name, numbering, &[])
}

/// The same with more flags.
pub fn compile_with(name: &str, numbering: Numbering, flags: &[&str]) -> Program {
    let support = crate_directory().join("../instrument/support/gasp");
    let mut decoder = Vec::new();
    match numbering {
        Numbering::Embedded => {}
        Numbering::Berkeley => decoder.extend(["-I".into(), support.join("berkeley")]),
        Numbering::Gnu => decoder.extend(["-I".into(), support.join("gnu")]),
    }
    decoder.push("-I".into());
    decoder.push(crate_directory().join("../upc-runtime/include"));
    decoder.push(crate_directory().join("c/gasp_decoder.c"));
    build(name, &decoder, flags)
}

/// A program that calls the recorder itself.
pub fn compile_without_decoder(name: &str, flags: &[&str]) -> Program {
    build(name, &[], flags)
}

fn build(name: &str, decoder: &[PathBuf], flags: &[&str]) -> Program {
    let directory = tempfile::tempdir().expect("temporary directory");
    let executable = directory.path().join("program");
    let tests = crate_directory().join("tests");
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-g", "-pthread"]).args(flags);
    cc.arg("-o").arg(&executable);
    let output = cc
        .args(decoder)
        .arg("-I")
        .arg(crate_directory().join("include"))
        .arg(tests.join("programs").join(name))
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm"])
        .output()
        .expect("run cc");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Program {
        directory,
        executable,
    }
}

impl Program {
    pub fn experiment(&self) -> PathBuf {
        self.directory.path().join("experiment")
    }

    /// A run of the program every call of which is to be recorded in a new experiment.
    pub fn command(&self, threads: u32) -> Command {
        let mut command = self.default_command(threads);
        command.env("PGAS_THROTTLE", "off");
        command
    }

    /// A run of the program that is to be recorded, in a new experiment, with the recorder's
    /// defaults.
    pub fn default_command(&self, threads: u32) -> Command {
        let metadata = Metadata::new("program", &[], threads);
        experiment::create(&self.experiment(), &metadata).expect("a new experiment");
        let mut command = self.plain_command();
        command
            .env("PGAS_EXPERIMENT", self.experiment())
            // How busy the machine is must not show in what is recorded.
            .env("PGAS_NO_CORE", "0")
            .env("TEST_THREADS", threads.to_string());
        command
    }

    /// A run of the program without recording.
    pub fn plain_command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        for name in [
            "PGAS_EXPERIMENT",
            "PGAS_BUFFER",
            "PGAS_COMPRESS",
            "PGAS_MODE",
            "PGAS_THROTTLE",
            "PGAS_TRACE_LIMIT",
            "PGAS_SYNC_IO",
            "PGAS_ADDRESSES",
            "PGAS_COUNTERS",
            "PGAS_SAMPLE",
            "PGAS_NO_CORE",
            "TEST_THREAD",
            "TEST_THREADS",
        ] {
            command.env_remove(name);
        }
        command
    }

    pub fn open(&self) -> Experiment {
        let collected = pgas_trace::buffers::collect(&self.experiment());
        assert_eq!(collected.problems, [""; 0]);
        Experiment::open(&self.experiment()).expect("a readable experiment")
    }
}

/// The run ended well and complained about nothing.
pub fn expect_quiet(output: &Output) {
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// The events of a stream, one a line, without times; stalls left out.
pub fn describe(stream: &Stream) -> Vec<String> {
    let mut lines = Vec::new();
    let mut depth = 0;
    for event in stream.events() {
        let event = event.expect("a readable event");
        let (what, site, attributes) = match event.kind {
            EventKind::Enter { site, attributes } => ("enter", site, attributes),
            EventKind::Exit { site, attributes } => ("exit", site, attributes),
        };
        let Site {
            operation,
            file,
            line,
            name,
        } = stream.site(site);
        if operation.is_standstill() {
            continue;
        }
        depth -= usize::from(what == "exit");
        lines.push(format!(
            "{:indent$}{what} {operation:?} {name} {file}:{line} {attributes:?}",
            "",
            indent = 2 * depth
        ));
        depth += usize::from(what == "enter");
    }
    lines
}

/// Number of Enters of functions of that name.
pub fn calls_of(stream: &Stream, name: &str) -> usize {
    stream
        .events()
        .map(|event| event.expect("a readable event"))
        .filter(|event| match event.kind {
            EventKind::Enter { site, .. } => stream.site(site).name == name,
            EventKind::Exit { .. } => false,
        })
        .count()
}

/// Regions that are still open at the end, outermost first.
pub fn open_at_end(stream: &Stream) -> Vec<String> {
    let mut open = Vec::new();
    for event in stream.events() {
        match event.expect("a readable event").kind {
            EventKind::Enter { site, .. } => open.push(stream.site(site).name.clone()),
            EventKind::Exit { .. } => {
                open.pop();
            }
        }
    }
    open
}

/// Number of times that the program had to wait for the recorder.
pub fn stalls(stream: &Stream) -> usize {
    let stall = |site: &Site| site.operation == Operation::MeasurementStall;
    stream
        .events()
        .map(|event| event.expect("a readable event"))
        .filter(
            |event| matches!(event.kind, EventKind::Enter { site, .. } if stall(stream.site(site))),
        )
        .count()
}

/// Sums of one kind by call path (names, or operations, joined by slashes), all blocks of the
/// stream together.
pub fn sums(stream: &Stream, scope: ProfileScope) -> BTreeMap<String, CallSums> {
    let mut all: BTreeMap<String, CallSums> = BTreeMap::new();
    for profile in stream.profiles() {
        let profile = profile.expect("readable sums");
        assert_eq!(profile.unplaced_calls, 0);
        assert!(profile.first_time <= profile.last_time);
        if profile.scope != scope {
            continue;
        }
        let mut paths: Vec<String> = Vec::new();
        for entry in profile.entries {
            let site = stream.site(entry.site);
            let own = match site.name.as_str() {
                "" => format!("{:?}", site.operation),
                name => name.to_owned(),
            };
            let path = match entry.parent {
                Some(parent) => format!("{}/{own}", paths[parent as usize]),
                None => own,
            };
            let key = match entry.partner {
                Some(partner) => format!("{path} with {partner}"),
                None => path.clone(),
            };
            paths.push(path);
            match all.get_mut(&key) {
                Some(sums) => {
                    sums.calls += entry.calls;
                    sums.timed_calls += entry.timed_calls;
                    sums.ticks += entry.ticks;
                    sums.bytes += entry.bytes;
                    assert_eq!(sums.counters.len(), entry.counters.len());
                    for (sum, count) in sums.counters.iter_mut().zip(&entry.counters) {
                        *sum += count;
                    }
                }
                None => {
                    all.insert(key, entry);
                }
            }
        }
    }
    all
}

/// Call paths of all Enters of a region, as [`sums`] writes them, and how many there are of each.
pub fn recorded_paths(stream: &Stream) -> BTreeMap<String, u64> {
    let mut paths = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    for event in stream.events() {
        match event.expect("a readable event").kind {
            EventKind::Enter { site, .. } => {
                let site = stream.site(site);
                let own = match site.name.as_str() {
                    "" => format!("{:?}", site.operation),
                    name => name.to_owned(),
                };
                open.push(own);
                if !site.operation.is_standstill() {
                    *paths.entry(open.join("/")).or_default() += 1;
                }
            }
            EventKind::Exit { .. } => {
                open.pop();
            }
        }
    }
    paths
}

/// The value of a property of the stream.
pub fn property(stream: &Stream, key: &str) -> Option<String> {
    let mut properties = stream.properties().iter();
    Some(properties.find(|(known, _)| known == key)?.1.clone())
}
