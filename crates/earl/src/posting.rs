//! Posts and the waits that they end: which write set the flag that a thread waited for, which post
//! the semaphore had. Like locks, they have no instance numbers and are matched by time.
//!
//! A wait for words of shared memory is ended by the last write to them before it ends: earlier ones
//! had not made the condition true. A write before the wait began ends nothing. Announcements of an
//! object are counted: the n-th that is used up is the n-th that was made. Arrivals of a group's
//! members end a wait when the last one that it is for has come.

mod gatherings;

use std::collections::VecDeque;

use pgas_trace::clocks::Clocks;
use pgas_trace::model::{Attributes, Operation, ThreadId};
use rustc_hash::FxHashMap;

use self::gatherings::Gatherings;
use crate::ownership::largest_tolerance;
use crate::record::{FlagWaitBegin, GroupOperation, Post, PostWait, Posted, Words};

/// A write of more bytes transfers data, and is no flag.
pub const LARGEST_FLAG: u64 = 64;

/// The post of a region, if it makes one; `attributes` are those of its Enter.
#[inline]
pub fn posted(operation: Operation, attributes: &Attributes) -> Option<Posted> {
    use Operation::*;
    match operation {
        Post => object(attributes),
        TaskCreate | ChannelClose | InputDelete => Some(Posted::Task),
        ChannelSend | ChannelReceive => {
            matches!(attributes, Attributes::ChannelMessage { .. }).then_some(Posted::Task)
        }
        Put | RemotePut | Memput | Memset | NonBlockingPut | Atomic => {
            let words = words(attributes)?;
            (words.bytes <= LARGEST_FLAG).then_some(Posted::Words(words))
        }
        Memcpy => {
            let Attributes::Copy {
                destination,
                bytes,
                destination_address,
                ..
            } = *attributes
            else {
                return None;
            };
            let words = Words {
                owner: destination,
                address: destination_address?.number(),
                bytes,
            };
            (bytes <= LARGEST_FLAG).then_some(Posted::Words(words))
        }
        _ => None,
    }
}

/// The words that a region waits for, if it does; `attributes` are those of its Enter.
pub fn awaited_words(operation: Operation, attributes: &Attributes) -> Option<Words> {
    matches!(operation, Operation::FlagWait | Operation::SignalWait)
        .then(|| words(attributes))
        .flatten()
}

/// The object in the attributes of an Enter.
pub fn object(attributes: &Attributes) -> Option<Posted> {
    match *attributes {
        Attributes::Object { object, units } => Some(Posted::Object { object, units }),
        _ => None,
    }
}

fn words(attributes: &Attributes) -> Option<Words> {
    match *attributes {
        Attributes::Transfer {
            partner,
            bytes,
            address: Some(address),
        } => Some(Words {
            owner: partner,
            address: address.number(),
            bytes,
        }),
        _ => None,
    }
}

/// A post and the thread that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostedBy {
    /// The thread that posted.
    pub thread: ThreadId,
    /// Object, place and time.
    pub record: Post,
}

impl PostedBy {
    /// The thread, and the number of the post among its own.
    pub fn id(&self) -> PostId {
        (self.thread, self.record.number)
    }
}

/// A thread, and the number of a post among those of the thread.
pub type PostId = (ThreadId, u64);

/// A thread waited, and this ended its wait.
#[derive(Debug, Clone, PartialEq)]
pub struct Awaited {
    /// The thread that waited.
    pub thread: ThreadId,
    /// When, where and for what it waited.
    pub wait: PostWait,
    /// The post that ended the wait, of several the last one; `None` if the trace has none.
    pub post: Option<PostedBy>,
}

/// Results of matching, in the order of time.
#[derive(Debug)]
pub enum Posting<'a> {
    /// A wait has ended.
    Awaited(&'a Awaited),
    /// This post may end a wait that has not ended yet. It may be named more than once.
    Kept(PostId),
    /// A wait that a post was kept for was ended by another one.
    Dropped(PostId),
}

#[derive(Debug)]
enum Kind {
    Begin(Words),
    Post(Post),
    Awaited(Box<PostWait>),
}

#[derive(Debug)]
struct Event {
    time: u64,
    thread: ThreadId,
    kind: Kind,
}

impl Event {
    /// Of events at the same time, a post comes before the end of the wait; the waits of one thread
    /// stay in their order.
    fn key(&self) -> (u64, bool, ThreadId) {
        let is_post = matches!(self.kind, Kind::Post(_));
        (self.time, !is_post, self.thread)
    }
}

