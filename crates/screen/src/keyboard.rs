//! Waits for the user, and notices when there is none any more. The library that reads keys would
//! read a terminal that was hung up again and again without an end.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Waits until there is something to read, a signal comes, or `longest` has passed; whether the
/// terminal is still there.
///
/// # Errors
/// If the system cannot wait for it.
pub fn wait(longest: Duration) -> io::Result<bool> {
    let input = io::stdin();
    let mut watched = [PollFd::new(&input, PollFlags::IN)];
    let timeout = Timespec {
        tv_sec: longest.as_secs() as _,
        tv_nsec: longest.subsec_nanos() as _,
    };
    match poll(&mut watched, Some(&timeout)) {
        // A change of the window's size comes as a signal.
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    Ok(!watched[0].revents().intersects(gone))
}
