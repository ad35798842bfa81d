//! Calls of `setjmp`: where `longjmp` comes back to them, functions and operations that it has left are closed in the
//! recording. The clean-up of functions, which reports their end, is not run.

use super::rope::Rope;
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::unit::*;

impl Unit<'_> {
    /// Whether this call must be told apart: functions are recorded, and `f` is one to which `longjmp` comes back.
    pub(crate) fn is_landing(&self, f: ExprId) -> bool {
        if !self.options.instrument || !self.options.instrument_functions {
            return false;
        }
        let name = match self.expr(self.strip(f)).kind {
            ExprKind::Ident(s) if self.symbols[s as usize].kind == SymKind::Function => {
                self.symbols[s as usize].name
            }
            ExprKind::Undeclared(name) => name,
            _ => return false,
        };
        matches!(
            self.name(name),
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp"
        )
    }

    /// Writes `call`, a call of such a function, with a note of what is open before it.
    pub(crate) fn emit_landing(&mut self, out: &mut Rope, call: impl FnOnce(&mut Self, &mut Rope)) {
        let n = self.unique();
        if self.plain_names.insert("upcr_jumps".to_owned()) {
            self.trailer.quiet(Rope::from_text(
                "extern const char upcr_jumps; const char upcr_jumps __attribute__((weak)) = 1; ",
            ));
        }
        // The note is not changed after the call, so it is still known when that returns again.
        out.text(&format!(
            "__extension__ ({{ upcr_mark_t upcr_d{n} = upcr_i_mark(); int upcr_j{n} = "
        ));
        call(self, out);
        out.text(&format!("; upcr_i_landed(&upcr_d{n}); upcr_j{n}; }})"));
    }
}
