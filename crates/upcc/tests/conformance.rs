//! Compiles and runs the UPC programs of the conformance suite (`conformance/`), each of which
//! checks itself. The compiler's crate tests the programs that must not compile (`constraints/`,
//! `syntax/`).
//!
//! The first comment lines of a program say how; `conformance/README.md` lists them. Every program
//! also runs instrumented, linked with a measurement that checks the order of events
//! (`gasp_check.c`). `UPC_PROGRAM=text cargo test` runs only those whose path contains the text.
//! `UPC_CONFORMANCE=full` runs each in every configuration and prints a table by folder; without
//! it, programs take turns in those that cost most.
//!
//! `UPC_LAUNCHER=mpirun` compiles them for MPI instead, with the `mpicc` of `$MPICC`, and starts them
//! by that command; `scripts/conformance --network mpi` does so on several hosts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Nothing here takes more than a few seconds; a program that hangs is a failure, not the end of
/// the test run.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Unless all is run, how many of a program's numbers of threads it is compiled for in static mode:
/// each costs a compilation, and the suite is to grow.
const STATIC_NUMBERS: usize = 1;

/// Unless all is run, how many of them an instrumented program runs with.
const INSTRUMENTED_NUMBERS: usize = 2;

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
    /// Instrumented, with accesses that are counted in place and small functions left out.
    Counted,
    /// With `-fupc-check`, for this static number of threads.
    Checked(Option<u32>),
    Static(u32),
    /// For MPI, with a static number of threads if it must have one.
    OverMpi(Option<u32>),
}

/// Unless all is run, these programs run over MPI, and others by turns.
const TELLING_OVER_MPI: [&str; 9] = [
    "memory_consistency",
    "7.2.2_allocation",
    "7.2.4_locks",
    "7.3_collectives/re",
    "upc_atomic/",
    "upc_castable",
    "upc_nb",
    "berkeley/semaphores",
    "split_phase",
];
/// And one of this number of the others.
const OTHERS_OVER_MPI: usize = 8;
/// Processes that are started at most: two on each of two hosts.
const MOST_PROCESSES: u32 = 4;

/// The command that starts programs for MPI, if these are what is tested.
fn launcher() -> Option<Vec<String>> {
    let words = std::env::var("UPC_LAUNCHER").ok()?;
    let words: Vec<String> = words.split_whitespace().map(String::from).collect();
    (!words.is_empty()).then_some(words)
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

/// How much of the suite is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Every program for a dynamic number of threads, and in one other mode.
    Short,
    /// Programs that were asked for, in every mode.
    Selected,
    /// Every program in every mode with every number of threads.
    Full,
}

/// A program in one mode, with the numbers of threads to run it with; each of these is one run of
/// the table.
struct Job<'a> {
    program: &'a Program,
    mode: Mode,
    threads: Vec<u32>,
}

fn hash(name: &str, seed: usize) -> usize {
    let add = |h: usize, b: u8| h.wrapping_mul(31).wrapping_add(b.into());
    name.bytes().fold(seed, add) >> 3
}

/// Which of `from` a program is run with unless all is run: by its name, so that it stays the same
/// while other programs come and go, and that all numbers have their turn over the suite.
fn chosen(name: &str, from: &[u32], count: usize) -> Vec<u32> {
    let hash = hash(name, count);
    let step = 1 + hash / 7 % from.len().saturating_sub(1).max(1);
    let mut numbers: Vec<u32> = (0..count.min(from.len()))
        .map(|i| from[(hash + i * step) % from.len()])
        .collect();
    numbers.sort_unstable();
    numbers
}

/// Over MPI, with as many threads as there are processes at most.
fn jobs_over_mpi(program: &Program, form: Form) -> Vec<Job<'_>> {
    let is_telling = TELLING_OVER_MPI.iter().any(|t| program.name.contains(t));
    if form == Form::Short && !is_telling && hash(&program.name, 1) % OTHERS_OVER_MPI != 0 {
        return Vec::new();
    }
    let possible = program.threads.iter().filter(|&&n| n <= MOST_PROCESSES);
    let Some(&most) = possible.max() else {
        return Vec::new();
    };
    let is_dynamic = program.modes.iter().any(|m| m == "dynamic");
    vec![Job {
        program,
        mode: Mode::OverMpi((!is_dynamic).then_some(most)),
        threads: vec![most],
    }]
}

