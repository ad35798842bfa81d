//! The kernel's figures of a thread's core use: its CPU time, its context switches, and its time on
//! a run queue.

use std::fs::read_to_string;
use std::mem::MaybeUninit;

use pgas_trace_format::CoreUse;

use crate::clock::{monotonic, try_read_system_clock};
use crate::descriptor::move_up;

/// The schedstat of one thread, open.
pub(crate) struct RunQueue {
    descriptor: libc::c_int,
    /// Device and number: the program may have closed the file, and opened another one under its
    /// descriptor.
    identity: (u64, u64),
    /// Nanoseconds of waiting that are known already.
    known: u64,
}

impl RunQueue {
    /// `None` if the kernel does not count that, or there is no descriptor left.
    pub(crate) fn of_this_thread() -> Option<Self> {
        let path = c"/proc/thread-self/schedstat";
        // SAFETY: a path that ends with a zero byte.
        let opened = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        if opened < 0 {
            return None;
        }
        let mut queue = RunQueue {
            descriptor: move_up(opened),
            identity: (0, 0),
            known: 0,
        };
        let known = identity(queue.descriptor).and_then(|identity| {
            queue.identity = identity;
            queue.read()
        });
        match known {
            Some(known) => Some(RunQueue { known, ..queue }),
            None => {
                // SAFETY: it was just opened, and nobody else knows it.
                unsafe { libc::close(queue.descriptor) };
                None
            }
        }
    }

    /// Nanoseconds that the thread was ready to run without a core since this was asked last;
    /// `None` if the kernel does not say any more.
    pub(crate) fn more(&mut self) -> Option<u64> {
        let now = self.read()?;
        let more = now.saturating_sub(self.known);
        self.known = now;
        Some(more)
    }

    fn read(&self) -> Option<u64> {
        let mut text = [0u8; 80];
        if identity(self.descriptor) != Some(self.identity) {
            return None;
        }
        // SAFETY: the buffer is valid for that length.
        let length = unsafe {
            let (buffer, length) = (text.as_mut_ptr().cast(), text.len());
            libc::pread(self.descriptor, buffer, length, 0)
        };
        run_queue_wait(text.get(..usize::try_from(length).ok()?)?)
    }
}

/// Identity of the file behind a descriptor.
fn identity(descriptor: libc::c_int) -> Option<(u64, u64)> {
    let mut status = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: `status` is valid for writing, and initialised if the call says so.
    unsafe {
        if libc::fstat(descriptor, status.as_mut_ptr()) != 0 {
            return None;
        }
        let status = status.assume_init();
        Some((status.st_dev, status.st_ino))
    }
}

/// CPU time of a thread of this process, in nanoseconds; `None` if there is none of that number any
/// more.
pub(crate) fn cpu_time(thread: libc::pid_t) -> Option<u64> {
    try_read_system_clock(cpu_clock(thread))
}

/// Since the thread and the clock began; `None` if there is no such thread any more, or no /proc.
pub(crate) fn so_far(thread: libc::pid_t) -> Option<CoreUse> {
    let status = read_to_string(format!("/proc/self/task/{thread}/status")).ok()?;
    let switches = |key: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        line.trim().parse().ok()
    };
    Some(CoreUse {
        wall: monotonic(),
        cpu: cpu_time(thread)?,
        user: read_to_string(format!("/proc/self/task/{thread}/stat"))
            .ok()
            .and_then(|text| user_time(&text)),
        voluntary_switches: switches("voluntary_ctxt_switches:")?,
        involuntary_switches: switches("nonvoluntary_ctxt_switches:")?,
        run_queue_wait: read_to_string(format!("/proc/self/task/{thread}/schedstat"))
            .ok()
            .and_then(|text| run_queue_wait(text.as_bytes())),
    })
}

/// Nanoseconds in user mode, from a thread's `stat`: the twelfth word after its name, which stands in
/// parentheses and may hold anything.
fn user_time(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let ticks: u64 = after_name.split_ascii_whitespace().nth(11)?.parse().ok()?;
    // SAFETY: no pointers.
    let a_second = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).ok()?;
    Some(ticks.saturating_mul(1_000_000_000 / a_second.max(1)))
}

