//! Tells whether a process is still there, and is not another one that has its number later or in
//! another container.

use serde::{Deserialize, Serialize};
use std::fs::{read_dir, read_link, read_to_string};

/// A process on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Number of the process, in its namespace.
    pub process: u32,
    /// When it began, in units of the system.
    pub start: u64,
    /// Number of its namespace of process numbers, 0 if unknown.
    pub namespace: u64,
}

/// Beginning of the names of buffer files.
const PREFIX: &str = "pgas-buffers";

impl Identity {
    /// Name of the buffer file of a thread of the process.
    pub fn name_of_buffers(&self, thread: u32) -> String {
        let Identity {
            process,
            start,
            namespace,
        } = self;
        format!("{PREFIX}-{process}-{start}-{namespace}-{thread}")
    }

    /// The process whose buffer file has that name; `None` if it is no such name.
    pub fn from_name_of_buffers(name: &str) -> Option<Self> {
        let mut numbers = name.strip_prefix(PREFIX)?.strip_prefix('-')?.split('-');
        let identity = Identity {
            process: numbers.next()?.parse().ok()?,
            start: numbers.next()?.parse().ok()?,
            namespace: numbers.next()?.parse().ok()?,
        };
        let is_whole = numbers.next()?.parse::<u32>().is_ok() && numbers.next().is_none();
        is_whole.then_some(identity)
    }

    /// The calling process; `None` if the system does not tell (`/proc` is not mounted).
    pub fn of_this_process() -> Option<Self> {
        Some(Identity {
            process: std::process::id(),
            start: start_of(&read_to_string("/proc/self/stat").ok()?)?,
            namespace: own_namespace(),
        })
    }

    /// Whether the process may still do something. If that cannot be found out, it counts as being
    /// there.
    pub fn is_alive(&self) -> bool {
        if self.namespace != own_namespace() {
            return true;
        }
        let process = format!("/proc/{}", self.process);
        match read_to_string(format!("{process}/stat")) {
            Ok(stat) if start_of(&stat) != Some(self.start) => false,
            // A process whose first thread has ended is listed as a zombie until its parent waits
            // for it; the other threads may go on without the first.
            Ok(stat) if has_ended(&stat) => {
                let tasks = read_dir(format!("{process}/task")).into_iter().flatten();
                tasks.flatten().any(|task| {
                    read_to_string(task.path().join("stat")).is_ok_and(|stat| !has_ended(&stat))
                })
            }
            Ok(_) => true,
            Err(error) => {
                error.kind() != std::io::ErrorKind::NotFound
                    && error.raw_os_error() != Some(libc::ESRCH)
            }
        }
    }
}

/// Fields after the name, which may have blanks and parentheses itself; the first is the state.
fn after_name(stat: &str) -> Option<std::str::SplitWhitespace<'_>> {
    Some(stat.rsplit_once(')')?.1.split_whitespace())
}

fn start_of(stat: &str) -> Option<u64> {
    after_name(stat)?.nth(19)?.parse().ok()
}

fn has_ended(stat: &str) -> bool {
    after_name(stat)
        .and_then(|mut fields| fields.next())
        .is_some_and(|state| matches!(state, "Z" | "X" | "x"))
}

/// "pid:[4026531836]"
fn own_namespace() -> u64 {
    let link = read_link("/proc/self/ns/pid").ok();
    let text = link.and_then(|link| Some(link.to_str()?.to_owned()));
    let digits: Option<String> =
        text.map(|text| text.chars().filter(char::is_ascii_digit).collect());
    digits
        .and_then(|digits| digits.parse().ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_whose_buffers_they_are() {
        let own = Identity::of_this_process().unwrap();
        let name = own.name_of_buffers(7);
        assert_eq!(Identity::from_name_of_buffers(&name), Some(own));
        for other in [
            "pgas-buffers-1-2-3",
            "pgas-buffers-1-2-3-4-5",
            "pgas-1-2-3-4",
            "x",
        ] {
            assert_eq!(Identity::from_name_of_buffers(other), None, "{other}");
        }
    }

    #[test]
    fn this_process_is_alive_and_one_that_has_ended_is_not() {
        let own = Identity::of_this_process().unwrap();
        assert!(own.is_alive());
        let earlier = Identity {
            start: own.start - 1,
            ..own
        };
        assert!(!earlier.is_alive(), "another one had the number");
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let process = child.id();
        // A zombie, until it is waited for.
        let stat = loop {
            let stat = read_to_string(format!("/proc/{process}/stat")).unwrap();
            if has_ended(&stat) {
                break stat;
            }
            std::thread::yield_now();
        };
        let child_identity = Identity {
            process,
            start: start_of(&stat).unwrap(),
            ..own
        };
        assert!(!child_identity.is_alive());
        child.wait().unwrap();
        assert!(!child_identity.is_alive());
        let elsewhere = Identity {
            namespace: own.namespace + 1,
            ..child_identity
        };
        assert!(elsewhere.is_alive(), "nobody knows");
    }
}
