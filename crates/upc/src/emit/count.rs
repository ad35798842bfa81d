//! Accesses that are counted where they happen instead of being reported. Each place in the source
//! is a site of its function's table; code of the program adds one to the site's number for the
//! thread that the data belongs to.
//!
//! A loop that does nothing that is reported, but accesses shared data, is printed twice: as it is
//! without instrumentation, for a run in which nothing is recorded, and with counts. Which of them
//! runs is decided where the loop is entered. So is the body of a function, unless it is long, that
//! reports nothing but its own begin and end. A loop over own elements that accesses each of them
//! once in every iteration is printed once, and its iterations are added up when it ends. Elsewhere
//! each count has its own test.

use super::counts::{Counts, Site};
use super::lowering::Lowering;
use super::place::Access;
use super::rope::{Count, CountOf, Part, Rope, Version};
use super::work::{Body, LoopRange, Root};
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::lex::DirectiveKind;
use crate::syntax::token::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Loops with more tokens are not printed twice.
const MOST_TOKENS: u32 = 6000;
/// Functions with more tokens are not, only their loops.
const MOST_TOKENS_OF_BODY: u32 = 300;

impl Lowering<'_, '_> {
    /// Whether accesses are to be counted where they happen.
    pub(super) fn counts_accesses(&self) -> bool {
        self.unit.options.instrument && self.unit.options.count_accesses
    }

    /// A full expression without counts, and with them, if it accesses anything that is counted.
    pub(super) fn emit_both(&mut self, root: Root) -> (Option<Rope>, Option<Rope>) {
        self.emission.function.counts.sees_access = false;
        let plain = self.emit_root(root);
        let sees_access = std::mem::take(&mut self.emission.function.counts.sees_access);
        if self.counts_accesses() || sees_access {
            self.begin_counted_root(root);
        }
        if !sees_access {
            return (plain, None);
        }
        self.emission.function.counts.is_counting = true;
        let counted = self.emit_root(root);
        self.emission.function.counts.is_counting = false;
        (plain, counted)
    }

    pub(super) fn table(&mut self) -> u32 {
        if let Some(table) = self.emission.function.counts.table {
            return table;
        }
        let table = self.unique();
        self.emission.function.counts.table = Some(table);
        table
    }

    /// Adds a site that is counted by a number of its own, or by that of others.
    pub(super) fn add_site(
        &mut self,
        token: TokIdx,
        is_put: bool,
        known: Option<usize>,
    ) -> &mut Site {
        let counts = &mut self.emission.function.counts;
        let counter = known.unwrap_or(counts.counters);
        counts.counters = counts.counters.max(counter + 1);
        counts.sites.push(Site {
            token,
            is_put,
            called: None,
            own: None,
            counter,
        });
        let last = counts.sites.len() - 1;
        &mut counts.sites[last]
    }

    /// A statement that counts an access to `e`, whose address is in `upcr_a<n>`; nothing if it is
    /// counted together with one before.
    pub(super) fn count_access(&mut self, out: &mut Rope, e: ExprId, is_put: bool, n: u32) {
        let at = self.unit.expr(e).lo;
        if !self.emission.function.cold {
            self.note_indirect(at);
        }
        // Those of a wait are counted as long as it has not begun.
        let (known, key) = match self.wait_around(e) {
            Some(_) => (None, None),
            None => self.group_of(e),
        };
        let counter = self.add_site(at, is_put, known).counter;
        if known.is_some() {
            return;
        }
        if let Some(key) = key {
            self.note_group(key, counter);
        }
        let table = self.table();
        let of = CountOf::Address(n);
        out.0.push(Part::Count(Count { table, counter, of }));
    }

    /// A statement that sets the site of the next access, by which it is reported if it waits for
    /// another node.
    pub(super) fn announce_site(&mut self, out: &mut Rope) {
        let (table, site) = (self.table(), self.emission.function.counts.sites.len());
        let of = CountOf::Site(site);
        out.0.push(Part::Count(Count {
            table,
            counter: 0,
            of,
        }));
    }

    /// A statement before the write of `upcr_v<n>` to `upcr_a<n>`, which is the next site.
    pub(super) fn announce_write(&mut self, out: &mut Rope, size: &Rope, n: u32) {
        let (table, site) = (self.table(), self.emission.function.counts.sites.len());
        let of = CountOf::Write(n, size.clone());
        out.0.push(Part::Count(Count {
            table,
            counter: site,
            of,
        }));
    }

    /// A declaration that says how many bytes an access to the site that was added last has; `size`
    /// is the C for it.
    pub(super) fn declare_size(&mut self, out: &mut Rope, size: &Rope) {
        let (n, table) = (self.unique(), self.table());
        let id = self.id_of(table);
        let site = self.emission.function.counts.sites.len().saturating_sub(1);
        let listed = self.listed_in("upcr_sizes");
        out.text(&format!(
            "static const upcr_access_size upcr_z{n} {listed} = {{{id}, {site}, "
        ));
        out.append(size.clone());
        out.text("}; ");
    }

