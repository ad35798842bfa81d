//! `pgastool watch HOST`: the same command on another machine, by ssh.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pgas_base::shell;

use super::{Arguments, web};
use crate::failure::{Failure, Outcome};
use crate::process::Program;
use crate::process::interrupt;
use crate::terminal::Ui;

/// Exit status of ssh if it cannot connect.
const NO_CONNECTION: u8 = 255;
/// What stands between address and token of a page.
const TOKEN: &str = "/?token=";
/// How long a tunnel may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time between two looks whether a process has ended.
const TURN: Duration = Duration::from_millis(50);

/// Another machine, and the run there.
pub struct Host {
    /// As ssh takes it: `node17`, `me@node17`.
    name: String,
    /// Experiment or process there.
    run: Option<String>,
}

impl Host {
    /// The host that `named` names (`HOST`, `HOST:EXPERIMENT` or `HOST:PID`); `None` for what is an
    /// experiment here, a process, or cannot be the name of a host.
    pub fn of(named: &str) -> Option<Self> {
        if Path::new(named).exists() || named.parse::<u32>().is_ok() {
            return None;
        }
        let (name, run) = match named.split_once(':') {
            Some((name, run)) => (name, Some(run.to_owned())),
            None => (named, None),
        };
        let run = run.filter(|run| !run.is_empty());
        let name = name.to_owned();
        is_name(&name).then_some(Host { name, run })
    }

    /// Watches there.
    ///
    /// # Errors
    /// If ssh cannot be started, or cannot connect.
    pub fn watch(&self, arguments: &Arguments, ui: &Ui) -> Outcome {
        if arguments.web {
            return self.show_page(arguments, ui);
        }
        let options: &[&str] = match arguments.is_screen() {
            true => &["-t"],
            false => &[],
        };
        let command = self.ssh(options, Some(self.command(arguments)))?;
        ui.command(shell::shown(&command));
        let ended = Program::new(&command).run();
        let ended = ended.map_err(|error| cannot_start(&command, &error))?;
        match ended.status() {
            NO_CONNECTION => Err(self.no_connection()),
            status => Ok(status),
        }
    }

    /// The page comes from the manager there, through a tunnel to the same port here.
    fn show_page(&self, arguments: &Arguments, ui: &Ui) -> Outcome {
        let interruption = interrupt::watch()?;
        // With a terminal, what serves the page there ends with the connection.
        let command = self.ssh(&["-tt"], Some(self.command(arguments)))?;
        ui.command(shell::shown(&command));
        let mut serving = Running::start(&command, Stdio::piped())?;
        let Some((port, token)) = serving.address() else {
            return serving.ended(self);
        };
        let ends = format!("127.0.0.1:{port}:127.0.0.1:{port}");
        let options = ["-N", "-o", "ExitOnForwardFailure=yes", "-L", &ends];
        let command = self.ssh(&options, None)?;
        ui.command(shell::shown(&command));
        let mut tunnel = Running::start(&command, Stdio::null())?;
        tunnel.await_port(port)?;
        web::open(&format!("127.0.0.1:{port}"), &token, ui)?;
        ui.note("Ctrl-C ends the page; the program goes on");
        while !interruption.is_requested() {
            if tunnel.has_ended()? {
                return Err(tunnel.lost());
            }
            sleep(TURN);
        }
        Ok(0)
    }

    /// ssh to the host. `PGAS_SSH` may name another program, with options.
    fn ssh(&self, options: &[&str], command: Option<String>) -> Result<Vec<OsString>, Failure> {
        let program = std::env::var("PGAS_SSH").unwrap_or_default();
        let mut words = match program.trim() {
            "" => vec!["ssh".to_owned()],
            program => shlex::split(program).ok_or_else(|| {
                Failure::new(format!("PGAS_SSH is {program:?}: a quote is not closed"))
            })?,
        };
        words.extend(options.iter().map(|&option| option.to_owned()));
        words.push(self.name.clone());
        words.extend(command);
        Ok(words.into_iter().map(OsString::from).collect())
    }

