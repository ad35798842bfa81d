//! Functions: the lowering of what the parser noted, the events of their begin and end, and the program's main.

use super::rope::Rope;
use crate::syntax::token::*;
use crate::unit::*;

impl Unit<'_> {
    /// Null constants become pointers-to-shared where the function that they are passed to was not declared at the
    /// call, but is later in the file, with such a parameter.
    pub(crate) fn settle_undeclared_nulls(&mut self) {
        for (name, number, lo, hi) in std::mem::take(&mut self.undeclared_nulls) {
            let Some(symbol) = self.lookup(name) else {
                continue;
            };
            let ty = self.symbols[symbol as usize].ty;
            let param = self.types.func(ty).and_then(|f| f.params.get(number));
            if param.is_some_and(|p| self.types.is_pts(p.ty)) {
                self.edits
                    .replace(lo, hi, Rope::from_text(super::expr::NULL));
            }
        }
    }

    /// Lowers all that was noted in an external declaration.
    pub(crate) fn lower_pending(&mut self) {
        if self.errors > 0 {
            // There will be no output; what violates constraints is not lowered.
            self.foralls.clear();
            self.loops.clear();
            self.roots.clear();
            self.deferred.clear();
            self.labels.clear();
            self.gotos.clear();
            return;
        }
        self.lower_foralls();
        let roots = std::mem::take(&mut self.roots);
        for (i, root) in roots.iter().enumerate() {
            let far = self
                .far_roots
                .iter()
                .find(|((lo, hi), _)| (*lo..*hi).contains(&i));
            self.far = far.is_some();
            self.far_calls = far.is_some_and(|(_, calls)| *calls);
            if let Some(rope) = self.emit_root(*root) {
                let (lo, hi) = (self.expr(root.expr).lo, self.expr(root.expr).hi);
                self.edits.replace(lo, hi, rope);
            }
        }
        (self.far, self.far_calls) = (false, false);
        self.far_roots.clear();
        self.roots = roots;
        self.roots.clear();
        self.emit_deferred();
        self.declare_runs();
        self.labels.clear();
        self.gotos.clear();
    }

    /// Declares the variables that remember blocks.
    fn declare_runs(&mut self) {
        if let (Some(begin), false) = (self.function_begin.take(), self.runs.is_empty()) {
            let mut text = String::new();
            for n in self.runs.iter().map(|r| r.number) {
                text.push_str(&format!(" upcr_run upcr_r{n} __attribute__((unused)) = {{-0x4000000000000000L, 0, 0, 0}};"));
            }
            self.edits.after(begin, Rope::from_text(&text));
        }
        self.runs.clear();
        self.loops.clear();
        self.twice = None;
    }

    /// After a function's body, which is tokens `begin` ("{") to `end` ("}").
    pub(crate) fn finish_function(&mut self, number: u32, begin: TokIdx, end: TokIdx, quiet: bool) {
        let symbol = &self.symbols[number as usize];
        let (name, token, local) = (self.name(symbol.name), symbol.token, symbol.local);
        if symbol.name == self.syms.main && !local {
            self.main = Some(number);
            // Also where the C standard does not say so.
            let ret = self.types.func(symbol.ty).map(|f| f.ret);
            if ret.is_some_and(|r| self.types.is_integer(r)) {
                self.edits.before(end, Rope::from_text(" return 0; "));
            }
        }
        // Declarations of labels come first in a block.
        let mut at = begin;
        while self.token(at + 1).kind == Tok::Kw(K::Label) {
            at += 1;
            while at < end && self.token(at).kind != Tok::Punct(P::Semi) {
                at += 1;
            }
        }
        self.function_begin = Some(at);
        let flags = self.token(token).flags;
        if !self.options.instrument
            || !self.options.instrument_functions
            || quiet
            || local
            || flags & (SYSTEM | OURS | INST_OFF) != 0
        {
            return;
        }
        let file = self.src.files[self.token(token).file as usize];
        if self
            .options
            .function_filter
            .as_ref()
            .is_some_and(|keep| !keep(name, file))
        {
            return;
        }
        let text = format!(
            " upcr_function_t upcr_f __attribute__((cleanup(upcr_function_end))) = \
             upcr_function_begin(\"{name}\", {}, {}); ",
            self.place(token),
            self.token(end).line
        );
        self.edits.after_first(at, Rope::from_text(&text));
        let n = self.unique();
        self.trailer.quiet(Rope::from_text(&format!(
            "static const upcr_function_lines upcr_e{n} = {{\"{name}\", {}, {}}}; \
             static const upcr_function_lines *upcr_q{n} __attribute__((section(\"upcr_functions\"), used)) = &upcr_e{n}; ",
            self.place(token),
            self.token(end).line
        )));
    }

    /// At the end of the unit: the function that the runtime calls, if main is defined here.
    pub(crate) fn finish_main(&mut self) {
        let Some(number) = self.main else { return };
        let Some(func) = self.types.func(self.symbols[number as usize].ty).cloned() else {
            return;
        };
        let mut out = Rope::from_text(
            // C compilers take it that main runs once, and spend less on it than on other functions.
            "extern __typeof__(main) main __attribute__((__hot__)); \
             __attribute__((no_instrument_function)) \
             int upcr_user_main(int argc, char **argv) { (void)argc; (void)argv; ",
        );
        let arguments = ["argc", "argv", "upcr_environment"];
        let count = func.params.len().min(3);
        if count == 3 {
            out.text("extern char **upcr_environment __asm__(\"environ\"); ");
        }
        let call = format!("main({})", arguments[..count].join(", "));
        match self.types.is_integer(func.ret) {
            true => out.text(&format!("return {call}; }}")),
            false => out.text(&format!("{call}; return 0; }}")),
        }
        let end: TokIdx = self.src.tokens.len() as TokIdx - 1;
        let mut quiet = Rope::default();
        quiet.quiet(out);
        self.edits.before(end, quiet);
    }
}
