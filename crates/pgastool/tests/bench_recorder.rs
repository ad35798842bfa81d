//! `scripts/bench recorder` measures what it says, in its short form: every figure is there, with
//! its target. Nothing here depends on how fast the machine is.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "guards no figure; scripts/nightly runs it"]
fn the_benchmark_prints_all_figures() {
    let tools = Path::new(env!("CARGO_BIN_EXE_pgastool")).parent().unwrap();
    let output = Command::new(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join("scripts/bench"),
    )
    .args(["recorder", "--short"])
    .env("PGAS_BENCH_TOOLS", tools)
    .env(
        "PGAS_CACHE_DIR",
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
    )
    .output()
    .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines_with = |text: &str| printed.lines().filter(|l| l.contains(text)).count();
    let judged_with = |text: &str| {
        printed
            .lines()
            .filter(|l| l.contains(text) && (l.ends_with(" met") || l.ends_with(" MISSED")))
            .count()
    };
    for sequence in ["tiny calls", "mix"] {
        for figure in [
            "direct entry beside the clock, OTF2",
            "variadic entry beside the clock, OTF2",
            "direct entry in all, bare clock",
        ] {
            assert_eq!(
                judged_with(&format!("{sequence}: {figure}")),
                1,
                "{printed}"
            );
        }
    }
    let addresses = "accesses: variadic entry with addresses, without";
    assert_eq!(lines_with(addresses), 1, "{printed}");
    for program in ["is:S", "cg:S", "jacobi:16,20"] {
        for figure in ["events, EPILOG", "OTF2 and zstd -1", "OTF2 and zstd -3"] {
            let lines = printed
                .lines()
                .filter(|line| line.contains(program) && line.contains(figure))
                .count();
            assert_eq!(lines, 1, "{program}, {figure}:\n{printed}");
        }
    }
    assert_eq!(judged_with("EPILOG"), 3, "{printed}");
    for figure in [
        "is:S, throttled",
        "is:S, sums alone",
        "is:S, filtered",
        "is:S, the disk keeps up",
        "is:S, zstd -12, buffers of 64K",
        "without a helper",
        "best runs",
    ] {
        assert!(lines_with(figure) >= 1, "{figure}:\n{printed}");
    }
}
