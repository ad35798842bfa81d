//! Counts the calls of one thread while its stream is read, and reports at marks how much time it
//! spent in which class of operations since the mark before.
//!
//! A call that is no mark costs a few instructions. The events of the thread alone decide which
//! paths are followed, so that it does not matter how far the threads are read at a time.

use pgas_earl::walker::View;
use pgas_earl::{PathId, Span};
use pgas_trace::model::Operation;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::signatures::Signatures;
use super::{FOLLOWED, LEAST_CALLS, Mark, MarkKind, SINGLE, next_mark};
use crate::model::mix::mix;
use crate::model::time_class::Class;

/// Functions called by one caller that are looked at to tell whether iterations are alike.
const SIBLINGS: usize = 64;
/// A path is no longer followed once it has this number of calls, if one of its callers has
/// [`OUTER`] calls.
const INNER: u64 = 32;
/// Number of calls of a caller from which on its callees need not be followed.
const OUTER: u64 = 20;

/// State of a path that each of its calls reads or changes.
#[derive(Debug)]
struct Slot {
    /// Calls to the next mark.
    left: u64,
    /// When the latest call ended; before that, when the first one began. Ticks.
    end: u64,
    /// The shortest iteration, and by how much the longest one is longer. Ticks.
    least: u64,
    range: u64,
    /// Place among those that are followed.
    followed: u32,
}

/// In the place of [`Slot::followed`]: it is not followed.
const IGNORED: u32 = u32::MAX;
/// The same, and neither is what it calls: it is called by itself.
const RECURSIVE: u32 = u32::MAX - 1;

impl Slot {
    fn ignored(why: u32) -> Self {
        Slot {
            left: u64::MAX,
            end: 0,
            least: 0,
            range: u64::MAX,
            followed: why,
        }
    }

    fn ignore(&mut self) {
        *self = Slot {
            end: self.end,
            ..Slot::ignored(IGNORED)
        };
    }
}

/// A path whose calls are counted.
#[derive(Debug)]
struct Followed {
    path: PathId,
    caller: PathId,
    /// Ticks at the begin of the first call.
    begin: u64,
    /// At the latest mark: calls, ticks, and ticks of each class since the thread's begin.
    calls: u64,
    time: u64,
    classes: [u64; Class::ALL.len()],
    signatures: Signatures,
    /// Something is missing, so that no more calls are counted: the end of the last one that was,
    /// and the shortest and the longest iteration up to there, in ticks.
    cut: Option<(u64, u64, u64)>,
}

/// The calls of one path on one thread at the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountedCalls {
    /// The call path, by its common number.
    pub path: PathId,
    /// Number of calls.
    pub calls: u64,
    /// From the begin of the first to the end of the last, in ticks.
    pub span: Span,
    /// Ticks of the shortest and of the longest iteration.
    pub least: u64,
    /// Ticks of the longest iteration.
    pub most: u64,
    /// Of the first iterations: the number of those that are alike, and the number of all.
    pub alike: (u64, u64),
    /// There may have been more of them.
    pub cut: bool,
    /// Recording was off after them.
    pub paused: bool,
}

/// Counts the calls of one thread. Paths are the thread's own.
#[derive(Debug)]
pub struct CallCounter {
    slots: Vec<Slot>,
    /// By path: the place of its class.
    classes: Vec<u8>,
    /// By class: ticks up to the latest synchronisation point.
    sums: [u64; Class::ALL.len()],
    followed: Vec<Followed>,
    /// By caller.
    siblings: FxHashMap<PathId, Vec<PathId>>,
    marks: Vec<Mark>,
    /// Ticks from which on calls do not count.
    until: u64,
}

impl CallCounter {
    /// Calls that end at `until` (ticks) or later do not count: they cannot be numbered, or did not
    /// really end.
    pub fn new(until: u64) -> Self {
        CallCounter {
            slots: vec![Slot::ignored(IGNORED)],
            classes: vec![class_of(None)],
            sums: [0; Class::ALL.len()],
            followed: Vec::new(),
            siblings: FxHashMap::default(),
            marks: Vec::new(),
            until,
        }
    }

