//! Dialogues between `pgastool compile` and the compilers of sites, as recorded in `dialogues/`: a
//! line `$ ...` is a command, the lines `> ...` after it are all calls of the compiler that it led
//! to with their exit statuses, and the rest is what the user saw. A case is added by adding its
//! `$` line and running the tests with `PGAS_UPDATE_DIALOGUES=1`, which writes the files anew.

use crate::bench::{Bench, Told, cache, tools};
use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap().to_path_buf()
}

/// Plays the dialogue `name` with this compiler, and compares.
fn play(name: &str, compiler: &Path, headers: &str, built: &str) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli/dialogues/{name}.txt"));
    let expected = fs::read_to_string(&path).unwrap();
    let bench = Bench::new();
    for source in ["main.upc", "part.upc", "plain.c", "source"] {
        bench.write(source, "int x;\n");
    }
    for object in ["main.o", "part.o", "cxx.o"] {
        bench.write(object, "");
    }
    bench.write("arguments", "-O2 -c 'main.upc'\n");
    bench.write(
        "my.filter",
        "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE work\nSCOREP_REGION_NAMES_END\n",
    );
    let mut played = String::new();
    for line in expected.lines() {
        if line.starts_with('#') || line.is_empty() {
            played += line;
            played.push('\n');
        }
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        played += &format!("$ {command}\n");
        played += &answer(&bench, command, compiler, headers, built);
    }
    if std::env::var_os("PGAS_UPDATE_DIALOGUES").is_some() {
        fs::write(&path, &played).unwrap();
    }
    assert!(
        played == expected,
        "not as in {}; it was:\n{played}",
        path.display()
    );
}

fn answer(bench: &Bench, line: &str, compiler: &Path, headers: &str, built: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let log = bench.path("log");
    let (mut command, cache) = match words[0] {
        "pgastool" => (bench.command(&words[1..]), bench.path("cache")),
        _ => {
            let mut command = assert_cmd::Command::new(compiler);
            command.args(&words[1..]).current_dir(bench.path(""));
            (command, cache())
        }
    };
    // Direct calls of the embedded compiler need no cache of their own here.
    let told = Told::of(
        command
            .env("PGAS_UPCC", compiler)
            .env("PGAS_CACHE_DIR", cache)
            .env("STAND_IN_LOG", &log)
            .env("STAND_IN_BUILT", built)
            .env("STAND_IN_INCLUDE", crates().join(headers)),
    );
    let calls = fs::read_to_string(&log).unwrap_or_default();
    let _ = fs::remove_file(&log);
    // Line markers of a preprocessor are the C compiler's.
    let lines = told.out.lines().filter(|line| !line.starts_with("# "));
    let out: String = lines.map(|line| format!("{line}\n")).collect();
    let calls: String = calls.lines().map(|call| format!("> {call}\n")).collect();
    let status = match told.status {
        Some(0) => String::new(),
        other => format!("exit status {}\n", other.unwrap()),
    };
    neutral(&(calls + &out + &told.err + &status), bench, compiler)
}

/// Without what differs between machines.
fn neutral(text: &str, bench: &Bench, compiler: &Path) -> String {
    let compilers = compiler.parent().unwrap().display().to_string();
    let mut text = text
        .replace(&format!("{}/lib", tools().display()), "LIB/lib")
        .replace(&format!("{compilers}/"), "BIN/");
    let cache = bench.path("cache").display().to_string();
    // The names of sets are hashes of what is in them.
    for (set, neutral) in [("decoder-", "MADE"), ("recorder-", "LIB")] {
        while let Some(start) = text.find(&format!("{cache}/{set}")) {
            let length = text[start + cache.len() + 1..].find('/').unwrap();
            text.replace_range(start..start + cache.len() + 1 + length, neutral);
        }
    }
    text
}

fn stand_in(name: &str) -> PathBuf {
    crates().join("instrument/tests/stand-ins").join(name)
}

const BERKELEY: &str = "upc-runtime/include";
const GNU: &str = "instrument/support/gasp/gnu";

#[test]
fn with_berkeley_upc() {
    play("berkeley", &stand_in("upcc"), BERKELEY, "");
}

#[test]
fn with_a_berkeley_upc_without_instrumentation() {
    play("berkeley-no-inst", &stand_in("upcc"), BERKELEY, "no-inst");
}

#[test]
fn with_gnu_upc() {
    play("gnu", &stand_in("gupc"), GNU, "");
}

#[test]
fn with_clang_upc() {
    play("clang", &stand_in("clang-upc"), GNU, "");
}

#[test]
fn with_crays_compiler() {
    play("cray", &stand_in("cray-cc"), GNU, "");
}

#[test]
fn with_the_embedded_compiler() {
    play("embedded", &tools().join("pgas-upcc"), BERKELEY, "");
}
