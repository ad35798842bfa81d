//! C text of the loops that enumerate a thread's own iterations of a `upc_forall`.

use super::forall::affinity_test;
use super::lowering::Lowering;
use super::own_loop::OwnLoop;
use super::rope::{Count, CountOf, Part, Rope};
use super::work::Forall;
use crate::sema::loops::Step;
use crate::sema::types::{Arithmetic, Rank};
use crate::syntax::token::TokIdx;

/// The end of the loops over own iterations: one loop, or one in each block.
const ONE_LOOP: &str = " } ";
const TWO_LOOPS: &str = " } } ";

/// A counter in C beside the loop over `upcr_k`, from which the user's variable gets its value.
struct Counter {
    /// Text before the loop.
    declaration: String,
    /// Text after the loop's own step.
    step: String,
    /// The variable's value.
    value: String,
}

impl Lowering<'_, '_> {
    /// The loop's variable is `first + upcr_k * by`. Where it has the size of an int it is counted
    /// in that size: a conversion from the wider `upcr_k` would cost a loop that the C compiler
    /// vectorises half of its speed.
    fn own_counter(&self, own: &OwnLoop, first: &str, by: &str) -> Counter {
        let n = own.number;
        let ty = self.unit.symbol(own.counted.variable).ty;
        if matches!(
            self.unit.types.arithmetic(ty),
            Some(Arithmetic::Integer(Rank::Int, _))
        ) {
            return Counter {
                declaration: format!("unsigned upcr_t{n} = (unsigned)({first}); "),
                step: format!(", upcr_t{n} += (unsigned){by}"),
                value: format!("upcr_t{n}"),
            };
        }
        Counter {
            declaration: String::new(),
            step: String::new(),
            value: format!("({first} + upcr_k{n} * {by})"),
        }
    }

    /// The loop over `upcr_k`, up to the body's begin.
    fn own_head(&self, own: &OwnLoop, index: &str, index_step: &str, counter: &Counter) -> String {
        let n = own.number;
        let variable = self.unit.name(self.unit.symbol(own.counted.variable).name);
        let Counter {
            declaration,
            step,
            value,
        } = counter;
        format!(
            "{declaration}long upcr_k{n}; for (upcr_k{n} = 0; upcr_k{n} < upcr_c{n}; \
             upcr_k{n}++{step}) {{ const long upcr_x{n} = {index} + upcr_k{n} * {index_step}; \
             (void)upcr_x{n}; {variable} = (__typeof__({variable})){value}; "
        )
    }

    /// The counts of accesses that are made once in each own iteration.
    pub(super) fn counts_at_end(&mut self, out: &mut Rope, own: &OwnLoop, body: (TokIdx, TokIdx)) {
        let counter = match self.own_braces(own, body) {
            ONE_LOOP => "upcr_c",
            _ => "upcr_j",
        };
        for (number, size) in &own.counted_at_end {
            let table = self.table();
            let times = format!("{counter}{}", own.number);
            out.0.push(Part::Count(Count {
                table,
                counter: *number,
                of: CountOf::Iterations(times, size.clone()),
            }));
        }
    }

    /// Everything before the body; as many braces are open as [`Self::own_braces`] says.
    pub(crate) fn own_loop_text(&self, own: &OwnLoop, body: (TokIdx, TokIdx)) -> String {
        let (n, rows) = (own.number, own.rows);
        if rows == 1 {
            return self.cyclic_text(own);
        }
        let range = format!(
            "const upcr_own_range upcr_g{n} = upcr_own_blocks(upcr_v{n}, upcr_s{n}, upcr_n{n}, \
             {rows}L); "
        );
        if self.is_flat(own, body) {
            return range + &self.flat_text(own);
        }
        let counter = self.own_counter(
            own,
            &format!("upcr_b{n} + upcr_w{n}.value"),
            &format!("upcr_s{n}"),
        );
        // Iterations of all blocks, for the counts after the loop.
        let (all, add) = match own.counted_at_end.is_empty() {
            true => (String::new(), String::new()),
            false => (
                format!("long upcr_j{n} = 0; "),
                format!("upcr_j{n} += upcr_c{n}; "),
            ),
        };
        range
            + &all
            + &format!(
                "long upcr_m{n}; for (upcr_m{n} = 0; upcr_m{n} < upcr_g{n}.count; upcr_m{n}++) {{ \
                 const upcr_own upcr_w{n} = upcr_own_block(upcr_g{n}.first + upcr_m{n} * \
                 upcr_g{n}.step, upcr_v{n}, upcr_s{n}, upcr_n{n}, {rows}L); const long upcr_c{n} \
                 = upcr_w{n}.count; {add}"
            )
            + &self.own_head(
                own,
                &format!("upcr_w{n}.index"),
                &format!("upcr_s{n}"),
                &counter,
            )
    }