    /// A call path comes up that is new.
    pub fn discovered(&mut self, time: u64, path: PathId, operation: Operation, view: &View) {
        self.classes.push(class_of(Some(operation)));
        self.slots.push(Slot::ignored(IGNORED));
        if !operation.is_user() || time >= self.until {
            return;
        }
        let caller = view.tree().node(path).parent;
        let siblings = self.siblings.entry(caller).or_default();
        if siblings.len() < SIBLINGS {
            siblings.push(path);
        }
        if self.is_recursive(path, view) {
            self.slots[path.index()].followed = RECURSIVE;
            return;
        }
        if self.followed.len() == FOLLOWED && !self.make_room(time, path, view) {
            return;
        }
        self.slots[path.index()] = Slot {
            left: 1,
            end: time,
            least: u64::MAX,
            range: 0,
            followed: self.followed.len() as u32,
        };
        self.followed.push(Followed {
            path,
            caller,
            begin: time,
            calls: 0,
            time,
            classes: self.classes_now(view),
            signatures: Signatures::default(),
            cut: None,
        });
        self.marks.push(Mark {
            path,
            time,
            kind: MarkKind::Begun,
        });
    }

    /// Whether the function is called by itself, or its caller is such a one.
    fn is_recursive(&self, path: PathId, view: &View) -> bool {
        let tree = view.tree();
        let node = tree.node(path);
        if self.slots[node.parent.index()].followed == RECURSIVE {
            return true;
        }
        ancestors(node.parent, view).any(|caller| tree.node(caller).site == node.site)
    }

    /// Drops the path whose calls took the shortest time from the first to the last, unless all are
    /// those of calls around `path`.
    fn make_room(&mut self, time: u64, path: PathId, view: &View) -> bool {
        let around: Vec<PathId> = ancestors(path, view).collect();
        let is_over = |followed: &&Followed| !around.contains(&followed.path);
        let length = |followed: &Followed| {
            let end = self.slots[followed.path.index()].end;
            (end.wrapping_sub(followed.begin), followed.path)
        };
        let all = self.followed.iter();
        let shortest = all.filter(is_over).map(length).min();
        if let Some((_, path)) = shortest {
            self.drop(path, time);
        }
        shortest.is_some()
    }

    fn drop(&mut self, path: PathId, time: u64) {
        let place = self.slots[path.index()].followed as usize;
        self.slots[path.index()].ignore();
        self.followed.swap_remove(place);
        if let Some(moved) = self.followed.get(place) {
            self.slots[moved.path.index()].followed = place as u32;
        }
        self.marks.push(Mark {
            path,
            time,
            kind: MarkKind::Dropped,
        });
    }

    /// A call of the program's own functions or regions is over.
    #[inline]
    pub fn ended(&mut self, span: Span, path: PathId, view: &View) {
        let Some(slot) = self.slots.get_mut(path.index()) else {
            return;
        };
        let before = slot.end;
        let ticks = span.end.wrapping_sub(before);
        if span.end >= self.until {
            return;
        }
        slot.end = span.end;
        slot.left -= 1;
        if ticks.wrapping_sub(slot.least) > slot.range {
            let most = slot.least.wrapping_add(slot.range).max(ticks);
            // Before the first one, there is no longest.
            let most = if slot.least == u64::MAX { ticks } else { most };
            slot.least = slot.least.min(ticks);
            slot.range = most - slot.least;
        }
        if slot.left == 0 {
            self.pass(span.end, before, path, view);
        }
    }

    /// A mark is reached: the call that ends now, after the one that ended at `before` (ticks), is
    /// one.
    #[cold]
    fn pass(&mut self, time: u64, before: u64, path: PathId, view: &View) {
        let classes = self.classes_now(view);
        let place = self.slots[path.index()].followed as usize;
        let Some(followed) = self.followed.get(place) else {
            return;
        };
        let calls = next_mark(followed.calls);
        let is_single = 1 < calls && calls <= SINGLE;
        let body = is_single.then(|| self.body(followed, before));
        let is_outer = |caller: PathId| self.calls_of(caller) >= OUTER;
        let is_inner = calls.is_power_of_two()
            && calls >= INNER
            && ancestors(followed.caller, view).any(is_outer);
        let followed = &mut self.followed[place];
        let mut spent = classes;
        for (now, before) in spent.iter_mut().zip(&followed.classes) {
            *now = now.wrapping_sub(*before);
        }
        if let Some(body) = body {
            followed.signatures.note(body);
        }
        self.marks.push(Mark {
            path,
            time,
            kind: MarkKind::Passed {
                calls,
                ticks: time.wrapping_sub(followed.time),
                classes: spent,
            },
        });
        followed.calls = calls;
        followed.time = time;
        followed.classes = classes;
        self.slots[path.index()].left = next_mark(calls) - calls;
        if is_inner {
            self.drop(path, time);
        }
    }

