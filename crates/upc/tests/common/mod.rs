//! Parts that the tests of the compiler share: finding the programs, and preprocessing them as the
//! driver does.

#![allow(dead_code)] // each test uses a part of it

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of this crate's own test programs.
pub fn own(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(folder)
}

/// A folder of the conformance suite.
pub fn suite(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance")
        .join(folder)
}

/// All programs in a folder, sorted.
pub fn programs(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap_or_else(|e| panic!("{}: {e}", root.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    found.sort();
    assert!(!found.is_empty(), "no programs in {}", root.display());
    found
}

/// The value of a directive in the first comment lines of a program.
pub fn directive<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines()
        .take_while(|l| l.starts_with("//"))
        .find_map(|l| {
            l.trim_start_matches('/')
                .trim_start()
                .strip_prefix(key)?
                .strip_prefix(':')
                .map(str::trim)
        })
}

/// Static number of threads that a program asks for.
pub fn threads(text: &str) -> Option<u32> {
    directive(text, "threads").and_then(|t| t.parse().ok())
}

/// The numbers of threads that a program is compiled for: `dynamic` and static numbers.
pub fn modes(text: &str) -> Vec<Option<u32>> {
    let words = directive(text, "threads").expect("a line `// threads: ...`");
    words
        .split_whitespace()
        .map(|w| (w != "dynamic").then(|| w.parse().expect("a number of threads")))
        .collect()
}

/// Preprocesses a program with the runtime's headers.
pub fn preprocess(path: &Path, threads: Option<u32>, instrument: bool) -> String {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../upc-runtime/include");
    let mut cc = Command::new("cc");
    cc.args([
        "-std=gnu11",
        "-E",
        "-x",
        "c",
        "-D__UPC__=1",
        "-DUPC_MAX_BLOCK_SIZE=2147483647",
        "-include",
        "pgas_upcr.h",
    ]);
    cc.arg("-I").arg(include);
    match threads {
        Some(n) => cc.args([
            format!("-DTHREADS={n}"),
            format!("-DUPCR_STATIC_THREADS={n}"),
        ]),
        None => cc.arg("-D__UPC_DYNAMIC_THREADS__=1"),
    };
    if instrument {
        cc.arg("-DUPCR_INST=1");
    }
    let output = cc
        .arg(path)
        .output()
        .expect("a C compiler to preprocess with");
    assert!(
        output.status.success(),
        "{}: {}",
        path.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}
