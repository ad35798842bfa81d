//! The scripts that measure and verify: `scripts/bench upc` prints every figure with its target,
//! and `scripts/kernels` fails if a kernel does. Nothing here depends on how fast the machine is.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn script(name: &str, compiler: &str, arguments: &[&str]) -> Output {
    let top: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(top.join("scripts").join(name))
        .args(arguments)
        .env("UPCC", compiler)
        .output()
        .unwrap_or_else(|e| panic!("scripts/{name}: {e}"))
}

#[test]
#[ignore = "guards no figure; scripts/nightly runs it"]
fn the_benchmark_prints_all_figures() {
    let output = script(
        "bench",
        env!("CARGO_BIN_EXE_pgas-upcc"),
        &["upc", "--short"],
    );
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines_with = |text: &str| {
        printed
            .lines()
            .filter(|l| l.contains(text) && (l.ends_with(" met") || l.ends_with(" MISSED")))
            .count()
    };
    // For static and dynamic numbers of threads.
    for figure in [
        "own element, cyclic ",
        "own element, blocked ",
        "cast to local",
        "remote read, indefinite pointer",
        "remote read, one block a thread, [i]",
        "remote read, scattered in a cyclic array",
        "barrier",
        "broadcast, 4 bytes, ALLSYNC",
        "reduction, one int a thread, ALLSYNC",
        "lock and unlock, uncontended",
        "upc_memget of 1 MiB",
    ] {
        assert_eq!(lines_with(figure), 2, "{figure}:\n{printed}");
    }
    for kernel in ["is", "ep", "cg", "ft", "mg"] {
        for mode in ["static", "dynamic"] {
            assert_eq!(lines_with(&format!("  {kernel}, {mode}")), 1, "{printed}");
        }
    }
    assert_eq!(lines_with("program of 2000 lines"), 2, "{printed}");
}

#[test]
fn kernels_that_do_not_build_are_failures() {
    let output = script(
        "kernels",
        "false",
        &["--classes", "S", "--threads", "1", "--kernels", "is"],
    );
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("is.S does not build"), "{printed}");
}

#[test]
fn kernels_that_do_not_verify_are_failures() {
    let dir = tempfile::tempdir().expect("a folder");
    // A compiler whose programs do nothing.
    let compiler = dir.path().join("compiler");
    std::fs::write(
        &compiler,
        "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && cp /bin/true \"$2\"; shift; done\n",
    )
    .expect("to write the compiler");
    Command::new("chmod")
        .arg("+x")
        .arg(&compiler)
        .status()
        .expect("chmod starts");
    let output = script(
        "kernels",
        compiler.to_str().expect("a name in UTF-8"),
        &["--classes", "S", "--threads", "1", "--kernels", "is"],
    );
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("FAILED"), "{printed}");
}

#[test]
fn unknown_options_are_refused() {
    for (name, arguments) in [
        ("bench", &["everything"][..]),
        ("bench", &["upc", "--fast"][..]),
        ("kernels", &["--class", "S"][..]),
    ] {
        let output = script(name, "false", arguments);
        assert_eq!(output.status.code(), Some(2), "{name} {arguments:?}");
    }
}