    /// Calls of a path that are over.
    fn calls_of(&self, path: PathId) -> u64 {
        let slot = &self.slots[path.index()];
        let followed = self.followed.get(slot.followed as usize);
        followed.map_or(0, |followed| match followed.cut {
            Some(_) => followed.calls,
            None => next_mark(followed.calls) - slot.left,
        })
    }

    /// Hash of the other paths that the caller has called since `before` (ticks), in the order of
    /// the last call of each.
    fn body(&self, followed: &Followed, before: u64) -> u64 {
        let siblings = self.siblings.get(&followed.caller);
        let siblings = siblings.map_or(&[][..], |siblings| &siblings[..]);
        let mut called: Vec<(u64, PathId)> = siblings
            .iter()
            .map(|&path| (self.slots[path.index()].end, path))
            .filter(|&(end, path)| end > before && path != followed.path)
            .collect();
        called.sort_unstable();
        let called = called.into_iter().map(|(_, path)| u64::from(path.0));
        called.fold(0, |body, path| mix(body ^ path))
    }

    /// A thread's activity between two synchronisation points.
    #[inline]
    pub fn spent(&mut self, activity: &[(PathId, u64)]) {
        for &(path, ticks) in activity {
            let class = usize::from(self.classes[path.index()]);
            self.sums[class] = self.sums[class].wrapping_add(ticks);
        }
    }

    fn classes_now(&self, view: &View) -> [u64; Class::ALL.len()] {
        let mut sums = self.sums;
        for (path, ticks) in view.activity() {
            let class = usize::from(self.classes[path.index()]);
            sums[class] = sums[class].wrapping_add(ticks);
        }
        sums
    }

    /// There are no events of some time: calls that had begun before cannot be counted any further.
    pub fn gap(&mut self) {
        for place in 0..self.followed.len() {
            let path = self.followed[place].path;
            if self.followed[place].cut.is_some() {
                continue;
            }
            self.followed[place].calls = self.calls_of(path);
            let slot = &mut self.slots[path.index()];
            let most = slot.least.wrapping_add(slot.range);
            self.followed[place].cut = Some((slot.end, slot.least, most));
            slot.left = u64::MAX;
        }
    }

    /// Moves the marks since the previous call to `marks`, in order of time.
    pub fn take(&mut self, marks: &mut Vec<Mark>) {
        if !marks.is_empty() {
            return marks.append(&mut self.marks);
        }
        std::mem::swap(marks, &mut self.marks);
        if self.marks.capacity() == 0 {
            self.marks.reserve_exact(marks.len() + marks.len() / 8);
        }
    }

    /// Counted calls of all followed paths at the end; `cut`: the thread's events end before the
    /// program does. `names` are the common numbers of paths.
    pub fn result(&self, names: &[PathId], cut: bool) -> Vec<CountedCalls> {
        let counted = |followed: &Followed| {
            let slot = &self.slots[followed.path.index()];
            let (end, least, most) =
                followed
                    .cut
                    .unwrap_or((slot.end, slot.least, slot.least.wrapping_add(slot.range)));
            CountedCalls {
                path: names[followed.path.index()],
                calls: self.calls_of(followed.path),
                span: Span::new(followed.begin, end),
                least,
                most,
                alike: followed.signatures.most_alike(),
                cut: cut || followed.cut.is_some(),
                paused: followed.cut.is_some(),
            }
        };
        let all = self.followed.iter().map(counted);
        all.filter(|counted| counted.calls >= LEAST_CALLS).collect()
    }
}

/// The place of the class of an operation.
fn class_of(operation: Option<Operation>) -> u8 {
    Class::of(operation).number() as u8
}

/// A path and its callers, but the program itself.
fn ancestors<'a>(path: PathId, view: &'a View) -> impl Iterator<Item = PathId> + 'a {
    let own = (path != PathId::PROGRAM).then_some(path);
    std::iter::successors(own, |&path| {
        let caller = view.tree().node(path).parent;
        (caller != PathId::PROGRAM).then_some(caller)
    })
}
