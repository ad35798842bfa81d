//! Faults that `-fupc-check` finds while a program runs: the programs of `conformance/check/`.
//!
//! A program takes the number of a fault as its argument. Comments `/* fault 3: text */` say that
//! fault 3 must end it with status 1 and a message that has the text, and the file and line of the
//! comment; fault 0 is none. The first comment lines are those of the conformance suite.
//! `UPC_PROGRAM=text` picks programs by their names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Fault {
    line: usize,
    text: String,
}

struct Program {
    path: PathBuf,
    name: String,
    threads: Vec<u32>,
    dynamic: bool,
    faults: BTreeMap<u32, Vec<Fault>>,
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

fn directive<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .map_while(|line| line.strip_prefix("//"))
        .find_map(|line| line.trim_start().strip_prefix(key)?.strip_prefix(':'))
}

fn load(path: &Path) -> Program {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut faults: BTreeMap<u32, Vec<Fault>> = BTreeMap::new();
    for (n, line) in text.lines().enumerate() {
        for comment in line.split("/* fault ").skip(1) {
            let (number, rest) = comment.split_once(": ").expect("a number and a text");
            let (text, _) = rest.split_once(" */").expect("the end of the comment");
            let fault = Fault {
                line: n + 1,
                text: text.trim().to_owned(),
            };
            let number = number.parse().expect("the number of a fault");
            faults.entry(number).or_default().push(fault);
        }
    }
    assert!(!faults.is_empty(), "{name} has no faults");
    Program {
        path: path.to_path_buf(),
        threads: directive(&text, "threads")
            .unwrap_or_else(|| panic!("{name} does not say how many threads"))
            .split_whitespace()
            .map(|t| t.parse().expect("a number of threads"))
            .collect(),
        dynamic: directive(&text, "modes").is_none_or(|modes| modes.contains("dynamic")),
        name,
        faults,
    }
}

fn compile(program: &Program, options: &[&str], executable: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_pgas-upcc"))
        // Some of the faults can be seen without running the program.
        .args(["-fupc-check", "-w", "-O1", "-I"])
        .arg(suite())
        .args(options)
        .arg("-o")
        .args([executable, &program.path])
        .output()
        .expect("the compiler starts");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{} {options:?}: {}",
        program.name,
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Runs the program with a fault; what is wrong with what it does.
fn run(
    program: &Program,
    executable: &Path,
    mode: &str,
    threads: u32,
    fault: u32,
) -> Option<String> {
    let output = Command::new("timeout")
        .args(["-s", "KILL", "60"])
        .arg(executable)
        .arg(fault.to_string())
        .env("PGAS_THREADS", threads.to_string())
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let what = format!(
        "{} ({mode}), {threads} threads, fault {fault}",
        program.name
    );
    let Some(places) = program.faults.get(&fault) else {
        let good = output.status.success() && out == "OK\n" && text.is_empty();
        return (!good).then(|| format!("{what}: {}\n{out}{text}", output.status));
    };
    if output.status.code() != Some(1) {
        return Some(format!("{what}: {}\n{out}{text}", output.status));
    }
    for place in places {
        let at = format!("{}:{}", program.name, place.line);
        let named = text
            .match_indices(&at)
            .any(|(i, _)| !text[i + at.len()..].starts_with(|c: char| c.is_ascii_digit()));
        if !named || !text.contains(&place.text) {
            return Some(format!(
                "{what}: expected '{}' and '{at}' in\n{text}",
                place.text
            ));
        }
    }
    // One message, however many threads see it.
    (text.lines().count() != 1).then(|| format!("{what}: more than one message\n{text}"))
}

#[test]
fn every_fault_ends_the_program_with_its_place() {
    let wanted = std::env::var("UPC_PROGRAM").unwrap_or_default();
    let mut paths: Vec<PathBuf> = fs::read_dir(suite().join("check"))
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry of it").path())
        .filter(|path| path.to_string_lossy().contains(&wanted))
        .collect();
    paths.sort();
    let scratch = tempfile::tempdir().expect("a folder for programs");
    let tool = scratch.path().join("gasp_check.o");
    let status = Command::new("cc")
        .args(["-c", "-O1", "-o"])
        .args([&tool, &suite().join("gasp_check.c")])
        .status()
        .expect("a C compiler");
    assert!(status.success());
    let mut failures = Vec::new();
    for path in paths {
        let program = load(&path);
        let executable = scratch.path().join("program");
        let faults: Vec<u32> = std::iter::once(0)
            .chain(program.faults.keys().copied())
            .collect();
        let mut check = |mode: &str, threads: u32| {
            for fault in &faults {
                failures.extend(run(&program, &executable, mode, threads, *fault));
            }
        };
        if program.dynamic {
            compile(&program, &[], &executable);
            for &threads in &program.threads {
                check("dynamic", threads);
            }
            compile(&program, &["-inst", &tool.to_string_lossy()], &executable);
            check("instrumented", program.threads[0]);
        }
        let threads = program.threads[program.threads.len() - 1];
        compile(&program, &["-T", &threads.to_string()], &executable);
        check("static", threads);
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Objects with and without checks make one program, in which what all threads do together is not
/// compared.
#[test]
fn checked_and_unchecked_objects_link() {
    let scratch = tempfile::tempdir().expect("a folder for programs");
    let dir = scratch.path();
    fs::write(
        dir.join("main.upc"),
        "#include <upc.h>\nextern shared int a[4 * THREADS]; shared int *get(void); void \
         sync(void);\nint main(int argc, char **argv) { shared int *p = get(); p[4 * THREADS - 1] \
         = a[3];\nif (MYTHREAD) sync(); else upc_barrier;\n upc_barrier;\nif (argc > 1 && \
         MYTHREAD == 0) p[4 * THREADS] = 1;\n upc_barrier; return 0; }\n",
    )
    .expect("a file");
    fs::write(
        dir.join("other.upc"),
        "#include <upc.h>\nshared int a[4 * THREADS];\nshared int *get(void) { return \
         upc_all_alloc(4 * THREADS, sizeof(int)); }\nvoid sync(void) { upc_barrier; }\n",
    )
    .expect("a file");
    let compiler = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_pgas-upcc"))
            .current_dir(dir)
            .args(args)
            .output()
            .expect("the compiler starts");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {text}");
    };
    compiler(&["-fupc-check", "-c", "main.upc"]);
    compiler(&["-c", "other.upc"]);
    compiler(&["-o", "program", "main.o", "other.o"]);
    let run = |args: &[&str]| {
        let output = Command::new(dir.join("program"))
            .args(args)
            .env("PGAS_THREADS", "3")
            .output()
            .expect("the program starts");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(run(&[]), (Some(0), String::new()));
    let (status, text) = run(&["fault"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(
        text.contains("main.upc:6: thread 0: writes 4 bytes at byte 16 of the part on thread 0"),
        "{text}"
    );
    // Without a checked object, nothing of the checks is in the program.
    compiler(&["-fno-upc-check", "-o", "program", "main.upc", "other.upc"]);
    let program = fs::read(dir.join("program")).expect("the program");
    let name = b"upcr_check_access";
    assert!(!program.windows(name.len()).any(|w| w == name));
}
