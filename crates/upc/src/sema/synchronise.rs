//! Order of `upc_notify`, `upc_wait` and `upc_barrier`, as far as it can be seen: from one such
//! statement to the next without a branch, a label, or a call of a function of the program, which
//! may synchronise too. The order is a rule for the running program, so all that is said here is a
//! warning.

use super::ast::ExprKind;
use super::flow::LastSync;
use super::symbols::SymKind;
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

impl Unit<'_> {
    /// Notes a statement and checks it against the one before. Its value must be a number.
    pub(crate) fn check_synchronisation(&mut self, t: TokIdx, keyword: K, value: Option<ExprId>) {
        if let Some(e) = value {
            let ty = self.value_type(e);
            // Every arithmetic type can be assigned to an int.
            let wrong = self.types.pointee(ty).is_some()
                || self.types.record(ty).is_some()
                || self.types.is_void(ty);
            if wrong {
                let (lo, hi) = (self.expr(e).lo, self.expr(e).hi);
                let text = format!(
                    "the value of {} must be a number, and this is {}",
                    self.src.text_of(t),
                    self.type_text(ty)
                );
                self.error(lo, hi, &text, "UPC 1.3, 6.6.1", "");
            }
        }
        let value = value.and_then(|e| self.fold_i128(e));
        let now = LastSync {
            keyword,
            token: t,
            value,
        };
        let Some(last) = self.flow.last_sync.replace(now) else {
            return;
        };
        let notified = last.keyword == K::Notify;
        let (text, hint) = match (keyword, notified) {
            (K::Notify, true) => ("upc_notify after upc_notify", "upc_wait must come first"),
            (K::Barrier, true) => (
                "upc_barrier between upc_notify and upc_wait",
                "upc_wait must come first: upc_barrier is a upc_notify and a upc_wait",
            ),
            (K::Wait, false) => (
                "upc_wait without upc_notify before it",
                "each upc_wait ends what one upc_notify began",
            ),
            (K::Wait, true) => match (last.value, value) {
                (Some(a), Some(b)) if a != b => (
                    "upc_notify and upc_wait with different values",
                    "the values must be equal, or one of them left out",
                ),
                _ => return,
            },
            _ => return,
        };
        if notified && keyword != K::Wait {
            // The statements that follow belong to that upc_notify.
            self.flow.last_sync = Some(last);
        }
        let warnings = self.messages.len();
        self.warn(t, t + 1, text, "UPC 1.3, 6.6.1", hint);
        if self.messages.len() > warnings {
            self.note(last.token, "the synchronisation before it");
        }
    }

    /// Forgets what came before: other ways lead here, or the way is not known.
    pub(crate) fn forget_synchronisation(&mut self) {
        self.flow.last_sync = None;
    }

    /// A call: only functions of headers are known not to synchronise.
    pub(crate) fn call_may_synchronise(&mut self, f: ExprId) {
        if self.flow.last_sync.is_none() || self.is_unevaluated() {
            return;
        }
        let header = match self.expr(self.strip(f)).kind {
            ExprKind::Ident(s) => {
                let symbol = self.symbol(s);
                symbol.kind == SymKind::Function
                    && self.token(symbol.token).flags & (SYSTEM | OURS) != 0
            }
            _ => false,
        };
        if !header {
            self.flow.last_sync = None;
        }
    }
}
