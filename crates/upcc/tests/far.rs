//! Programs that are compiled for several nodes (`Options::several_nodes`), run on one machine:
//! `far/far_stub.c` has each thread as a node, and ends a program that accesses another node's data
//! other than by the calls that are made for it. Programs are those of `far/`, and those of the
//! conformance suite whose accesses are the language's.
//!
//! `UPC_FAR=full cargo test --test far` runs all of them, with GCC and Clang, without and with
//! optimisation, instrumented, counted and checked; without it, those of `far/` run, and a few others.
//! `UPC_PROGRAM=text` runs only those whose path contains the text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use pgas_upc::{MAX_BLOCK_SIZE, Options, compile};

/// Of how many programs of the suite one runs unless all are wanted.
const ONE_OF: usize = 20;

/// Text sections of the program, which the stub knows by another name.
const TEXT: [&str; 5] = [
    ".text",
    ".text.unlikely",
    ".text.startup",
    ".text.hot",
    ".text.exit",
];

/// The arguments for the C compiler that matter here.
const C_FLAGS: [&str; 8] = [
    "-std=gnu11",
    "-fcommon",
    "-fno-strict-aliasing",
    "-w",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    Instrumented,
    InstrumentedLocal,
    Counted,
    Checked,
}

impl Form {
    fn is_instrumented(self) -> bool {
        !matches!(self, Form::Plain | Form::Checked)
    }

    fn macros(self) -> &'static [&'static str] {
        match self {
            Form::Plain => &[],
            Form::Instrumented | Form::Counted => &["-DUPCR_INST=1"],
            Form::InstrumentedLocal => &["-DUPCR_INST=1", "-DUPCR_INST_LOCAL=1"],
            Form::Checked => &["-DUPCR_CHECK=1"],
        }
    }
}

struct Program {
    path: PathBuf,
    text: String,
}

impl Program {
    fn directive(&self, key: &str) -> &str {
        self.text
            .lines()
            .map_while(|line| line.strip_prefix("//"))
            .find_map(|line| line.trim_start().strip_prefix(key)?.strip_prefix(':'))
            .unwrap_or("")
            .trim()
    }

    fn threads(&self) -> Vec<u32> {
        let numbers = self.directive("threads").split_whitespace();
        numbers.filter_map(|n| n.parse().ok()).collect()
    }

    fn is_dynamic(&self) -> bool {
        let modes = self.directive("modes");
        modes.is_empty() || modes.contains("dynamic")
    }

    fn sources(&self) -> Vec<PathBuf> {
        let folder = self.path.parent().expect("a folder");
        let others = self.directive("files").split_whitespace();
        let others = others.map(|file| folder.join(file));
        std::iter::once(self.path.clone()).chain(others).collect()
    }
}

/// A program, and how it is compiled.
struct Job<'a> {
    program: &'a Program,
    form: Form,
    compiler: &'a str,
    level: &'a str,
}

fn crate_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn suite() -> PathBuf {
    crate_dir().join("../../conformance")
}

fn find(folder: &Path, found: &mut Vec<Program>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder of programs")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|e| e == "upc") {
            let text = fs::read_to_string(&path).expect("a program");
            let program = Program { path, text };
            if program.directive("part of").is_empty() {
                found.push(program);
            }
        }
    }
}

