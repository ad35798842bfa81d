//! Prints the token stream with its edits as C. Every token of the source stays on its line: the
//! printer follows the line of the output and adds line breaks or line markers where the two
//! differ.

use super::rope::{Count, CountOf, Edits, Part, Rope, Version};
use crate::origins::Replaced;
use crate::syntax::lex::{Directive, DirectiveKind, Source};
use crate::syntax::token::*;

/// Up to this many lines are skipped with line breaks instead of a line marker.
const MAX_BREAKS: u32 = 8;
/// Columns beyond this one are not reproduced.
const MAX_INDENT: u32 = 120;

/// How accesses are printed that may be counted.
#[derive(Clone, Copy)]
enum Counting<'a> {
    /// With a count, which has a test.
    Tested,
    /// With a count: this is the form of a loop for a thread that counts.
    Certain(&'a Version),
    /// Without.
    None,
}

struct Printer<'a, 's> {
    src: &'a Source<'s>,
    edits: &'a Edits,
    out: String,
    copied: Vec<(u32, u32)>,
    replaced: Vec<Replaced>,
    file: u32,
    line: u32,
    system: bool,
    directive: usize,
    /// Something stands on the current line.
    begun: bool,
    /// The last thing was generated text.
    generated: bool,
    previous: TokIdx,
    /// Edits that are being printed; they are not applied within themselves.
    active: Vec<(TokIdx, TokIdx)>,
    /// By token: whether an edit or insertion belongs to it, so that most tokens need no look-up.
    marked: Vec<bool>,
    /// The edits for loops over own elements are in force.
    own: bool,
    counting: Counting<'a>,
}

/// The result of printing.
pub struct Printed {
    /// The text.
    pub text: String,
    /// Where copied tokens begin, in the text and in the source.
    pub copied: Vec<(u32, u32)>,
    /// Text that was written in place of other tokens, inner ones first.
    pub replaced: Vec<Replaced>,
}

/// The whole text, edits applied.
pub fn print(src: &Source<'_>, edits: &Edits) -> Printed {
    let end = src.tokens.len() as TokIdx - 1;
    let mut marked = vec![false; src.tokens.len()];
    let changed = edits.replace.keys().chain(edits.own.keys());
    let inserted = edits.before.keys().chain(edits.after.keys());
    for t in changed.chain(inserted).chain(edits.versions.keys()) {
        marked[*t as usize] = true;
    }
    let mut p = Printer {
        src,
        edits,
        out: String::with_capacity(src.text.len() * 5 / 4),
        copied: Vec::with_capacity(src.tokens.len()),
        replaced: Vec::new(),
        file: u32::MAX,
        line: 0,
        system: false,
        directive: 0,
        begun: false,
        generated: false,
        previous: 0,
        active: Vec::new(),
        marked,
        own: false,
        counting: Counting::Tested,
    };
    p.range(0, end, true);
    if let Some(rope) = p.edits.before.get(&end) {
        p.rope(rope, true);
    }
    p.directives(end);
    p.out.push('\n');
    Printed {
        text: p.out,
        copied: p.copied,
        replaced: p.replaced,
    }
}

