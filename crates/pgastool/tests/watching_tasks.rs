//! A program of tasks while it runs. It is a test of this file that runs only when `pgastool run`
//! starts this file again.

mod measured;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use measured::{pgastool, succeed};
use pgas_tasks::{Closed, Input, Output, bounded, channel, create, run};
use serde_json::Value;

/// While there is this file, the program goes on.
const GOES_ON: &str = "goes-on";

fn goes_on() -> bool {
    Path::new(GOES_ON).exists()
}

#[test]
#[ignore = "a program that another test watches"]
fn pipeline() {
    let failure = run(sink, ()).expect_err("two tasks wait for each other");
    assert!(failure.to_string().contains("deadlock"), "{failure}");
}

async fn sink() {
    let (read, raw) = bounded(4);
    let (smoothed, mut smooth) = bounded(4);
    create(reader, (read,));
    create(smoother, (raw, smoothed));
    let (there, here) = (channel(), channel());
    create(partner, (there.0, here.1, 2));
    create(partner, (here.0, there.1, 1));
    while smooth.receive().await.is_some() {}
}

async fn reader(output: Output<u64>) -> Result<(), Closed> {
    while goes_on() {
        output.send(0).await?;
    }
    Ok(())
}

/// The slow stage.
async fn smoother(mut input: Input<u64>, output: Output<u64>) -> Result<(), Closed> {
    while let Some(number) = input.receive().await {
        let begin = std::time::Instant::now();
        while begin.elapsed().as_millis() < 5 {}
        output.send(number).await?;
    }
    Ok(())
}

/// Sends a message, and waits for one more than the other one sends.
async fn partner(output: Output<u64>, mut input: Input<u64>, number: u64) -> Result<(), Closed> {
    output.send(number).await?;
    input.receive().await;
    input.receive().await;
    Ok(())
}

/// The program under `pgastool run --live`, which ends when its file goes.
struct Running {
    tool: Child,
    folder: tempfile::TempDir,
}

impl Running {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(GOES_ON), "").expect("a file");
        let mut run = pgastool(folder.path());
        run.args(["run", "--live", "-n", "4", "-o", "e", "--"])
            .arg(std::env::current_exe().expect("this file"))
            .args(["--ignored", "--exact", "--nocapture", "pipeline"])
            .stdout(Stdio::null());
        let tool = run.spawn().expect("pgastool");
        Running { tool, folder }
    }

    /// The first picture that has something.
    fn wait_for(&self, what: impl Fn(&Value) -> bool) -> Value {
        let mut watch = self.watch();
        let lines = BufReader::new(watch.stdout.take().expect("a pipe"));
        let mut pictures = lines.lines().map(|line| {
            let line = line.expect("a line");
            serde_json::from_str::<Value>(&line).unwrap_or_else(|_| panic!("{line}"))
        });
        let found = pictures.find(what);
        watch.kill().expect("a child");
        watch.wait().expect("an end");
        found.expect("the program has not ended")
    }

    fn watch(&self) -> Child {
        // The experiment is there when its manager is.
        let manager = self.folder.path().join("e/live/manager.json");
        while !manager.exists() {
            std::thread::yield_now();
        }
        let mut watch = pgastool(self.folder.path());
        watch
            .args(["watch", "--json", "./e"])
            .stdout(Stdio::piped());
        watch.spawn().expect("pgastool")
    }

    /// Lets the program end; returns its folder.
    fn end(mut self) -> tempfile::TempDir {
        std::fs::remove_file(self.folder.path().join(GOES_ON)).expect("a file");
        assert!(self.tool.wait().expect("an end").success());
        self.folder
    }
}

fn function(of: &Value) -> &str {
    of["place"]["region"].as_str().expect("a function")
}

#[test]
fn a_slow_stage_and_a_deadlock_are_named_while_the_program_runs() {
    let running = Running::start();
    let is_known = |picture: &Value| {
        let findings = picture["findings"].as_array().expect("findings");
        let of_channels = findings.iter().filter(|one| one["level"] == "channel");
        of_channels.count() == 2 && picture["tasks"]["stuck"][1]["is_deadlocked"] == true
    };
    let picture = running.wait_for(is_known);
    check_finding(&picture);
    check_stuck(&picture["tasks"]);
    let smoother = picture["tasks"]["tasks"].as_array().expect("tasks").iter();
    let smoother = smoother.filter(|task| function(task) == "smoother");
    let smoother: Vec<&Value> = smoother.collect();
    assert_eq!(smoother.len(), 1);
    assert_eq!(picture["tasks"]["omitted_tasks"], 0);
    let folder = running.end();
    succeed(pgastool(folder.path()).args(["analyze", "e"]));
    let report = succeed(pgastool(folder.path()).args(["report", "e"])).stdout;
    let report = String::from_utf8(report).expect("UTF-8");
    let words: Vec<&str> = report.split_whitespace().collect();
    let words = words.join(" ");
    assert!(
        words.contains("(smoother) cannot keep up with task 1 (reader)"),
        "{report}"
    );
}

fn check_finding(picture: &Value) {
    let findings = picture["findings"].as_array().expect("findings");
    let slow = |who: &str| {
        let found = findings.iter().find(|one| one["slow"] == who);
        let found = found.unwrap_or_else(|| panic!("no slow {who}: {findings:?}"));
        ["producer", "consumer"].map(|end| function(&found[end]).to_owned())
    };
    assert_eq!(slow("consumer"), ["reader", "smoother"]);
    assert_eq!(slow("producer"), ["smoother", "sink"]);
}

fn check_stuck(tasks: &Value) {
    let stuck = tasks["stuck"].as_array().expect("stuck tasks");
    let functions: Vec<&str> = stuck.iter().map(function).collect();
    assert_eq!(functions, ["partner", "partner"]);
    assert!(stuck.iter().all(|one| one["state"] == "receiving"));
}
