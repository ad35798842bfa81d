//! Counters of the processor and of the kernel (cycles, instructions, page faults, ...), which are
//! read at the boundaries of regions and summed by call path.
//!
//! All counters of a thread are one pinned group: they count all the time, or not at all. Where the
//! processor cannot count everything at once, what is too much is refused, so that no figure is
//! extrapolated. They are read by the processor's own instruction where kernel and processor allow
//! it, else by a system call for the whole group.

mod event;
mod perf;

use std::io;

use event::Event;
pub(crate) use perf::software_event;
use perf::{Counter, MOST};

/// Availability of counters, which `run` and `doctor` report before a program starts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Availability {
    /// Names under which counters can be used. Those that end with `:u` count only the program's
    /// own work, not the kernel's work for it.
    pub usable: Vec<String>,
    /// Counters that cannot be used.
    pub refused: Vec<Refusal>,
}

/// Why something cannot be counted, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// As it was asked for.
    pub name: String,
    /// Why not.
    pub reason: String,
    /// The remedy.
    pub remedy: String,
}

/// Tries to count `names` on the calling thread, all at the same time.
pub fn check<'a>(names: impl IntoIterator<Item = &'a str>) -> Availability {
    let (counters, refused) = Counters::open(names);
    Availability {
        usable: counters.map_or_else(Vec::new, |counters| counters.names),
        refused,
    }
}

/// The counters of the calling thread.
pub(crate) struct Counters {
    /// The leader comes first.
    group: Vec<Counter>,
    names: Vec<String>,
    /// Whether the processor's own instruction is tried first.
    in_place: bool,
    last: [u64; MOST],
    now: [u64; MOST],
}

impl Counters {
    /// Opens counters for the calling thread; `None` if nothing can be counted. Also returns the
    /// counters that cannot be used.
    pub(crate) fn open<'a>(
        names: impl IntoIterator<Item = &'a str>,
    ) -> (Option<Self>, Vec<Refusal>) {
        let mut refused = Vec::new();
        let mut events: Vec<Event> = Vec::new();
        for name in names {
            match Event::named(name) {
                None => refused.push(unknown(name)),
                Some(event) if events.contains(&event) => {}
                Some(_) if events.len() == MOST => refused.push(too_many(name)),
                Some(event) => events.push(event),
            }
        }
        loop {
            let mut counters = Counters::try_open(&events, &mut refused);
            if counters.group.is_empty() {
                return (None, refused);
            }
            if perf::read(&counters.group, &mut counters.last) {
                counters.choose_reading();
                return (Some(counters), refused);
            }
            // A pinned group that cannot be counted is in a state of error. With one counter less
            // it may be possible.
            let mut hardware = events.iter().rposition(|event| !event.is_software());
            let Some(last) = hardware.take().or(events.len().checked_sub(1)) else {
                return (None, refused);
            };
            refused.push(too_many(&events.remove(last).name));
        }
    }

    fn try_open(events: &[Event], refused: &mut Vec<Refusal>) -> Self {
        let mut counters = Counters {
            group: Vec::new(),
            names: Vec::new(),
            in_place: false,
            last: [0; MOST],
            now: [0; MOST],
        };
        for event in events {
            match open_as_allowed(event, counters.group.first()) {
                Ok((counter, name)) => {
                    counters.group.push(counter);
                    counters.names.push(name);
                }
                Err(error) => {
                    let refusal = refusal(event, &error, paranoid());
                    if !refused.contains(&refusal) {
                        refused.push(refusal);
                    }
                }
            }
        }
        counters
    }

    /// Reads in place if that gives the same as the kernel.
    fn choose_reading(&mut self) {
        let (mut before, mut between, mut after) = ([0; MOST], [0; MOST], [0; MOST]);
        let all_read = perf::read(&self.group, &mut before)
            && perf::read_in_place(&self.group, &mut between)
            && perf::read(&self.group, &mut after);
        let fits = |index: usize| (before[index]..=after[index]).contains(&between[index]);
        self.in_place = all_read && (0..self.group.len()).all(fits);
    }

    /// The names under which they are counted.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Counts since the last reading; `None` if the counters do not count any more.
    #[inline]
    pub(crate) fn read(&mut self) -> Option<impl Iterator<Item = u64> + '_> {
        let in_place = self.in_place && perf::read_in_place(&self.group, &mut self.now);
        if !in_place && !perf::read(&self.group, &mut self.now) {
            return None;
        }
        let pairs = self.last.iter_mut().zip(&self.now).take(self.group.len());
        Some(pairs.map(|(last, now)| now.saturating_sub(std::mem::replace(last, *now))))
    }
}

/// Opens a counter of what program and kernel do, or, where only that is allowed, of what the
/// program does. Returns the name under which it counts.
fn open_as_allowed(event: &Event, leader: Option<&Counter>) -> io::Result<(Counter, String)> {
    let (counter, suffix) = match Counter::open(event, event.exclude_kernel, leader) {
        Ok(counter) => (counter, ""),
        Err(error) if is_forbidden(&error) && may_leave_kernel_out(event) => {
            (Counter::open(event, true, leader)?, ":u")
        }
        Err(error) => return Err(error),
    };
    let name = match (event.name.split_once(':'), suffix) {
        // Whoever's time it was asked for, it is all of it.
        (Some((name, _)), _) if event.is_time() => name.to_owned(),
        (None, _) if event.is_time() => event.name.clone(),
        (Some((name, _)), ":u") => format!("{name}:u"),
        _ => format!("{}{suffix}", event.name),
    };
    Ok((counter, name))
}

fn may_leave_kernel_out(event: &Event) -> bool {
    !event.exclude_kernel && !event.exclude_user && !event.is_of_kernel()
}

fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EACCES | libc::EPERM))
}

fn unknown(name: &str) -> Refusal {
    Refusal {
        name: name.to_owned(),
        reason: "there is no counter of that name".to_owned(),
        remedy: "names are those of `perf list`: cycles, instructions, cache-misses, \
                 L1-dcache-load-misses, page-faults, task-clock, ..., or a raw number such as r1c0"
            .to_owned(),
    }
}

fn too_many(name: &str) -> Refusal {
    Refusal {
        name: name.to_owned(),
        reason: "it cannot be counted at the same time as the others".to_owned(),
        remedy: "ask for fewer counters in one run, and see that nobody else uses them (`perf`, \
                 the kernel's NMI watchdog)"
            .to_owned(),
    }
}

fn refusal(event: &Event, error: &io::Error, paranoid: Option<i32>) -> Refusal {
    const NEEDED: &str = "sysctl kernel.perf_event_paranoid=";
    let needed = if event.is_of_kernel() || event.exclude_user {
        1
    } else {
        2
    };
    let (reason, remedy) = match (error.raw_os_error(), paranoid) {
        (Some(libc::EACCES | libc::EPERM), Some(paranoid)) if paranoid > needed => (
            format!("the kernel does not allow it (kernel.perf_event_paranoid is {paranoid})"),
            format!("ask an administrator for `{NEEDED}{needed}`"),
        ),
        (Some(libc::EACCES | libc::EPERM), _) => (
            "the system does not allow it".to_owned(),
            "containers often forbid perf_event_open: ask for its permission (CAP_PERFMON), or \
             run outside of one"
                .to_owned(),
        ),
        (Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV), _) => (
            "this processor does not offer it".to_owned(),
            "virtual machines mostly have no counters of the processor: run on the machine \
             itself, or use those of the kernel, such as task-clock and page-faults"
                .to_owned(),
        ),
        (Some(libc::EINVAL), _) if !event.is_software() => {
            let Refusal { reason, remedy, .. } = too_many("");
            (
                format!("{reason}, or the processor does not have it"),
                remedy,
            )
        }
        (Some(libc::ENOSYS), _) => (
            "this kernel has no counters".to_owned(),
            "use one that was built with CONFIG_PERF_EVENTS".to_owned(),
        ),
        (Some(libc::EMFILE), _) => (
            "the process has too many files open".to_owned(),
            "raise the limit: ulimit -n 4096".to_owned(),
        ),
        _ => (
            error.to_string(),
            "run without it, or try `perf stat -e` with the same name".to_owned(),
        ),
    };
    Refusal {
        name: event.name.clone(),
        reason,
        remedy,
    }
}

/// How much the kernel forbids; `None` if that cannot be read.
fn paranoid() -> Option<i32> {
    let text = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused_with(name: &str, error: libc::c_int, paranoid: Option<i32>) -> Refusal {
        let event = Event::named(name).unwrap();
        refusal(&event, &io::Error::from_raw_os_error(error), paranoid)
    }

    #[test]
    fn refusals_say_why_and_what_to_do() {
        for (name, error, paranoid, reason, remedy) in [
            ("cycles", libc::EACCES, Some(3), "is 3", "paranoid=2"),
            ("cs", libc::EACCES, Some(2), "is 2", "paranoid=1"),
            ("cycles:k", libc::EACCES, Some(2), "is 2", "paranoid=1"),
            ("cycles", libc::EPERM, Some(1), "not allow", "container"),
            ("cycles", libc::EPERM, None, "not allow", "container"),
            ("cycles", libc::ENOENT, Some(2), "processor", "virtual"),
            ("LLC-loads", libc::EINVAL, None, "same time", "fewer"),
            ("cycles", libc::ENOSYS, None, "kernel", "CONFIG_PERF_EVENTS"),
        ] {
            let refusal = refused_with(name, error, paranoid);
            assert_eq!(refusal.name, name);
            assert!(refusal.reason.contains(reason), "{refusal:?}");
            assert!(refusal.remedy.contains(remedy), "{refusal:?}");
        }
    }

    #[test]
    fn unknown_names_and_too_many_are_refused_and_the_rest_is_counted() {
        let names = ["page-faults", "page-faults", "nonsense", "task-clock"];
        let available = check(names);
        let refused: Vec<&str> = available.refused.iter().map(|r| r.name.as_str()).collect();
        assert!(refused.contains(&"nonsense"), "{available:?}");
        // Where the kernel allows anything at all, it counts these.
        if refused.len() == 1 {
            assert_eq!(available.usable.len(), 2, "{available:?}");
            assert!(available.usable[0].starts_with("page-faults"));
        }
        let raw: Vec<String> = (0..40).map(|number| format!("r{number:x}")).collect();
        let many = check(raw.iter().map(String::as_str));
        assert_eq!(many.usable.len() + many.refused.len(), 40);
        assert!(many.usable.len() <= MOST);
    }

    /// A program's file that has taken the place of a counter is left alone.
    #[test]
    fn what_is_not_a_counter_any_more_is_not_read() {
        let (Some(mut counters), _) = Counters::open(["task-clock"]) else {
            let refused = check(["task-clock"]).refused;
            assert_eq!(refused.len(), 1, "neither counted nor refused");
            return;
        };
        assert!(counters.read().is_some());
        counters.replace_descriptor();
        assert!(counters.read().is_none());
    }

    impl Counters {
        fn replace_descriptor(&self) {
            let file = std::fs::File::open("/dev/zero").unwrap();
            let descriptor = self.group[0].descriptor();
            // SAFETY: both descriptors are open, and the second is this test's own.
            let result = unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&file), descriptor) };
            assert_eq!(result, descriptor);
        }
    }
}
