//! Posts of the thread, and its waits for those of others.

use pgas_trace::model::{Attributes, Operation};
use rustc_hash::FxHashMap;

use super::{Frame, Observer, OpenRecord, Walker};
use crate::calltree::PathId;
use crate::normalise::Item;
use crate::posting;
use crate::record::{FlagWaitBegin, GroupOperation, Post, PostWait, Posted, Span};
use crate::syncpoint::SyncPointKind;

/// Numbers of collective operations among those of their groups.
#[derive(Debug, Default)]
pub(super) struct GroupNumbers {
    next: FxHashMap<u64, u64>,
    /// Recording was off: how many operations of which groups are missing is not known.
    have_gap: bool,
}

impl GroupNumbers {
    /// The number of the operation of a group that comes now; `None` if it is not known.
    fn next(&mut self, group: u64) -> Option<u64> {
        let next = self.next.entry(group).or_default();
        let number = *next;
        *next += 1;
        (!self.have_gap).then_some(number)
    }

    /// Takes the attributes of the end of a standstill.
    pub(super) fn note_gap(&mut self, attributes: &Attributes) {
        self.have_gap |= matches!(attributes, Attributes::Skipped { .. });
    }
}

impl Walker {
    pub(super) fn is_in_partner_sync(&self) -> bool {
        let innermost = self.stack.last();
        innermost.is_some_and(|frame| frame.operation == Operation::PartnerSync)
    }

    /// A synchronisation with some threads posts to each, and waits for the post of each: together
    /// they are one operation.
    #[cold]
    pub(super) fn enter_part(
        &mut self,
        item: Item,
        operation: Operation,
        observer: &mut impl Observer,
    ) {
        self.open_part = Some(item.site);
        let Some(what) = posting::object(&item.attributes) else {
            return;
        };
        match operation {
            Operation::Post => self.post(what, item.time, self.current_path(), observer),
            _ => {
                if let Some(record) = self.records.last_mut() {
                    record.awaited.push(what);
                }
            }
        }
    }

    pub(super) fn post(
        &mut self,
        what: Posted,
        time: u64,
        path: PathId,
        observer: &mut impl Observer,
    ) {
        let number = self.posts;
        self.posts += 1;
        self.sync_point(time, SyncPointKind::Posted { number }, observer);
        observer.posted(Post {
            number,
            what,
            path,
            time,
        });
    }

    /// The thread comes to a collective operation of a group.
    pub(super) fn enter_group(&mut self, item: &Item, path: PathId, observer: &mut impl Observer) {
        let Attributes::Group {
            group,
            members,
            flow,
            root,
        } = item.attributes
        else {
            return;
        };
        let operation = GroupOperation {
            group,
            number: self.groups.next(group),
            members,
            flow,
        };
        let is_root = root == Some(self.thread);
        if let Some(record) = self.records.last_mut().filter(|_| operation.waits(is_root)) {
            record.awaited.push(Posted::Group(operation));
        }
        if operation.is_awaited(is_root) {
            self.post(Posted::Group(operation), item.time, path, observer);
        }
    }

    pub(super) fn begin_flag_wait(
        &mut self,
        item: &Item,
        operation: Operation,
        observer: &mut impl Observer,
    ) {
        if let Some(words) = posting::awaited_words(operation, &item.attributes) {
            observer.flag_wait_begins(FlagWaitBegin {
                words,
                time: item.time,
            });
        }
    }

    pub(super) fn end_wait(
        &mut self,
        operation: Operation,
        frame: &Frame,
        span: Span,
        open: OpenRecord,
        observer: &mut impl Observer,
    ) {
        let number = self.post_waits;
        self.post_waits += 1;
        self.sync_point(span.end, SyncPointKind::Awaited { number }, observer);
        let mut what = open.awaited;
        let words = posting::awaited_words(operation, &frame.attributes).map(Posted::Words);
        what.extend(words.or_else(|| posting::object(&frame.attributes)));
        observer.awaited(PostWait {
            number,
            operation,
            what,
            path: frame.path,
            span,
            nested: open.nested,
            no_core: open.no_core,
        });
    }
}
