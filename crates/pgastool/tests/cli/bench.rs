//! A directory of its own for each test, and the tool run in it.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Each thread does more than the one before it, then all meet; five rounds. Returns the first
/// argument's number.
pub const UNEVEN: &str = r#"#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

shared int done[THREADS];

void work(int round) {
    usleep(2000 * (MYTHREAD + 1));
    done[MYTHREAD] += round;
}

int main(int argc, char **argv) {
    int round;
    for (round = 0; round < 5; round++) {
        work(round);
        upc_barrier;
    }
    if (MYTHREAD == 0) {
        for (round = 1; round < argc; round++) printf("[%s]", argv[round]);
        printf("sum %d\n", done[THREADS - 1]);
    }
    return argc > 1 ? atoi(argv[1]) : 0;
}
"#;

/// Options of `compile` with which each access and each call of a function is an event.
pub const EACH_AN_EVENT: [&str; 4] = ["--accesses", "all", "--functions", "all"];

pub struct Bench {
    directory: tempfile::TempDir,
}

/// How a command ended and what it said.
#[derive(Debug)]
pub struct Told {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Bench {
    pub fn new() -> Self {
        for part in ["pgas-upcc", "libpgas_measure.a", "libpgas_timing_driver.a"] {
            assert!(
                tools().join(part).is_file(),
                "{part} is not in {}: run `cargo build --release --workspace` first (and `cargo \
                 test --release`)",
                tools().display()
            );
        }
        Self {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// With [`UNEVEN`] compiled as `prog`.
    pub fn with_program() -> Self {
        let bench = Self::new();
        bench.compile(UNEVEN, &[]);
        bench
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Compiles `source` as `prog`.
    pub fn compile(&self, source: &str, options: &[&str]) {
        self.write("prog.upc", source);
        let mut arguments = vec!["compile"];
        arguments.extend(options);
        arguments.extend(["-o", "prog", "prog.upc"]);
        self.ok(&arguments);
    }

    /// Compiles `source` as `prog`, each access and each call of a function an event of its own.
    pub fn compile_all(&self, source: &str, options: &[&str]) {
        self.compile(source, &[&EACH_AN_EVENT, options].concat());
    }

    /// The tool with these arguments, in the directory, with nothing of the caller's environment
    /// that could change what it does.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgastool"));
        command.args(arguments).current_dir(self.directory.path());
        clean(|name| {
            command.env_remove(name);
        });
        command.env("PGAS_CACHE_DIR", cache());
        // How busy the machine is must not show in what is recorded.
        command.env("PGAS_NO_CORE", "0");
        command
    }

    pub fn told(&self, arguments: &[&str]) -> Told {
        Told::of(&mut self.command(arguments))
    }

    /// Succeeds; returns standard output.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let told = self.told(arguments);
        assert_eq!(
            told.status,
            Some(0),
            "{arguments:?}: {}{}",
            told.out,
            told.err
        );
        told.out
    }

    /// Fails as wrong usage or unusable input; returns standard error.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let told = self.told(arguments);
        assert_eq!(
            told.status,
            Some(2),
            "{arguments:?}: {}{}",
            told.out,
            told.err
        );
        assert_eq!(told.out, "", "{arguments:?}");
        assert!(told.err.contains("error: "), "{}", told.err);
        assert!(!told.err.contains("panicked"), "{}", told.err);
        told.err
    }

    /// Runs `prog` and returns its experiment.
    pub fn measure(&self, threads: &str) -> PathBuf {
        self.path(last_line(&self.ok(&["run", "-n", threads, "./prog"])))
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.ok(&["report", "--format", "json"])).unwrap()
    }

    /// The experiments in the directory.
    pub fn experiments(&self) -> Vec<String> {
        fs::read_dir(self.directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with("pgas_"))
            .collect()
    }
}

impl Told {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let told = Self {
            status: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        // No result that a test shows may contradict itself.
        let says = |text: &str| text.contains("internal error: ");
        assert!(
            !says(&told.out) && !says(&told.err),
            "{}{}",
            told.out,
            told.err
        );
        told
    }
}

/// Names the environment variables that change what the tool does.
pub fn clean(mut remove: impl FnMut(&str)) {
    for name in [
        "PGAS_UPCC",
        "PGAS_NETWORK",
        "MPICC",
        "PGAS_CC",
        "PGAS_LIB_DIR",
        "PGAS_THREADS",
        "PGAS_EXPERIMENT",
        "PGAS_BUFFER",
        "PGAS_COMPRESS",
        "PGAS_COUNTERS",
        "PGAS_NO_CORE",
        "PGAS_FILTER",
        "PGAS_JOBS",
        "PGAS_MODE",
        "PGAS_SYNC_IO",
        "PGAS_THROTTLE",
        "PGAS_TRACE_LIMIT",
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "LC_ALL",
        "LC_CTYPE",
        "LANG",
    ] {
        remove(name);
    }
}

/// Where the executables and libraries of this build are.
pub fn tools() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_pgastool")).parent().unwrap()
}

/// One cache for all tests, apart from the user's.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

pub fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

pub fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no \"{part}\" in: {text}");
    }
}

/// JSON that is printed keeps to what `docs/schema` says of it.
pub fn keeps_schema(value: &Value, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/schema/{name}.json"));
    let text = fs::read_to_string(&path).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    if let Err(error) = validator.validate(value) {
        panic!("{name}: {}: {error}", error.instance_path);
    }
}