/// A post that a wait may have been for.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    post: PostedBy,
    /// It was named to the caller.
    is_kept: bool,
}

impl Candidate {
    fn new(thread: ThreadId, record: Post) -> Self {
        Candidate {
            post: PostedBy { thread, record },
            is_kept: false,
        }
    }

    fn keep(&mut self, tell: &mut impl FnMut(Posting)) {
        if !std::mem::replace(&mut self.is_kept, true) {
            tell(Posting::Kept(self.post.id()));
        }
    }

    fn drop(self, tell: &mut impl FnMut(Posting)) {
        if self.is_kept {
            tell(Posting::Dropped(self.post.id()));
        }
    }
}

/// A thread waits for words.
#[derive(Debug)]
struct Open {
    words: Words,
    latest: Option<Candidate>,
}

/// Announcements of one object that are not used up.
#[derive(Debug, Default)]
struct Announcements {
    made: u64,
    used: u64,
    /// Each with the number made up to and including it.
    posts: VecDeque<(u64, Candidate)>,
    /// Posts at the end of these that were not named to the caller.
    fresh: usize,
}

/// Posts and waits of all threads.
#[derive(Debug)]
pub struct Postings {
    clocks: Clocks,
    pending: Vec<Event>,
    /// By thread.
    open: Vec<Option<Open>>,
    objects: FxHashMap<u64, Announcements>,
    groups: Gatherings,
    /// Objects with posts that were not named.
    fresh: Vec<u64>,
    horizon: u64,
}

impl Postings {
    /// Of threads with these clocks.
    pub fn new(clocks: Clocks) -> Self {
        Postings {
            clocks,
            pending: Vec::new(),
            open: Vec::new(),
            objects: FxHashMap::default(),
            groups: Gatherings::default(),
            fresh: Vec::new(),
            horizon: 0,
        }
    }

    /// Waits for members of a group that ended, by the trace, when not all of these had come.
    pub fn unmatched_in_groups(&self) -> u64 {
        self.groups.unmatched()
    }

    /// Ticks before which every post and every wait has been matched.
    pub fn horizon(&self) -> u64 {
        self.horizon
    }

    /// Times of one thread must not decrease from call to call; likewise below.
    pub fn begins(&mut self, thread: ThreadId, begin: FlagWaitBegin) {
        self.push(thread, begin.time, Kind::Begin(begin.words));
    }

    /// Takes a post of a thread.
    pub fn posted(&mut self, thread: ThreadId, post: Post) {
        self.push(thread, post.time, Kind::Post(post));
    }

    /// Takes a wait of a thread that has ended.
    pub fn awaited(&mut self, thread: ThreadId, wait: PostWait) {
        self.push(thread, wait.span.end, Kind::Awaited(Box::new(wait)));
    }

    fn push(&mut self, thread: ThreadId, time: u64, kind: Kind) {
        self.pending.push(Event { time, thread, kind });
    }

    /// Matches the events before `time` (ticks; `None`: all), which no thread can add to any more.
    pub fn advance(&mut self, time: Option<u64>, mut tell: impl FnMut(Posting)) {
        self.pending.sort_by_key(Event::key);
        let until = time.map(|time| time.saturating_sub(largest_tolerance(&self.clocks, time)));
        self.horizon = self.horizon.max(until.unwrap_or(u64::MAX));
        let ready = until.map_or(self.pending.len(), |until| {
            self.pending.partition_point(|event| event.time < until)
        });
        let later = self.pending.split_off(ready);
        let mut events = VecDeque::from(std::mem::replace(&mut self.pending, later));
        while let Some(event) = events.pop_front() {
            match event.kind {
                Kind::Begin(words) => self.begin(event.thread, words, &mut tell),
                Kind::Post(post) => self.post(event.thread, post, &mut tell),
                Kind::Awaited(wait) => self.end(event.thread, *wait, &events, &mut tell),
            }
        }
        self.keep_all(&mut tell);
    }

    fn begin(&mut self, thread: ThreadId, words: Words, tell: &mut impl FnMut(Posting)) {
        let index = thread as usize;
        if index >= self.open.len() {
            self.open.resize_with(index + 1, || None);
        }
        let open = Open {
            words,
            latest: None,
        };
        // One that was left by longjmp has no end.
        let before = self.open[index].replace(open);
        if let Some(candidate) = before.and_then(|before| before.latest) {
            candidate.drop(tell);
        }
    }

