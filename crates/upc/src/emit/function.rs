//! Functions: the lowering of what the parser noted, the events of their begin and end, and the
//! program's main.

use super::lowering::Lowering;
use super::rope::Rope;
use super::work::{Body, LoopRange, Work};
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// At the end of the unit: what only its whole tells.
    pub(crate) fn finish_unit(&mut self) {
        self.finish_main();
        self.settle_undeclared_nulls();
        self.insert_tags();
    }

    /// Null constants become pointers-to-shared where the function that they are passed to was not
    /// declared at the call, but is later in the file, with such a parameter.
    fn settle_undeclared_nulls(&mut self) {
        for (name, number, lo, hi) in self.unit.take_undeclared_nulls() {
            let Some(symbol) = self.unit.lookup(name) else {
                continue;
            };
            let ty = self.unit.symbol(symbol).ty;
            let param = self.unit.types.func(ty).and_then(|f| f.params.get(number));
            if param.is_some_and(|p| self.unit.types.is_pts(p.ty)) {
                self.emission.edits.replace(lo, hi, super::expr::NULL);
            }
        }
    }

    /// Lowers all that was noted in an external declaration.
    pub(crate) fn lower_pending(&mut self) {
        if self.unit.messages.errors() > 0 {
            // There will be no output; what violates constraints is not lowered.
            self.emission.work = Work::default();
            return;
        }
        self.lower_foralls();
        let mut roots = std::mem::take(&mut self.emission.work.roots);
        for (i, root) in roots.iter().enumerate() {
            let function = &mut self.emission.function;
            let cold = function
                .cold_roots
                .iter()
                .find(|((lo, hi), _)| (*lo..*hi).contains(&i));
            (function.cold, function.cold_calls) = (cold.is_some(), cold.is_some_and(|c| c.1));
            let (lo, hi) = (self.unit.expr(root.expr).lo, self.unit.expr(root.expr).hi);
            let (plain, counted) = self.emit_both(*root);
            if let Some(rope) = plain {
                self.emission.edits.replace(lo, hi, rope);
            }
            if let Some(rope) = counted {
                self.emission
                    .edits
                    .counted
                    .entry(lo)
                    .or_default()
                    .push((hi, rope));
            }
        }
        // The next declaration takes the same memory.
        roots.clear();
        self.emission.work.roots = roots;
        (
            self.emission.function.cold,
            self.emission.function.cold_calls,
        ) = (false, false);
        self.emission.function.cold_roots.clear();
        self.emit_deferred();
        self.declare_runs();
        self.finish_counts();
    }

    /// Declares the variables that remember blocks.
    fn declare_runs(&mut self) {
        let runs = std::mem::take(&mut self.emission.function.runs);
        if let (Some(begin), false) = (self.emission.function.begin.take(), runs.is_empty()) {
            let mut text = String::new();
            for n in runs.iter().map(|r| r.number) {
                text.push_str(&format!(
                    " upcr_run upcr_r{n} __attribute__((unused)) = {{-0x4000000000000000L, 0, 0, \
                     0}};"
                ));
            }
            self.emission.edits.after(begin, Rope::from_text(&text));
        }
    }

    /// After a function's body, which is tokens `begin` ("{") to `end` ("}").
    pub(crate) fn finish_function(&mut self, number: u32, begin: TokIdx, end: TokIdx, quiet: bool) {
        let symbol = self.unit.symbol(number);
        let (name, token, local) = (self.unit.name(symbol.name), symbol.token, symbol.local);
        if name == "main" && !local {
            self.emission.main = Some(number);
            // Also where the C standard does not say so.
            let ret = self.unit.types.func(symbol.ty).map(|f| f.ret);
            if ret.is_some_and(|r| self.unit.types.is_integer(r)) {
                self.emission
                    .edits
                    .before(end, Rope::from_text(" return 0; "));
            }
        }
        // Declarations of labels come first in a block.
        let mut at = begin;
        while self.unit.token(at + 1).kind == Tok::Kw(K::Label) {
            at += 1;
            while at < end && self.unit.token(at).kind != Tok::Punct(P::Semi) {
                at += 1;
            }
        }
        self.emission.function.begin = Some(at);
        let flags = self.unit.token(token).flags;
        if !self.unit.options.instrument
            || !self.unit.options.instrument_functions
            || quiet
            || local
            || flags & (SYSTEM | OURS | INST_OFF) != 0
        {
            return;
        }
        let file = self.unit.src.files[self.unit.token(token).file as usize];
        if self
            .unit
            .options
            .function_filter
            .as_ref()
            .is_some_and(|keep| !keep(name, file))
        {
            return;
        }
        let may_be_small = self.unit.options.leave_out_small && name != "main";
        if may_be_small {
            if let Some(small) = self.small((begin, end), number) {
                self.emission.small_functions.insert(number, small);
                self.count_calls_of(number, (begin, end), at);
                return;
            }
        }
        let n = self.unique();
        // Main is left once, and its path is that of all others.
        let may_be_leaf = may_be_small && self.counts_accesses();
        let is_leaf = may_be_leaf && self.is_leaf((begin, end), number);
        if is_leaf {
            self.emission.leaf_functions.insert(number);
        }
        let listed = self.listed_in("upcr_functions");
        self.emission.hoisted.quiet(Rope::from_text(&format!(
            "static upcr_function_site upcr_e{n} = {{\"{name}\", {}, {}, {}, 0, 0, 0}}; static \
             upcr_function_site *const upcr_q{n} {listed} = &upcr_e{n}; ",
            self.unit.place(token),
            self.unit.token(end).line,
            u8::from(is_leaf)
        )));
        let text = format!(
            " upcr_function_site *upcr_f __attribute__((cleanup(upcr_function_end))) = \
             upcr_function_begin(&upcr_e{n}); "
        );
        // With an event the counts so far are handed over, and what follows begins anew.
        let is_without_events = is_leaf && self.calls_no_event((begin, end));
        match is_without_events {
            true => {
                let range = LoopRange {
                    tokens: (begin, end + 1),
                    exprs: self.unit.exprs.declaration_range(),
                };
                let call = text;
                self.emission.work.body = Some(Body { range, at, call });
            }
            false => self.emission.edits.after_first(at, Rope::from_text(&text)),
        }
    }

    /// At the end of the unit: the function that the runtime calls, if main is defined here.
    fn finish_main(&mut self) {
        let Some(number) = self.emission.main else {
            return;
        };
        let Some(func) = self.unit.types.func(self.unit.symbol(number).ty).cloned() else {
            return;
        };
        let mut out = Rope::from_text(
            // C compilers take it that main runs once, and spend less on it than on other
            // functions.
            "extern __typeof__(main) main __attribute__((__hot__)); \
             extern __typeof__(main) upcr_main_here \
             __attribute__((weak, visibility(\"hidden\"), alias(\"main\"))); \
             __attribute__((no_instrument_function)) int upcr_user_main(int argc, char **argv) { \
             (void)argc; (void)argv; ",
        );
        let arguments = ["argc", "argv", "upcr_environment"];
        let count = func.params.len().min(3);
        if count == 3 {
            out.text("extern char **upcr_environment __asm__(\"environ\"); ");
        }
        // Some linkers have `--wrap=main` for references in the same object, too. The alias is
        // weak, since Clang calls the function that any other alias stands for.
        let call = format!("upcr_main_here({})", arguments[..count].join(", "));
        match self.unit.types.is_integer(func.ret) {
            true => out.text(&format!("return {call}; }}")),
            false => out.text(&format!("{call}; return 0; }}")),
        }
        let end: TokIdx = self.unit.src.tokens.len() as TokIdx - 1;
        let mut quiet = Rope::default();
        quiet.quiet(out);
        self.emission.edits.before(end, quiet);
    }

    /// Gives a tag to structures without one that generated text speaks of.
    fn insert_tags(&mut self) {
        let all = self
            .unit
            .types
            .records
            .iter()
            .enumerate()
            .chain(self.unit.types.enums.iter().enumerate());
        for (number, r) in all.filter(|(_, r)| r.needs_tag.get() && r.tag.is_none()) {
            let text = format!("upcr_{}_{number}", r.keyword);
            self.emission
                .edits
                .after_first(r.keyword_token, Rope::from_text(&text));
        }
    }
}
