//! However a program ends, and whatever disk its trace is written to: standard output and exit
//! status are those of the same program without recording, and what was written can be read and is
//! the truth.

use crate::not_tested::not_tested;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pgas_trace::buffers::{self, Collected};
use pgas_trace::{Experiment, Metadata, experiment};
use rustix::process::{Pid, Signal, kill_process};

use crate::bench::Bench;
use crate::sequence;

const THREADS: u32 = 2;

/// Where the streams are to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disk {
    Good,
    /// Room for a part of the trace.
    Full,
    ReadOnly,
    /// Files may not become larger than a part of the trace.
    Limited,
}

/// Ends of `ends.upc`; a signal is sent to the program from outside.
pub const ENDS: [&str; 17] = [
    "return",
    "12",
    "exit",
    "exit in one thread",
    "global exit",
    "_exit",
    "abort",
    "crash",
    "null",
    "exec",
    "fork",
    "SIGTERM",
    "SIGINT",
    "SIGHUP",
    "SIGTERM in usleep",
    "SIGINT in poll",
    "SIGHUP in pause",
];

pub struct Ends {
    bench: Bench,
    rounds: u64,
}

/// A file system in memory on a directory, as long as this exists.
struct Mount(PathBuf);

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// How a program ended, and what it printed.
type Outcome = (Option<i32>, Option<i32>, String);

impl Ends {
    pub fn new(rounds: u64) -> Self {
        let bench = Bench::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torture/programs/ends.upc");
        let mut command = bench.command(&["compile", "--upcc", "embedded", "-O1", "-o", "ends"]);
        command.args(["--accesses", "all", "--functions", "all"]);
        command.arg(source).assert().success();
        Self { bench, rounds }
    }

    /// Runs the program without recording and with it on that disk. False, with a line that says
    /// so, if there can be no such disk here.
    pub fn try_end(&self, end: &str, disk: Disk) -> bool {
        let context = format!("{end}, {disk:?}");
        let plain = self.run(end, None, disk, &context);
        let experiment = self.bench.path("experiment");
        experiment::create(&experiment, &Metadata::new("ends", &[], THREADS)).unwrap();
        let streams = experiment.join("streams");
        let mount = match disk {
            Disk::Full => mounted(&streams, "size=64k"),
            Disk::ReadOnly => mounted(&streams, "ro,size=64k"),
            Disk::Good | Disk::Limited => None,
        };
        if mount.is_none() && disk == Disk::ReadOnly {
            fs::set_permissions(&streams, fs::Permissions::from_mode(0o555)).unwrap();
        }
        let possible = match disk {
            Disk::Full => mount.is_some(),
            Disk::ReadOnly => fs::File::create(streams.join("probe")).is_err(),
            Disk::Good | Disk::Limited => true,
        };
        if possible {
            let measured = self.run(end, Some(&experiment), disk, &context);
            assert_eq!(measured, plain, "{context}: with recording, and without");
            self.check(&experiment, end, disk, &context);
        } else {
            not_tested(&format!(
                "{context}: this user cannot mount a small disk or is not stopped by permissions"
            ));
        }
        let _ = fs::set_permissions(&streams, fs::Permissions::from_mode(0o755));
        drop(mount);
        fs::remove_dir_all(&experiment).unwrap();
        possible
    }

    fn run(&self, end: &str, experiment: Option<&Path>, disk: Disk, context: &str) -> Outcome {
        // A shell that runs the test in the background may have made it ignore signals, which
        // programs inherit.
        let mut command = Command::new("env");
        command.args(["--default-signal=TERM,INT,HUP", "sh"]);
        // In blocks of 512 bytes: 32 KiB.
        let limit = if disk == Disk::Limited {
            "ulimit -f 64; "
        } else {
            ""
        };
        command.args(["-c", &format!("{limit}exec \"$0\" \"$@\"")]);
        crate::bench::clean(|name| {
            command.env_remove(name);
        });
        let (name, how) = end.split_once(" in ").unwrap_or((end, "wait"));
        let signal = match name {
            "SIGTERM" => Some(Signal::TERM),
            "SIGINT" => Some(Signal::INT),
            "SIGHUP" => Some(Signal::HUP),
            _ => None,
        };
        command
            .arg(self.bench.path("ends"))
            .arg(self.rounds.to_string())
            .arg(if signal.is_some() { how } else { end })
            .env("PGAS_THREADS", THREADS.to_string())
            .env("PGAS_BUFFER", "8K")
            .env("PGAS_COMPRESS", "none")
            .env("PGAS_THROTTLE", "off")
            .env("PGAS_NO_CORE", "0")
            .current_dir(self.bench.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(experiment) = experiment {
            command.env("PGAS_EXPERIMENT", experiment);
        }
        let mut child = command.spawn().unwrap();
        let mut printed = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        if let Some(signal) = signal {
            while !printed.ends_with("ready\n") {
                let read = out.read_line(&mut printed).unwrap();
                assert!(read > 0, "{context}: {printed}");
            }
            kill_process(Pid::from_child(&child), signal).unwrap();
        }
        out.read_to_string(&mut printed).unwrap();
        let status = child.wait().unwrap();
        (status.code(), status.signal(), printed)
    }

    fn check(&self, experiment: &Path, end: &str, disk: Disk, context: &str) {
        if disk == Disk::ReadOnly {
            assert!(Experiment::open(experiment).is_err(), "{context}");
            return;
        }
        // The parent of all threads has done that.
        assert_eq!(
            buffers::collect(experiment),
            Collected::default(),
            "{context}"
        );
        let experiment =
            Experiment::open(experiment).unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(experiment.streams().len(), THREADS as usize, "{context}");
        let orderly = ["return", "12", "exit", "exit in one thread", "fork"].contains(&end);
        for stream in experiment.streams() {
            let shown = sequence::check(stream, context);
            match disk {
                Disk::Good if orderly => {
                    assert!(stream.complete(), "{context}: {:?}", stream.remarks());
                    assert_eq!(shown.rounds, self.rounds, "{context}");
                    assert_eq!(shown.events, sequence::events_of(self.rounds), "{context}");
                }
                // Signals that come while it works, come at any time.
                Disk::Good if !["SIGTERM", "SIGINT", "SIGHUP"].contains(&end) => {
                    assert_eq!(shown.rounds, self.rounds, "{context}");
                    assert_eq!(shown.events, sequence::events_of(self.rounds), "{context}");
                }
                _ => assert!(shown.rounds > 10, "{context}: {shown:?}"),
            }
        }
    }
}

/// Mounts a file system in memory; `None` without the right to.
fn mounted(directory: &Path, options: &str) -> Option<Mount> {
    let status = Command::new("mount")
        .args(["-t", "tmpfs", "-o", options, "pgas-torture"])
        .arg(directory)
        .stderr(Stdio::null())
        .status();
    status
        .is_ok_and(|status| status.success())
        .then(|| Mount(directory.to_owned()))
}
