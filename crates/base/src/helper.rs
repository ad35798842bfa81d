//! Helper programs whose output is read, with a time limit: compilers and launchers that are asked
//! what they are, and small commands of the tool itself.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, set_parent_process_death_signal};
use shared_child::SharedChild;

/// How long a program may take to state its name and version. Berkeley's compiler asks its
/// translator, which may be on another machine.
pub const QUESTION: Duration = Duration::from_secs(20);

/// How long a program may take to make something small.
pub const WORK: Duration = Duration::from_secs(600);

/// Time for the output to arrive after the end of the program: a process that it started and left
/// running may hold the pipe open for ever.
const AFTERWARDS: Duration = Duration::from_secs(2);

/// Bytes of each output that are kept. A program that writes more finds the pipe closed.
const MOST: u64 = 16 << 20;

/// Runs a command without input and returns how it ended and what it wrote. At the time limit it is
/// killed, with all that it started.
///
/// # Errors
/// Those of the operating system; [`io::ErrorKind::TimedOut`].
pub fn output(command: &mut Command, limit: Duration) -> io::Result<Output> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Processes that it starts belong to its group, which can be killed as a whole.
        .process_group(0);
    // SAFETY: one system call, which is allowed between fork and exec.
    unsafe {
        // A signal from the terminal reaches this process only, and takes the helper along.
        command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::TERM))?));
    }
    let child = SharedChild::spawn(command)?;
    let stdout = child.take_stdout().map(in_background);
    let stderr = child.take_stderr().map(in_background);
    let Some(status) = child.wait_timeout(limit)? else {
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        // It is not waited for yet, so that its number is nobody else's.
        let killed = group.map(|group| kill_process_group(group, Signal::KILL));
        if killed != Some(Ok(())) {
            child.kill()?;
        }
        child.wait()?;
        let within = format!("it did not end within {} seconds", limit.as_secs());
        return Err(io::Error::new(io::ErrorKind::TimedOut, within));
    };
    let end = Instant::now() + AFTERWARDS;
    Ok(Output {
        status,
        stdout: stdout
            .map(|parts| collected(&parts, end))
            .unwrap_or_default(),
        stderr: stderr
            .map(|parts| collected(&parts, end))
            .unwrap_or_default(),
    })
}

/// Passes on what arrives in a pipe.
fn in_background(pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut pipe = pipe.take(MOST);
        let mut buffer = vec![0; 1 << 16];
        loop {
            match pipe.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // An error ends the text as the end of it does, and nobody may wait any more.
                Ok(0) | Err(_) => break,
                Ok(length) if sender.send(buffer[..length].to_vec()).is_err() => break,
                Ok(_) => {}
            }
        }
    });
    receiver
}

/// Bytes that arrive before the end of the pipe, at most until `end`.
fn collected(parts: &Receiver<Vec<u8>>, end: Instant) -> Vec<u8> {
    let mut all = Vec::new();
    while let Ok(part) = parts.recv_timeout(end.saturating_duration_since(Instant::now())) {
        all.extend(part);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{PidfdFlags, pidfd_open};

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_program_ends_and_has_written_on_both_outputs() {
        let script = "read line; echo out; echo error >&2; head -c 1000000 /dev/zero; exit 3";
        let ended = output(&mut shell(script), WORK).unwrap();
        assert_eq!(ended.status.code(), Some(3));
        assert_eq!(ended.stdout.len(), 4 + 1_000_000);
        assert!(ended.stdout.starts_with(b"out\n"));
        assert_eq!(ended.stderr, b"error\n");
        let missing = output(&mut Command::new("/nothing/program"), WORK);
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn output_without_end_is_cut_off() {
        let ended = output(&mut Command::new("yes"), WORK).unwrap();
        assert_eq!(ended.stdout.len() as u64, MOST);
        assert!(!ended.status.success());
    }

    #[test]
    fn a_pipe_that_stays_open_is_not_waited_for() {
        let ended = output(&mut shell("echo out; sleep 1000 & echo $!"), WORK).unwrap();
        let said = String::from_utf8(ended.stdout).unwrap();
        let (out, left) = said.trim().split_once('\n').unwrap();
        assert_eq!(out, "out");
        let left = Pid::from_raw(left.parse().unwrap()).unwrap();
        rustix::process::kill_process(left, Signal::KILL).unwrap();
    }

    #[test]
    fn at_the_time_limit_everything_that_was_started_ends() {
        let here = tempfile::tempdir().unwrap();
        let mut command = shell("sleep 1000 & echo $! >started; mv started grandchild; wait");
        let late = output(command.current_dir(here.path()), Duration::from_secs(3)).unwrap_err();
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
        let number = std::fs::read_to_string(here.path().join("grandchild")).unwrap();
        let grandchild = Pid::from_raw(number.trim().parse().unwrap()).unwrap();
        // If it has ended already, its number is nobody's.
        if let Ok(descriptor) = pidfd_open(grandchild, PidfdFlags::empty()) {
            let mut ends = [PollFd::new(&descriptor, PollFlags::IN)];
            let minute = Timespec {
                tv_sec: 60,
                tv_nsec: 0,
            };
            assert_eq!(poll(&mut ends, Some(&minute)), Ok(1), "it still runs");
        }
    }
}
