//! Where the helper thread runs. While there are more cores than threads of the program, it keeps
//! off those on which the threads of its own process were last seen; otherwise it is left to the
//! scheduler, at the lowest priority. Only the helper's own affinity is ever changed, and never to
//! cores that the process may not use.

use std::mem::MaybeUninit;

use crate::registry;

/// Cores, by their numbers. Those beyond the system's fixed size of such sets are not among them.
#[derive(Clone, Copy)]
struct Cores(libc::cpu_set_t);

/// Cores of the helper: those it may use, and those it keeps to now.
pub(crate) struct Placement {
    /// Those of the process when the helper began; `None` if the system did not tell.
    allowed: Option<Cores>,
    current: Option<Cores>,
}

impl Placement {
    /// For the calling thread.
    pub(crate) fn new() -> Self {
        let allowed = Cores::of_this_thread();
        Placement {
            allowed,
            current: allowed,
        }
    }

    /// Moves the calling thread off the cores of this process's recorded threads, if it is
    /// elsewhere in nobody's way.
    pub(crate) fn keep_off(&mut self) {
        let Some(allowed) = &self.allowed else {
            return;
        };
        let busy = registry::recorders().filter_map(|recorder| recorder.core());
        let threads = registry::recorders()
            .map(|recorder| recorder.threads())
            .max();
        let wanted = choose(allowed, busy, threads.unwrap_or(0));
        if self.current.as_ref() != Some(&wanted) {
            wanted.give_to_this_thread();
            self.current = Some(wanted);
        }
    }
}

/// The cores of `allowed` that are not `busy`; all of them if there are no more than the program
/// has threads.
fn choose(allowed: &Cores, busy: impl Iterator<Item = usize>, threads: u32) -> Cores {
    let mut free = *allowed;
    for core in busy {
        free.remove(core);
    }
    if allowed.count() > threads as usize && free.count() > 0 {
        free
    } else {
        *allowed
    }
}

impl Cores {
    fn of_this_thread() -> Option<Self> {
        let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed();
        // SAFETY: the set is as large as said; zeros are an empty set. 0 is the calling thread.
        let failed =
            unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), set.as_mut_ptr()) };
        // SAFETY: initialised above.
        (failed == 0).then(|| Cores(unsafe { set.assume_init() }))
    }

    /// If it fails, the thread stays where it was, which is no harm.
    fn give_to_this_thread(&self) {
        // SAFETY: the set is as large as said. 0 is the calling thread, and it alone.
        unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &self.0) };
    }

    fn remove(&mut self, core: usize) {
        if core < libc::CPU_SETSIZE as usize {
            // SAFETY: the core is within the set.
            unsafe { libc::CPU_CLR(core, &mut self.0) };
        }
    }

    fn count(&self) -> usize {
        // SAFETY: the set is initialised.
        unsafe { libc::CPU_COUNT(&self.0) as usize }
    }
}

impl PartialEq for Cores {
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: both sets are initialised.
        unsafe { libc::CPU_EQUAL(&self.0, &other.0) }
    }
}

/// The core that the calling thread runs on.
pub(crate) fn this_core() -> Option<usize> {
    // SAFETY: no arguments.
    usize::try_from(unsafe { libc::sched_getcpu() }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(numbers: &[usize]) -> Cores {
        // SAFETY: zeros are an empty set, and the numbers are within it.
        unsafe {
            let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed().assume_init();
            for &number in numbers {
                libc::CPU_SET(number, &mut set);
            }
            Cores(set)
        }
    }

    fn chosen(allowed: &[usize], busy: &[usize], threads: u32) -> Vec<usize> {
        let chosen = choose(&cores(allowed), busy.iter().copied(), threads);
        // SAFETY: the set is initialised, and the numbers are within it.
        let is_in = |&core: &usize| unsafe { libc::CPU_ISSET(core, &chosen.0) };
        (0..1024).filter(is_in).collect()
    }

    #[test]
    fn only_spare_cores_are_kept_to() {
        assert_eq!(chosen(&[2, 5, 900], &[5], 2), [2, 900]);
        assert_eq!(chosen(&[2, 5, 900], &[5, 2, 5], 2), [900]);
        // As many threads as cores: each may be needed, and the threads move.
        assert_eq!(chosen(&[2, 5, 900], &[5], 3), [2, 5, 900]);
        assert_eq!(chosen(&[7], &[7], 1), [7]);
        // More recorded threads in the process than it says it has.
        assert_eq!(chosen(&[1, 2], &[1, 2], 1), [1, 2]);
        assert_eq!(chosen(&[1, 2], &[2000], 1), [1, 2]);
    }

    #[test]
    fn a_thread_moves_itself_alone() {
        let before = Cores::of_this_thread().unwrap();
        std::thread::spawn(move || {
            let last = (0..1024)
                .rev()
                // SAFETY: the set is initialised, and the numbers are within it.
                .find(|&core| unsafe { libc::CPU_ISSET(core, &before.0) })
                .unwrap();
            cores(&[last]).give_to_this_thread();
            assert!(Cores::of_this_thread().unwrap() == cores(&[last]));
            assert_eq!(this_core(), Some(last));
        })
        .join()
        .unwrap();
        assert!(Cores::of_this_thread().unwrap() == before);
    }
}
