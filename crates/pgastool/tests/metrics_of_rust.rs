//! Metrics of Rust code that is linked into a UPC program, by the crate `pgas-program-metrics`:
//! `watch` shows the values that it has set.

mod measured;

use std::path::{Path, PathBuf};
use std::process::Command;

use measured::live::{metrics, seconds, start, watch_once};
use measured::{pgastool, succeed};

/// Each thread: 30 ms of `solving` in two scopes, one second in `attached`. Besides the metrics
/// that it shows, 20 more are registered, for 9 of which there is room; two more are not valid.
const SOLVER: &str = r#"
use std::thread::sleep;
use std::time::Duration;
use pgas_program_metrics::{Counter, MetricError, Timer, define};

#[unsafe(no_mangle)]
pub extern "C" fn solve(thread: u32) -> i32 {
    match keep_metrics(thread) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("{error}");
            1
        }
    }
}

fn keep_metrics(thread: u32) -> Result<(), MetricError> {
    let number = Counter::numbered(3)?;
    number.add(10 + u64::from(thread));
    number.subtract(4);
    let solving = Timer::new("solving")?;
    let seen = Counter::new("seen")?;
    for milliseconds in [10, 20] {
        let _running = solving.scope();
        sleep(Duration::from_millis(milliseconds));
    }
    sleep(Duration::from_millis(1));
    seen.set(solving.elapsed().as_millis() as u64);
    let attached = Counter::new("attached")?;
    attached.set(1_000_000_000);
    attached.attach();
    define("odd = time() if phase == 2 and thread == 1")?;
    let phase = Counter::new("phase")?;
    let refused = Counter::new("refused")?;
    for number in 0..20 {
        if let Err(MetricError::AllInUse { .. }) = Counter::new(&format!("m{number}")) {
            refused.add(1);
        }
    }
    if let Err(MetricError::OtherKind { .. }) = Timer::new("refused") {
        refused.add(1);
    }
    if let Err(MetricError::Definition { .. }) = define("odd = tim()") {
        refused.add(1);
    }
    phase.set(2);
    Ok(())
}
"#;

const PROGRAM: &str = "#include <upc.h>
#include <unistd.h>
extern int solve(unsigned thread);
int main(void) {
  if (solve(MYTHREAD)) return 1;
  while (access(\"end\", F_OK)) { upc_fence; usleep(1000); }
  return 0;
}
";

/// A static library of Rust, as a user makes it.
fn static_library(dir: &Path) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../program-metrics");
    let manifest = format!(
        "[package]\nname = \"solver\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ncrate-type \
         = [\"staticlib\"]\n[dependencies]\npgas-program-metrics = {{ path = {package:?} }}\n"
    );
    std::fs::create_dir_all(dir.join("solver/src")).unwrap();
    std::fs::write(dir.join("solver/Cargo.toml"), manifest).unwrap();
    std::fs::write(dir.join("solver/src/lib.rs"), SOLVER).unwrap();
    let mut build = Command::new(env!("CARGO"));
    build
        .args(["build", "--release", "--offline", "--target-dir", "target"])
        .current_dir(dir.join("solver"));
    succeed(&mut build);
    dir.join("solver/target/release/libsolver.a")
}

#[test]
fn rust_code_in_a_upc_program_has_metrics_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let library = static_library(dir);
    std::fs::write(dir.join("p.upc"), PROGRAM).unwrap();
    let compile = ["compile", "-o", "p", "p.upc"];
    succeed(pgastool(dir).args(compile).arg(&library));
    let _running = start(dir, "2", &["--live"]);

    let metric = metrics(dir, 2);
    for (name, expected) in [("metric 3", [6, 7]), ("refused", [13, 13])] {
        let found = metric(name);
        let values = [0, 1].map(|thread| found[thread]["integer"].as_u64());
        assert_eq!(values, expected.map(Some), "{name}: {found:?}");
    }
    assert_eq!(seconds(&metric("attached")), [1.0, 1.0]);
    // Sleeping takes no less than it should.
    let solving = metric("solving");
    for thread in [0, 1] {
        assert_eq!(solving[thread]["is_running"], false);
        let seen = metric("seen")[thread]["integer"].as_u64().unwrap();
        assert!(seen >= 30, "{seen} ms");
    }
    assert!(seconds(&solving).iter().all(|&time| time >= 0.03));
    let odd = metric("odd");
    assert_eq!(
        [&odd[0]["is_running"], &odd[1]["is_running"]],
        [false, true]
    );
    let line = watch_once(dir, &["--text"]).output().unwrap();
    let line = String::from_utf8(line.stdout).unwrap();
    assert!(
        line.contains("metric 3 6 to 7;") && line.contains("refused 13;"),
        "{line}"
    );
    std::fs::write(dir.join("end"), "").unwrap();
}

/// The same library in a program that nobody measures.
#[test]
fn rust_code_does_without_a_recorder() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let library = static_library(dir);
    let program = "extern int solve(unsigned thread);\nint main(void) { return solve(0); }\n";
    std::fs::write(dir.join("p.c"), program).unwrap();
    succeed(
        Command::new("cc")
            .current_dir(dir)
            .args(["-o", "p", "p.c"])
            .arg(&library)
            .args(["-lpthread", "-ldl", "-lm"]),
    );
    succeed(&mut Command::new(dir.join("p")));
}
