//! Compiles and runs the UPC programs of the conformance suite (`conformance/`), each of which checks itself. What must
//! not compile (`constraints/`, `syntax/`) is tested by the compiler's crate.
//!
//! The first comment lines of a program say how; `conformance/README.md` lists them. Every program also runs
//! instrumented, linked with a measurement that checks the order of events (`gasp_check.c`). `UPC_PROGRAM=text cargo
//! test` runs only those whose path contains the text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Nothing here takes more than a few seconds; a program that hangs is a failure, not the end of the test run.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Numbers of threads that programs are compiled for in static mode: one, a power of two, neither.
const STATIC_THREADS: [u32; 3] = [1, 3, 4];

/// Folders of programs that other tests run: they must not compile, or must fail.
const REJECTED: [&str; 3] = ["constraints", "syntax", "check"];

struct Program {
    /// Relative to `conformance/`, e.g. `programs/heat.upc`.
    name: String,
    path: PathBuf,
    threads: Vec<u32>,
    modes: Vec<String>,
    files: Vec<PathBuf>,
    flags: Vec<String>,
    status: i32,
    expect: String,
    warns: Option<String>,
    unchecked: Option<String>,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    Dynamic,
    Instrumented,
    /// With `-fupc-check`, for this static number of threads.
    Checked(Option<u32>),
    Static(u32),
}

fn suite_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("the folder of test programs") {
        let path = entry.expect("an entry of it").path();
        if path.is_dir() {
            if !REJECTED.iter().any(|r| path.ends_with(r)) {
                found.extend(sources(&path));
            }
        } else if path.extension().is_some_and(|e| e == "upc") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The value of a directive in the comment lines at the top.
fn directive<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .map_while(|line| line.strip_prefix("//"))
        .find_map(|line| {
            line.trim_start()
                .strip_prefix(key)?
                .strip_prefix(':')
                .map(str::trim)
        })
}

fn load(path: &Path) -> Option<Program> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()));
    if directive(&text, "part of").is_some() {
        return None;
    }
    let name = path
        .strip_prefix(suite_dir())
        .unwrap_or(path)
        .display()
        .to_string();
    let words = |key: &str| -> Vec<String> {
        directive(&text, key)
            .unwrap_or("")
            .split_whitespace()
            .map(String::from)
            .collect()
    };
    let threads: Vec<u32> = words("threads")
        .iter()
        .map(|w| {
            w.parse()
                .unwrap_or_else(|_| panic!("{name}: '{w}' is no number of threads"))
        })
        .collect();
    assert!(
        !threads.is_empty(),
        "{name}: no line `// threads: ...` at its top"
    );
    let mut modes = words("modes");
    if modes.is_empty() {
        modes = vec!["static".into(), "dynamic".into()];
    }
    let parent = path.parent().unwrap_or(Path::new("."));
    Some(Program {
        files: words("files").iter().map(|f| parent.join(f)).collect(),
        flags: words("flags"),
        status: directive(&text, "status").map_or(0, |s| s.parse().expect("a status")),
        expect: directive(&text, "expect").unwrap_or("OK").to_string(),
        warns: directive(&text, "warns").map(String::from),
        unchecked: directive(&text, "unchecked").map(String::from),
        path: path.to_path_buf(),
        name,
        threads,
        modes,
    })
}

/// The modes to compile a program in, each with the numbers of threads to run it with.
fn jobs(program: &Program) -> Vec<(Mode, Vec<u32>)> {
    let mut jobs = Vec::new();
    if program.modes.iter().any(|m| m == "dynamic") {
        jobs.push((Mode::Dynamic, program.threads.clone()));
        jobs.push((Mode::Instrumented, program.threads.clone()));
    }
    if program.modes.iter().any(|m| m == "static") {
        let mut numbers: Vec<u32> = program
            .threads
            .iter()
            .copied()
            .filter(|n| STATIC_THREADS.contains(n))
            .collect();
        if program.modes.len() == 1 {
            numbers = program.threads.clone();
        }
        jobs.extend(numbers.into_iter().map(|n| (Mode::Static(n), vec![n])));
    }
    if program.unchecked.is_none() {
        // A number that is no power of two shows most.
        let fits = |n: &&u32| **n == 3;
        let threads = *program
            .threads
            .iter()
            .find(fits)
            .unwrap_or(&program.threads[0]);
        let dynamic = program.modes.iter().any(|m| m == "dynamic");
        jobs.push((Mode::Checked((!dynamic).then_some(threads)), vec![threads]));
    }
    jobs
}

