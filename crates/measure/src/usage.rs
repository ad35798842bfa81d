//! CPU time of other processes, as the kernel says it.

use std::time::Duration;

/// User and system time of all processes that this one has waited for so far, with those that they
/// had waited for; `None` if the system does not say.
pub fn of_children() -> Option<Duration> {
    // SAFETY: all fields are numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is valid for writing.
    if unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) } != 0 {
        return None;
    }
    let time = |time: libc::timeval| {
        let seconds = Duration::from_secs(u64::try_from(time.tv_sec).ok()?);
        Some(seconds + Duration::from_micros(u64::try_from(time.tv_usec).ok()?))
    };
    Some(time(usage.ru_utime)? + time(usage.ru_stime)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_time_of_a_child_is_counted_once_it_was_waited_for() {
        let before = of_children().expect("getrusage");
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let mut child = Command::new("sh").args(["-c", busy]).spawn().expect("sh");
        assert!(child.wait().expect("an end").success());
        assert!(of_children().expect("getrusage") > before);
    }
}
