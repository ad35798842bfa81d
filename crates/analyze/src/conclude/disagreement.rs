//! Remarks about threads that do not do the same: other collective operations, roots or modes at
//! the same number, other values of a barrier, operations that some never come to, locks that
//! nobody gives back. Each names which threads did what where and when, in contrast to the others,
//! so that the place in the program can be found without the trace. Threads that did the same are
//! named together, so that a remark stays readable with a thousand of them.

use pgas_earl::{Callers, Matched, PathId, SyncCount};
use pgas_trace::model::{Operation, ThreadId};

use crate::model::paths::CallPaths;
use crate::model::thread_end::{End, Stand};
use crate::model::wording;
use crate::pipeline::search::Found;

/// Maximum number of groups of threads that one remark writes out.
const GROUPS: usize = 6;

/// Writes remarks about a search, whose times are in ticks.
pub struct Writer<'a> {
    pub found: &'a Found,
    /// Seconds since the start of the run.
    pub at: &'a dyn Fn(u64) -> f64,
}

impl Writer<'_> {
    /// Everything in which threads disagree, and where those are that did not come to the end.
    pub fn remarks(&self) -> Vec<String> {
        let all = [
            self.collectives(),
            self.barrier_values(),
            self.ends(),
            self.left_alone(),
            self.foreign_release(),
            self.unreleased(),
            self.kept_locks(),
        ];
        all.into_iter().flatten().collect()
    }

    fn paths(&self) -> &CallPaths {
        self.found.matcher.paths()
    }

    fn after(&self, ticks: u64) -> String {
        format!("after {}", wording::seconds((self.at)(ticks)))
    }

    /// "upc_wait (a.upc:12), called from step".
    fn place(&self, path: PathId) -> String {
        let paths = self.paths();
        let place = paths
            .site(path)
            .map_or_else(|| "the program".into(), wording::place);
        match paths.function(path) {
            Some(function) if paths.site(path) != Some(function) => {
                format!("{place}, called from {}", function.region_name())
            }
            _ => place,
        }
    }

    /// All threads have left operations with the same number that are not the same.
    fn collectives(&self) -> Option<String> {
        let disagreement = self.found.matcher.detectors().agreement.disagreement()?;
        let callers = &disagreement.callers;
        let differ = |part: fn(&Callers) -> u32| {
            let first = callers.first().map(part);
            callers.iter().any(|caller| Some(part(caller)) != first)
        };
        let roots = differ(|c| c.root.map_or(0, |root| root + 1));
        let modes = differ(|c| c.sync_in as u32 * 4 + c.sync_out as u32);
        let groups = callers.iter().map(|caller| {
            let mut text = format!(
                "{} entered {}",
                wording::threads(&caller.threads),
                self.place(caller.path)
            );
            match caller.root.filter(|_| roots) {
                Some(root) => text += &format!(", with root {root}"),
                None if roots => text += ", without a root",
                None => {}
            }
            if modes {
                text += &format!(
                    ", with IN_{} and OUT_{}",
                    caller.sync_in.name(),
                    caller.sync_out.name()
                );
            }
            format!("{text}, {}", self.after(caller.time))
        });
        Some(format!(
            "the threads disagree: as collective operation {} (counted from 0), {}; collective \
             operations are matched up to there, and not searched for wait states from there on",
            disagreement.number,
            joined(groups.collect(), callers.iter().map(|c| c.threads.len())),
        ))
    }

    fn barrier_values(&self) -> Option<String> {
        let contradiction = self.found.matcher.detectors().agreement.contradiction()?;
        let groups = contradiction.groups.iter().map(|group| {
            format!(
                "{} entered {} with the value {}, {}",
                wording::threads(&group.threads),
                self.place(group.path),
                group.value,
                self.after(group.time)
            )
        });
        let others = match contradiction.count {
            1 => String::new(),
            2 => "; it is the first of 2 such barriers".into(),
            count => format!("; it is the first of {count} such barriers"),
        };
        Some(format!(
            "the threads disagree: as barrier {} (counted from 0), {}{others}",
            contradiction.number,
            joined(
                groups.collect(),
                contradiction.groups.iter().map(|g| g.threads.len())
            ),
        ))
    }

    /// Where the threads are that did not come to the end of the program.
    fn ends(&self) -> Option<String> {
        let threads = &self.found.threads;
        let unfinished = |end: &End| *end != End::Left;
        if !threads.iter().any(|thread| unfinished(&thread.end)) {
            return None;
        }
        let progress = Progress::new(self.found);
        let disagree = progress.disagree();
        let mut groups: Vec<Group> = Vec::new();
        let mut without_events = Vec::new();
        for (thread, profile) in threads.iter().enumerate() {
            let id = thread as ThreadId;
            let Some(span) = profile.span else {
                without_events.push(id);
                continue;
            };
            // A thread that has ended normally matters only if others wait for it.
            if profile.end == End::Left && !(disagree && progress.is_missed(thread)) {
                continue;
            }
            let key = match profile.end {
                End::Stands(stand) => Key {
                    end: End::Stands(Stand { since: 0, ..stand }),
                    number: progress.number(thread),
                    ender: None,
                },
                end => Key {
                    end,
                    number: None,
                    ender: progress.ender(thread),
                },
            };
            let since = match profile.end {
                End::Stands(stand) => stand.since,
                _ => span.end,
            };
            match groups.iter_mut().find(|group| group.key == key) {
                Some(group) => {
                    group.threads.push(id);
                    group.since = group.since.min(since);
                    group.until = group.until.max(span.end);
                }
                None => groups.push(Group {
                    key,
                    threads: vec![id],
                    since,
                    until: span.end,
                }),
            }
        }
        groups.sort_by_key(|group| group.threads.len());
        let mut sizes: Vec<usize> = groups.iter().map(|group| group.threads.len()).collect();
        let mut texts: Vec<String> = groups.iter().map(|group| self.end(group)).collect();
        if !without_events.is_empty() {
            sizes.insert(0, without_events.len());
            texts.insert(
                0,
                format!(
                    "there are no events of {}",
                    wording::threads(&without_events)
                ),
            );
        }
        let (begin, separator, end) = match disagree {
            true => (
                "the threads disagree: ",
                ", while ",
                "numbers count from 0; operations of all threads are matched up to there",
            ),
            false => (
                "the traces do not reach the end of the program: ",
                "; ",
                "what came later is not in the figures",
            ),
        };
        Some(format!(
            "{begin}{}; {end}",
            joined_with(separator, texts, sizes.into_iter())
        ))
    }

    /// Threads that left the program on their own: failed images, or processes that exit without the
    /// collective end of their model.
    fn left_alone(&self) -> Option<String> {
        let progress = Progress::new(self.found);
        let threads = self.found.threads.iter().enumerate();
        let mut groups: Vec<(PathId, Vec<ThreadId>, u64)> = Vec::new();
        for (thread, profile) in threads.filter(|(_, profile)| profile.end == End::Left) {
            let (Some(path), Some(span)) = (progress.ender(thread), profile.span) else {
                continue;
            };
            match groups.iter_mut().find(|group| group.0 == path) {
                Some((_, threads, first)) => {
                    threads.push(thread as ThreadId);
                    *first = span.end.min(*first);
                }
                None => groups.push((path, vec![thread as ThreadId], span.end)),
            }
        }
        let sizes: Vec<usize> = groups.iter().map(|(_, threads, _)| threads.len()).collect();
        let left: usize = sizes.iter().sum();
        let texts = groups.iter().map(|(path, threads, first)| {
            let (who, place) = (wording::threads(threads), self.place(*path));
            format!("{who} left the program in {place}, {}", self.after(*first))
        });
        let how = match self.found.threads.len() {
            all if 0 < left && left < all => "without the other threads",
            all if 1 < left && left == all => "each without waiting for the others",
            _ => return None,
        };
        let texts = joined_with("; ", texts.collect(), sizes.into_iter());
        Some(format!("{texts}, {how}"))
    }

    fn end(&self, group: &Group) -> String {
        let who = wording::threads(&group.threads);
        let one = group.threads.len() == 1;
        let since = self.after(group.since);
        let stand = match group.key.end {
            End::Stands(stand) => stand,
            End::Cut(path) => {
                let seconds = |ticks| wording::seconds((self.at)(ticks));
                let ends = match group.since == group.until {
                    true => format!("after {}", seconds(group.since)),
                    false => format!(
                        "between {} and {}",
                        seconds(group.since),
                        seconds(group.until)
                    ),
                };
                return match one {
                    true => format!("{who}: the trace ends {ends} in {}", self.place(path)),
                    false => format!("{who}: the traces end {ends} in {}", self.place(path)),
                };
            }
            End::Ended => return format!("{who} ended {since} in the program's own code"),
            End::Left => {
                return match group.key.ender {
                    Some(path) => {
                        format!("{who} ended the program in {}, {since}", self.place(path))
                    }
                    None => format!("{who} had left the program, {since}"),
                };
            }
        };
        if self.paths().operation(stand.path) == Some(Operation::CollectiveExit) {
            return match one {
                true => format!("{who} has come to the end of the program, {since}"),
                false => format!("{who} have come to the end of the program, {since}"),
            };
        }
        let place = self.place(stand.path);
        let verb = if one { "is" } else { "are" };
        if let Some(lock) = stand.lock {
            let held = match self.found.matcher.ownership().holding(lock) {
                Some(holding) => format!(
                    " for a lock that thread {} took in {}, {}, and did not give back",
                    holding.owner,
                    self.place(holding.path),
                    self.after(holding.time)
                ),
                None => String::new(),
            };
            return format!("{who} {verb} in {place}, entered {since},{held}")
                .trim_end_matches(',')
                .to_owned();
        }
        let number = match group.key.number {
            Some((Matched::Barrier, number)) => format!(" as barrier {number}"),
            Some((Matched::Collective, number)) => format!(" as collective operation {number}"),
            None => String::new(),
        };
        let value = match stand.value {
            Some(value) => format!(" with the value {value}"),
            None => String::new(),
        };
        format!("{who} {verb} in {place}, entered{number}{value} {since}")
    }

    fn foreign_release(&self) -> Option<String> {
        let foreign = self.found.matcher.ownership().foreign_release()?;
        let release = foreign.release;
        Some(format!(
            "thread {} gave back a lock in {}, {}, that belonged to thread {}, which took it in \
             {}, {}: only the owner may do that; lock contention does not count it",
            release.thread,
            self.place(release.record.path),
            self.after(release.record.time),
            foreign.owner,
            self.place(foreign.taken.0),
            self.after(foreign.taken.1),
        ))
    }

    fn unreleased(&self) -> Option<String> {
        let lock = self.found.matcher.ownership().unreleased()?;
        let owner = self.found.threads.get(lock.owner as usize)?;
        // A trace that reached its limit has a remark of its own, and so has what explains this.
        let foreign = self.found.matcher.ownership().foreign_release();
        if owner.summed.beyond.is_some() || foreign.is_some_and(|f| f.lock == lock.lock) {
            return None;
        }
        Some(format!(
            "thread {} took a lock in {}, {}, that thread {} took in {}, {}, and by its trace had \
             not given back: events are missing or the program is wrong, and lock contention is a \
             lower bound",
            lock.taker,
            self.place(lock.path),
            self.after(lock.time),
            lock.owner,
            self.place(lock.taken.0),
            self.after(lock.taken.1),
        ))
    }

    /// Locks of threads that have left the program.
    fn kept_locks(&self) -> Option<String> {
        let threads = &self.found.threads;
        let left = |thread: ThreadId| {
            let profile = threads.get(thread as usize);
            profile.is_some_and(|p| p.program_ended && p.summed.beyond.is_none())
        };
        let held = self.found.matcher.ownership().held();
        let mut kept = held.iter().filter(|holding| left(holding.owner));
        let first = kept.next()?;
        let more = match kept.count() {
            0 => String::new(),
            count => format!("; so did others with {count} more"),
        };
        Some(format!(
            "thread {} left the program with a lock that it took in {}, {}, and did not give \
             back{more}",
            first.owner,
            self.place(first.path),
            self.after(first.time),
        ))
    }
}