    /// The same command there: by the name, or, where `PATH` does not have it, as it is here.
    fn command(&self, arguments: &Arguments) -> String {
        let mut words = vec!["watch".to_owned()];
        words.extend(self.run.clone());
        let flags = [
            ("--text", arguments.text),
            ("--json", arguments.json),
            ("--web", arguments.web),
            ("--once", arguments.once),
        ];
        let flags = flags.iter().filter(|(_, is_set)| *is_set);
        words.extend(flags.map(|(flag, _)| (*flag).to_owned()));
        words.push(format!("--period={}s", arguments.period.0));
        let metrics = arguments.metrics.iter();
        words.extend(metrics.map(|definition| format!("--metric={definition}")));
        let words: Vec<String> = words.iter().map(|word| shell::quoted(word)).collect();
        let here = std::env::current_exe().unwrap_or_else(|_| "pgastool".into());
        let here = shell::quoted(&here.to_string_lossy());
        // A browser is to be opened here, not there.
        let no_display = match arguments.web {
            true => "unset BROWSER DISPLAY WAYLAND_DISPLAY; ",
            false => "",
        };
        let script = format!(
            "{no_display}tool=$(command -v pgastool) || tool={here}; exec \"$tool\" {}",
            words.join(" ")
        );
        // The shell there may be any.
        format!("sh -c {}", shell::quoted(&script))
    }

    fn no_connection(&self) -> Failure {
        Failure::new(format!(
            "there is no experiment {0} here, and ssh cannot connect to a host {0}",
            self.name
        ))
        .help("see the message of ssh; PGAS_SSH can name another program that connects")
    }
}

/// A process of ssh, ended with this value.
struct Running {
    child: Child,
    what: String,
}

impl Running {
    fn start(command: &[OsString], output: Stdio) -> Result<Self, Failure> {
        let (program, arguments) = command.split_first().unwrap_or((&command[0], &[]));
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(output)
            .spawn();
        let child = child.map_err(|error| cannot_start(command, &error))?;
        let what = shell::shown(command);
        Ok(Running { child, what })
    }

    /// Port and token of the page, from the address that `watch --web` prints.
    fn address(&mut self) -> Option<(u16, String)> {
        let lines = BufReader::new(self.child.stdout.as_mut()?).lines();
        let mut lines = lines.map_while(Result::ok);
        let line = lines.find(|line| line.contains(TOKEN))?;
        let (address, token) = line.trim().split_once(TOKEN)?;
        let port = address.rsplit(':').next()?.parse().ok()?;
        Some((port, token.to_owned()))
    }

    /// What it means that it has ended without an address.
    fn ended(mut self, host: &Host) -> Outcome {
        match self.child.wait()?.code() {
            Some(code) if code == i32::from(NO_CONNECTION) => Err(host.no_connection()),
            Some(0) | None => Err(Failure::new(format!("{} printed no address", self.what))),
            Some(code) => Ok(code as u8),
        }
    }

    fn has_ended(&mut self) -> Result<bool, Failure> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Until the port can be reached.
    fn await_port(&mut self, port: u16) -> Result<(), Failure> {
        let begin = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if self.has_ended()? || begin.elapsed() > PATIENCE {
                return Err(self.lost());
            }
            sleep(TURN);
        }
        Ok(())
    }

    fn lost(&self) -> Failure {
        Failure::new("there is no connection to the page there any more")
            .help(format!("see the message of `{}`", self.what))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn cannot_start(command: &[OsString], error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot start {}: {error}", shell::shown(command)))
        .help("PGAS_SSH can name another program than ssh")
}

/// Whether ssh would take it for a host, perhaps with a user before it.
fn is_name(name: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || ".-_@".contains(c);
    !name.starts_with(['-', '.']) && !name.is_empty() && name.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_from_experiments_and_processes() {
        let of = |named: &str| Host::of(named).map(|host| (host.name, host.run));
        let host = |name: &str, run: Option<&str>| Some((name.to_owned(), run.map(str::to_owned)));
        assert_eq!(of("node17"), host("node17", None));
        assert_eq!(of("me@node17.example"), host("me@node17.example", None));
        assert_eq!(
            of("node17:runs/my run"),
            host("node17", Some("runs/my run"))
        );
        assert_eq!(of("node17:"), host("node17", None));
        for other in ["1234", "/tmp", ".", "runs/e", "-oProxyCommand=x", ""] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