    fn post(&mut self, thread: ThreadId, post: Post, tell: &mut impl FnMut(Posting)) {
        match post.what {
            Posted::Words(words) => {
                let waiting = self.open.iter_mut().flatten();
                for open in waiting.filter(|open| open.words.overlap(&words)) {
                    let before = open.latest.replace(Candidate::new(thread, post));
                    if let Some(before) = before {
                        before.drop(tell);
                    }
                }
            }
            Posted::Object { object, units } => {
                let announcements = self.objects.entry(object).or_default();
                announcements.made = announcements.made.saturating_add(units);
                let candidate = Candidate::new(thread, post);
                announcements
                    .posts
                    .push_back((announcements.made, candidate));
                if announcements.fresh == 0 {
                    self.fresh.push(object);
                }
                announcements.fresh += 1;
            }
            // Tasks know by themselves what they wait for.
            Posted::Task => {}
            Posted::Group(operation) => {
                let by = PostedBy {
                    thread,
                    record: post,
                };
                self.groups.arrive(&operation, by, tell);
            }
        }
    }

    fn end(
        &mut self,
        thread: ThreadId,
        wait: PostWait,
        later: &VecDeque<Event>,
        tell: &mut impl FnMut(Posting),
    ) {
        let mut ended_by: Option<Candidate> = None;
        for &what in &wait.what {
            let found = match what {
                Posted::Words(words) => self
                    .close(thread)
                    .or_else(|| self.soon(thread, wait.span.end, later, words)),
                Posted::Object { object, units } => self.use_up(object, units, tell),
                Posted::Task => None,
                Posted::Group(operation) => {
                    self.gathered(thread, wait.span.end, later, &operation, tell)
                }
            };
            let Some(found) = found else { continue };
            let earlier = match ended_by {
                Some(known) if known.post.record.time >= found.post.record.time => Some(found),
                _ => ended_by.replace(found),
            };
            if let Some(earlier) = earlier {
                earlier.drop(tell);
            }
        }
        if let Some(candidate) = &mut ended_by {
            candidate.keep(tell);
        }
        tell(Posting::Awaited(&Awaited {
            thread,
            wait,
            post: ended_by.map(|candidate| candidate.post),
        }));
    }

    /// The last write to the words that the thread waited for.
    fn close(&mut self, thread: ThreadId) -> Option<Candidate> {
        self.open.get_mut(thread as usize)?.take()?.latest
    }

    /// The first write that by the clocks was after the end of the wait, and need not have been.
    fn soon(
        &self,
        thread: ThreadId,
        end: u64,
        later: &VecDeque<Event>,
        words: Words,
    ) -> Option<Candidate> {
        let is_write = |post: &PostedBy| match post.record.what {
            Posted::Words(written) => written.overlap(&words),
            _ => false,
        };
        let post = posts_soon(&self.clocks, &self.pending, thread, end, later).find(is_write)?;
        Some(Candidate::new(post.thread, post.record))
    }

    /// The last member of a group that a thread waited for, which is named to the caller.
    fn gathered(
        &mut self,
        thread: ThreadId,
        end: u64,
        later: &VecDeque<Event>,
        operation: &GroupOperation,
        tell: &mut impl FnMut(Posting),
    ) -> Option<Candidate> {
        let is_arrival = |post: &PostedBy| match post.record.what {
            Posted::Group(arrived) => {
                (arrived.group, arrived.number) == (operation.group, operation.number)
            }
            _ => false,
        };
        let soon = posts_soon(&self.clocks, &self.pending, thread, end, later);
        let post = self
            .groups
            .leave(operation, thread, soon.filter(is_arrival), tell)?;
        Some(Candidate {
            post,
            is_kept: true,
        })
    }

    /// The announcement with which there were enough of an object. An object of which all are used
    /// up is forgotten: many are announced only once.
    fn use_up(
        &mut self,
        object: u64,
        units: u64,
        tell: &mut impl FnMut(Posting),
    ) -> Option<Candidate> {
        let announcements = self.objects.get_mut(&object)?;
        let enough = announcements.use_up(units, tell);
        if announcements.posts.is_empty() {
            self.objects.remove(&object);
        }
        enough
    }