fn jobs(program: &Program, form: Form) -> Vec<Job<'_>> {
    if launcher().is_some() {
        return jobs_over_mpi(program, form);
    }
    let full = form == Form::Full;
    let job = |mode, threads| Job {
        program,
        mode,
        threads,
    };
    let some = |count| match full {
        true => program.threads.clone(),
        false => chosen(&program.name, &program.threads, count),
    };
    let mut jobs = Vec::new();
    if program.modes.iter().any(|m| m == "dynamic") {
        jobs.push(job(Mode::Dynamic, program.threads.clone()));
        jobs.push(job(Mode::Instrumented, some(INSTRUMENTED_NUMBERS)));
        jobs.push(job(Mode::Counted, some(INSTRUMENTED_NUMBERS)));
    }
    if program.modes.iter().any(|m| m == "static") {
        let numbers = some(STATIC_NUMBERS);
        jobs.extend(numbers.into_iter().map(|n| job(Mode::Static(n), vec![n])));
    }
    if program.unchecked.is_none() {
        // A number that is no power of two shows most.
        let best = program.threads.iter().copied().find(|&n| n == 3);
        let one = best.unwrap_or(program.threads[0]);
        let dynamic = program.modes.iter().any(|m| m == "dynamic");
        jobs.push(match (dynamic, full) {
            (true, true) => job(Mode::Checked(None), program.threads.clone()),
            (true, false) => job(Mode::Checked(None), vec![one]),
            (false, _) => job(Mode::Checked(Some(one)), vec![one]),
        });
    }
    if form == Form::Short && jobs.len() > 1 {
        let other = 1 + hash(&program.name, 0) % (jobs.len() - 1);
        jobs.swap(1, other);
        jobs.truncate(2);
    }
    jobs
}

/// Open MPI's launcher begins what it says of a failed program with this line, also behind one that
/// the program has not finished.
const RULE_OF_LAUNCHER: &str =
    "--------------------------------------------------------------------------";

/// Runs a command to its end or the time limit; what it wrote to both of its outputs comes as one
/// text.
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

/// Results of a job.
#[derive(Default)]
struct Outcome {
    runs: usize,
    failed: usize,
    /// A text for each failure.
    failures: Vec<String>,
}

/// The command that runs a program with `n` threads.
fn start(executable: &Path, n: u32) -> Command {
    match launcher() {
        Some(words) => {
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).args(["-n", &n.to_string()]);
            command.arg(executable);
            command
        }
        None => {
            let mut command = Command::new(executable);
            command.env("PGAS_THREADS", n.to_string());
            command
        }
    }
}

