//! Functions of the UPC library whose calls are recorded.

use crate::emit::rope::Rope;
use crate::sema::ast::ExprKind;
use crate::sema::types::ExprId;
use crate::syntax::token::*;
use crate::unit::Unit;

/// Calls of these become calls of `upcr_i_NAME` when instrumenting.
pub const LIBRARY: &[&str] = &[
    "upc_all_alloc",
    "upc_global_alloc",
    "upc_alloc",
    "upc_local_alloc",
    "upc_free",
    "upc_all_free",
    "upc_all_lock_alloc",
    "upc_global_lock_alloc",
    "upc_lock_free",
    "upc_all_lock_free",
    "upc_lock",
    "upc_lock_attempt",
    "upc_unlock",
    "upc_memcpy",
    "upc_memget",
    "upc_memput",
    "upc_memset",
    "upc_global_exit",
    "upc_all_broadcast",
    "upc_all_scatter",
    "upc_all_gather",
    "upc_all_gather_all",
    "upc_all_exchange",
    "upc_all_permute",
    "upc_atomic_strict",
    "upc_atomic_relaxed",
    "upc_memcpy_nb",
    "upc_memget_nb",
    "upc_memput_nb",
    "upc_memset_nb",
    "upc_memcpy_nbi",
    "upc_memget_nbi",
    "upc_memput_nbi",
    "upc_memset_nbi",
];

/// Functions of `upc_io.h` that move no data, without their prefix `upc_all_f`.
const INPUT_OUTPUT: &[&str] = &[
    "open",
    "close",
    "sync",
    "seek",
    "set_size",
    "get_size",
    "preallocate",
    "cntl",
    "wait_async",
    "test_async",
];

/// Whether this is a function of `upc_io.h`.
fn is_input_output(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("upc_all_f") else {
        return false;
    };
    let side = rest
        .strip_prefix("read_")
        .or_else(|| rest.strip_prefix("write_"));
    let Some(side) = side else {
        return INPUT_OUTPUT.contains(&rest);
    };
    let side = side.strip_suffix("_async").unwrap_or(side);
    ["local", "shared", "list_local", "list_shared"].contains(&side)
}

/// Suffixes of the typed reductions.
const REDUCTION_TYPES: &[&str] = &["C", "UC", "S", "US", "I", "UI", "L", "UL", "F", "D", "LD"];

/// Whether calls of the library function `name` are recorded.
pub fn is_recorded(name: &str) -> bool {
    LIBRARY.contains(&name)
        || is_reduction(name)
        || is_input_output(name)
        || is_recorded_of_berkeley(name)
}

/// Likewise for the functions that Berkeley UPC has beyond the specification: copies, and atomic operations on what is
/// shared.
fn is_recorded_of_berkeley(name: &str) -> bool {
    name.starts_with("bupc_mem")
        || (name.starts_with("bupc_atomic")
            && (name.ends_with("_strict") || name.ends_with("_relaxed")))
}

/// Whether it is one of the typed reductions.
pub(crate) fn is_reduction(name: &str) -> bool {
    ["upc_all_reduce", "upc_all_prefix_reduce"]
        .iter()
        .any(|base| {
            name.strip_prefix(base)
                .is_some_and(|suffix| REDUCTION_TYPES.contains(&suffix))
        })
}

impl<'s> Unit<'s> {
    /// The library function that `f` calls, if the call is to be recorded.
    pub(crate) fn recorded_call(&self, f: ExprId) -> Option<&'s str> {
        let off = self.token(self.expr(f).lo).flags & INST_OFF != 0;
        if !self.options.instrument || self.unevaluated > 0 || off {
            return None;
        }
        self.library_call(f).filter(|name| is_recorded(name))
    }

    /// The function of our library that `f` calls.
    pub(crate) fn library_call(&self, f: ExprId) -> Option<&'s str> {
        let e = self.expr(f);
        let ExprKind::Ident(number) = e.kind else {
            return None;
        };
        if self.token(e.lo).flags & (OURS | SYSTEM) != 0 {
            return None;
        }
        let symbol = &self.symbols[number as usize];
        let name = self.name(symbol.name);
        let ours = self.token(symbol.token).flags & OURS != 0;
        (ours && !symbol.defined).then_some(name)
    }

    /// A program's own declaration of `name`, at `token` in file scope, takes the place of the library's: that gets
    /// another name wherever it stands before. Berkeley UPC's names always give way, because programs for several
    /// compilers define them for those that lack them; others where `differs` says that both cannot stand side by side.
    pub(crate) fn give_way(&mut self, name: Name, token: TokIdx, differs: bool) {
        let Some(old) = self.lookup(name).filter(|_| self.scopes.is_empty()) else {
            return;
        };
        let ours = |u: &Self, t: TokIdx| u.token(t).flags & OURS != 0;
        let text = self.name(name);
        let berkeley = text.starts_with("bupc_");
        if !ours(self, self.symbols[old as usize].token)
            || ours(self, token)
            || !(berkeley || differs && text.starts_with("upc_"))
        {
            return;
        }
        for t in 0..token {
            let it = self.token(t);
            if it.name == name && it.kind == Tok::Ident && it.flags & OURS != 0 {
                let other = Rope::from_text(&format!("upcr_replaced_{text}"));
                self.edits.replace(t, t + 1, other);
            }
        }
        self.visible[name as usize] = 0;
    }
}
