//! The agent of a node: started with the first process of the program there, in a process of its own
//! that the program does not notice.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pgas_live::place::{self, PLACE};
use pgas_measure::settings::METRIC_FUNCTIONS;
use pgas_monitor::{NodeBoard, NodePart};
use pgas_ring::{Agent, Node, Secret};

use crate::failure::{Failure, Outcome};

/// In the experiment: where agents find what they need.
pub(super) const DIRECTORY: &str = "live";
/// The secret of the run.
pub(super) const SECRET: &str = "ring.secret";
/// Addresses of the manager.
pub(super) const MANAGER: &str = "ring.json";

/// The first thread of a node must have begun after this time.
const BEGIN: Duration = Duration::from_secs(120);
/// Time for a connection to the manager.
const CONNECT: Duration = Duration::from_millis(500);

/// Whether the run of this experiment is sampled by agents, and has not ended.
pub fn is_on_nodes(experiment: &Path) -> bool {
    experiment.join(DIRECTORY).join(MANAGER).exists()
}

/// Words in front of a program that start an agent on its node, and the program in any case.
pub fn starter(tool: &Path, experiment: &Path) -> Vec<OsString> {
    const SCRIPT: &str = "test -x \"$0\" && \"$0\" agent --start \"$1\"; shift; exec \"$@\"";
    let words = ["/bin/sh", "-c", SCRIPT].map(OsString::from);
    words
        .into_iter()
        .chain([tool.into(), experiment.into()])
        .collect()
}

/// Starts the agent of this node, unless it has one.
///
/// # Errors
/// If the process cannot be started.
pub fn start(key: &str, experiment: &Path) -> Outcome {
    if !is_on_nodes(experiment) || lock(key)?.is_none() {
        return Ok(0);
    }
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("agent").arg(experiment).current_dir("/");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // SAFETY: setsid may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            rustix::process::setsid()?;
            Ok(())
        });
    }
    command.spawn()?;
    Ok(0)
}

/// Is the agent of this node until the program has ended here.
///
/// # Errors
/// If it cannot read what the manager has left in the experiment, or reach it.
pub fn work(key: &str, experiment: &Path) -> Outcome {
    let Some(_lock) = lock(key)? else {
        return Ok(0);
    };
    let directory = experiment.join(DIRECTORY);
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("no agent: {error}"));
    let secret = Secret::load(&directory.join(SECRET)).map_err(|error| failed(&error))?;
    let all = std::fs::read(directory.join(MANAGER))?;
    let all: Vec<SocketAddr> = serde_json::from_slice(&all)?;
    let reached = all.iter().find_map(|manager| {
        let stream = TcpStream::connect_timeout(manager, CONNECT).ok()?;
        Some((*manager, stream.local_addr().ok()?.ip()))
    });
    let Some((manager, own)) = reached else {
        return Err(failed(&format_args!(
            "none of the manager's addresses {all:?} answers"
        )));
    };
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    let agent = Agent::start(&name, SocketAddr::new(own, 0), manager, &secret)?;
    agent.work(&mut LiveNode {
        key: key.to_owned(),
        board: NodeBoard::new(Path::new(PLACE), key, experiment),
        begin: Instant::now(),
        has_begun: false,
    });
    Ok(0)
}

/// Of the agent of this node; `None` if another process has it.
fn lock(key: &str) -> io::Result<Option<File>> {
    let path = place::agent_file(Path::new(PLACE), key);
    let file = File::options().create(true).append(true).open(path)?;
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

struct LiveNode {
    key: String,
    board: NodeBoard,
    begin: Instant,
    has_begun: bool,
}

impl Drop for LiveNode {
    fn drop(&mut self) {
        place::remove_metrics(Path::new(PLACE), &self.key);
        let _ = std::fs::remove_file(place::agent_file(Path::new(PLACE), &self.key));
    }
}

impl Node for LiveNode {
    fn look(&mut self) -> io::Result<NodePart> {
        self.board.look()
    }

    fn peek(&mut self) -> io::Result<NodePart> {
        self.board.peek()
    }

    fn keep(&mut self, definitions: &str, functions: &str) {
        let path = place::metrics_file(Path::new(PLACE), &self.key);
        let mut beside = OsString::from(&path);
        beside.push(METRIC_FUNCTIONS);
        // A recorder that cannot be told keeps what it has; `watch` sees that nothing came of it.
        for (path, text) in [(PathBuf::from(beside), functions), (path, definitions)] {
            let _ = crate::output::write_file(&path, text.as_bytes());
        }
    }

    fn is_over(&mut self) -> bool {
        let all = place::all(Path::new(PLACE)).unwrap_or_default();
        let is_there = all.iter().any(|found| found.key == self.key);
        self.has_begun |= is_there;
        !is_there && (self.has_begun || self.begin.elapsed() > BEGIN)
    }
}
