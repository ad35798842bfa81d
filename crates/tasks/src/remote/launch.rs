//! Start of a program's processes on one machine: process 0 starts the others.

use std::env;
use std::ffi::OsStr;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, parent_id};
use std::process::{Child, Command, Stdio};

use parking_lot::Mutex;
use rustix::io::{FdFlags, fcntl_getfd, fcntl_setfd};

use crate::remote::sockets::Sockets;

/// `PARENT NUMBER FD,FD...`: for a process that process 0 started, its sockets to the others.
const PLACE: &str = "PGAS_TASK_PLACE";

static CHILDREN: Mutex<Vec<Child>> = Mutex::new(Vec::new());

/// What a process is told by the one that started it.
pub(crate) struct Place {
    pub me: u32,
    pub sockets: Sockets,
    pub processes: usize,
}

/// This process, if process 0 of a program has started it.
pub(crate) fn started() -> std::io::Result<Option<Place>> {
    let Some(text) = env::var(PLACE).ok() else {
        return Ok(None);
    };
    let words: Vec<_> = text.split(' ').collect();
    let [parent, me, fds] = words[..] else {
        return Ok(None);
    };
    // A program that a task starts is no part of this one.
    if parent.parse() != Ok(parent_id()) {
        return Ok(None);
    }
    let number = |text: &str| text.parse::<u32>().map_err(std::io::Error::other);
    let me = number(me)?;
    let mut sockets = Vec::new();
    for fd in fds.split(',') {
        sockets.push(Some(adopt(number(fd)? as RawFd)?));
    }
    sockets.insert(me as usize, None);
    Ok(Some(Place {
        me,
        processes: sockets.len(),
        sockets: Sockets::new(sockets),
    }))
}

fn adopt(fd: RawFd) -> std::io::Result<UnixStream> {
    // SAFETY: process 0 left it to this process, which adopts each once.
    let socket = unsafe { UnixStream::from_raw_fd(fd) };
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    Ok(socket)
}

/// Starts the other processes; this is number 0.
pub(crate) fn start(processes: usize) -> std::io::Result<Sockets> {
    let mut ends: Vec<Vec<Option<UnixStream>>> = (0..processes)
        .map(|_| (0..processes).map(|_| None).collect())
        .collect();
    for high in 1..processes {
        for low in 0..high {
            connect(&mut ends, low, high)?;
        }
    }
    let mut children = CHILDREN.lock();
    for (me, sockets) in ends.iter().enumerate().skip(1) {
        children.push(start_one(me, sockets)?);
    }
    Ok(Sockets::new(ends.swap_remove(0)))
}

fn connect(ends: &mut [Vec<Option<UnixStream>>], low: usize, high: usize) -> std::io::Result<()> {
    let (one, other) = UnixStream::pair()?;
    ends[low][high] = Some(one);
    ends[high][low] = Some(other);
    Ok(())
}

fn start_one(me: usize, sockets: &[Option<UnixStream>]) -> std::io::Result<Child> {
    let fds: Vec<_> = sockets.iter().flatten().map(AsRawFd::as_raw_fd).collect();
    let list: Vec<_> = fds.iter().map(ToString::to_string).collect();
    let mut arguments = env::args_os();
    let name = arguments.next();
    let mut command = Command::new("/proc/self/exe");
    command
        .arg0(name.as_deref().unwrap_or(OsStr::new("program")))
        .args(arguments)
        .env(
            PLACE,
            format!("{} {me} {}", std::process::id(), list.join(",")),
        )
        .stdin(Stdio::null());
    let keep = move || fds.iter().try_for_each(|fd| keep_open(*fd));
    // SAFETY: it only makes system calls, and allocates nothing.
    unsafe { command.pre_exec(keep) };
    command.spawn()
}

/// Sockets of this process are closed in programs that it starts.
fn keep_open(fd: RawFd) -> std::io::Result<()> {
    // SAFETY: the sockets are open until all processes have been started.
    let fd = unsafe { std::os::fd::BorrowedFd::borrow_raw(fd) };
    let flags = fcntl_getfd(fd)?;
    Ok(fcntl_setfd(fd, flags - FdFlags::CLOEXEC)?)
}

/// Waits until the other processes have ended: how each did, from process 1 on.
pub(crate) fn join() -> Vec<std::process::ExitStatus> {
    let mut children = std::mem::take(&mut *CHILDREN.lock());
    children
        .iter_mut()
        .filter_map(|child| child.wait().ok())
        .collect()
}