/// Compiles in one mode and runs with each number of threads. A program that does not compile, or
/// to which the compiler says what it should not, fails with all of them.
fn check(job: &Job, gasp_check: &Path, scratch: &Path) -> Outcome {
    let Job { program, mode, .. } = *job;
    let mut outcome = Outcome {
        runs: job.threads.len(),
        ..Outcome::default()
    };
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
        Mode::Counted => {
            compiler.args(["-inst", "-inst-counts", "-inst-functions-auto"]);
        }
        Mode::Checked(n) => {
            compiler.arg("-fupc-check");
            compiler.args(n.map(|n| format!("-T={n}")));
        }
        Mode::Static(n) => {
            compiler.arg(format!("-T={n}"));
        }
        Mode::OverMpi(n) => {
            compiler.arg("-network=mpi");
            compiler.args(n.map(|n| format!("-T={n}")));
        }
    }
    compiler.args(&program.flags);
    compiler.arg(&program.path).args(&program.files);
    if let Mode::Instrumented | Mode::Counted = mode {
        compiler.arg(gasp_check);
    }
    compiler.arg("-lm");
    let (status, text) = run(&mut compiler, &log);
    if !status.is_some_and(|s| s.success()) {
        outcome.failed = outcome.runs;
        outcome.failures.push(format!(
            "{} ({mode:?}) does not compile:\n{}",
            program.name,
            shorten(&text)
        ));
        return outcome;
    }
    let as_expected = match &program.warns {
        Some(warning) => text.contains(warning.as_str()),
        None => text.is_empty(),
    };
    if !as_expected {
        outcome.failed = outcome.runs;
        outcome.failures.push(format!(
            "{} ({mode:?}) compiles, but the compiler says:\n{}",
            program.name,
            shorten(&text)
        ));
    }
    for &n in &job.threads {
        let mut command = start(&executable, n);
        let (status, text) = run(&mut command, &log);
        let mut lines = text.lines().flat_map(|l| l.split(RULE_OF_LAUNCHER));
        let what = match status {
            None => "hangs".to_string(),
            Some(status) if status.code() != Some(program.status) => {
                format!("ends with {status}, expected is {}", program.status)
            }
            Some(_) if !lines.clone().any(|l| l == program.expect) => {
                format!("does not print '{}'", program.expect)
            }
            Some(_) if lines.any(|l| l.starts_with("GASP: ")) => {
                "reports events that are wrong".to_string()
            }
            Some(_) => continue,
        };
        outcome.failed += usize::from(as_expected);
        outcome.failures.push(format!(
            "{} ({mode:?}) with {n} threads {what}:\n{}",
            program.name,
            shorten(&text)
        ));
    }
    outcome
}

/// The folder of a program, e.g. `language/6.6.2_upc_forall`.
fn folder(program: &Program) -> &str {
    program.name.rsplit_once('/').map_or("", |(f, _)| f)
}

/// Programs, runs and failures, by folder and in all.
fn table(programs: &[Program], results: &[(&Job, Outcome)]) -> String {
    let mut rows: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for program in programs {
        rows.entry(folder(program)).or_default()[0] += 1;
    }
    for (job, outcome) in results {
        let row = rows.entry(folder(job.program)).or_default();
        row[1] += outcome.runs;
        row[2] += outcome.failed;
    }
    let mut total = [0; 3];
    let line = |name: &str, [programs, runs, failed]: [usize; 3]| {
        let passed = runs - failed;
        format!("{name:55} {programs:8} {runs:8} {passed:8} {failed:8}\n")
    };
    let mut text = format!(
        "\n{:55} {:>8} {:>8} {:>8} {:>8}\n",
        "folder", "programs", "runs", "passed", "failed"
    );
    for (name, row) in rows {
        text += &line(name, row);
        total.iter_mut().zip(row).for_each(|(t, n)| *t += n);
    }
    text + &line("all", total)
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
    let form = match std::env::var("UPC_CONFORMANCE").as_deref() {
        Ok("full") => Form::Full,
        Ok("") | Err(_) if wanted.is_empty() => Form::Short,
        Ok("") | Err(_) => Form::Selected,
        Ok(other) => panic!("UPC_CONFORMANCE is '{other}'; it can be 'full'"),
    };
    let programs: Vec<Program> = sources(&suite_dir())
        .iter()
        .filter_map(|p| load(p))
        .filter(|p| p.name.contains(&wanted))
        .collect();
    assert!(!programs.is_empty(), "no program matches '{wanted}'");
    let work: Vec<Job> = programs.iter().flat_map(|p| jobs(p, form)).collect();

    let common = tempfile::tempdir().expect("a folder for what programs share");
    let gasp_check = gasp_check_object(common.path());
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let scratch = tempfile::tempdir().expect("a folder for programs");
                while let Some(job) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = check(job, &gasp_check, scratch.path());
                    results.lock().expect("the results").push((job, outcome));
                }
            });
        }
    });
    let results = results.into_inner().expect("the results");
    if form == Form::Full || launcher().is_some() {
        println!("{}", table(&programs, &results));
    }
    let mut failures: Vec<&str> = results
        .iter()
        .flat_map(|(_, o)| o.failures.iter().map(String::as_str))
        .collect();
    failures.sort_unstable();
    assert!(
        failures.is_empty(),
        "{} failures in {} programs:\n\n{}",
        failures.len(),
        programs.len(),
        failures.join("\n")
    );
}
