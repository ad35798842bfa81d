//! Assigns groups of streams to workers and decides when a stretch of time is complete. Every core
//! takes whatever can be read, or matched, and nobody waits for the slowest stream of a stretch:
//! readers may be up to [`AHEAD`] stretches ahead of each other. The end of a stretch follows from
//! the events alone, never from the speed of workers, so that the result is the same for any number
//! of cores.
//!
//! Memory: the contributions of [`AHEAD`] + 2 stretches to compound events.

use std::collections::VecDeque;

use crate::threads::batch::Batch;

/// Number of events that are read before they are judged. The result does not depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    /// Events of all threads in one stretch of time, on average.
    pub events: u64,
    /// Events of one thread, at most.
    pub per_thread: u64,
}

impl Stretch {
    /// A length that suits a number of threads: turns that are long enough for each of them.
    pub fn for_threads(threads: usize) -> Self {
        Stretch {
            events: (threads as u64).saturating_mul(96).max(1 << 16),
            per_thread: 1 << 17,
        }
    }
}

impl Default for Stretch {
    fn default() -> Self {
        Stretch::for_threads(1)
    }
}

/// The end of stretch N is chosen from the figures of stretch N - `AHEAD`.
const AHEAD: u64 = 2;

/// Stretches that are open at once: those that are read, and two that wait for the matcher.
const MOST_OPEN: usize = AHEAD as usize + 2;

/// Contributions of streams in one stretch, by group of streams, then by stream.
pub type Batches = Vec<Vec<Batch>>;

/// Something to do.
#[derive(Debug)]
pub enum Task {
    /// Reads the streams of a group up to `until` (ticks); the batches are empty, one for each.
    Read {
        group: usize,
        stretch: u64,
        until: u64,
        batches: Vec<Batch>,
    },
    /// Judges a stretch; no event before `safe` (ticks; `None`: all streams have ended) can come
    /// any more.
    Match { batches: Batches, safe: Option<u64> },
}

#[derive(Debug)]
struct Group {
    streams: usize,
    /// The stretch that it has to read next.
    next: u64,
    busy: bool,
    /// The worker that read it last, and has the states of its streams in its cache.
    worker: usize,
    /// If another process reads it: the number of stretches whose contributions have arrived from
    /// there.
    come: Option<u64>,
}

impl Group {
    fn new(number: usize, streams: usize, come: Option<u64>) -> Self {
        Group {
            streams,
            next: 0,
            busy: false,
            worker: number,
            come,
        }
    }

    /// Whether its next stretch can be taken on.
    fn can_go_on(&self) -> bool {
        !self.busy && self.come.is_none_or(|come| self.next < come)
    }
}

/// A stretch that is read or waits for the matcher.
#[derive(Debug)]
struct Open {
    until: u64,
    /// Groups that have not read it yet.
    left: usize,
    taken: u64,
    safe: Option<u64>,
    batches: Batches,
}

/// Figures of a stretch that was read, from which the ends of later ones are chosen.
#[derive(Debug, Clone, Copy)]
struct Read {
    until: u64,
    taken: u64,
    safe: Option<u64>,
}

/// The state of the work.
#[derive(Debug)]
pub struct Schedule {
    groups: Vec<Group>,
    /// From stretch number `first` on.
    open: VecDeque<Open>,
    first: u64,
    /// Stretches that were read, from number `known` on, until they have been used for the choice
    /// of another one.
    read: VecDeque<Read>,
    matching: bool,
    /// Nothing is to be judged for now.
    held: bool,
    /// No group begins a stretch after this one.
    last: u64,
    /// The next stretch to announce to other processes.
    told: u64,
    /// The end of the latest open stretch, in ticks.
    until: u64,
    pace: Pace,
    spare: Vec<Batches>,
    finished: bool,
}

impl Schedule {
    /// Groups with the given numbers of streams, and after them `elsewhere` groups that other
    /// processes read: their streams become known with their contributions.
    pub fn new(groups: impl Iterator<Item = usize>, elsewhere: usize, stretch: Stretch) -> Self {
        let here = groups
            .enumerate()
            .map(|(number, streams)| Group::new(number, streams, None));
        let mut groups: Vec<Group> = here.collect();
        groups.extend((0..elsewhere).map(|number| Group::new(number, 0, Some(0))));
        let mut schedule = Schedule {
            groups,
            open: VecDeque::new(),
            first: 0,
            read: VecDeque::new(),
            matching: false,
            held: false,
            last: u64::MAX,
            told: 0,
            until: 0,
            pace: Pace::new(stretch),
            spare: Vec::new(),
            finished: false,
        };
        schedule.open_more();
        schedule
    }

    /// Whether there is nothing left to do.
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// Whether the matcher has to wait, since too much is left of what it has done before.
    pub fn hold_matching(&mut self, held: bool) {
        self.held = held;
    }

    /// The end (ticks) of the next stretch that other processes are to read.
    pub fn tell(&mut self) -> Option<u64> {
        if self.finished || self.told > self.last {
            return None;
        }
        let open = self.open.get(self.told.checked_sub(self.first)? as usize)?;
        self.told += 1;
        Some(open.until)
    }

