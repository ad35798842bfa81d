//! Each function of OpenSHMEM 1.4 and 1.5, and each that the library on this machine declares, has
//! a wrapper or is known to be one that is not recorded; all wrappers compile together.

#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;
#[path = "openshmem_names/standard.rs"]
mod standard;

use not_tested::not_tested;
use pgas_measure::wrappers::OPENSHMEM;
use standard::{UNRECORDED, functions};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A header as that of a library: the types of OpenSHMEM that wrappers use.
const HEADER: &str = "\
#include <stddef.h>
#include <stdint.h>
typedef void *shmem_ctx_t, *shmem_team_t;
typedef struct { int num_contexts; } shmem_team_config_t;
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)0)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)-1)
#define SHMEM_TEAM_WORLD ((shmem_team_t)0)
#define SHMEM_TEAM_SHARED ((shmem_team_t)1)
#define SHMEM_TEAM_INVALID ((shmem_team_t)-1)
enum { SHMEM_CMP_EQ, SHMEM_CMP_NE };
";

/// The C files of the wrappers for a library that has functions of these names.
struct Wrappers {
    directory: TempDir,
}

impl Wrappers {
    fn of(names: &BTreeSet<String>) -> Self {
        let directory = TempDir::new().unwrap();
        let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
        for (name, text) in OPENSHMEM {
            write(name, text);
        }
        let have = names.iter().map(|name| format!("#define HAVE_{name} 1\n"));
        write("shmem_have.h", &have.collect::<String>());
        write("shmem.h", HEADER);
        Wrappers { directory }
    }

    /// Runs the C compiler with options on each file of C's interface and returns its output.
    fn compile(&self, options: &[&str]) -> String {
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
        let files = OPENSHMEM.iter().map(|(name, _)| *name);
        let files = files.filter(|name| name.ends_with(".c") && *name != "shmem_fortran.c");
        let mut all = String::new();
        for file in files {
            let output = Command::new("cc")
                .args(["-std=gnu11", "-I."])
                .arg("-I")
                .arg(&include)
                .args(options)
                .arg(file)
                .current_dir(self.directory.path())
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{file}: {errors}");
            all += &String::from_utf8_lossy(&output.stdout);
        }
        all
    }

    /// The functions that they define, by their symbols.
    fn defined(&self) -> BTreeSet<String> {
        let text = self.compile(&["-E"]);
        let symbols = text.split("__asm__(\"").skip(1);
        let symbols = symbols.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
        symbols.collect()
    }
}

fn unrecorded() -> BTreeSet<String> {
    UNRECORDED.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_function_of_the_standard_is_recorded() {
    let standard = functions();
    let defined = Wrappers::of(&standard).defined();
    let missing: Vec<_> = standard.difference(&defined).collect();
    assert!(missing.is_empty(), "without a wrapper: {missing:?}");
    // So that a broken search cannot pass: 1.5 has more than 1600 of them.
    assert!(standard.len() > 1600, "{}", standard.len());
    let both: Vec<_> = defined.intersection(&unrecorded()).cloned().collect();
    assert!(
        both.is_empty(),
        "recorded, although listed as not: {both:?}"
    );
}

#[test]
fn the_wrappers_of_all_functions_compile_together() {
    let wrappers = Wrappers::of(&functions());
    wrappers.compile(&[
        "-fsyntax-only",
        "-Wall",
        "-Wextra",
        "-Wno-unused",
        "-Werror",
    ]);
}

/// Words directly before a parenthesis in the header's text that are names of OpenSHMEM.
fn declared(header: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = header.match_indices('(').map(|(place, _)| {
        let before = header[..place].trim_end();
        let begin = before.rfind(|c| !is_part(c)).map_or(0, |last| last + 1);
        &before[begin..]
    });
    let words = words.filter(|word| word.starts_with("shmem_") || *word == "start_pes");
    words.map(str::to_owned).collect()
}

/// A generic name of C11 that Open MPI declares as a function and does not have.
const NOT_THERE: [&str; 1] = ["shmem_broadcast"];

#[test]
fn every_function_of_the_library_here_is_recorded_or_known() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("header.c");
    fs::write(&file, "#include <shmem.h>\n").unwrap();
    let output = Command::new("oshcc").args(["-E", "-P"]).arg(&file).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        not_tested("wrappers for all that a SHMEM library declares: there is no oshcc");
        return;
    };
    let mut names = declared(&String::from_utf8_lossy(&output.stdout));
    assert!(names.contains("shmem_long_put"), "{names:?}");
    let defined = Wrappers::of(&names).defined();
    names.retain(|name| !defined.contains(name) && !unrecorded().contains(name));
    names.retain(|name| !NOT_THERE.contains(&name.as_str()));
    assert!(names.is_empty(), "without a wrapper: {names:?}");
}
