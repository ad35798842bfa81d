//! Transfers that the thread has begun, and waits until they are done.

use pgas_trace::model::Operation;

use super::{Frame, Observer, OpenRecord, Walker};
use crate::operation::begins_transfer;
use crate::record::{Completion, Span};

/// Transfers of the thread that may be under way.
#[derive(Debug, Default)]
pub(super) struct Transfers {
    under_way: u64,
}

impl Transfers {
    #[inline]
    pub(super) fn begin(&mut self, operation: Operation) {
        self.under_way += u64::from(begins_transfer(operation));
    }

    /// A barrier or a fence has completed them.
    pub(super) fn complete_all(&mut self) {
        self.under_way = 0;
    }

    /// Whether one may be under way when an operation ends that waits for it. One that waits for
    /// certain transfers does not say for which, so that each leaves the others under way.
    fn complete(&mut self, operation: Operation) -> bool {
        let is_under_way = self.under_way > 0;
        self.under_way = match operation {
            Operation::Fence => 0,
            _ => self.under_way.saturating_sub(1),
        };
        is_under_way
    }
}

impl Walker {
    pub(super) fn complete_transfers(
        &mut self,
        operation: Operation,
        frame: &Frame,
        span: Span,
        open: OpenRecord,
        observer: &mut impl Observer,
    ) {
        if self.transfers.complete(operation) {
            observer.completed(Completion {
                operation,
                path: frame.path,
                span,
                nested: open.nested,
                no_core: open.no_core,
            });
        }
    }
}
