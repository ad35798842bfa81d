//! Collective operations of groups of threads: who has come, and whom the others waited for.

use pgas_trace::model::{GroupFlow, ThreadId};
use rustc_hash::FxHashMap;

use super::{PostedBy, Posting};
use crate::record::GroupOperation;

/// Identity of a group, and the number of the operation among those of the group.
type Key = (u64, u64);

/// One operation of a group.
#[derive(Debug)]
struct Gathering {
    /// Arrivals that somebody waits for and that have not been seen.
    to_come: u32,
    /// Waits that have not ended.
    to_end: u32,
    latest: Option<PostedBy>,
    /// How many waits the latest arrival was named for.
    kept_for: u32,
}

impl Gathering {
    fn new(operation: &GroupOperation) -> Self {
        let (members, others) = (operation.members, operation.members.saturating_sub(1));
        let (to_come, to_end) = match operation.flow {
            GroupFlow::Unknown => (0, 0),
            GroupFlow::All => (members, members),
            GroupFlow::FromRoot => (1, others),
            GroupFlow::ToRoot => (others, 1),
        };
        Gathering {
            to_come,
            to_end,
            latest: None,
            kept_for: 0,
        }
    }

    fn is_over(&self) -> bool {
        self.to_come == 0 && self.to_end == 0
    }

    fn replace_latest(&mut self, post: PostedBy, tell: &mut impl FnMut(Posting)) {
        let kept_for = std::mem::take(&mut self.kept_for);
        if let Some(before) = self.latest.replace(post) {
            (0..kept_for).for_each(|_| tell(Posting::Dropped(before.id())));
        }
    }

    /// Names the latest arrival for all waits that have not ended.
    fn keep(&mut self, tell: &mut impl FnMut(Posting)) {
        let Some(latest) = self.latest else { return };
        (self.kept_for..self.to_end).for_each(|_| tell(Posting::Kept(latest.id())));
        self.kept_for = self.kept_for.max(self.to_end);
    }

    /// A wait was ended by this arrival, if by any: it alone is named for the wait.
    fn settle(&mut self, ended_by: Option<PostedBy>, tell: &mut impl FnMut(Posting)) {
        let named = self.latest.filter(|_| self.kept_for > 0);
        self.kept_for = self.kept_for.saturating_sub(1);
        if named == ended_by {
            return;
        }
        if let Some(named) = named {
            tell(Posting::Dropped(named.id()));
        }
        if let Some(ended_by) = ended_by {
            tell(Posting::Kept(ended_by.id()));
        }
    }
}

/// Operations of groups that are not over.
#[derive(Debug, Default)]
pub(super) struct Gatherings {
    open: FxHashMap<Key, Gathering>,
    /// Those whose latest arrival was not named.
    fresh: Vec<Key>,
    /// Waits that ended when not all members had come.
    unmatched: u64,
}

impl Gatherings {
    /// A member has come, for which others may wait.
    pub fn arrive(
        &mut self,
        operation: &GroupOperation,
        post: PostedBy,
        tell: &mut impl FnMut(Posting),
    ) {
        let Some(key) = key(operation) else { return };
        let gathering = self.gathering(key, operation);
        gathering.to_come = gathering.to_come.saturating_sub(1);
        gathering.replace_latest(post, tell);
        self.fresh.push(key);
        self.forget_if_over(key);
    }

    /// The wait of `thread` has ended; `soon` are arrivals that by the clocks came later. Returns
    /// the last arrival, if it is another thread's and all are known.
    pub fn leave(
        &mut self,
        operation: &GroupOperation,
        thread: ThreadId,
        soon: impl Iterator<Item = PostedBy>,
        tell: &mut impl FnMut(Posting),
    ) -> Option<PostedBy> {
        let Some(key) = key(operation) else {
            self.unmatched += 1;
            return None;
        };
        let gathering = self.gathering(key, operation);
        gathering.to_end = gathering.to_end.saturating_sub(1);
        let last = match gathering.to_come {
            0 => gathering.latest,
            missing => soon
                .take(missing as usize)
                .enumerate()
                .last()
                .and_then(|(index, post)| (index + 1 == missing as usize).then_some(post)),
        };
        let is_incomplete = gathering.to_come > 0 && last.is_none();
        let ended_by = last.filter(|last| last.thread != thread);
        gathering.settle(ended_by, tell);
        self.unmatched += u64::from(is_incomplete);
        self.forget_if_over(key);
        ended_by
    }

    /// Waits that ended when not all members had come, by the trace: some recorded other operations
    /// of the group than others.
    pub fn unmatched(&self) -> u64 {
        self.unmatched
    }

    /// Names the arrivals for which waits may still end.
    pub fn keep_all(&mut self, tell: &mut impl FnMut(Posting)) {
        for key in self.fresh.drain(..) {
            if let Some(gathering) = self.open.get_mut(&key) {
                gathering.keep(tell);
            }
        }
    }

    fn gathering(&mut self, key: Key, operation: &GroupOperation) -> &mut Gathering {
        let new = || Gathering::new(operation);
        self.open.entry(key).or_insert_with(new)
    }

    fn forget_if_over(&mut self, key: Key) {
        if self.open.get(&key).is_some_and(Gathering::is_over) {
            self.open.remove(&key);
        }
    }
}

fn key(operation: &GroupOperation) -> Option<Key> {
    Some((operation.group, operation.number?))
}