    /// Tells the tables of a program apart.
    fn id_of(&mut self, table: u32) -> u64 {
        let unit = &self.unit;
        let source = self.emission.source_hash.get_or_insert_with(|| {
            let mut hasher = DefaultHasher::new();
            (&unit.options.name, unit.src.text).hash(&mut hasher);
            hasher.finish()
        });
        let mut hasher = DefaultHasher::new();
        (*source, table).hash(&mut hasher);
        hasher.finish() >> 1
    }

    /// The element of own data that `element` is, with the count of an access to `e`, which is that
    /// element or a part of it.
    pub(super) fn count_own(&mut self, element: Rope, e: ExprId, access: Access) -> Rope {
        let at = self.unit.expr(e).lo;
        let accessed = match self.bit_field(e) {
            Some((base, _, arrow)) => self.record_of(base, arrow),
            None => self.unit.expr(self.unit.strip(e)).ty,
        };
        let size = self.unit.sizeof_text(accessed);
        let mut out = Rope::from_text("(*(");
        for is_put in [false, true] {
            let is_done = match access {
                Access::Read => !is_put,
                Access::Write => is_put,
                Access::Update => true,
            };
            let operation = if is_put { "upc_put" } else { "upc_get" };
            if is_done && self.unit.records(at, operation) {
                self.note_direct(at);
                let is_at_end = self.count_at_end(at, is_put, &size);
                self.note_counted(at, is_at_end);
                if is_at_end {
                    continue;
                }
                let site = self.add_site(at, is_put, None);
                site.own = Some(size.clone());
                let counter = site.counter;
                let table = self.table();
                let of = CountOf::Own(size.clone());
                out.0.push(Part::Count(Count { table, counter, of }));
            }
        }
        out.text("&");
        out.append(element);
        out.text("))");
        out
    }

    /// Whether an access to own data is one of those that are counted when their loop has ended.
    fn count_at_end(&mut self, at: TokIdx, is_put: bool, size: &Rope) -> bool {
        let own = self.emission.function.own.as_ref();
        let Some(own) = own.filter(|own| own.is_straight) else {
            return false;
        };
        let known = own.counted_at_end.iter().find(|(_, s)| s == size);
        let known = known.map(|(counter, _)| *counter);
        let counter = self.add_site(at, is_put, known).counter;
        let own = self.emission.function.own.as_mut();
        if let (Some(own), None) = (own, known) {
            own.counted_at_end.push((counter, size.clone()));
        }
        true
    }

    /// At the end of an external declaration: its table, and the loops that are printed twice.
    pub(super) fn finish_counts(&mut self) {
        let loops = std::mem::take(&mut self.emission.work.loops);
        self.emission.work.flag_waits.clear();
        let body = self.emission.work.body.take();
        // Variables that count are not what they were after a jump back.
        let is_once = self.unit.returns_twice();
        let counts = std::mem::take(&mut self.emission.function.counts);
        let is_done = body.is_some_and(|body| self.print_body(body, &counts, is_once));
        let Some(table) = counts.table else {
            return;
        };
        let id = self.id_of(table);
        let counts_calls = counts.sites.iter().any(|site| site.called.is_some());
        let (calls, own_calls) = match counts_calls {
            true => (
                format!("static unsigned long upcr_l{table}[{}]; ", counts.counters),
                format!("upcr_l{table}"),
            ),
            false => (String::new(), "0".to_owned()),
        };
        let mut text = format!("static const upcr_access_site upcr_k{table}[] = {{");
        for site in &counts.sites {
            let (is_put, counter) = (u8::from(site.is_put), site.counter);
            let (place, name) = match &site.called {
                Some((name, token)) => (self.unit.place(*token), format!("\"{name}\"")),
                None => (self.unit.place(site.token), "0".to_owned()),
            };
            text.push_str(&format!("{{{place}, {is_put}, {counter}, {name}}}, "));
        }
        let listed = self.listed_in("upcr_tables");
        text.push_str(&format!(
            "}}; {calls}static upcr_access_table upcr_t{table} = {{upcr_k{table}, {}, {}, 0, {id}, 0, 0, {own_calls}, 0, 0, 0, 0, 0}}; \
             static upcr_access_table *const upcr_u{table} {listed} = &upcr_t{table}; ",
            counts.sites.len(),
            counts.counters
        ));
        self.emission.hoisted.quiet(Rope::from_text(&text));
        if !is_done && !is_once {
            self.print_twice(loops, table, &counts);
        }
    }

