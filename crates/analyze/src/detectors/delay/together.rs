//! Since when two threads have gone their own ways: the last time at which one waited for the
//! other, or both for the same third one. Before that, differences between them are made good:
//! whoever was ahead has waited already.

use std::collections::VecDeque;

use pgas_earl::Matched;
use pgas_trace::model::ThreadId;

/// Times that a thread keeps; older ones are forgotten, so that what was waited for may count
/// again.
const MOST: usize = 1024;

#[derive(Debug, Clone, Copy)]
struct Meeting {
    /// Ticks.
    time: u64,
    /// The thread that was waited for.
    late: ThreadId,
    /// Where, if others may have waited for it, too.
    instance: Option<(Matched, u64)>,
}

/// When a thread waited for others, since all were together.
#[derive(Debug, Default)]
pub struct Together {
    meetings: VecDeque<Meeting>,
}

impl Together {
    /// Notes that the thread waited for another until `time` (ticks), at an instance if others may
    /// have done so.
    pub fn add(&mut self, time: u64, late: ThreadId, instance: Option<(Matched, u64)>) {
        if self.meetings.len() >= MOST {
            self.meetings.pop_front();
        }
        self.meetings.push_back(Meeting {
            time,
            late,
            instance,
        });
    }

    /// Forgets what was up to `time` (ticks): all threads have been together since.
    pub fn forget(&mut self, time: u64) {
        while self
            .meetings
            .front()
            .is_some_and(|first| first.time <= time)
        {
            self.meetings.pop_front();
        }
    }

    /// The last time (ticks) at which this thread, whose number is `own`, and another were
    /// together.
    pub fn latest(&self, own: ThreadId, other: &Together, other_thread: ThreadId) -> Option<u64> {
        let mut mine = self.meetings.iter().rev();
        let mut theirs = other.meetings.iter().rev();
        let (mut m, mut t) = (mine.next(), theirs.next());
        // Both lists are gone through together, latest first.
        loop {
            let (my_time, their_time) = (m.map(|m| m.time), t.map(|t| t.time));
            if m.is_some_and(|m| m.late == other_thread) && my_time >= their_time {
                return my_time;
            }
            if t.is_some_and(|t| t.late == own) && their_time >= my_time {
                return their_time;
            }
            if let (Some(m), Some(t)) = (m, t) {
                if m.instance.is_some() && m.instance == t.instance && m.late == t.late {
                    return my_time;
                }
            }
            if my_time > their_time {
                m = mine.next();
            } else if their_time.is_some() {
                t = theirs.next();
            } else {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_meet_by_waiting_for_each_other_or_for_a_third() {
        let (mut a, mut b) = (Together::default(), Together::default());
        assert_eq!(a.latest(0, &b, 1), None);
        let broadcast = |number| Some((Matched::Collective, number));
        a.add(10, 2, broadcast(0));
        b.add(10, 2, broadcast(0));
        assert_eq!(a.latest(0, &b, 1), Some(10));
        // At different instances, or for different threads, they do not meet.
        a.add(20, 2, broadcast(1));
        b.add(20, 3, broadcast(1));
        a.add(25, 2, broadcast(2));
        b.add(30, 2, broadcast(3));
        assert_eq!(a.latest(0, &b, 1), Some(10));
        assert_eq!(b.latest(1, &a, 0), Some(10));
        // One waits for the other at a lock.
        b.add(35, 0, None);
        a.add(40, 5, None);
        assert_eq!(a.latest(0, &b, 1), Some(35));
        assert_eq!(b.latest(1, &a, 0), Some(35));
        a.forget(40);
        assert_eq!(b.latest(1, &a, 0), Some(35));
        b.forget(35);
        assert_eq!(b.latest(1, &a, 0), None);
    }
}