/// The output of a command that must succeed.
fn output(command: &mut Command) -> Result<Output, String> {
    let output = command
        .output()
        .map_err(|e| format!("cannot start {command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(output),
        false => Err(format!(
            "{command:?} ends with {}:\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// C flags of a program, and whether it has the keywords of UPC 1.0.
fn flags(program: &Program) -> (Vec<&str>, bool) {
    let all = program.directive("flags").split_whitespace();
    let (upc, c): (Vec<&str>, Vec<&str>) = all.partition(|flag| flag.starts_with("-fupc"));
    let c = c.into_iter().filter(|flag| *flag != "-Werror").collect();
    (c, upc.contains(&"-fupc-1.0"))
}

fn preprocess(job: &Job, source: &Path, threads: Option<u32>) -> Result<String, String> {
    let mut cc = Command::new(job.compiler);
    cc.args(["-std=gnu11", "-E", "-x", "c", "-D__UPC__=1"]);
    cc.args(["-D__UPC_VERSION__=201311L", "-D__UPC_PUPC__=1"]);
    for library in ["COLLECTIVE", "TICK", "ATOMIC", "CASTABLE", "NB", "IO"] {
        cc.arg(format!("-D__UPC_{library}__=1"));
    }
    cc.arg(format!("-DUPC_MAX_BLOCK_SIZE={MAX_BLOCK_SIZE}"));
    cc.arg("-DUPCR_MPI=1").args(job.form.macros());
    match threads {
        Some(n) => cc.args([
            "-D__UPC_STATIC_THREADS__=1".to_owned(),
            format!("-DTHREADS={n}"),
            format!("-DUPCR_STATIC_THREADS={n}"),
        ]),
        None => cc.arg("-D__UPC_DYNAMIC_THREADS__=1"),
    };
    cc.arg("-isystem").arg(runtime_headers());
    cc.args(["-include", "pgas_upcr.h"]);
    cc.arg("-I").arg(suite());
    cc.args(flags(job.program).0).arg(source);
    Ok(String::from_utf8_lossy(&output(&mut cc)?.stdout).into_owned())
}

fn runtime_headers() -> PathBuf {
    crate_dir().join("../upc-runtime/include")
}

/// Compiles one source of a program to an object whose code is in the section that the stub watches.
fn object(job: &Job, source: &Path, threads: Option<u32>, object: &Path) -> Result<(), String> {
    let (c_flags, old_keywords) = flags(job.program);
    let is_instrumented = job.form.is_instrumented();
    let options = Options {
        threads,
        several_nodes: true,
        instrument: is_instrumented,
        instrument_functions: is_instrumented,
        instrument_local: job.form == Form::InstrumentedLocal,
        count_accesses: job.form == Form::Counted,
        leave_out_small: job.form == Form::Counted,
        check: job.form == Form::Checked,
        name: source.display().to_string(),
        maybe_c: source.extension().is_some_and(|e| e == "c"),
        old_keywords,
        ..Default::default()
    };
    let text = preprocess(job, source, threads)?;
    let c = compile(&text, &options).map_err(|messages| format!("{messages:?}"))?;
    let c_file = object.with_extension("c");
    fs::write(&c_file, c.c).expect("room for the C");
    let mut cc = Command::new(job.compiler);
    cc.arg("-c").args(C_FLAGS).arg(job.level).args(c_flags);
    cc.args(["-x", "cpp-output"]).arg(&c_file);
    output(cc.arg("-o").arg(object))?;
    let mut objcopy = Command::new("objcopy");
    for section in TEXT {
        objcopy.args(["--rename-section", &format!("{section}=upctext")]);
    }
    output(objcopy.arg(object))?;
    Ok(())
}

/// Compiles C that is no part of the program.
fn c_object(source: &Path, object: &Path) {
    let mut cc = Command::new("cc");
    cc.args(["-c", "-O1", "-Wall", "-DUPCR_MPI=1", "-I"])
        .arg(runtime_headers());
    cc.arg(source).arg("-o").arg(object);
    output(&mut cc).unwrap_or_else(|e| panic!("{e}"));
}

/// Compiles a program and runs it with each number of threads.
fn check(job: &Job, is_full: bool, scratch: &Path, place: &Path) -> Result<(), String> {
    let numbers = job.program.threads();
    let threads = match job.program.is_dynamic() {
        true => None,
        false => numbers.iter().copied().max_by_key(|n| *n == 3),
    };
    let mut link = Command::new(env!("CARGO_BIN_EXE_pgas-upcc"));
    for (n, source) in job.program.sources().iter().enumerate() {
        let object_file = place.join(format!("{n}.o"));
        object(job, source, threads, &object_file)?;
        link.arg(object_file);
    }
    let executable = place.join("program");
    link.args(flags(job.program).0);
    link.arg(scratch.join("stub.o"));
    if job.form.is_instrumented() {
        link.arg(scratch.join("gasp.o"));
    }
    for name in ["barrier", "notify", "wait", "fence"] {
        link.arg(format!("-Wl,--wrap=upcr_{name}"));
    }
    output(
        link.args(["-Wl,--wrap=syscall", "-lm", "-o"])
            .arg(&executable),
    )?;
    for n in numbers.iter().filter(|&&n| threads.is_none_or(|t| t == n)) {
        // With one thread nothing is far.
        if *n > 1 || numbers.len() == 1 {
            run(job.program, &executable, *n, "1")?;
        }
        if *n > 2 && is_full {
            run(job.program, &executable, *n, "2")?;
        }
    }
    Ok(())
}

/// Runs with so many threads, `node` of them on each node.
fn run(program: &Program, executable: &Path, threads: u32, node: &str) -> Result<(), String> {
    let mut command = Command::new("timeout");
    command.arg("60").arg(executable).stdin(Stdio::null());
    command.env("PGAS_THREADS", threads.to_string());
    command.env("FAR_NODE", node);
    command.env_remove("FAR_LAZY");
    if !program.directive("lazy").is_empty() {
        command.env("FAR_LAZY", "1");
    }
    let output = command.output().map_err(|e| e.to_string())?;
    let text = format!(
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let status = program.directive("status").parse().unwrap_or(0);
    let expected = match program.directive("expect") {
        "" => "OK",
        line => line,
    };
    let is_right = output.status.code() == Some(status)
        && text.lines().any(|line| line == expected)
        && !text.lines().any(|line| line.starts_with("GASP: "));
    match is_right {
        true => Ok(()),
        false => Err(format!(
            "with {threads} threads, {node} on a node, ends with {}:\n{text}",
            output.status
        )),
    }
}

/// Programs with single accesses: those of `far/`, and of the suite all or a few.
fn programs(is_full: bool, wanted: &str) -> Vec<Program> {
    let mut found = Vec::new();
    find(&crate_dir().join("tests/far"), &mut found);
    let mut others = Vec::new();
    for folder in ["language", "programs", "c"] {
        find(&suite().join(folder), &mut others);
    }
    let is_turn = |n: usize| is_full || !wanted.is_empty() || n % ONE_OF == 0;
    let others = others.into_iter().enumerate();
    found.extend(
        others
            .filter(|(n, _)| is_turn(*n))
            .map(|(_, program)| program),
    );
    found.retain(|program| program.path.display().to_string().contains(wanted));
    found
}

fn has(compiler: &str) -> bool {
    Command::new(compiler)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

fn jobs<'a>(programs: &'a [Program], is_full: bool) -> Vec<Job<'a>> {
    use Form::{Checked, Counted, Instrumented, InstrumentedLocal, Plain};
    let has_clang = has("clang");
    let mut jobs = Vec::new();
    for program in programs {
        let mut add = |form, compiler, level| {
            if form != Checked || program.directive("unchecked").is_empty() {
                jobs.push(Job {
                    program,
                    form,
                    compiler,
                    level,
                });
            }
        };
        add(Plain, "cc", "-O2");
        if !is_full {
            continue;
        }
        add(Plain, "cc", "-O0");
        for form in [Instrumented, InstrumentedLocal, Counted, Checked] {
            add(form, "cc", "-O1");
        }
        // Other programs of the suite use what GCC alone has.
        let path = program.path.display().to_string();
        if has_clang && ["/far/", "/programs/"].iter().any(|f| path.contains(f)) {
            add(Plain, "clang", "-O0");
            add(Plain, "clang", "-O2");
        }
    }
    jobs
}

#[test]
fn far_data_is_accessed_by_calls_only() {
    let is_full = std::env::var("UPC_FAR").is_ok_and(|v| v == "full");
    let wanted = std::env::var("UPC_PROGRAM").unwrap_or_default();
    let programs = programs(is_full, &wanted);
    let jobs = jobs(&programs, is_full);
    let scratch = tempfile::tempdir().expect("a folder");
    c_object(
        &crate_dir().join("tests/far/far_stub.c"),
        &scratch.path().join("stub.o"),
    );
    c_object(
        &suite().join("gasp_check.c"),
        &scratch.path().join("gasp.o"),
    );
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let place = scratch.path().join(worker.to_string());
            fs::create_dir(&place).expect("a folder");
            let (next, failures, jobs, scratch) = (&next, &failures, &jobs, scratch.path());
            scope.spawn(move || {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(text) = check(job, is_full, scratch, &place) {
                        let Job {
                            program,
                            form,
                            compiler,
                            level,
                        } = job;
                        let name = program.path.display();
                        let text = format!("{name} ({form:?}, {compiler} {level}) {text}");
                        failures.lock().expect("the list").push(text);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("the list");
    println!("{} runs, {} failures", jobs.len(), failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
