//! Calls of `setjmp`. What `longjmp` leaves on its way back to them is not cleaned up: the loops it
//! leaves are still counted as active, and functions and operations are still open in the recording.

use super::lowering::Lowering;
use super::rope::Rope;

impl Lowering<'_, '_> {
    /// Writes `call`, a call of such a function, with a note of what is active before it.
    pub(crate) fn emit_landing(&mut self, out: &mut Rope, call: impl FnOnce(&mut Self, &mut Rope)) {
        let n = self.unique();
        let closes = self.unit.options.instrument && self.unit.options.instrument_functions;
        if closes && self.emission.declared.insert("upcr_jumps".to_owned()) {
            self.emission.trailer.quiet(Rope::from_text(
                "extern const char upcr_jumps; const char upcr_jumps __attribute__((weak)) = 1; ",
            ));
        }
        let (mark, landed) = match closes {
            true => (
                format!("upcr_mark_t upcr_d{n} = upcr_i_mark(); "),
                format!("upcr_i_landed(&upcr_d{n}); "),
            ),
            false => Default::default(),
        };
        // The notes are not changed after the call, so they are still known when that returns
        // again.
        out.text(&format!(
            "__extension__ ({{ int upcr_g{n} = upcr_forall_depth; {mark}int upcr_j{n} = "
        ));
        call(self, out);
        out.text(&format!(
            "; upcr_forall_depth = upcr_g{n}; {landed}upcr_j{n}; }})"
        ));
    }
}
