//! Parts of an instrumented program that are not recorded: code under `#pragma pupc off`, and
//! operations that a filter excludes. The runtime's header gives statements, and some functions,
//! the names of their instrumented forms; where such a one is not to be recorded, it is called by a
//! name of its own that leads to the plain form.

use super::check::is_checked;
use super::library::{is_recorded, operation_of, Operation, VALUES};
use super::rope::Rope;
use crate::sema::types::ExprId;
use crate::syntax::token::*;
use crate::unit::Unit;

/// What a call of the library is written as.
pub(crate) struct Instead {
    pub(crate) name: String,
    /// The function that has to be declared under that name: how our headers call it, and its symbol.
    plain: Option<(String, String)>,
    /// Whether the place of the call follows the arguments.
    pub(crate) place: bool,
}

impl Unit<'_> {
    /// Whether operations at token `t` are recorded that reports call `operation`.
    pub(crate) fn records(&self, t: TokIdx, operation: &str) -> bool {
        let keep = |keep: &crate::OperationFilter| keep(operation);
        self.options.instrument
            && self.token(t).flags & INST_OFF == 0
            && self.options.operation_filter.as_ref().is_none_or(keep)
    }

    /// The function that the statement at token `t` becomes a call of; `word` is its keyword without `upc_`.
    pub(crate) fn statement_function(&mut self, word: &str, t: TokIdx) -> String {
        let declared = format!("upcr_{word}");
        if !self.options.instrument || self.records(t, &format!("upc_{word}")) {
            return declared;
        }
        let prefix = match self.options.check && word != "fence" {
            true => "upcr_c",
            false => "upcr",
        };
        let name = quiet_name(&declared);
        self.declare_plain(&name, &declared, &format!("{prefix}_{word}"));
        name
    }

    /// What a call of `f` with these arguments is written as, if that is not what stands in the source.
    pub(crate) fn called_instead(&self, f: ExprId, args: &[ExprId]) -> Option<Instead> {
        if self.unevaluated > 0 {
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

    /// Makes the name of `instead` known before it is written.
    pub(crate) fn declare_instead(&mut self, instead: &Instead) {
        if let Some((declared, symbol)) = &instead.plain {
            self.declare_plain(&instead.name, declared, symbol);
        }
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

    /// Declares `name` as the function whose symbol is `symbol`, with the type of what is `declared` already.
    fn declare_plain(&mut self, name: &str, declared: &str, symbol: &str) {
        if self.plain_names.insert(name.to_owned()) {
            self.hoisted.quiet(Rope::from_text(&format!(
                "extern __typeof__({declared}) {name} __asm__(\"{symbol}\"); "
            )));
        }
    }
}

fn quiet_name(declared: &str) -> String {
    declared.replacen("upcr_", "upcr_quiet_", 1)
}