    /// Decides how the body of a function is printed that reports nothing but its own begin and end:
    /// twice as a whole if that takes nothing from its loops. Whether it is.
    fn print_body(&mut self, body: Body, counts: &Counts, is_once: bool) -> bool {
        let Body { range, at, call } = body;
        let (lo, hi) = range.tokens;
        let sites = &counts.sites;
        let is_variable = |site: &Site| site.own.is_some() || site.called.is_some();
        // A return would skip what is added from variables at the end.
        let takes_variables = self.may_be_left(range) && sites.iter().any(is_variable);
        // A test at its begin and its end costs such a function less than a second copy of it.
        let is_long = sites.is_empty() || hi - lo > MOST_TOKENS_OF_BODY;
        let is_once = is_once || is_long || takes_variables;
        if is_once || !self.is_repeatable(range) {
            let call = Rope::from_text(&call);
            self.emission.edits.after_first(at, call);
            return false;
        }
        let version = Version {
            end: hi,
            table: counts.table,
            call,
            own: variables_of(sites.iter()),
        };
        self.emission.edits.versions.insert(lo, version);
        true
    }

    /// Outer loops first, of which inner ones are no loops of their own then.
    fn print_twice(&mut self, mut loops: Vec<LoopRange>, table: u32, counts: &Counts) {
        let (sites, at_end) = (&counts.sites, &counts.counted_at_end);
        loops.sort_by_key(|l| (l.tokens.0, std::cmp::Reverse(l.tokens.1)));
        let mut end = 0;
        for l in loops {
            let (lo, hi) = l.tokens;
            let at_end = |site: &Site| {
                let mut loops = at_end.iter();
                loops.any(|&(lo, hi)| (lo..hi).contains(&site.token))
            };
            let inside = |site: &Site| (lo..hi).contains(&site.token) && !at_end(site);
            if lo < end || hi - lo > MOST_TOKENS || !sites.iter().any(inside) {
                continue;
            }
            if !self.can_be_printed_twice(l) {
                continue;
            }
            end = hi;
            let returns = self.may_be_left(l);
            let own = variables_of(sites.iter().filter(|site| inside(site) && !returns));
            let version = Version {
                end: hi,
                table: Some(table),
                call: String::new(),
                own,
            };
            self.emission.edits.versions.insert(lo, version);
        }
    }

    /// Whether tokens have a `case` of a switch around them.
    fn enters_by_case(&self, lo: TokIdx, hi: TokIdx) -> bool {
        let is = |t: TokIdx, kind: Tok| self.unit.token(t).kind == kind;
        let (open, close) = (Tok::Punct(P::LBrace), Tok::Punct(P::RBrace));
        // Of each open block, whether it is in a switch of these tokens.
        let mut blocks: Vec<bool> = Vec::new();
        let mut is_switch = false;
        for t in lo..hi {
            let is_inside = blocks.last().copied().unwrap_or(false);
            if is(t, Tok::Kw(K::Switch)) {
                is_switch = true;
            } else if is(t, open) {
                blocks.push(is_inside || std::mem::take(&mut is_switch));
            } else if is(t, close) {
                blocks.pop();
            } else if (is(t, Tok::Kw(K::Case)) || is(t, Tok::Kw(K::Default))) && !is_inside {
                return true;
            }
        }
        false
    }

    /// Whether statements can stand in the output twice.
    fn is_repeatable(&self, l: LoopRange) -> bool {
        let (lo, hi) = l.tokens;
        let is_once = |t| match self.unit.token(t).kind {
            Tok::Kw(K::Fence | K::Barrier | K::Notify | K::Wait) => true,
            Tok::Kw(K::Forall) => false,
            _ => !self.unit.repeatable(t, t + 1),
        };
        !(lo..hi).any(is_once) && !self.enters_by_case(lo, hi) && !self.divides_work(lo, hi)
    }

    /// Whether a pragma in or before tokens lets several threads of a process execute them. All have
    /// to execute the same construct, and only one of them counts.
    fn divides_work(&self, lo: TokIdx, hi: TokIdx) -> bool {
        let src = &self.unit.src;
        let first = src.directives.partition_point(|d| d.before < lo);
        let inside = src.directives[first..].iter();
        inside.take_while(|d| d.before < hi).any(|d| {
            let text = &src.text[d.start as usize..d.end as usize];
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            d.kind == DirectiveKind::Pragma && words.any(|word| matches!(word, "omp" | "acc"))
        })
    }

    /// Whether a loop can stand in the output twice, and recording is neither switched on nor off
    /// while it runs: it calls nothing that may be reported.
    fn can_be_printed_twice(&self, l: LoopRange) -> bool {
        self.is_repeatable(l)
            && !self
                .unit
                .exprs
                .range(l.exprs)
                .iter()
                .any(|e| match &e.kind {
                    ExprKind::Call(f, _) => self.may_report(*f, u32::MAX),
                    _ => false,
                })
    }
}

/// Numbers that can be variables where these sites are printed with counts.
fn variables_of<'a>(sites: impl Iterator<Item = &'a Site>) -> Vec<(usize, Option<Rope>)> {
    let mut variables: Vec<(usize, Option<Rope>)> = Vec::new();
    for site in sites {
        let is_new = !variables.iter().any(|(number, _)| *number == site.counter);
        if is_new && (site.own.is_some() || site.called.is_some()) {
            variables.push((site.counter, site.own.clone()));
        }
    }
    variables
}