    /// The braces that close them.
    pub(crate) fn own_braces(&self, own: &OwnLoop, body: (TokIdx, TokIdx)) -> &'static str {
        if own.rows == 1 || self.is_flat(own, body) {
            ONE_LOOP
        } else {
            TWO_LOOPS
        }
    }

    fn cyclic_text(&self, own: &OwnLoop) -> String {
        let n = own.number;
        let counter = self.own_counter(own, &format!("upcr_y{n}"), &format!("upcr_q{n}"));
        format!(
            "const upcr_own upcr_w{n} = upcr_own_cyclic(upcr_v{n}, upcr_s{n}, upcr_n{n}); const \
             long upcr_c{n} = upcr_w{n}.count, upcr_i{n} = upcr_w{n}.index, upcr_p{n} = \
             upcr_own_step(upcr_s{n}, upcr_w{n}.index_step), upcr_y{n} = upcr_b{n} + \
             upcr_w{n}.value, upcr_q{n} = upcr_w{n}.value_step; "
        ) + &self.own_head(own, &format!("upcr_i{n}"), &format!("upcr_p{n}"), &counter)
    }

    /// Own blocks follow each other in memory, so one loop can go through all of them. The variable
    /// then takes a division, which the C compiler leaves out since nothing uses it.
    fn flat_text(&self, own: &OwnLoop) -> String {
        let (n, rows) = (own.number, own.rows);
        let counter = Counter {
            declaration: String::new(),
            step: String::new(),
            value: format!("(upcr_b{n} - upcr_v{n} + upcr_own_position(upcr_x{n}, {rows}L))"),
        };
        format!(
            "const upcr_own upcr_w{n} = upcr_own_all_blocks(upcr_g{n}, upcr_v{n}, upcr_s{n}, \
             upcr_n{n}, {rows}L); const long upcr_c{n} = upcr_w{n}.count, upcr_i{n} = \
             upcr_w{n}.index; "
        ) + &self.own_head(own, &format!("upcr_i{n}"), &format!("upcr_s{n}"), &counter)
    }

    /// The rest of the statement for a loop with one copy of its body: `upcr_a` says whether it
    /// goes through own iterations only, or tests each.
    pub(crate) fn one_body_text(&self, f: &Forall, own: &OwnLoop) -> Rope {
        let n = own.number;
        let variable = self.unit.name(self.unit.symbol(own.counted.variable).name);
        let mut out = Rope::from_text(&format!(
            "); const upcr_own upcr_w{n} = upcr_own_cyclic(upcr_v{n}, upcr_s{n}, upcr_a{n} ? \
             upcr_n{n} : 0L); const long upcr_c{n} = upcr_w{n}.count, upcr_y{n} = upcr_b{n} + \
             upcr_w{n}.value, upcr_q{n} = upcr_w{n}.value_step; long upcr_k{n} = 0; for (; \
             upcr_a{n} ? upcr_k{n} < upcr_c{n} : ("
        ));
        match f.condition {
            Some(c) => out.inline(self.unit.expr(c).lo, self.unit.expr(c).hi),
            None => out.text("1"),
        }
        out.text(&format!(") != 0; upcr_a{n} ? (void)upcr_k{n}++ : (void)("));
        match f.step {
            Some(s) => out.inline(self.unit.expr(s).lo, self.unit.expr(s).hi),
            None => out.text("0"),
        }
        out.text(&format!(
            ")) {{ if (upcr_a{n}) {variable} = (__typeof__({variable}))(upcr_y{n} + upcr_k{n} * \
             upcr_q{n}); else if (!(upcr_f{n} || "
        ));
        out.append(affinity_test(self.unit, f).inlined());
        out.text(")) continue; ");
        out.copy(f.close + 1, f.end + 1);
        out.text(&format!(
            " }} if (upcr_a{n}) {variable} = (__typeof__({variable}))upcr_z{n}; }}"
        ));
        out
    }

    /// Whether the body uses the variable in the indices of own elements only, one after the other.
    fn is_flat(&self, own: &OwnLoop, body: (TokIdx, TokIdx)) -> bool {
        let name = self.unit.symbol(own.counted.variable).name;
        matches!(own.counted.step, Step::By(1 | -1))
            && self.unit.stays_private(own.counted.variable)
            && (body.0..body.1)
                .filter(|&t| self.unit.token(t).name == name)
                .all(|t| own.indices.iter().any(|&(lo, hi)| (lo..hi).contains(&t)))
    }
}
