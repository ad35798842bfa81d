//! Threads that do not get on: waits that last much longer than usual, and locks that are wanted in
//! a circle.

use crate::picture::{Deadlock, LockWait, Place, Stuck};
use crate::thread::Seen;

/// Seconds that a wait must last before it is suspect.
const LONG: f64 = 5.0;
/// How many times as long as usual it must last.
const UNUSUAL: f64 = 10.0;

/// A wait by which a circle is recognised in the next look: thread, and when its wait began.
pub(crate) type Step = (u32, u64);

fn is_stuck(seen: &Seen) -> bool {
    // A send may wait for its receiver, and any other operation for what is lost.
    let is_in_operation = matches!(seen.now.activity, "waiting" | "communicating");
    let usual = seen.usual.unwrap_or(0.0);
    is_in_operation && seen.now.seconds > LONG.max(UNUSUAL * usual)
}

fn holder(all: &[Seen], lock: u64) -> Option<&Seen> {
    all.iter().find(|seen| seen.now.held.contains(&lock))
}

/// The threads that are stuck.
pub(crate) fn stuck(all: &[Seen]) -> Vec<Stuck> {
    let others: Vec<String> = all
        .iter()
        .filter(|seen| !is_stuck(seen))
        .map(shown)
        .collect();
    let stuck = all.iter().filter(|seen| is_stuck(seen));
    stuck
        .map(|seen| Stuck {
            thread: seen.now.thread,
            place: seen.now.place.clone().unwrap_or_default(),
            seconds: seen.now.seconds,
            usual: seen.usual,
            lock: seen.now.wanted,
            holder: seen
                .now
                .wanted
                .and_then(|lock| Some(holder(all, lock)?.now.thread)),
            others: others.clone(),
        })
        .collect()
}

fn shown(seen: &Seen) -> String {
    let now = &seen.now;
    let place = now.place.as_ref().map(Place::shown);
    let place = place.map_or_else(String::new, |place| format!(" in {place}"));
    match now.activity {
        "ended" => format!("{} has ended", now.thread),
        activity => format!("{} {activity}{place}, {:.1} s", now.thread, now.seconds),
    }
}

/// The circles of locks, each with the waits by which it is recognised.
pub(crate) fn circles(all: &[Seen]) -> Vec<(Vec<Step>, Deadlock)> {
    let mut circles: Vec<(Vec<Step>, Deadlock)> = Vec::new();
    for first in all {
        let Some(circle) = circle_from(all, first) else {
            continue;
        };
        // Each is found from each of its threads.
        let is_first = circle
            .iter()
            .all(|seen| seen.now.thread >= first.now.thread);
        if is_first {
            let steps = circle.iter().map(|seen| (seen.now.thread, seen.since));
            circles.push((steps.collect(), deadlock(all, &circle)));
        }
    }
    circles
}

fn circle_from<'a>(all: &'a [Seen], first: &'a Seen) -> Option<Vec<&'a Seen>> {
    let mut circle = vec![first];
    loop {
        let next = holder(all, circle.last()?.now.wanted?)?;
        if next.now.thread == first.now.thread {
            return Some(circle);
        }
        // A way into a circle of others.
        if circle.iter().any(|seen| seen.now.thread == next.now.thread) {
            return None;
        }
        circle.push(next);
    }
}

fn deadlock(all: &[Seen], circle: &[&Seen]) -> Deadlock {
    let waits = circle.iter().filter_map(|seen| {
        let lock = seen.now.wanted?;
        Some(LockWait {
            thread: seen.now.thread,
            place: seen.now.place.clone().unwrap_or_default(),
            lock,
            holder: holder(all, lock)?.now.thread,
            seconds: seen.now.seconds,
        })
    });
    Deadlock {
        waits: waits.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Class;
    use crate::picture::Now;

    fn seen(thread: u32, held: &[u64], wanted: Option<u64>, seconds: f64) -> Seen {
        Seen {
            now: Now {
                thread,
                process: 1,
                node: String::new(),
                activity: if wanted.is_some() {
                    "waiting"
                } else {
                    "computing"
                },
                kind: None,
                seconds,
                place: None,
                path: Vec::new(),
                deeper: 0,
                held: held.to_vec(),
                wanted,
                efficiency: None,
                times: None,
                metrics: Vec::new(),
                operations: Vec::new(),
                calls: 0.0,
                bytes: Default::default(),
            },
            class: wanted.map(|_| Class::Waiting("lock")),
            usual: None,
            since: u64::from(thread) + 100,
            period: None,
            elapsed: 0.0,
        }
    }

    #[test]
    fn locks_in_opposite_order_are_one_circle() {
        let all = [
            seen(0, &[], Some(7), 1.0),
            seen(1, &[7], Some(8), 2.0),
            seen(2, &[8], Some(7), 3.0),
            seen(3, &[], None, 4.0),
        ];
        let circles = circles(&all);
        assert_eq!(circles.len(), 1);
        assert_eq!(circles[0].0, [(1, 101), (2, 102)]);
        let holders: Vec<_> = circles[0]
            .1
            .waits
            .iter()
            .map(|w| (w.thread, w.holder))
            .collect();
        assert_eq!(holders, [(1, 2), (2, 1)]);
    }

    #[test]
    fn a_queue_for_a_lock_is_no_circle() {
        let all = [
            seen(0, &[7], None, 1.0),
            seen(1, &[8], Some(7), 1.0),
            seen(2, &[], Some(8), 1.0),
        ];
        assert!(circles(&all).is_empty());
    }

    #[test]
    fn only_waits_that_are_long_and_unusual_are_stuck() {
        let mut usual = seen(1, &[], Some(7), 8.0);
        usual.usual = Some(1.0);
        let all = [
            seen(0, &[7], None, 60.0),
            usual,
            seen(2, &[], Some(7), 4.9),
            seen(3, &[], Some(7), 5.1),
        ];
        let stuck = stuck(&all);
        let threads: Vec<_> = stuck.iter().map(|s| (s.thread, s.holder)).collect();
        assert_eq!(threads, [(3, Some(0))]);
        assert_eq!(stuck[0].others.len(), 3);
    }
}