    /// Notes that a group's contribution to its next stretch has arrived from another process.
    pub fn has_come(&mut self, group: usize) {
        if let Some(come) = self.groups.get_mut(group).and_then(|g| g.come.as_mut()) {
            *come += 1;
        }
    }

    /// Next task of `worker` (a number); `None` if other workers are already doing all tasks that
    /// can be done.
    pub fn pick(&mut self, worker: usize) -> Option<Task> {
        if self.finished {
            return None;
        }
        // Matching goes first: only one can match at a time.
        let judged = self.last < u64::MAX && self.first > self.last;
        if !self.matching && !self.held && !judged {
            if let Some(first) = self.open.front_mut().filter(|open| open.left == 0) {
                self.matching = true;
                return Some(Task::Match {
                    batches: std::mem::take(&mut first.batches),
                    safe: first.safe,
                });
            }
        }
        let end = self.first + self.open.len() as u64;
        let can_read =
            |group: &Group| group.can_go_on() && group.next < end && group.next <= self.last;
        let candidates = self.groups.iter().enumerate();
        let (number, _) = candidates
            .filter(|(_, group)| can_read(group))
            .min_by_key(|(_, group)| (group.next, group.worker != worker))?;
        let group = &mut self.groups[number];
        group.busy = true;
        group.worker = worker;
        let open = &mut self.open[(group.next - self.first) as usize];
        Some(Task::Read {
            group: number,
            stretch: group.next,
            until: open.until,
            batches: std::mem::take(&mut open.batches[number]),
        })
    }

    /// A group has read its next stretch: `taken` events, and `safe` as for [`Task::Match`].
    pub fn has_read(&mut self, group: usize, batches: Vec<Batch>, taken: u64, safe: Option<u64>) {
        let stretch = self.groups[group].next;
        self.groups[group].busy = false;
        self.groups[group].next += 1;
        let open = &mut self.open[(stretch - self.first) as usize];
        open.batches[group] = batches;
        open.taken += taken;
        open.safe = match (open.safe, safe) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        open.left -= 1;
        if open.left == 0 {
            self.read.push_back(Read {
                until: open.until,
                taken: open.taken,
                safe: open.safe,
            });
            if open.safe.is_none() {
                self.last = self.last.min(stretch);
            }
            self.open_more();
        }
    }

    /// The first stretch was judged.
    pub fn has_matched(&mut self, batches: Batches) {
        self.matching = false;
        self.open.pop_front();
        // It may have been stopped in the meantime.
        self.finished |= self.first == self.last;
        self.first += 1;
        self.spare.push(batches);
        self.open_more();
    }

    /// A group could not read `stretch`. Those that are not so far yet read it as well, so that the
    /// same failure is found whoever is faster; nobody goes further.
    pub fn has_failed(&mut self, group: usize, stretch: u64) {
        self.groups[group].busy = false;
        self.groups[group].next = stretch + 1;
        self.last = self.last.min(stretch);
    }

    /// Whether nothing can be read any more, after a failure.
    pub fn stopped(&self) -> bool {
        self.groups
            .iter()
            .all(|group| !group.busy && group.next > self.last)
    }

    /// Nothing more is to be done.
    pub fn stop(&mut self) {
        self.finished = true;
    }

    fn open_more(&mut self) {
        while self.open.len() < MOST_OPEN {
            let number = self.first + self.open.len() as u64;
            if number >= AHEAD {
                let Some(read) = self.read.front().copied() else {
                    return;
                };
                let Some(safe) = read.safe else {
                    return;
                };
                self.read.pop_front();
                self.pace.adapt(read.taken);
                self.until = self.pace.until(self.until, read.until, safe);
            } else {
                self.until = self.until.saturating_add(self.pace.ticks);
            }
            let groups = self.groups.iter();
            let batches = self.spare.pop().unwrap_or_else(|| {
                let empty = |group: &Group| (0..group.streams).map(|_| Batch::default()).collect();
                groups.map(empty).collect()
            });
            self.open.push_back(Open {
                until: self.until,
                left: self.groups.len(),
                taken: 0,
                safe: None,
                batches,
            });
        }
    }
}

/// Chooses stretches of time that hold about the wanted number of events.
#[derive(Debug)]
struct Pace {
    wanted: u64,
    ticks: u64,
}

impl Pace {
    fn new(stretch: Stretch) -> Self {
        Pace {
            wanted: stretch.events.max(1),
            // The first stretches should rather be too short than need memory that all others do
            // not need.
            ticks: 1 << 10,
        }
    }

    /// End of a stretch, `latest` being that of the one before it. Of the stretch that was to end
    /// at `asked`, the slowest stream has reached `safe`.
    fn until(&self, latest: u64, asked: u64, safe: u64) -> u64 {
        if safe >= asked {
            latest.max(safe).saturating_add(self.ticks)
        } else {
            // It had too many events: the others must not run away from it.
            safe.saturating_add(self.ticks.saturating_mul(AHEAD))
        }
    }