/// The kernel's number of the clock that counts the time of a thread of this process on cores. It
/// can be read by other threads of the process, too.
fn cpu_clock(thread: libc::pid_t) -> libc::clockid_t {
    const OF_A_THREAD: libc::clockid_t = 4;
    const SCHEDULED: libc::clockid_t = 2;
    (!thread << 3) | OF_A_THREAD | SCHEDULED
}

/// Nanoseconds that a thread was ready to run without a core, from its schedstat: the second of
/// three numbers. A kernel that counts nothing says 0 for all three.
fn run_queue_wait(schedstat: &[u8]) -> Option<u64> {
    let mut numbers = schedstat
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .map(|word| std::str::from_utf8(word).ok()?.parse::<u64>().ok());
    let (_on_core, waited, times) = (numbers.next()??, numbers.next()??, numbers.next()??);
    // A thread that reads it was given a core at least once.
    (times > 0).then_some(waited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_on_a_core_is_no_more_than_time() {
        // SAFETY: no arguments, cannot fail.
        let own = unsafe { libc::gettid() };
        let before = so_far(own).expect("/proc");
        let mut sum = 0u64;
        while so_far(own).expect("/proc").since(&before).cpu < 20_000_000 {
            sum = std::hint::black_box(sum + 1);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
        let used = so_far(own).expect("/proc").since(&before);
        // Asleep, it had none.
        assert!(
            used.cpu >= 20_000_000 && used.cpu + 4_000_000 <= used.wall,
            "{used:?}"
        );
        assert!(used.voluntary_switches >= 1, "{used:?}");
        let ready = used.cpu + used.run_queue_wait.unwrap_or(0);
        assert!(ready <= used.wall, "{used:?}");
    }

    #[test]
    fn user_time_is_found_whatever_the_thread_is_called() {
        let stat = "7 (a) R 5) S 1 7 7 0 -1 4194560 90 0 0 0 250 30 0 0 20 0 1 0 5 0 0";
        // SAFETY: no pointers.
        let a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) } as u64;
        assert_eq!(user_time(stat), Some(250 * (1_000_000_000 / a_second)));
        assert_eq!(user_time("7 (a) R 1"), None);
        assert_eq!(user_time("7"), None);
    }

    #[test]
    fn another_thread_can_be_asked_about_and_one_that_is_gone_cannot() {
        let (send, receive) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let other = std::thread::spawn(move || {
            // SAFETY: no arguments, cannot fail.
            send.send(unsafe { libc::gettid() }).expect("a receiver");
            let _ = ended.recv();
        });
        let number = receive.recv().expect("a sender");
        assert!(so_far(number).is_some());
        drop(end);
        other.join().expect("no panic");
        // The kernel takes it off its list a little after that.
        while std::path::Path::new(&format!("/proc/self/task/{number}")).exists() {
            std::thread::yield_now();
        }
        assert_eq!(so_far(number), None);
    }

    #[test]
    fn a_queue_says_what_came_since_it_was_asked_and_notices_another_file() {
        let Some(mut queue) = RunQueue::of_this_thread() else {
            // SAFETY: no arguments, cannot fail.
            let known = so_far(unsafe { libc::gettid() }).and_then(|so_far| so_far.run_queue_wait);
            assert_eq!(known, None, "the kernel does not count it");
            return;
        };
        // SAFETY: no arguments, cannot fail.
        let own = unsafe { libc::gettid() };
        let waited = || so_far(own).and_then(|so_far| so_far.run_queue_wait);
        let (mut sum, before) = (queue.known, queue.known);
        for _ in 0..100 {
            std::thread::yield_now();
            sum += queue.more().expect("three numbers");
        }
        let after = waited().expect("schedstat");
        assert!(before <= sum && sum <= after, "{before} {sum} {after}");
        // SAFETY: the descriptor is the queue's own; the file of the other one stays open.
        unsafe {
            let other = libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY);
            assert!(libc::dup2(other, queue.descriptor) == queue.descriptor);
        }
        assert_eq!(queue.more(), None);
    }

    #[test]
    fn schedstat_has_three_numbers_or_says_nothing() {
        assert_eq!(run_queue_wait(b"3823723 71352 1\n"), Some(71352));
        assert_eq!(run_queue_wait(b"0 0 0\n"), None);
        assert_eq!(run_queue_wait(b"12 x 1"), None);
        assert_eq!(run_queue_wait(b"12 13"), None);
        assert_eq!(run_queue_wait(b""), None);
    }
}
