//! Programs that run with live pages, for tests that watch them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

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