/// Threads whose traces end alike.
struct Group {
    key: Key,
    threads: Vec<ThreadId>,
    /// Ticks: first Enter of where they stand, or first end.
    since: u64,
    /// Last end.
    until: u64,
}

#[derive(PartialEq)]
struct Key {
    end: End,
    number: Option<(Matched, u64)>,
    /// Where the thread ended the program for all.
    ender: Option<PathId>,
}

/// How many barriers and collective operations each thread has behind it. All threads execute the
/// same ones in the same order, so two of them that have as many behind them come to the same one
/// next.
struct Progress<'a> {
    found: &'a Found,
    /// By thread.
    behind: &'a [SyncCount],
}

impl<'a> Progress<'a> {
    fn new(found: &'a Found) -> Self {
        let behind = found.matcher.reached();
        Progress { found, behind }
    }

    fn stand(&self, thread: usize) -> Option<(Matched, Stand)> {
        let End::Stands(stand) = self.found.threads[thread].end else {
            return None;
        };
        match self.found.matcher.paths().operation(stand.path)? {
            Operation::Lock => None,
            Operation::Barrier | Operation::Wait => Some((Matched::Barrier, stand)),
            _ => Some((Matched::Collective, stand)),
        }
    }

    /// The number of the instance that a thread is in; `None` if that is not known.
    fn number(&self, thread: usize) -> Option<(Matched, u64)> {
        if !self.found.threads[thread].is_numbered {
            return None;
        }
        let (kind, _) = self.stand(thread)?;
        Some((kind, self.behind[thread].of(kind)))
    }