    /// Names the posts for which waits may still come.
    fn keep_all(&mut self, tell: &mut impl FnMut(Posting)) {
        for candidate in self.open.iter_mut().flatten() {
            if let Some(candidate) = &mut candidate.latest {
                candidate.keep(tell);
            }
        }
        self.groups.keep_all(tell);
        for object in self.fresh.drain(..) {
            let Some(announcements) = self.objects.get_mut(&object) else {
                continue;
            };
            let fresh = std::mem::take(&mut announcements.fresh);
            for (_, candidate) in announcements.posts.iter_mut().rev().take(fresh) {
                candidate.keep(tell);
            }
        }
    }
}

/// Posts of others that by the clocks were after `end`, when a wait of `thread` was over, and need
/// not have been.
fn posts_soon<'a>(
    clocks: &'a Clocks,
    pending: &'a [Event],
    thread: ThreadId,
    end: u64,
    later: &'a VecDeque<Event>,
) -> impl Iterator<Item = PostedBy> + 'a {
    let furthest = match clocks.are_one() {
        true => None,
        false => Some(end.saturating_add(largest_tolerance(clocks, end))),
    };
    let events = later.iter().chain(pending);
    let events = events.take_while(move |event| furthest.is_some_and(|at| event.time <= at));
    events.filter_map(move |event| {
        let Kind::Post(record) = event.kind else {
            return None;
        };
        let between = clocks.uncertainty_between(event.thread, thread, end);
        let is_near = (event.time - end) as f64 <= between.max(0.0);
        (event.thread != thread && is_near).then_some(PostedBy {
            thread: event.thread,
            record,
        })
    })
}

impl Announcements {
    fn use_up(&mut self, units: u64, tell: &mut impl FnMut(Posting)) -> Option<Candidate> {
        let used = self.used.saturating_add(units);
        if used > self.made {
            // Some are not in the trace. Those that are were used up.
            self.used = self.made;
            for (_, candidate) in self.posts.drain(..) {
                candidate.drop(tell);
            }
            self.fresh = 0;
            return None;
        }
        self.used = used;
        while let Some(&(made, candidate)) = self.posts.front() {
            if made >= used {
                if made == used {
                    self.pop();
                }
                // Of what is left of it, the next wait says so by itself.
                let again = Candidate {
                    is_kept: made == used && candidate.is_kept,
                    ..candidate
                };
                return Some(again);
            }
            self.pop();
            candidate.drop(tell);
        }
        None
    }

