//! Accesses that are counted where they happen instead of being reported. Each place in the source
//! is a site of its function's table; code of the program adds one to the site's number for the
//! thread that the data belongs to.
//!
//! A loop that does nothing that is reported, but accesses shared data, is printed twice: as it is
//! without instrumentation, for a run in which nothing is recorded, and with counts. Which of them
//! runs is decided where the loop is entered. Elsewhere each count has its own test.

use super::lowering::Lowering;
use super::place::Access;
use super::rope::{Count, CountOf, Part, Rope, Version};
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::token::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Loops with more tokens are not printed twice.
const MOST_TOKENS: u32 = 6000;

/// A place in the source where accesses are counted.
pub(super) struct Site {
    token: TokIdx,
    is_put: bool,
    /// Size of an access, as C, where the thread's own data is accessed without its address.
    own: Option<Rope>,
}

/// A loop: its tokens and expressions, each to before the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopRange {
    pub(crate) tokens: (TokIdx, TokIdx),
    pub(crate) exprs: (ExprId, ExprId),
}

/// What is counted in the current external declaration.
#[derive(Default)]
pub(super) struct Counts {
    /// Accesses are being written with their counts.
    pub(super) is_counting: bool,
    /// One that would be counted was written without.
    pub(super) sees_access: bool,
    /// How the lvalue that is being written is accessed.
    pub(super) access: Option<Access>,
    sites: Vec<Site>,
    /// Number of the table in generated names.
    table: Option<u32>,
}

impl Lowering<'_, '_> {
    /// Whether accesses are to be counted where they happen.
    pub(super) fn counts_accesses(&self) -> bool {
        self.unit.options.instrument && self.unit.options.count_accesses
    }

    /// What `emit` writes without counts, and with them, if it accesses anything that is counted.
    pub(super) fn emit_both(
        &mut self,
        emit: &mut dyn FnMut(&mut Self) -> Option<Rope>,
    ) -> (Option<Rope>, Option<Rope>) {
        self.emission.function.counts.sees_access = false;
        let plain = emit(self);
        if !std::mem::take(&mut self.emission.function.counts.sees_access) {
            return (plain, None);
        }
        self.emission.function.counts.is_counting = true;
        let counted = emit(self);
        self.emission.function.counts.is_counting = false;
        (plain, counted)
    }

    fn table(&mut self) -> u32 {
        if let Some(table) = self.emission.function.counts.table {
            return table;
        }
        let table = self.unique();
        self.emission.function.counts.table = Some(table);
        table
    }

    fn add_site(&mut self, token: TokIdx, is_put: bool, own: Option<Rope>) -> (u32, usize) {
        let table = self.table();
        let sites = &mut self.emission.function.counts.sites;
        sites.push(Site { token, is_put, own });
        (table, sites.len() - 1)
    }

    /// A statement that counts an access to the address in `upcr_a<n>`.
    pub(super) fn count_access(&mut self, out: &mut Rope, at: TokIdx, is_put: bool, n: u32) {
        let (table, site) = self.add_site(at, is_put, None);
        let of = CountOf::Address(n);
        out.0.push(Part::Count(Count { table, site, of }));
    }

    /// Text before the C that accesses memory, by which a sample of the program counter is known to
    /// be one of the access.
    pub(super) fn access_begin(&self, out: &mut Rope) {
        out.text("__asm__ __volatile__ __inline__ (\"771:\"); ");
    }

