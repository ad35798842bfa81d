//! A terminal of its own for the tool, in which a test types and reads.
#![allow(dead_code)]

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

const LINES: u16 = 24;
const COLUMNS: u16 = 80;
/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal, and the tool in it.
pub struct Terminal {
    pub master: File,
    pub child: Child,
    /// What the screen shows.
    screen: vt100::Parser,
}

impl Terminal {
    /// Starts a command in a new one of 80 columns and 24 lines.
    pub fn start(command: &mut Command) -> Self {
        // No process may inherit this end: the terminal is hung up when the last one has closed it.
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let size = Winsize {
            ws_row: LINES,
            ws_col: COLUMNS,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = OpenOptions::new()
            .read(true)
            .write(true)
            .open(std::ffi::OsStr::from_bytes(name.to_bytes()))
            .unwrap();
        let child = command
            .stdin(slave.try_clone().unwrap())
            .stdout(slave)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Terminal {
            master: File::from(master),
            child,
            screen: vt100::Parser::new(LINES, COLUMNS, 0),
        }
    }

    /// Reads until the screen shows `text`, or that was written to it; returns all that was written.
    pub fn shows(&mut self, text: &str) -> String {
        let mut seen = Vec::new();
        let mut part = [0; 4096];
        let begin = Instant::now();
        let patience = Timespec {
            tv_sec: PATIENCE.as_secs() as _,
            tv_nsec: 0,
        };
        loop {
            let ready = poll(
                &mut [PollFd::new(&self.master, PollFlags::IN)],
                Some(&patience),
            );
            let count = match ready {
                Ok(0) => 0,
                _ => self.master.read(&mut part).unwrap_or(0),
            };
            seen.extend_from_slice(&part[..count]);
            self.screen.process(&part[..count]);
            let so_far = String::from_utf8_lossy(&seen).into_owned();
            let shown = self.screen.screen().contents();
            if so_far.contains(text) || shown.contains(text) {
                return so_far;
            }
            let is_late = begin.elapsed() > PATIENCE;
            assert!(count > 0 && !is_late, "{text} is not shown:\n{shown}");
        }
    }

    pub fn types(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }
}

/// How a process ends, which it must do before long.
pub fn end(child: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it goes on");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
