//! `pgastool view`: on a terminal of its own, in viewers and browsers that stand in for real ones,
//! and where there is nothing to show a result on.

mod pseudo_terminal;

use pgas_cube::model::{
    CallPath, CallPathId, Cube, Metric, MetricId, Region, RegionId, Thread, Unit,
};
use pgas_result::{AnalysisResult, parse_summary};
use pgas_trace::metadata::Metadata;
use pseudo_terminal::{Terminal, end};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An experiment with a small result.
struct Experiment {
    directory: tempfile::TempDir,
}

impl Experiment {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut cube = Cube::default();
        cube.metrics.push(Metric {
            display_name: "Time".into(),
            unique_name: "time".into(),
            unit: Unit::Seconds,
            url: String::new(),
            description: "All time.".into(),
            parent: None,
        });
        cube.regions.push(Region {
            name: "main".into(),
            module: "a.upc".into(),
            begin_line: 1,
            end_line: 9,
            description: String::new(),
        });
        cube.call_paths.push(CallPath {
            region: RegionId(0),
            parent: None,
            file: "a.upc".into(),
            line: 1,
        });
        cube.machine = "machine".into();
        cube.nodes.push("node".into());
        cube.threads.push(Thread {
            name: "Thread 0".into(),
            node: 0,
            process: 0,
        });
        cube.row_mut(MetricId(0), CallPathId(0))[0] = 1.5;
        let summary = r#"{"schema": 1, "program": "prog", "arguments": [], "threads": 1, "wall_seconds": 1.5,
            "efficiency": {"load_balance": 1, "communication_efficiency": 1, "parallel_efficiency": 1},
            "findings": [], "instances": [], "remarks": []}"#;
        let summary = parse_summary(summary.as_bytes(), Path::new("summary")).unwrap();
        AnalysisResult { cube, summary }
            .save(directory.path())
            .unwrap();
        Experiment { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn profile(&self) -> PathBuf {
        AnalysisResult::profile_path(self.directory.path())
            .canonicalize()
            .unwrap()
    }

    fn view(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgastool"));
        command
            .arg("view")
            .args(arguments)
            .arg(self.directory.path());
        for name in [
            "BROWSER",
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "PGAS_CUBE_VIEWER",
            "NO_COLOR",
            "COLORTERM",
        ] {
            command.env_remove(name);
        }
        command
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8");
        command.stdin(Stdio::null());
        command
    }

    /// A program that writes its last argument into the file `seen`.
    fn stand_in(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        let seen = self.path("seen");
        let script = format!(
            "#!/bin/sh\nfor last; do :; done\nprintf '%s' \"$last\" > '{}'\n",
            seen.display()
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn seen(&self) -> PathBuf {
        PathBuf::from(fs::read_to_string(self.path("seen")).unwrap())
    }
}

fn refused(output: &Output) -> String {
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{err}");
    err
}

#[test]
fn into_a_pipe_the_report_is_proposed() {
    let experiment = Experiment::new();
    let output = experiment.view(&[]).output().unwrap();
    let err = refused(&output);
    assert!(
        err.contains("no terminal") && err.contains("pgastool report"),
        "{err}"
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn cubes_viewer_gets_the_profile() {
    let experiment = Experiment::new();
    let viewer = experiment.stand_in("viewer");
    let mut command = experiment.view(&["--cube"]);
    let output = command.env("PGAS_CUBE_VIEWER", viewer).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(experiment.seen(), experiment.profile());

    let nothing = experiment.path("nothing");
    fs::create_dir(&nothing).unwrap();
    let output = experiment.view(&["--cube"]).env("PATH", nothing).output();
    let err = refused(&output.unwrap());
    let profile = experiment.profile();
    assert!(
        err.contains("cubegui") && err.contains(profile.to_str().unwrap()),
        "{err}"
    );
}

#[test]
fn a_viewer_that_fails_is_no_success() {
    let experiment = Experiment::new();
    let mut command = experiment.view(&["--cube"]);
    let output = command.env("PGAS_CUBE_VIEWER", "false").output().unwrap();
    let err = refused(&output);
    assert!(
        err.contains("false ended with") && err.contains("DISPLAY"),
        "{err}"
    );
}

#[test]
fn the_browser_gets_the_page() {
    let experiment = Experiment::new();
    let browser = experiment.stand_in("browser");
    // The first one fails, and the next one is tried.
    let browsers = format!("false:{} --new", browser.display());
    let mut command = experiment.view(&["--web"]);
    let output = command.env("BROWSER", browsers).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(experiment.seen()).unwrap();
    assert!(page.to_lowercase().starts_with("<!doctype html"));
    assert!(experiment.seen().ends_with("analysis/report.html"));
}

/// The server's answer to a request.
fn ask(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn without_a_display_the_page_is_served_to_those_who_know_the_address() {
    let experiment = Experiment::new();
    let mut child = experiment
        .view(&["--web"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut address).unwrap();
    let rest = address.trim().strip_prefix("http://127.0.0.1:").unwrap();
    let (port, path) = rest.split_once('/').unwrap();
    let port: u16 = port.parse().unwrap();
    assert!(path.len() > 30, "{address}");

    // One that says nothing keeps nobody else waiting.
    let silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let page = ask(port, &format!("GET /{path} HTTP/1.1\r\nHost: x\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200"), "{}", &page[..100]);
    assert!(page.to_lowercase().contains("<!doctype html"));
    let head = ask(port, &format!("HEAD /{path} HTTP/1.1\r\n\r\n"));
    assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"));
    for other in [
        "/",
        "/index.html",
        "/../../etc/passwd",
        &format!("/{}", &path[1..]),
    ] {
        let answer = ask(port, &format!("GET {other} HTTP/1.1\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 404"), "{other}: {answer}");
    }
    let answer = ask(port, &format!("POST /{path} HTTP/1.1\r\n\r\n"));
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");

    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}");
    let mut err = String::new();
    child.stderr.unwrap().read_to_string(&mut err).unwrap();
    assert!(
        err.contains(&format!("ssh -L {port}:127.0.0.1:{port}")),
        "{err}"
    );
    drop(silent);
}

#[test]
fn slow_connections_do_not_block_the_server() {
    let experiment = Experiment::new();
    let mut child = experiment
        .view(&["--web"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut address).unwrap();
    let rest = address.trim().strip_prefix("http://127.0.0.1:").unwrap();
    let (port, path) = rest.split_once('/').unwrap();
    let port: u16 = port.parse().unwrap();
    let slow: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            // One that was given up refuses it.
            let _ = stream.write_all(b"GET /");
            stream
        })
        .collect();
    for _ in 0..40 {
        let page = ask(port, &format!("GET /{path} HTTP/1.1\r\n\r\n"));
        assert!(page.starts_with("HTTP/1.1 200"), "{page:?}");
    }
    drop(slow);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    end(&mut child);
}

#[test]
fn a_port_that_was_asked_for_is_served_until_a_signal_comes_and_taken_by_one_server() {
    let experiment = Experiment::new();
    // One that is free now: the system has just given it away, and takes it back.
    let port = {
        let free = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        free.local_addr().unwrap().port()
    };
    let serve = format!("--serve={port}");
    let mut child = experiment
        .view(&[&serve])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut address).unwrap();
    let path = address
        .trim()
        .strip_prefix(&format!("http://127.0.0.1:{port}"))
        .unwrap();
    let page = ask(port, &format!("GET {path} HTTP/1.1\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200"), "{}", &page[..100]);

    let output = experiment.view(&[&serve]).output().unwrap();
    let err = refused(&output);
    assert!(err.contains(&port.to_string()), "{err}");
    assert!(err.contains("without a port"), "{err}");

    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    end(&mut child);
}

#[test]
fn the_terminal_is_taken_and_given_back() {
    let experiment = Experiment::new();
    let mut terminal = Terminal::start(&mut experiment.view(&[]));
    terminal.shows("Findings");
    terminal.types("2");
    terminal.shows("Call paths");
    terminal.types("q");
    // The alternate screen is left, and the cursor shown.
    terminal.shows("\u{1b}[?1049l");
    assert!(end(&mut terminal.child).success());
}

#[test]
fn a_terminal_that_is_gone_ends_the_viewer() {
    let experiment = Experiment::new();
    let mut terminal = Terminal::start(&mut experiment.view(&[]));
    terminal.shows("Findings");
    drop(terminal.master);
    // Not by the signal of a session's end: this is no terminal of a session.
    let status = end(&mut terminal.child);
    assert_eq!(status.signal(), None, "{status}");
}

#[test]
fn a_signal_ends_the_viewer_and_the_terminal_is_given_back() {
    let experiment = Experiment::new();
    let mut terminal = Terminal::start(&mut experiment.view(&[]));
    terminal.shows("Findings");
    kill_process(Pid::from_child(&terminal.child), Signal::TERM).unwrap();
    terminal.shows("\u{1b}[?1049l");
    assert!(!end(&mut terminal.child).success());
}

/// A result without source text, as of an earlier version, of a program that ran elsewhere.
#[test]
fn source_that_was_not_kept_is_found_where_the_program_ran() {
    let experiment = Experiment::new();
    let ran = tempfile::tempdir().unwrap();
    fs::write(ran.path().join("a.upc"), "int its_source;\n").unwrap();
    let mut metadata = Metadata::new("./prog", &[], 1);
    metadata.directory = Some(ran.path().to_str().unwrap().into());
    metadata.save(experiment.directory.path()).unwrap();
    let mut terminal = Terminal::start(&mut experiment.view(&[]));
    terminal.shows("Findings");
    terminal.types("3");
    terminal.shows("int its_source;");
    terminal.types("q");
    assert!(end(&mut terminal.child).success());
}
