//! Calls that cannot be copied as they are: those of the library that are recorded or checked, and
//! of `setjmp`. A filter or `#pragma pupc off` may exclude them; the runtime's header gives some
//! functions the names of their instrumented forms, so where such a one is not to be recorded, it
//! is called by a name of its own that leads to the plain form.

use super::ast::ExprKind;
use super::library::{
    Operation, VALUES, around_first_argument, is_checked, is_recorded, operation_of,
};
use super::symbols::SymKind;
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

/// The function that takes the place of one of the library in a call.
pub(crate) struct Instead {
    pub(crate) name: String,
    /// The function that has to be declared under that name: how our headers call it, and its
    /// symbol.
    pub(crate) plain: Option<(String, String)>,
    /// Whether the place of the call follows the arguments.
    pub(crate) place: bool,
}

impl<'s> Unit<'s> {
    /// The function of our library that `f` calls.
    pub(crate) fn library_call(&self, f: ExprId) -> Option<&'s str> {
        let e = self.expr(f);
        let ExprKind::Ident(number) = e.kind else {
            return None;
        };
        let symbol = self.symbol(number);
        let name = self.name(symbol.name);
        // The expansion of a macro of our headers counts as written there, but is the user's call.
        let in_headers = self.token(e.lo).flags & (OURS | SYSTEM) != 0;
        if in_headers && !name.starts_with(VALUES) {
            return None;
        }
        let ours = self.token(symbol.token).flags & OURS != 0;
        (ours && !symbol.defined).then_some(name)
    }

    /// Whether what is being lowered is checked.
    pub(crate) fn checks(&self) -> bool {
        self.options.check && !self.is_unevaluated()
    }

    /// Whether operations at token `t` are recorded that reports call `operation`.
    pub(crate) fn records(&self, t: TokIdx, operation: &str) -> bool {
        let keep = |keep: &crate::OperationFilter| keep(operation);
        self.options.instrument
            && self.token(t).flags & INST_OFF == 0
            && self.options.operation_filter.as_ref().is_none_or(keep)
    }

    /// The function that a call of `f` with these arguments becomes a call of, if it is another
    /// one.
    pub(crate) fn called_instead(&self, f: ExprId, args: &[ExprId]) -> Option<Instead> {
        if self.is_unevaluated() {
            return None;
        }
        let name = self.library_call(f)?;
        let is_recorded = self.options.instrument && self.records_call(f, name, args);
        if self.checks() && is_checked(name) {
            let checked = format!("upcr_c_{name}");
            // Instrumented programs have checked functions that report, too.
            let quiet = self.options.instrument && !is_recorded;
            return Some(match quiet {
                true => Instead {
                    name: quiet_name(&checked),
                    plain: Some((checked.clone(), checked)),
                    place: true,
                },
                false => Instead {
                    name: checked,
                    plain: None,
                    place: true,
                },
            });
        }
        if name.starts_with(VALUES) {
            return (self.options.instrument && !is_recorded).then(|| Instead {
                name: quiet_name(name),
                plain: Some((name.to_owned(), name.to_owned())),
                place: false,
            });
        }
        is_recorded.then(|| Instead {
            name: format!("upcr_i_{name}"),
            plain: None,
            place: true,
        })
    }

    fn records_call(&self, f: ExprId, name: &str, args: &[ExprId]) -> bool {
        let operation = match operation_of(name) {
            Some(Operation::Named(operation)) => operation,
            // A null pointer where the old value would go: nothing comes back.
            Some(Operation::Atomic) => match args.get(1).is_some_and(|&old| self.is_null(old)) {
                true => "upc_put",
                false => "upc_get",
            },
            None => return false,
        };
        (is_recorded(name) || name.starts_with(VALUES)) && self.records(self.expr(f).lo, operation)
    }

    /// Text before and after argument `i` of a call of `f` that checks it.
    pub(crate) fn around_argument(&self, f: ExprId, i: usize) -> Option<(&'static str, String)> {
        if i != 0 || !self.checks() {
            return None;
        }
        let (before, size) = around_first_argument(self.library_call(f)?)?;
        Some((before, format!("{size}, {})", self.place(self.expr(f).lo))))
    }

    /// Whether a call of `f` is counted where it is made; otherwise notes that it is not.
    pub(crate) fn is_call_counted(&mut self, f: ExprId) -> bool {
        let ExprKind::Ident(number) = self.expr(self.strip(f)).kind else {
            return false;
        };
        let is_counted = self.counted_at_calls.contains(&number);
        if !is_counted && self.options.leave_out_small {
            self.called_before.insert(number);
        }
        is_counted
    }

    /// Whether `f` is a function to which `longjmp` comes back.
    pub(crate) fn is_landing(&self, f: ExprId) -> bool {
        let name = match self.expr(self.strip(f)).kind {
            ExprKind::Ident(s) if self.symbol(s).kind == SymKind::Function => self.symbol(s).name,
            ExprKind::Undeclared(name) => name,
            _ => return false,
        };
        matches!(
            self.name(name),
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp"
        )
    }
}

pub(crate) fn quiet_name(declared: &str) -> String {
    declared.replacen("upcr_", "upcr_quiet_", 1)
}