    fn adapt(&mut self, taken: u64) {
        if taken < self.wanted / 2 {
            self.ticks = self.ticks.saturating_mul(2);
        } else if taken > self.wanted.saturating_mul(2) {
            self.ticks = (self.ticks / 2).max(1);
        }
    }
}

#[cfg(test)]
mod failures;

#[cfg(test)]
mod tests {
    use super::*;

    /// Splitmix64.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (z ^ z >> 31) % limit
        }
    }

    /// Stretches that were read and judged, in order: by group the end (ticks) and the number of
    /// events, and the time (ticks) up to which judging was safe.
    #[derive(Debug, Default, PartialEq)]
    struct Course {
        read: Vec<Vec<(u64, u64)>>,
        judged: Vec<Option<u64>>,
    }

    /// Times of events by group: dense, sparse, with a long gap, with a burst, and none.
    fn streams() -> Vec<Vec<u64>> {
        let every = |ticks: u64, count: u64| (0..count).map(|n| n * ticks).collect::<Vec<u64>>();
        let mut gap = every(900, 300);
        gap.extend((0..300).map(|n| 40_000_000_000 + n * 7_000));
        let burst = (0..3_000).map(|n| 20_000_000 + n).collect();
        vec![
            every(1_000, 9_000),
            every(70_000, 150),
            gap,
            burst,
            Vec::new(),
        ]
    }

    /// The work of several workers, where chance decides who comes next.
    fn course(workers: usize, chance: u64) -> Course {
        let streams = streams();
        let stretch = Stretch {
            events: 500,
            per_thread: 200,
        };
        let mut schedule = Schedule::new(streams.iter().map(|_| 1), 0, stretch);
        let mut course = Course {
            read: vec![Vec::new(); streams.len()],
            ..Course::default()
        };
        let mut next = vec![0; streams.len()];
        let mut numbers = Numbers(chance);
        let mut doing: Vec<Option<Task>> = (0..workers).map(|_| None).collect();
        while !schedule.finished() {
            assert!(schedule.open.len() <= MOST_OPEN);
            let worker = numbers.below(workers as u64) as usize;
            match doing[worker].take() {
                None => {
                    doing[worker] = schedule.pick(worker);
                    assert!(doing.iter().any(Option::is_some), "nobody can go on");
                }
                Some(Task::Match { batches, safe }) => {
                    course.judged.push(safe);
                    schedule.has_matched(batches);
                }
                Some(Task::Read {
                    group,
                    until,
                    batches,
                    ..
                }) => {
                    let left = &streams[group][next[group]..];
                    let taken = left.iter().take(200).take_while(|&&time| time <= until);
                    let taken = taken.count();
                    next[group] += taken;
                    course.read[group].push((until, taken as u64));
                    let safe = streams[group].get(next[group]).copied();
                    schedule.has_read(group, batches, taken as u64, safe);
                }
            }
        }
        // Beyond the end some may have looked for more.
        for read in &mut course.read {
            read.truncate(course.judged.len());
        }
        course
    }

    #[test]
    fn stretches_do_not_depend_on_who_is_faster() {
        let alone = course(1, 0);
        let events = |read: &Vec<(u64, u64)>| read.iter().map(|(_, taken)| taken).sum::<u64>();
        let read: Vec<u64> = alone.read.iter().map(events).collect();
        let there: Vec<u64> = streams().iter().map(|times| times.len() as u64).collect();
        assert_eq!(read, there);
        assert_eq!(alone.judged.last(), Some(&None));
        for chance in 0..40 {
            let workers = 2 + chance as usize % 4;
            assert!(
                course(workers, chance) == alone,
                "{workers} workers, {chance}"
            );
        }
    }

    #[test]
    fn after_a_failure_all_read_so_far_and_no_further() {
        let mut schedule = Schedule::new([1, 1].into_iter(), 0, Stretch::default());
        let mut read = Vec::new();
        for worker in [0, 1] {
            match schedule.pick(worker) {
                Some(Task::Read { group, stretch, .. }) => read.push((group, stretch)),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(read, [(0, 0), (1, 0)]);
        schedule.has_failed(0, 0);
        // The other group may still fail in the same stretch.
        assert!(!schedule.stopped());
        schedule.has_read(1, vec![Batch::default()], 5, Some(7));
        assert!(schedule.stopped());
        assert!(schedule.pick(0).is_none());
    }

    #[test]
    fn what_was_stopped_while_somebody_judged_stays_so() {
        let mut schedule = Schedule::new([1].into_iter(), 0, Stretch::default());
        assert!(matches!(schedule.pick(0), Some(Task::Read { .. })));
        schedule.has_read(0, vec![Batch::default()], 5, Some(7));
        let Some(Task::Match { batches, .. }) = schedule.pick(0) else {
            panic!("nothing to judge");
        };
        let Some(Task::Read { group, stretch, .. }) = schedule.pick(1) else {
            panic!("nothing to read");
        };
        schedule.has_failed(group, stretch);
        assert!(schedule.stopped());
        schedule.stop();
        schedule.has_matched(batches);
        assert!(schedule.finished());
    }
}
