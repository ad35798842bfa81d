//! Programs that run with live pages, for tests that watch them, and the metrics of their threads.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::pgastool;

/// A program that runs in the experiment `e`; killed when it goes out of scope.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `pgastool run` of the program `p` in `dir` with these options, once its experiment is there.
pub fn start(dir: &Path, threads: &str, options: &[&str]) -> Running {
    let running = pgastool(dir)
        .args(["run", "-o", "e", "-n", threads])
        .args(options)
        .arg("./p")
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn();
    let running = Running(running.unwrap());
    while !dir.join("e/experiment.json").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    running
}

/// `pgastool watch` of that program.
pub fn watch(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = pgastool(dir);
    command.args(["watch", "e"]).args(arguments);
    command
}

/// The same for one short period.
pub fn watch_once(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = watch(dir, &["--once", "--period", "100ms"]);
    command.args(arguments);
    command
}

/// The metric of each of two threads, once both are in this phase.
pub fn metrics(dir: &Path, phase: u64) -> impl Fn(&str) -> [Value; 2] {
    let begin = Instant::now();
    loop {
        let output = watch_once(dir, &["--json"]).output().unwrap();
        let picture = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        if of(&picture, "phase")
            .iter()
            .all(|metric| metric["integer"] == phase)
        {
            return move |name| of(&picture, name);
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{picture:#}");
    }
}

fn of(picture: &Value, name: &str) -> [Value; 2] {
    [0, 1].map(|thread| {
        let all = picture["now"][thread]["metrics"].as_array();
        let mut all = all.into_iter().flatten();
        all.find(|metric| metric["name"] == name)
            .cloned()
            .unwrap_or(Value::Null)
    })
}

/// Values of a timer.
pub fn seconds(metrics: &[Value; 2]) -> [f64; 2] {
    [0, 1].map(|thread| metrics[thread]["value"].as_f64().unwrap())
}
