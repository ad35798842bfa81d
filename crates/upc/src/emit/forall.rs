//! `upc_forall`. The general form is a `for` loop that tests the affinity of each iteration; inside
//! of an active one, also through a call, every iteration is executed.

use super::lowering::Lowering;
use super::rope::Rope;
use super::work::Forall;
use crate::sema::ast::Affinity;
use crate::sema::unit::Unit;

/// Restores the depth when a `upc_forall` is left, by whatever way.
const HELPER: &str = "static __inline__ __attribute__((unused)) void upcr_forall_leave(int \
                      *depth) { upcr_forall_depth = *depth; } ";

impl Lowering<'_, '_> {
    /// Lowers the `upc_forall` statements of a function.
    pub(crate) fn lower_foralls(&mut self) {
        for f in std::mem::take(&mut self.emission.work.foralls) {
            self.lower_forall(&f);
        }
    }

    fn lower_forall(&mut self, f: &Forall) {
        if !matches!(f.affinity, Affinity::All) && !self.emission.forall_helper {
            self.emission.forall_helper = true;
            self.emission.hoisted.quiet(Rope::from_text(HELPER));
        }
        if self.lower_own_loop(f).is_some() {
            return;
        }
        self.emission.edits.replace(f.keyword, f.keyword + 1, "for");
        self.emission
            .edits
            .replace(f.last_semi, f.close, Rope::default());
        if let Some(declarations) = &f.outside {
            let mut before = Rope::from_text("{ ");
            before.append(declarations.clone());
            self.emission.edits.before(f.keyword, before);
            self.emission
                .edits
                .after_first(f.end, Rope::from_text(" }"));
        }
        if matches!(f.affinity, Affinity::All) {
            return;
        }
        let n = self.unique();
        let text = format!(
            "{{ int upcr_f{n} __attribute__((cleanup(upcr_forall_leave))) = upcr_forall_depth; \
             upcr_forall_depth = upcr_f{n} + 1; "
        );
        self.emission
            .edits
            .before(f.keyword, Rope::from_text(&text));
        let mut rope = Rope::from_text(&format!(" if (upcr_f{n} || "));
        rope.append(affinity_test(self.unit, f));
        rope.text(") ");
        self.emission.edits.after(f.close, rope);
        self.emission
            .edits
            .after_first(f.end, Rope::from_text(" }"));
    }
}

/// Whether an iteration is the thread's own, as a C expression.
pub(crate) fn affinity_test(unit: &Unit<'_>, f: &Forall) -> Rope {
    let (e, before, after) = match f.affinity {
        Affinity::All => return Rope::from_text("1"),
        Affinity::Integer(e) => (
            e,
            "upcr_divide_by_threads((long)(",
            ")).remainder == upcr_mythread",
        ),
        Affinity::Address(e) => (e, "upcr_thread_of((", ").addr) == upcr_mythread"),
    };
    let mut rope = Rope::from_text(before);
    rope.copy(unit.expr(e).lo, unit.expr(e).hi);
    rope.text(after);
    rope
}
