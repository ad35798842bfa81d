//! Calls of `setjmp`: where `longjmp` comes back to them, functions and operations that it has left
//! are closed in the recording. The clean-up of functions, which reports their end, is not run.

use super::lowering::Lowering;
use super::rope::Rope;

impl Lowering<'_, '_> {
    /// Writes `call`, a call of such a function, with a note of what is open before it.
    pub(crate) fn emit_landing(&mut self, out: &mut Rope, call: impl FnOnce(&mut Self, &mut Rope)) {
        let n = self.unique();
        if self.emission.declared.insert("upcr_jumps".to_owned()) {
            self.emission.trailer.quiet(Rope::from_text(
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