    /// The end of what [`Lowering::access_begin`] begins, for the site that was counted last; `size`
    /// is the C for its bytes.
    pub(super) fn access_end(&mut self, out: &mut Rope, size: &Rope) {
        let site = self.emission.function.counts.sites.len();
        let table = self.table();
        let id = self.id_of(table);
        out.text(&format!(
            "__asm__ __volatile__ __inline__ (\"772:\\n\\t.pushsection upcr_ranges,\\\"a\\\"\\n\\t\
             .balign 8\\n\\t.long 771b-.\\n\\t.long 772b-.\\n\\t.long %c0\\n\\t.long {site}\\n\\t\
             .quad {id}\\n\\t.popsection\" : : \"i\"("
        ));
        out.append(size.clone());
        out.text(")); ");
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

    /// The element of own data that `lvalue` is, with the count of an access to it.
    pub(super) fn count_own(&mut self, lvalue: Rope, e: ExprId, access: Access) -> Rope {
        let at = self.unit.expr(e).lo;
        let size = self.unit.sizeof_text(self.unit.expr(e).ty);
        let mut out = Rope::from_text("(*(");
        for is_put in [false, true] {
            let is_done = match access {
                Access::Read => !is_put,
                Access::Write => is_put,
                Access::Update => true,
            };
            let operation = if is_put { "upc_put" } else { "upc_get" };
            if is_done && self.unit.records(at, operation) {
                let (table, site) = self.add_site(at, is_put, Some(size.clone()));
                let of = CountOf::Own(size.clone());
                out.0.push(Part::Count(Count { table, site, of }));
            }
        }
        out.text("&");
        out.append(lvalue);
        out.text("))");
        out
    }

    /// At the end of an external declaration: its table, and the loops that are printed twice.
    pub(super) fn finish_counts(&mut self) {
        let loops = std::mem::take(&mut self.emission.work.loops);
        let counts = std::mem::take(&mut self.emission.function.counts);
        let Some(table) = counts.table else {
            return;
        };
        let id = self.id_of(table);
        let mut text = format!("static const upcr_access_site upcr_k{table}[] = {{");
        for site in &counts.sites {
            let place = self.unit.place(site.token);
            text.push_str(&format!("{{{place}, {}}}, ", u8::from(site.is_put)));
        }
        text.push_str(&format!(
            "}}; static upcr_access_table upcr_t{table} = {{upcr_k{table}, {}, 0, {id}, 0, 0, 0}}; \
             static upcr_access_table *const upcr_u{table} __attribute__((section(\"upcr_tables\"), \
             used)) = &upcr_t{table}; ",
            counts.sites.len()
        ));
        self.emission.hoisted.quiet(Rope::from_text(&text));
        self.print_twice(loops, table, &counts.sites);
    }

    /// Outer loops first, of which inner ones are no loops of their own then.
    fn print_twice(&mut self, mut loops: Vec<LoopRange>, table: u32, sites: &[Site]) {
        loops.sort_by_key(|l| (l.tokens.0, std::cmp::Reverse(l.tokens.1)));
        let mut end = 0;
        for l in loops {
            let (lo, hi) = l.tokens;
            let inside = |site: &Site| (lo..hi).contains(&site.token);
            if lo < end || hi - lo > MOST_TOKENS || !sites.iter().any(inside) {
                continue;
            }
            if !self.can_be_printed_twice(l) {
                continue;
            }
            end = hi;
            let returns = (lo..hi).any(|t| self.unit.token(t).kind == Tok::Kw(K::Return));
            let own = sites.iter().enumerate().filter(|(_, site)| inside(site));
            let own = own
                .filter_map(|(number, site)| Some((number, site.own.clone()?)))
                .filter(|_| !returns)
                .collect();
            let version = Version {
                end: hi,
                table,
                own,
            };
            self.emission.edits.versions.insert(lo, version);
        }
    }

    /// Whether a loop can stand in the output twice, and recording is neither switched on nor off
    /// while it runs: it calls nothing that may be reported.
    fn can_be_printed_twice(&self, l: LoopRange) -> bool {
        let (lo, hi) = l.tokens;
        let is_plain = !(lo..hi).any(|t| match self.unit.token(t).kind {
            Tok::Kw(K::Fence | K::Barrier | K::Notify | K::Wait) => true,
            Tok::Kw(K::Forall) => false,
            _ => !self.unit.repeatable(t, t + 1),
        });
        is_plain
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
