//! Parts of an instrumented program that are not recorded: code under `#pragma pupc off`, and
//! operations that a filter excludes. The runtime's header gives statements, and some functions,
//! the names of their instrumented forms; where such a one is not to be recorded, it is called by a
//! name of its own that leads to the plain form.

use super::lowering::Lowering;
use super::rope::Rope;
use crate::sema::calls::{Instead, quiet_name};
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// The function that the statement at token `t` becomes a call of; `word` is its keyword
    /// without `upc_`.
    pub(crate) fn statement_function(&mut self, word: &str, t: TokIdx) -> String {
        let declared = format!("upcr_{word}");
        if !self.unit.options.instrument || self.unit.records(t, &format!("upc_{word}")) {
            return declared;
        }
        let prefix = match self.unit.options.check && word != "fence" {
            true => "upcr_c",
            false => "upcr",
        };
        let name = quiet_name(&declared);
        self.declare_plain(&name, &declared, &format!("{prefix}_{word}"));
        name
    }

    /// Makes the name of `instead` known before it is written.
    pub(crate) fn declare_instead(&mut self, instead: &Instead) {
        if let Some((declared, symbol)) = &instead.plain {
            self.declare_plain(&instead.name, declared, symbol);
        }
    }

    /// Declares `name` as the function whose symbol is `symbol`, with the type of what is
    /// `declared` already.
    fn declare_plain(&mut self, name: &str, declared: &str, symbol: &str) {
        if self.emission.declared.insert(name.to_owned()) {
            self.emission.hoisted.quiet(Rope::from_text(&format!(
                "extern __typeof__({declared}) {name} __asm__(\"{symbol}\"); "
            )));
        }
    }
}