    fn all_behind(&self, thread: usize) -> u64 {
        self.behind[thread].total()
    }

    /// Where a thread ended the program for all.
    fn ender(&self, thread: usize) -> Option<PathId> {
        let totals = self.found.threads[thread].totals.iter().enumerate();
        let paths = self.found.matcher.paths();
        let mut called = totals
            .filter(|(_, totals)| totals.visits > 0)
            .map(|(path, _)| PathId(path as u32));
        called.find(|&path| paths.operation(path) == Some(Operation::NoncollectiveExit))
    }

    /// Whether some thread is in an operation that this one, which has left the program, never came
    /// to.
    fn is_missed(&self, thread: usize) -> bool {
        let profile = &self.found.threads[thread];
        let reached = self.all_behind(thread);
        profile.end == End::Left
            && profile.program_ended
            && profile.is_numbered
            && self.ender(thread).is_none()
            && (0..self.behind.len())
                .any(|other| self.number(other).is_some() && self.all_behind(other) >= reached)
    }

    /// Whether two threads are at the same point of the order in different operations: no cut of a
    /// trace explains that.
    fn disagree(&self) -> bool {
        let paths = self.found.matcher.paths();
        let mut stands: Vec<_> = (0..self.behind.len())
            .filter_map(|thread| {
                self.number(thread)?;
                let (kind, stand) = self.stand(thread)?;
                let operation = match kind {
                    Matched::Barrier => Operation::Barrier,
                    Matched::Collective => paths.operation(stand.path)?,
                };
                let point = self.all_behind(thread);
                Some((point, operation as u32, self.behind[thread], stand.value))
            })
            .collect();
        stands.sort_unstable();
        let contrary = stands.windows(2).any(|pair| {
            let (a, b) = (&pair[0], &pair[1]);
            a.0 == b.0
                && ((a.1, a.2) != (b.1, b.2) || (a.3.is_some() && b.3.is_some() && a.3 != b.3))
        });
        contrary || (0..self.behind.len()).any(|thread| self.is_missed(thread))
    }
}

fn joined(texts: Vec<String>, sizes: impl Iterator<Item = usize>) -> String {
    joined_with(", while ", texts, sizes)
}

/// Joins the descriptions of groups of threads, each with its number of threads; of many groups the
/// largest are left out but for the last.
fn joined_with(
    separator: &str,
    mut texts: Vec<String>,
    sizes: impl Iterator<Item = usize>,
) -> String {
    if texts.len() > GROUPS {
        let sizes: Vec<usize> = sizes.collect();
        let left_out: usize = sizes[GROUPS - 1..sizes.len() - 1].iter().sum();
        let last = texts.pop();
        texts.truncate(GROUPS - 1);
        texts.push(match left_out {
            1 => "one more thread is elsewhere".into(),
            n => format!("{n} more threads are elsewhere"),
        });
        texts.extend(last);
    }
    texts.join(separator)
}