    fn pop(&mut self) {
        self.posts.pop_front();
        self.fresh = self.fresh.min(self.posts.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calltree::PathId;
    use crate::record::Span;

    fn words(owner: ThreadId, address: u64) -> Words {
        Words {
            owner,
            address,
            bytes: 8,
        }
    }

    fn post(number: u64, what: Posted, time: u64) -> Post {
        Post {
            number,
            what,
            path: PathId(1),
            time,
        }
    }

    fn wait(number: u64, what: Vec<Posted>, begin: u64, end: u64) -> PostWait {
        PostWait {
            number,
            operation: Operation::FlagWait,
            what,
            path: PathId(2),
            span: Span::new(begin, end),
            nested: Vec::new(),
            no_core: Vec::new(),
        }
    }

    fn flag_wait(postings: &mut Postings, thread: ThreadId, begin: u64, end: u64, flag: Words) {
        postings.begins(
            thread,
            FlagWaitBegin {
                words: flag,
                time: begin,
            },
        );
        postings.awaited(thread, wait(0, vec![Posted::Words(flag)], begin, end));
    }

    /// (thread that waited, post that ended the wait), and the posts that are kept in the end.
    type Found = (Vec<(ThreadId, Option<PostId>)>, Vec<PostId>);

    fn advance(postings: &mut Postings, until: Option<u64>) -> Found {
        let mut found: Found = Default::default();
        postings.advance(until, |posting| match posting {
            Posting::Awaited(awaited) => {
                let post = awaited.post.map(|post| post.id());
                found.0.push((awaited.thread, post));
            }
            Posting::Kept(id) => found.1.push(id),
            Posting::Dropped(id) => found.1.retain(|kept| *kept != id),
        });
        found
    }

    #[test]
    fn the_last_write_before_the_end_of_a_wait_has_ended_it() {
        let mut postings = Postings::new(Clocks::one());
        let flag = words(1, 64);
        let write = |number, time| post(number, Posted::Words(flag), time);
        postings.posted(0, write(0, 5));
        flag_wait(&mut postings, 1, 10, 40, flag);
        postings.posted(0, write(1, 20));
        postings.posted(2, write(0, 39));
        postings.posted(2, post(1, Posted::Words(words(1, 72)), 39));
        postings.posted(0, write(2, 50));
        let (awaited, kept) = advance(&mut postings, None);
        assert_eq!(awaited, [(1, Some((2, 0)))]);
        assert_eq!(kept, [(2, 0)]);
    }

    #[test]
    fn a_write_before_the_wait_ends_nothing() {
        let mut postings = Postings::new(Clocks::one());
        let flag = words(1, 64);
        postings.posted(0, post(0, Posted::Words(flag), 5));
        flag_wait(&mut postings, 1, 10, 40, flag);
        assert_eq!(advance(&mut postings, None), (vec![(1, None)], vec![]));
    }

    #[test]
    fn several_threads_may_wait_for_one_write() {
        let mut postings = Postings::new(Clocks::one());
        let flag = words(0, 64);
        flag_wait(&mut postings, 1, 10, 40, flag);
        flag_wait(&mut postings, 2, 12, 41, flag);
        postings.posted(0, post(0, Posted::Words(flag), 30));
        let (awaited, kept) = advance(&mut postings, None);
        assert_eq!(awaited, [(1, Some((0, 0))), (2, Some((0, 0)))]);
        assert_eq!(kept, [(0, 0), (0, 0)]);
    }

    #[test]
    fn a_wait_over_several_stretches_of_time_keeps_one_write() {
        let mut postings = Postings::new(Clocks::one());
        let flag = words(1, 64);
        let begin = FlagWaitBegin {
            words: flag,
            time: 10,
        };
        postings.begins(1, begin);
        postings.posted(0, post(0, Posted::Words(flag), 20));
        assert_eq!(advance(&mut postings, Some(30)), (vec![], vec![(0, 0)]));
        postings.posted(0, post(1, Posted::Words(flag), 35));
        postings.awaited(1, wait(0, vec![Posted::Words(flag)], 10, 40));
        let mut dropped = Vec::new();
        let mut ended = None;
        postings.advance(None, |posting| match posting {
            Posting::Dropped(id) => dropped.push(id),
            Posting::Awaited(awaited) => ended = awaited.post.map(|post| post.id()),
            Posting::Kept(_) => {}
        });
        assert_eq!((dropped, ended), (vec![(0, 0)], Some((0, 1))));
    }

    #[test]
    fn announcements_are_used_up_in_their_order() {
        let mut postings = Postings::new(Clocks::one());
        let announce = |units| Posted::Object { object: 7, units };
        postings.posted(0, post(0, announce(1), 10));
        postings.posted(0, post(1, announce(3), 20));
        postings.awaited(1, wait(0, vec![announce(1)], 5, 25));
        postings.awaited(1, wait(1, vec![announce(2)], 25, 26));
        postings.awaited(2, wait(0, vec![announce(2)], 0, 35));
        postings.posted(0, post(2, announce(1), 30));
        let (awaited, _) = advance(&mut postings, None);
        let expected = [(1, Some((0, 0))), (1, Some((0, 1))), (2, Some((0, 2)))];
        assert_eq!(awaited, expected);
    }

    #[test]
    fn of_several_partners_the_last_one_ends_the_wait() {
        let mut postings = Postings::new(Clocks::one());
        let pair = |object| Posted::Object { object, units: 1 };
        postings.posted(1, post(0, pair(10), 30));
        postings.posted(2, post(0, pair(20), 20));
        postings.awaited(0, wait(0, vec![pair(10), pair(20)], 5, 31));
        assert_eq!(advance(&mut postings, None).0, [(0, Some((1, 0)))]);
    }

    #[test]
    fn a_post_that_is_not_recorded_is_not_guessed() {
        let mut postings = Postings::new(Clocks::one());
        let event = Posted::Object {
            object: 7,
            units: 1,
        };
        postings.awaited(1, wait(0, vec![event], 5, 10));
        postings.posted(0, post(0, event, 20));
        postings.awaited(1, wait(1, vec![event], 15, 21));
        let (awaited, _) = advance(&mut postings, None);
        assert_eq!(awaited, [(1, None), (1, Some((0, 0)))]);
    }
}
