//! `scripts/bench analyze` measures what it says, in its short form: every figure is there, and
//! what was found in each experiment is its truth, or the benchmark fails. Nothing here depends on
//! how fast the machine is.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "guards no figure; scripts/nightly runs it"]
fn the_benchmark_prints_all_figures() {
    let tools = Path::new(env!("CARGO_BIN_EXE_pgastool")).parent().unwrap();
    let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(clone.join("scripts/bench"))
        .args(["analyze", "--short"])
        .env("PGAS_BENCH_TOOLS", tools)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let judged = |line: &str| line.ends_with(" met") || line.ends_with(" MISSED");
    for threads in ["2 threads", "16 threads"] {
        for (figure, has_target) in [
            ("time per event", true),
            ("million events a second", false),
            ("largest memory", true),
            ("time on one core beside 2", true),
            ("what two separate analyses gain from two cores", false),
            ("beside reading the events alone", false),
        ] {
            let name = format!("  {threads}: {figure}");
            let lines: Vec<&str> = printed.lines().filter(|l| l.starts_with(&name)).collect();
            assert_eq!(lines.len(), 1, "{name}:\n{printed}");
            assert_eq!(judged(lines[0]), has_target, "{name}:\n{printed}");
        }
    }
    for figure in ["60000 events: time per event", "instructions per event"] {
        assert!(printed.contains(figure), "{figure}:\n{printed}");
    }
}
