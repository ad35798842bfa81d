//! Threads that do not get on: waits that last much longer than usual, and locks that are wanted in
//! a circle.

use std::collections::BTreeMap;

use crate::picture::{Deadlock, LockWait, Place, Stuck};
use crate::thread::Seen;

/// Seconds that a wait must last before it is suspect.
pub(crate) const LONG: f64 = 5.0;
/// How many times as long as usual it must last.
pub(crate) const UNUSUAL: f64 = 10.0;

/// Threads of a group that are named by number.
const NAMED: usize = 4;

/// A wait by which a circle is recognised in the next look: thread, and when its wait began.
pub(crate) type Step = (u32, u64);

fn is_stuck(seen: &Seen) -> bool {
    // A send may wait for its receiver, and any other operation for what is lost.
    let is_in_operation = matches!(seen.now.activity, "waiting" | "communicating");
    // A processor without tasks does not wait for anything.
    let is_in_operation = is_in_operation && seen.now.kind != Some("idle");
    let usual = seen.usual.unwrap_or(0.0);
    is_in_operation && seen.now.seconds > LONG.max(UNUSUAL * usual)
}

fn holder(all: &[Seen], lock: u64) -> Option<&Seen> {
    all.iter().find(|seen| seen.now.held.contains(&lock))
}

/// The threads that are stuck. `first` is the number of the first thread for people.
pub(crate) fn stuck(all: &[Seen], first: u32) -> Vec<Stuck> {
    let groups = groups(all);
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
            others: others(&groups, seen, first),
        })
        .collect()
}

/// Activity and place.
type Doing<'a> = (&'static str, Option<&'a Place>);

/// Threads that do the same.
#[derive(Default)]
struct Group {
    threads: Vec<u32>,
    /// Seconds for which the longest of them does.
    longest: f64,
}

fn groups(all: &[Seen]) -> BTreeMap<Doing<'_>, Group> {
    let mut groups: BTreeMap<Doing<'_>, Group> = BTreeMap::new();
    for seen in all {
        let group = groups.entry(doing(seen)).or_default();
        group.threads.push(seen.now.thread);
        group.longest = group.longest.max(seen.now.seconds);
    }
    groups
}

fn doing(seen: &Seen) -> Doing<'_> {
    (seen.now.activity, seen.now.place.as_ref())
}

/// What threads do that are not where this one is, those of the fewest first: they are missing.
fn others(groups: &BTreeMap<Doing<'_>, Group>, seen: &Seen, first: u32) -> Vec<String> {
    let own = doing(seen);
    let others = groups.iter().filter(|(doing, _)| **doing != own);
    let mut others: Vec<_> = others.collect();
    others.sort_by_key(|(_, group)| group.threads.len());
    others
        .iter()
        .map(|(doing, group)| shown(**doing, group, first))
        .collect()
}

/// "0 and 2 computing in exchange at heat.upc:30, 8.2 s".
fn shown((activity, place): Doing<'_>, group: &Group, first: u32) -> String {
    let threads = numbers(&group.threads, first);
    if activity == "ended" {
        return format!("{threads} ended");
    }
    let place = place.map_or_else(String::new, |place| format!(" in {}", place.shown()));
    format!("{threads} {activity}{place}, {:.1} s", group.longest)
}

/// "0", "0 and 3", "0, 1, 2, 3 and 508 more".
fn numbers(threads: &[u32], first: u32) -> String {
    let named = &threads[..threads.len().min(NAMED)];
    let mut parts: Vec<String> = named.iter().map(|at| (first + at).to_string()).collect();
    if threads.len() > NAMED {
        parts.push(format!("{} more", threads.len() - NAMED));
    }
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
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
                arrivals: 0,
                calls: 0.0,
                bytes: Default::default(),
                tasks: None,
            },
            class: wanted.map(|_| Class::Waiting("lock")),
            usual: None,
            arrivals: 0,
            since: u64::from(thread) + 100,
            period: None,
            tasks: None,
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
        let stuck = stuck(&all, 0);
        let threads: Vec<_> = stuck.iter().map(|s| (s.thread, s.holder)).collect();
        assert_eq!(threads, [(3, Some(0))]);
        let others = ["0 computing, 60.0 s"];
        assert_eq!(stuck[0].others, others);
    }

    #[test]
    fn threads_stuck_elsewhere_are_named_those_of_the_fewest_first() {
        let at = |thread: u32, region: &str, seconds: f64| {
            let mut seen = seen(thread, &[], Some(7), seconds);
            let region = region.to_owned();
            seen.now.place = Some(Place {
                region,
                ..Place::default()
            });
            seen
        };
        let mut all: Vec<Seen> = (0..6)
            .map(|thread| at(thread, "upc_barrier", 6.0))
            .collect();
        all.push(at(6, "upc_wait", 5.5));
        all.push(seen(7, &[], None, 8.0));
        all.push(seen(8, &[], None, 9.0));
        let stuck = stuck(&all, 0);
        assert_eq!(
            stuck[0].others,
            ["6 waiting in upc_wait, 5.5 s", "7 and 8 computing, 9.0 s"]
        );
        let stuck = super::stuck(&all, 1);
        let others = &stuck.last().unwrap().others;
        assert_eq!(
            others[1],
            "1, 2, 3, 4 and 2 more waiting in upc_barrier, 6.0 s"
        );
    }
}