impl<'a> Printer<'a, '_> {
    fn rope(&mut self, rope: &Rope, lines: bool) {
        self.parts(&rope.0, lines);
    }

    fn parts(&mut self, parts: &[Part], lines: bool) {
        for part in parts {
            match part {
                Part::Text(t) => self.text(t),
                Part::Copy(lo, hi) => self.range(*lo, *hi, lines),
                Part::Inline(lo, hi) => self.range(*lo, *hi, false),
                Part::Quiet(declarations) => self.quiet(declarations),
                Part::Count(count) => self.count(count),
                Part::Recorded(_) if matches!(self.counting, Counting::None) => {}
                Part::Recorded(rope) => self.parts(&rope.0, lines),
                Part::Own(lo, hi) => {
                    let outer = std::mem::replace(&mut self.own, true);
                    self.range(*lo, *hi, lines);
                    self.own = outer;
                }
            }
        }
    }

    /// Prints declarations as if they stood in a system header.
    fn quiet(&mut self, declarations: &Rope) {
        self.break_line();
        self.out.push_str("# 1 \"<pgas-upcc>\" 3\n");
        self.rope(declarations, false);
        self.break_line();
        self.file = u32::MAX;
    }

    fn text(&mut self, t: &str) {
        if self.begun && !self.out.ends_with([' ', '(']) && !t.starts_with([' ', ')', ';', ',']) {
            self.out.push(' ');
        }
        self.out.push_str(t);
        self.begun = true;
        self.generated = true;
    }

    /// Prints tokens `lo` to before `hi`, with the widest edits that fit.
    fn range(&mut self, lo: TokIdx, hi: TokIdx, lines: bool) {
        let edits = self.edits;
        let mut t = lo;
        while t < hi {
            if !self.marked[t as usize] {
                self.token(t, lines);
                t += 1;
                continue;
            }
            if let Some(version) = self.version_at(t, hi) {
                self.both_versions(t, version, lines);
                t = version.end;
                continue;
            }
            // Text that is inserted before an edit is not repeated within it.
            if let Some(rope) = edits
                .before
                .get(&t)
                .filter(|_| !self.active.iter().any(|(l, _)| *l == t))
            {
                self.before(t, rope, lines);
            }
            let chosen = self.edit_at(t, hi);
            match chosen {
                Some((end, rope)) => {
                    if !rope.is_empty() {
                        self.place(t, lines);
                    }
                    self.active.push((t, end));
                    let start = self.out.len() as u32;
                    self.rope(rope, lines);
                    self.active.pop();
                    let last = self.src.tokens[(end.max(t + 1) - 1) as usize];
                    self.replaced.push(Replaced {
                        c: (start, self.out.len() as u32),
                        source: (self.src.tokens[t as usize].start, last.start),
                    });
                    t = end;
                }
                None => {
                    self.token(t, lines);
                    t += 1;
                }
            }
            if let Some(rope) = edits
                .after
                .get(&(t - 1))
                .filter(|_| !self.active.iter().any(|(_, h)| *h == t))
            {
                self.rope(rope, lines);
            }
        }
    }

    /// The widest edit at `t` that ends at `hi` at the latest and is not being printed already.
    fn edit_at(&self, t: TokIdx, hi: TokIdx) -> Option<(TokIdx, &'a Rope)> {
        let widest = |list: &'a Vec<(TokIdx, Rope)>| {
            let fits = |h: TokIdx| h <= hi && !self.active.contains(&(t, h));
            list.iter()
                .filter(|(h, _)| fits(*h))
                .max_by_key(|(h, _)| *h)
                .map(|(h, r)| (*h, r))
        };
        let counts = !matches!(self.counting, Counting::None);
        // Of edits that are equally wide, the last one counts.
        let maps = [
            (true, &self.edits.replace),
            (counts, &self.edits.counted),
            (self.own, &self.edits.own),
            (self.own && counts, &self.edits.counted_own),
        ];
        let in_force = maps.into_iter().filter(|(is_in_force, _)| *is_in_force);
        in_force
            .filter_map(|(_, edits)| edits.get(&t).and_then(widest))
            .max_by_key(|(h, _)| *h)
    }

    /// The loop at `t` that is printed twice, and is not being printed already.
    fn version_at(&self, t: TokIdx, hi: TokIdx) -> Option<&'a Version> {
        let version = self.edits.versions.get(&t)?;
        (version.end <= hi && matches!(self.counting, Counting::Tested)).then_some(version)
    }

    fn both_versions(&mut self, lo: TokIdx, version: &'a Version, lines: bool) {
        let token = self.src.tokens[lo as usize];
        if lines {
            self.sync(token.file, token.line, token.flags & SYSTEM != 0);
        }
        self.text("{ if (upcr_counts_accesses) {");
        // It hands over what was counted before, of this table, too.
        self.text(&version.call);
        if let Some(table) = version.table {
            self.text(&format!(
                "unsigned long *const upcr_c{table} __attribute__((unused)) = \
                 upcr_counts_of(&upcr_t{table}); "
            ));
            for (counter, _) in &version.own {
                self.text(&format!("unsigned long upcr_p{table}_{counter} = 0; "));
            }
        }
        let directive = self.directive;
        self.counting = Counting::Certain(version);
        self.range(lo, version.end, lines);
        if let Some(table) = version.table {
            self.add_own_counts(table, version);
            // A function that a library called may have been an event, with which counts are taken.
            self.text(&format!("; (void)upcr_counts_of(&upcr_t{table});"));
        }
        self.text(" } else { ");
        self.directive = directive;
        self.counting = Counting::None;
        self.range(lo, version.end, lines);
        self.counting = Counting::Tested;
        self.text(" } }");
    }

    /// Adds what a loop has counted by variables to the numbers of its table.
    fn add_own_counts(&mut self, table: u32, version: &'a Version) {
        for (counter, size) in &version.own {
            let Some(size) = size else {
                self.text(&format!(
                    "; upcr_count_calls(upcr_c{table}, {counter}, upcr_p{table}_{counter});"
                ));
                continue;
            };
            self.text(&format!(
                "; upcr_count_own(&upcr_t{table}, {counter}, upcr_p{table}_{counter}, "
            ));
            self.rope(size, false);
            self.text(");");
        }
    }

    fn count(&mut self, count: &Count) {
        let Count { table, counter, of } = count;
        if matches!(self.counting, Counting::None) {
            return;
        }
        let is_certain = matches!(self.counting, Counting::Certain(_));
        match of {
            CountOf::Address(n) if is_certain => {
                self.text(&format!(
                    "upcr_count(upcr_c{table}, {counter}, upcr_a{n}); "
                ));
            }
            CountOf::Address(n) => self.text(&format!(
                "if (upcr_counts_accesses) upcr_count(upcr_counts_of(&upcr_t{table}), {counter}, \
                 upcr_a{n}); "
            )),
            CountOf::Site(site) => {
                let test = if is_certain {
                    ""
                } else {
                    "if (upcr_counts_accesses) "
                };
                self.text(&format!(
                    "{test}upcr_far_site = upcr_k{table} + {counter}; ",
                    counter = site
                ));
            }
            CountOf::Write(n, size) => {
                self.text(&format!(
                    "upcr_flag_write(&upcr_k{table}[{counter}], upcr_a{n}, "
                ));
                self.rope(size, false);
                self.text("); ");
            }
            CountOf::Own(_) | CountOf::Call if self.has_own_count(*counter) => {
                self.text(&format!("upcr_p{table}_{counter}++, "));
            }
            CountOf::Call if is_certain => {
                self.text(&format!("upcr_count_call(upcr_c{table}, {counter}), "));
            }
            CountOf::Iterations(times, size) => {
                let open = if is_certain {
                    format!("upcr_count_own(&upcr_t{table}")
                } else {
                    format!(
                        "if (upcr_counts_accesses) upcr_count_own((upcr_counts_of(&upcr_t{table}), \
                         &upcr_t{table})"
                    )
                };
                self.text(&format!("{open}, {counter}, {times}, "));
                self.rope(size, false);
                self.text("); ");
            }
            CountOf::Call => self.text(&format!(
                "upcr_count_call_if(&upcr_t{table}, upcr_l{table} + {counter}), "
            )),
            CountOf::Own(size) => {
                let test = if is_certain {
                    "1"
                } else {
                    "upcr_counts_accesses"
                };
                self.text(&format!(
                    "{test} ? upcr_count_own((upcr_counts_of(&upcr_t{table}), &upcr_t{table}), \
                     {counter}, 1, "
                ));
                self.rope(size, false);
                self.text(") : (void)0, ");
            }
        }
    }

    /// Whether a number is a variable of the loop that is being printed.
    fn has_own_count(&self, counter: usize) -> bool {
        match self.counting {
            Counting::Certain(version) => version.own.iter().any(|(number, _)| *number == counter),
            _ => false,
        }
    }

    /// Text inserted before a token. A pragma there may be about the next thing that follows it,
    /// so declarations of the compiler's own come first.
    fn before(&mut self, t: TokIdx, rope: &Rope, lines: bool) {
        let is_quiet = |part: &&Part| matches!(part, Part::Quiet(_));
        let declarations = rope.0.iter().take_while(is_quiet).count();
        if declarations > 0 && lines {
            self.directives_to_last_include(t);
        }
        self.parts(&rope.0[..declarations], lines);
        if declarations < rope.0.len() {
            self.place(t, lines);
            self.parts(&rope.0[declarations..], lines);
        }
    }

    /// Goes to the line of a token that is replaced.
    fn place(&mut self, t: TokIdx, lines: bool) {
        if lines {
            let token = self.src.tokens[t as usize];
            self.directives(t);
            self.sync(token.file, token.line, token.flags & SYSTEM != 0);
        }
    }

    fn token(&mut self, t: TokIdx, lines: bool) {
        let token = self.src.tokens[t as usize];
        if lines {
            self.directives(t);
            self.sync(token.file, token.line, token.flags & SYSTEM != 0);
        }
        if !self.begun {
            for _ in 1..token.column.min(MAX_INDENT) {
                self.out.push(' ');
            }
        } else if token.flags & SPACE != 0 || self.generated || t != self.previous + 1 {
            self.out.push(' ');
        }
        self.copied.push((self.out.len() as u32, token.start));
        let text = self.src.text_of(t);
        self.out.push_str(text);
        if token.kind == Tok::Str {
            // A raw string can go over several lines.
            self.line = self.line.wrapping_add(text.matches('\n').count() as u32);
        }
        self.begun = true;
        self.generated = false;
        self.previous = t;
    }

    fn break_line(&mut self) {
        if self.begun {
            self.out.push('\n');
            self.line = self.line.wrapping_add(1);
            self.begun = false;
        }
    }

    /// Makes the current line of the output stand for this line of the source.
    fn sync(&mut self, file: u32, line: u32, system: bool) {
        if self.file == file
            && self.system == system
            && self.line <= line
            && line - self.line <= MAX_BREAKS
        {
            while self.line < line {
                self.out.push('\n');
                self.line += 1;
                self.begun = false;
            }
            return;
        }
        self.break_line();
        let flags = if system { " 3" } else { "" };
        self.out.push_str(&format!(
            "# {} \"{}\"{}\n",
            line, self.src.files[file as usize], flags
        ));
        (self.file, self.line, self.system) = (file, line, system);
    }

    /// Prints the pragmas and include markers that stand before token `t`.
    fn directives(&mut self, t: TokIdx) {
        let ahead = self.src.directives[self.directive..].iter();
        let number = ahead.take_while(|d| d.before <= t).count();
        self.next_directives(number);
    }

    /// Of those, all but the pragmas after the last include marker.
    fn directives_to_last_include(&mut self, t: TokIdx) {
        let ahead = self.src.directives[self.directive..].iter();
        let ahead: Vec<_> = ahead.take_while(|d| d.before <= t).collect();
        let is_include = |d: &&Directive| d.kind == DirectiveKind::Include;
        let last = ahead.iter().rposition(is_include);
        self.next_directives(last.map_or(0, |last| last + 1));
    }

    fn next_directives(&mut self, number: usize) {
        for _ in 0..number {
            let d = self.src.directives[self.directive];
            self.directive += 1;
            let text = self.src.text[d.start as usize..d.end as usize].trim_end();
            match d.kind {
                // The C in place of a upc_forall is no loop that the C compiler could be told how
                // to unroll.
                DirectiveKind::Pragma
                    if self.src.tokens[d.before as usize].kind == Tok::Kw(K::Forall)
                        && is_loop_hint(text) => {}
                DirectiveKind::Pragma => {
                    self.break_line();
                    self.sync(d.file, d.line, self.system && self.file == d.file);
                    self.out.push_str(text);
                    self.out.push('\n');
                    self.line = self.line.wrapping_add(1);
                }
                DirectiveKind::Include => {
                    self.break_line();
                    self.out.push_str(text);
                    self.out.push('\n');
                    self.file = d.file;
                    self.line = d.line;
                    self.system = text.ends_with(" 3") || text.contains(" 3 ");
                }
            }
        }
    }
}

/// Whether a pragma tells the C compiler how to compile the loop after it.
fn is_loop_hint(pragma: &str) -> bool {
    let mut words = pragma
        .trim_start_matches(['#', ' ', '\t'])
        .split_whitespace()
        .skip(1);
    match words.next() {
        Some("GCC") => matches!(words.next(), Some("ivdep" | "unroll" | "novector")),
        Some("clang") => words.next() == Some("loop"),
        Some(word) => word == "ivdep" || word.starts_with("unroll") || word.starts_with("nounroll"),
        None => false,
    }
}
