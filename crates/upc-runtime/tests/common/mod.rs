//! Building and running the C programs of these tests: each is what the UPC compiler would write,
//! linked with the runtime library of this crate.

// Each test file uses a part of it.
#![allow(dead_code)]

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A program that hangs is a failure, not the end of the test run.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Scratch space of one test file.
pub fn scratch() -> &'static Path {
    static DIR: OnceLock<tempfile::TempDir> = OnceLock::new();
    DIR.get_or_init(|| tempfile::tempdir().expect("temporary files can be made"))
        .path()
}

/// Compiles `tests/c/<name>.c` with these compiler options, once.
pub fn build(name: &str, options: &[&str]) -> PathBuf {
    static BUILT: OnceLock<Mutex<HashMap<String, PathBuf>>> = OnceLock::new();
    let key =
        format!("{name}{}", options.concat()).replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let mut built = BUILT
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(program) = built.get(&key) {
        return program.clone();
    }
    let paths = pgas_upc_runtime::materialize_in(&scratch().join("cache"))
        .expect("the runtime can be written");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let program = scratch().join(&key);
    let mut command = Command::new("cc");
    command
        .args(["-std=gnu11", "-O1", "-g", "-fno-strict-aliasing", "-I"])
        .arg(&paths.include_dir)
        .args(["-include", "pgas_upcr.h"])
        .args(options)
        .arg(sources.join(format!("{name}.c")));
    if options.contains(&"-DUPCR_INST") {
        // The tool is plain C.
        command.arg(sources.join("tool.c"));
    }
    let output = command
        .arg(&paths.archive)
        .args(["-lm", "-lpthread", "-Wl,--wrap=main", "-o"])
        .arg(&program)
        .output()
        .expect("a C compiler is installed");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    built.insert(key, program.clone());
    program
}

/// Another name of a program, by which the processes of this run can be distinguished from those of
/// other tests.
pub fn own_name(program: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let dir = scratch().join(format!("run-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    std::fs::create_dir(&dir).expect("scratch space can be written to");
    let name = dir.join(program.file_name().expect("a program has a name"));
    std::fs::hard_link(program, &name).expect("links can be made");
    name
}

/// Outcome of a program.
#[derive(Debug)]
pub struct Run {
    /// Its exit status, or 1000 + the signal that ended it.
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A program that is to be run.
pub struct Program {
    path: PathBuf,
    command: Command,
}

impl Program {
    pub fn new(path: &Path) -> Self {
        let path = own_name(path);
        let mut command = Command::new(&path);
        for variable in [
            "PGAS_THREADS",
            "PGAS_SHARED_HEAP",
            "UPC_NUM_THREADS",
            "UPC_SHARED_HEAP_SIZE",
        ] {
            command.env_remove(variable);
        }
        // What a shell runs in the background ignores SIGINT from its start.
        for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGHUP] {
            // SAFETY: signal may be called between fork and exec.
            unsafe {
                command.pre_exec(move || {
                    libc::signal(signal, libc::SIG_DFL);
                    Ok(())
                });
            }
        }
        Program { path, command }
    }

    pub fn threads(self, threads: u32) -> Self {
        self.env("PGAS_THREADS", threads.to_string())
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn args(mut self, args: &[&str]) -> Self {
        self.command.args(args);
        self
    }

    /// Has it started with a signal ignored.
    pub fn ignore(&mut self, signal: i32) {
        // SAFETY: signal may be called between fork and exec.
        unsafe {
            self.command.pre_exec(move || {
                libc::signal(signal, libc::SIG_IGN);
                Ok(())
            });
        }
    }

    /// The name that its processes can be found by.
    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Starts it with standard output and error piped.
    pub fn start(&mut self) -> Child {
        self.command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a program that was built can be started")
    }

    /// Runs it to its end, and checks that no process of it is left.
    pub fn run(mut self) -> Run {
        let child = self.start();
        let run = finish(child);
        assert_eq!(
            processes_of(&self.path),
            Vec::<i32>::new(),
            "processes are left behind: {run:?}"
        );
        run
    }
}

/// Waits for a program's end. Its pipes close only when all its processes have ended.
pub fn finish(child: Child) -> Run {
    let id = child.id();
    let waiter = std::thread::spawn(move || child.wait_with_output());
    let start = Instant::now();
    while !waiter.is_finished() {
        if start.elapsed() > TIME_LIMIT {
            // SAFETY: kill is harmless for this process; the id is that of our child, which was not
            // waited for.
            unsafe { libc::kill(id as i32, libc::SIGKILL) };
            panic!("the program did not end within {TIME_LIMIT:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output: Output = waiter
        .join()
        .expect("waiting does not panic")
        .expect("the program can be waited for");
    Run {
        status: output
            .status
            .code()
            .unwrap_or_else(|| 1000 + output.status.signal().unwrap_or(0)),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Processes that execute this program, other than those that have ended and only wait to be
/// collected.
pub fn processes_of(program: &Path) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").expect("/proc is there");
    entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let id = entry.file_name().to_str()?.parse().ok()?;
            (std::fs::read_link(entry.path().join("exe")).ok()? == program).then_some(id)
        })
        .collect()
}

/// Waits until a condition holds that must come true.
pub fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIME_LIMIT, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(2));
    }
}
