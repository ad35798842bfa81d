//! Random programs that check themselves: compiled in several ways, run, and kept where one fails.

use std::path::Path;
use std::process::Command;

/// Flags of the compiler, and the numbers of threads to run with.
pub type Way<'a> = (&'a [&'a str], &'a [u32]);

/// Every program prints OK, in every way. `UPC_SEEDS=n` tries the programs of the first n seeds
/// instead of one; a failing one is left at the place that is named.
pub fn print_ok(program: fn(u64) -> String, ways: &[Way]) {
    let seeds: u64 = std::env::var("UPC_SEEDS").map_or(1, |s| s.parse().expect("a number"));
    for seed in 1..=seeds {
        let dir = tempfile::tempdir().expect("a folder");
        let source = dir.path().join("random.upc");
        std::fs::write(&source, program(seed)).expect("to write the program");
        let mut failures = Vec::new();
        for (options, threads) in ways {
            check(&source, options, threads, &mut failures);
        }
        if !failures.is_empty() {
            let kept = dir.keep();
            panic!(
                "seed {seed}, program in {}:\n{}",
                kept.display(),
                failures.join("\n")
            );
        }
    }
}

fn check(source: &Path, options: &[&str], threads: &[u32], failures: &mut Vec<String>) {
    let executable = source.with_extension("exe");
    let output = Command::new(env!("CARGO_BIN_EXE_pgas-upcc"))
        .args(options)
        .arg("-o")
        .args([&executable, source])
        .output()
        .expect("pgas-upcc starts");
    if !output.status.success() {
        failures.push(format!(
            "{options:?} does not compile:\n{}",
            String::from_utf8_lossy(&output.stderr)
        ));
        return;
    }
    for n in threads {
        let output = Command::new(&executable)
            .env("PGAS_THREADS", n.to_string())
            .output()
            .expect("the program starts");
        let printed = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !printed.lines().any(|l| l == "OK") {
            failures.push(format!(
                "{options:?} with {n} threads: {}\n{printed}{}",
                output.status,
                String::from_utf8_lossy(&output.stderr)
            ));
        }
    }
}