/// Runs a command to its end or the time limit; what it wrote to both of its outputs comes as one text.
fn run(command: &mut Command, log: &Path) -> (Option<ExitStatus>, String) {
    let file = fs::File::create(log).expect("a log file");
    let errors = file.try_clone().expect("the log file twice");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .spawn()
        .unwrap_or_else(|e| panic!("cannot start {command:?}: {e}"));
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("the state of a child process") {
            Some(status) => break Some(status),
            None if start.elapsed() > TIME_LIMIT => {
                child.kill().expect("to end the program");
                child.wait().expect("its end");
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let text = String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned();
    (status, text)
}

fn shorten(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().take(12).collect();
    if text.lines().count() > lines.len() {
        lines.push("...");
    }
    lines.iter().map(|l| format!("      {l}\n")).collect()
}

/// Compiles in one mode and runs with each number of threads; gives a text for each failure.
fn check(program: &Program, mode: Mode, threads: &[u32], scratch: &Path) -> Vec<String> {
    let executable = scratch.join("program");
    let log = scratch.join("log");
    let mut compiler = Command::new(env!("CARGO_BIN_EXE_pgas-upcc"));
    compiler.arg("-O1").arg("-o").arg(&executable);
    compiler.arg("-I").arg(suite_dir());
    match mode {
        Mode::Dynamic => {}
        Mode::Instrumented => {
            compiler.args(["-inst", "-inst-functions"]);
        }
        Mode::Checked(n) => {
            compiler.arg("-fupc-check");
            compiler.args(n.map(|n| format!("-T={n}")));
        }
        Mode::Static(n) => {
            compiler.arg(format!("-T={n}"));
        }
    }
    compiler.args(&program.flags);
    compiler.arg(&program.path).args(&program.files);
    if let Mode::Instrumented = mode {
        compiler.arg(gasp_check_object(scratch));
    }
    compiler.arg("-lm");
    let (status, text) = run(&mut compiler, &log);
    if !status.is_some_and(|s| s.success()) {
        return vec![format!(
            "{} ({mode:?}) does not compile:\n{}",
            program.name,
            shorten(&text)
        )];
    }
    let mut failures = Vec::new();
    let as_expected = match &program.warns {
        Some(warning) => text.contains(warning.as_str()),
        None => text.is_empty(),
    };
    if !as_expected {
        failures.push(format!(
            "{} ({mode:?}) compiles, but the compiler says:\n{}",
            program.name,
            shorten(&text)
        ));
    }
    for &n in threads {
        let mut command = Command::new(&executable);
        command.env("PGAS_THREADS", n.to_string());
        let (status, text) = run(&mut command, &log);
        let what = match status {
            None => "hangs".to_string(),
            Some(status) if status.code() != Some(program.status) => {
                format!("ends with {status}, expected is {}", program.status)
            }
            Some(_) if !text.lines().any(|l| l == program.expect) => {
                format!("does not print '{}'", program.expect)
            }
            Some(_) if text.lines().any(|l| l.starts_with("GASP: ")) => {
                "reports events that are wrong".to_string()
            }
            Some(_) => continue,
        };
        failures.push(format!(
            "{} ({mode:?}) with {n} threads {what}:\n{}",
            program.name,
            shorten(&text)
        ));
    }
    failures
}

/// The checking measurement is plain C, and must be compiled as such.
fn gasp_check_object(scratch: &Path) -> PathBuf {
    let object = scratch.join("gasp_check.o");
    let compiler = std::env::var("PGAS_CC").unwrap_or_else(|_| "cc".to_string());
    let status = Command::new(&compiler)
        .args(["-c", "-O1", "-o"])
        .arg(&object)
        .arg(suite_dir().join("gasp_check.c"))
        .status()
        .unwrap_or_else(|e| panic!("cannot start the C compiler {compiler}: {e}"));
    assert!(status.success(), "gasp_check.c does not compile");
    object
}

#[test]
fn programs_compile_and_check_themselves() {
    let wanted = std::env::var("UPC_PROGRAM").unwrap_or_default();
    let programs: Vec<Program> = sources(&suite_dir())
        .iter()
        .filter_map(|p| load(p))
        .filter(|p| p.name.contains(&wanted))
        .collect();
    assert!(!programs.is_empty(), "no program matches '{wanted}'");
    let work: Vec<(&Program, Mode, Vec<u32>)> = programs
        .iter()
        .flat_map(|p| jobs(p).into_iter().map(move |(mode, n)| (p, mode, n)))
        .collect();

    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let scratch = tempfile::tempdir().expect("a folder for programs");
                while let Some((program, mode, threads)) =
                    work.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let found = check(program, *mode, threads, scratch.path());
                    failures.lock().expect("the failures").extend(found);
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("the failures");
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} failures in {} programs:\n\n{}",
        failures.len(),
        programs.len(),
        failures.join("\n")
    );
}
