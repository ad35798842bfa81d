//! Runs another program as a shell would: it has the terminal, gets the signals that are meant for
//! it, and its exit status is passed on.

use rustix::process::{
    Pid, Signal, getpid, getppid, kill_process, set_parent_process_death_signal,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;
use signal_hook::low_level::siginfo::{Cause, Sent};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With this exit status.
    Exited(u8),
    /// By this signal.
    Killed(i32),
}

impl Ended {
    fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            // The system keeps eight bits of what a program returns.
            (Some(code), _) => Ended::Exited(code as u8),
            (None, Some(signal)) => Ended::Killed(signal),
            (None, None) => Ended::Exited(1),
        }
    }

    /// As a shell would give it: 128 + signal for a killed program.
    pub fn status(self) -> u8 {
        match self {
            Ended::Exited(status) => status,
            Ended::Killed(signal) => 128u8.saturating_add(signal as u8),
        }
    }
}

/// A program to run, built up like [`std::process::Command`].
pub struct Program<'a> {
    command: &'a [OsString],
    directory: Option<&'a Path>,
    set: Vec<(&'a str, OsString)>,
    unset: Vec<&'a str>,
    silent: bool,
    output: Option<File>,
    last_signal: Option<Signal>,
}

impl<'a> Program<'a> {
    /// `command` is the program and its arguments.
    pub fn new(command: &'a [OsString]) -> Self {
        Self {
            command,
            directory: None,
            set: Vec::new(),
            unset: Vec::new(),
            silent: false,
            output: None,
            last_signal: None,
        }
    }

    /// Where it runs.
    pub fn directory(mut self, directory: &'a Path) -> Self {
        self.directory = Some(directory);
        self
    }

    /// Gives it an environment variable, or takes it away.
    pub fn variable(mut self, name: &'a str, value: Option<OsString>) -> Self {
        match value {
            Some(value) => self.set.push((name, value)),
            None => self.unset.push(name),
        }
        self
    }

    /// Without standard input, and with its standard output thrown away.
    pub fn silent(mut self) -> Self {
        self.silent = true;
        self
    }

    /// Without standard input, and with all that it prints written to a file.
    pub fn output_to(mut self, file: File) -> Self {
        self.output = Some(file);
        self
    }

    /// It gets this signal when this process ends before it does, however that happens.
    pub fn not_outliving(mut self, signal: Signal) -> Self {
        self.last_signal = Some(signal);
        self
    }

    /// Runs it to its end.
    ///
    /// While it runs, a SIGINT, SIGTERM, SIGHUP or SIGQUIT that somebody sent to this process goes
    /// on to the program, and this process waits for what it makes of it. Those that the
    /// terminal sends reach the program by themselves.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(self) -> io::Result<Ended> {
        self.watched().map(|(ended, _)| ended)
    }

    /// As [`Program::run`]; also tells the last of those signals that came while it ran, since not
    /// every program lets its status tell what has ended it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn watched(self) -> io::Result<(Ended, Option<i32>)> {
        let (program, arguments) = self
            .command
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "an empty command"))?;
        let mut command = Command::new(program);
        command.args(arguments).envs(self.set);
        for name in self.unset {
            command.env_remove(name);
        }
        if self.silent {
            command.stdin(Stdio::null()).stdout(Stdio::null());
        }
        if let Some(file) = self.output {
            command.stdin(Stdio::null());
            command.stdout(file.try_clone()?).stderr(file);
        }
        if let Some(directory) = self.directory {
            command.current_dir(directory);
        }
        if let Some(signal) = self.last_signal {
            end_with_us(&mut command, signal);
        }
        wait_for(command)
    }
}

/// The signal comes when the thread that starts the command ends: that is the first one, which
/// waits for it.
fn end_with_us(command: &mut Command, signal: Signal) {
    let parent = getpid();
    let ask = move || {
        set_parent_process_death_signal(Some(signal))?;
        // This process may have ended before.
        match getppid() == Some(parent) {
            true => Ok(()),
            false => Err(io::ErrorKind::Interrupted.into()),
        }
    };
    // SAFETY: between fork and exec only system calls are made, and nothing is allocated.
    unsafe { command.pre_exec(ask) };
}

fn wait_for(mut command: Command) -> io::Result<(Ended, Option<i32>)> {
    let mut signals = SignalsInfo::<WithOrigin>::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])?;
    let handle = signals.handle();
    let mut child = command.spawn()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let forwarder = std::thread::spawn(move || {
        let mut last = None;
        for origin in signals.forever() {
            last = Some(origin.signal);
            let sent_to_us = matches!(
                origin.cause,
                Cause::Sent(Sent::User | Sent::TKill | Sent::Queue)
            );
            let (true, Some(pid), Some(signal)) = (sent_to_us, pid, named(origin.signal)) else {
                continue;
            };
            // It may have ended meanwhile, which its status then says.
            let _ = kill_process(pid, signal);
        }
        last
    });
    let status = child.wait();
    handle.close();
    let received = forwarder.join().ok().flatten();
    Ok((Ended::of(status?), received))
}

fn named(signal: i32) -> Option<Signal> {
    match signal {
        SIGINT => Some(Signal::INT),
        SIGTERM => Some(Signal::TERM),
        SIGHUP => Some(Signal::HUP),
        SIGQUIT => Some(Signal::QUIT),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Ended {
        Program::new(&["sh", "-c", script].map(OsString::from))
            .run()
            .unwrap()
    }

    #[test]
    fn exit_statuses_are_passed_on() {
        assert_eq!(shell("exit 42").status(), 42);
        assert_eq!(shell("true").status(), 0);
        assert_eq!(shell("kill -9 $$"), Ended::Killed(9));
        assert_eq!(shell("kill -9 $$").status(), 137);
    }

    #[test]
    fn the_environment_is_as_asked_for() {
        let command =
            ["sh", "-c", "test \"$PGAS_TEST\" = 1 && test -z \"$HOME\""].map(OsString::from);
        let ended = Program::new(&command)
            .variable("PGAS_TEST", Some("1".into()))
            .variable("HOME", None)
            .run()
            .unwrap();
        assert_eq!(ended, Ended::Exited(0));
    }

    #[test]
    fn what_cannot_be_started_is_an_error() {
        assert!(
            Program::new(&["/nonexistent/program".into()])
                .run()
                .is_err()
        );
        assert!(Program::new(&[]).run().is_err());
    }
}
