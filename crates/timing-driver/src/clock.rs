//! The timers, and what is made worse of them for tests.

mod counter;
mod system;

use crate::threads::Threads;
use counter::Counter;
use pgas_timing::job::{Fault, Timer};

/// Seconds between two jumps of a timer that steps.
const STEP_EVERY: f64 = 1e-3;

/// One thread's timer.
pub struct Clock<'a> {
    source: Source<'a>,
    fault: Option<Fault>,
}

enum Source<'a> {
    Counter(Counter),
    /// Seconds of the system's clock at the epoch.
    Monotonic(i64),
    TimeOfDay(i64),
    Model(Box<dyn Fn() -> f64 + 'a>),
}

impl<'a> Clock<'a> {
    /// The timer that is asked for, by threads of one node together: `leader` is the first of
    /// them, and `others` the rest. Where they read one clock, they read the same from it.
    pub fn new(
        threads: Threads<'a>,
        timer: Timer,
        fault: Fault,
        node: &[usize],
    ) -> Result<Self, String> {
        let source = match timer {
            Timer::Model => {
                Source::Model(Box::new(threads.model_clock().ok_or_else(|| {
                    format!("{} has no clock of its own", threads.model())
                })?))
            }
            Timer::Tsc => {
                let counter = share(threads, node, || Counter::calibrate().map(Counter::words));
                Source::Counter(Counter::from_words(
                    counter.ok_or("this processor has no time stamp counter that can be read")?,
                ))
            }
            Timer::ClockGettime => Source::Monotonic(epoch(threads, node, system::monotonic)),
            Timer::Gettimeofday => Source::TimeOfDay(epoch(threads, node, system::time_of_day)),
        };
        let fault = (fault != Fault::default()).then_some(fault);
        Ok(Clock { source, fault })
    }

    /// Seconds since the epoch, read after everything before is done.
    pub fn now(&self) -> f64 {
        let time = self.source.now();
        match self.fault {
            None => time,
            Some(fault) => worse(time, fault),
        }
    }
}

impl Source<'_> {
    fn now(&self) -> f64 {
        match self {
            Source::Counter(counter) => counter.now(),
            Source::Monotonic(epoch) => system::monotonic().since(*epoch),
            Source::TimeOfDay(epoch) => system::time_of_day().since(*epoch),
            Source::Model(read) => read(),
        }
    }
}

fn worse(time: f64, fault: Fault) -> f64 {
    let drifting = time * (1.0 + fault.drift);
    let stepping = drifting + fault.step * (time / STEP_EVERY).floor();
    match fault.resolution > 0.0 {
        true => (stepping / fault.resolution).floor() * fault.resolution,
        false => stepping,
    }
}

/// Whole seconds of the node's first thread, which all its threads count from.
fn epoch(threads: Threads, node: &[usize], read: fn() -> system::Moment) -> i64 {
    share(threads, node, || Some([read().seconds as u64, 0])).map_or(0, |words| words[0] as i64)
}

/// What the first of the threads makes, on all of them.
fn share(
    threads: Threads,
    node: &[usize],
    make: impl FnOnce() -> Option<[u64; 2]>,
) -> Option<[u64; 2]> {
    let own = threads.own();
    if own != node[0] {
        let mut words = [0; 3];
        threads.receive(node[0], &mut words);
        return (words[0] == 1).then_some([words[1], words[2]]);
    }
    let made = make();
    let [first, second] = made.unwrap_or_default();
    for other in &node[1..] {
        threads.send(*other, &[u64::from(made.is_some()), first, second]);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::{Counter, worse};
    use pgas_timing::job::Fault;
    use std::time::Instant;

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn the_counter_keeps_the_time() {
        let counter = Counter::calibrate().unwrap();
        let (begin, from) = (counter.now(), Instant::now());
        std::thread::sleep(std::time::Duration::from_millis(20));
        let (took, expected) = (counter.now() - begin, from.elapsed().as_secs_f64());
        // A reading may be interrupted; a wrong rate would be off by far more.
        assert!((took / expected - 1.0).abs() < 0.2, "{took} {expected}");
    }

    #[test]
    fn faults_make_a_timer_drift_step_and_coarse() {
        let fault = |drift, step, resolution| Fault {
            drift,
            step,
            resolution,
        };
        assert_eq!(worse(2.0, fault(0.5, 0.0, 0.0)), 3.0);
        assert!((worse(0.0025, fault(0.0, 0.1, 0.0)) - 0.2025).abs() < 1e-9);
        assert_eq!(worse(2.7, fault(0.0, 0.0, 0.5)), 2.5);
    }
}
