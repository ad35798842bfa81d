//! State of the lowering, and [`Lowering`], whose methods write C in place of tokens that touch
//! shared data.

use super::counts::{Counts, Small};
use super::own_loop::OwnLoop;
use super::rope::{Edits, Rope};
use super::work::Work;
use crate::sema::unit::Unit;
use crate::syntax::token::*;
use crate::unseen::Unseen;
use std::collections::{HashMap, HashSet};

/// A variable of the function that remembers the last element or block of accesses that go along
/// together.
pub(super) struct Run {
    pub(super) number: u32,
    /// The loop.
    pub(super) at: usize,
    /// Whether it is a pointer, and the symbol.
    pub(super) base: (bool, u32),
    /// Indices, but for their constant part.
    pub(super) sum: String,
    pub(super) constant: i128,
}

/// State within the current function.
#[derive(Default)]
pub(super) struct FunctionState {
    /// After which token declarations may be added.
    pub(super) begin: Option<TokIdx>,
    /// Variables that remember where accesses were.
    pub(super) runs: Vec<Run>,
    /// The loop over own elements whose body is being lowered.
    pub(super) own: Option<OwnLoop>,
    /// Full expressions of loop bodies that stand beside a form over own elements, and are hardly
    /// ever run; whether they may call functions for addresses.
    pub(super) cold_roots: Vec<((usize, usize), bool)>,
    /// One of them is being lowered.
    pub(super) cold: bool,
    /// One that may call functions.
    pub(super) cold_calls: bool,
    /// The address of something that is accessed is being written: it is checked.
    pub(super) accessing: bool,
    /// Addresses that are being written, one inside of the other: reads in them are on the way to
    /// what is accessed.
    pub(super) addresses: u32,
    /// The counted accesses and calls.
    pub(super) counts: Counts,
}

/// The C that was written so far, and the work that is left.
#[derive(Default)]
pub struct Emission {
    pub(crate) edits: Edits,
    pub(crate) work: Work,
    /// Text for file scope before the current external declaration, and after it.
    pub(super) hoisted: Rope,
    pub(super) trailer: Rope,
    /// Pointers to what is set before main in objects of a block: they stand after the declaration
    /// that is being parsed, because types of the block cannot be named elsewhere.
    pub(super) block_pointers: String,
    /// Names that were declared for generated code.
    pub(super) declared: HashSet<String>,
    /// `upcr_forall_leave` was declared.
    pub(super) forall_helper: bool,
    /// The symbol of the program's main.
    pub(super) main: Option<u32>,
    pub(super) function: FunctionState,
    /// Accesses of the unit to shared data that are not reported.
    pub(super) unseen: Unseen,
    /// Lines of accesses through pointers-to-shared, as [`Unseen::direct`] names lines.
    pub(super) indirect: HashSet<String>,
    /// Lines of accesses to own elements that are counted one by one.
    pub(super) counted_each: HashSet<String>,
    /// Functions of which no call is an event, nor anything that is done in them.
    pub(super) small_functions: HashMap<u32, Small>,
    /// Functions that are events, but may rest: nothing else is reported in them.
    pub(super) leaf_functions: HashSet<u32>,
    /// Those of them that may not come back.
    pub(super) leaving_functions: HashSet<u32>,
    /// Functions that small ones call each time that they are called.
    pub(super) called_along: HashMap<u32, Vec<u32>>,
    /// Names that stand in the unit without a parenthesis behind them, once they are known.
    pub(super) names_of_values: Option<HashSet<Name>>,
    /// Names of what threads may wait for, once they are known.
    pub(super) awaited_names: Option<HashSet<Name>>,
    /// Hash of the unit's name and text, once it is known.
    pub(super) source_hash: Option<u64>,
    last_unique: u32,
}

impl Emission {
    /// A number for names in generated code.
    pub fn unique(&mut self) -> u32 {
        self.last_unique += 1;
        self.last_unique
    }

    /// Puts what was noted for file scope around the external declaration of tokens `lo` to before
    /// `hi`.
    pub fn end_external_declaration(&mut self, lo: TokIdx, hi: TokIdx) {
        let hoisted = std::mem::take(&mut self.hoisted);
        if !hoisted.is_empty() {
            self.edits.before(lo, hoisted);
        }
        let trailer = std::mem::take(&mut self.trailer);
        if !trailer.is_empty() && hi > lo {
            // Not behind the last token, which may be that of a body that is printed twice.
            self.edits.before(hi, trailer);
        }
    }

    /// The pointers that belong after the declaration that was parsed.
    pub fn take_block_pointers(&mut self) -> Rope {
        Rope::from_text(&std::mem::take(&mut self.block_pointers))
    }

    /// Accesses of the unit to shared data that are not reported.
    pub fn take_unseen(&mut self) -> Unseen {
        let mut unseen = std::mem::take(&mut self.unseen);
        let indirect = std::mem::take(&mut self.indirect);
        let each = std::mem::take(&mut self.counted_each);
        unseen.direct.retain(|line| !indirect.contains(line));
        let at_end = &mut unseen.counted_at_end;
        at_end.retain(|line| !indirect.contains(line) && !each.contains(line));
        unseen
    }
}

/// Lowers what is known of a unit into what is written of it.
pub struct Lowering<'a, 's> {
    pub(super) unit: &'a mut Unit<'s>,
    pub(super) emission: &'a mut Emission,
}

impl<'a, 's> Lowering<'a, 's> {
    /// Lowers parts of `unit` into `emission`.
    pub fn new(unit: &'a mut Unit<'s>, emission: &'a mut Emission) -> Self {
        Lowering { unit, emission }
    }

    pub(super) fn unique(&mut self) -> u32 {
        self.emission.unique()
    }
}
