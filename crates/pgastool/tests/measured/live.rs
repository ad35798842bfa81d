//! A program that runs with live pages, and the metrics that `watch` shows of its two threads.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::pgastool;

/// A run, which ends with the test.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts `./p` with two threads and these options of `run`, into the experiment `e`.
pub fn start(dir: &Path, options: &[&str]) -> Running {
    let running = pgastool(dir)
        .args(["run", "-o", "e", "-n", "2"])
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

/// `watch` of one short period.
pub fn watch(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = pgastool(dir);
    command
        .args(["watch", "e", "--once", "--period", "100ms"])
        .args(arguments);
    command
}

/// The metric of each thread, once all threads are in this phase.
pub fn metrics(dir: &Path, phase: u64) -> impl Fn(&str) -> [Value; 2] {
    let begin = Instant::now();
    loop {
        let output = watch(dir, &["--json"]).output().unwrap();
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
