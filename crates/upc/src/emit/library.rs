//! Functions of the UPC library whose calls are recorded.

use crate::emit::rope::Rope;
use crate::sema::ast::ExprKind;
use crate::sema::types::ExprId;
use crate::syntax::token::*;
use crate::unit::Unit;

/// Calls of these become calls of `upcr_i_NAME` when instrumenting.
const LIBRARY: &[&str] = &[
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
pub(crate) fn is_recorded(name: &str) -> bool {
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

/// How the names of functions behind the macros of Berkeley UPC's collectives on values begin.
pub(crate) const VALUES: &str = "upcr_allv_";

/// What a library function is in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Named(&'static str),
    /// A read or a write of shared data, depending on whether its second argument is null.
    Atomic,
}

/// Operations that several functions belong to: how the functions' names begin, longer ones first.
const FAMILIES: &[(&str, &str)] = &[
    ("upc_all_prefix_reduce", "upc_all_prefix_reduce"),
    ("upc_all_reduce", "upc_all_reduce"),
    ("upc_all_f", "upc_all_fread/fwrite"),
    ("upc_local_alloc", "upc_alloc"),
    ("upc_memcpy", "upc_memcpy"),
    ("upc_memget", "upc_memget"),
    ("upc_memput", "upc_memput"),
    ("upc_memset", "upc_memset"),
    ("bupc_memcpy", "upc_memcpy"),
    ("bupc_memget", "upc_memget"),
    ("bupc_memput", "upc_memput"),
    ("bupc_memset", "upc_memset"),
    ("upcr_allv_broadcast", "upc_all_broadcast"),
    ("upcr_allv_scatter", "upc_all_scatter"),
    ("upcr_allv_gather_all", "upc_all_gather_all"),
    ("upcr_allv_gather", "upc_all_gather"),
    ("upcr_allv_permute", "upc_all_permute"),
    ("upcr_allv_prefix_reduce", "upc_all_prefix_reduce"),
    ("upcr_allv_reduce", "upc_all_reduce"),
];

/// What a function whose calls are recorded is in reports; `None` for others.
pub(crate) fn operation_of(name: &str) -> Option<Operation> {
    if name.starts_with("upc_atomic_") {
        return Some(Operation::Atomic);
    }
    if name.starts_with("bupc_atomic") {
        let stores = name.contains("_set_");
        return Some(Operation::Named(if stores { "upc_put" } else { "upc_get" }));
    }
    // upc_all_free is the one name of the library that a file operation's could be taken for.
    if name == "upc_all_free" {
        return Some(Operation::Named("upc_all_free"));
    }
    let family = FAMILIES.iter().find(|(begin, _)| name.starts_with(begin));
    let alone = || LIBRARY.iter().find(|&&known| known == name);
    family
        .map(|&(_, operation)| operation)
        .or_else(|| alone().copied())
        .map(Operation::Named)
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
    /// The function of our library that `f` calls.
    pub(crate) fn library_call(&self, f: ExprId) -> Option<&'s str> {
        let e = self.expr(f);
        let ExprKind::Ident(number) = e.kind else {
            return None;
        };
        let symbol = &self.symbols[number as usize];
        let name = self.name(symbol.name);
        // What a macro of our headers stands for counts as written there, but is the user's call.
        let in_headers = self.token(e.lo).flags & (OURS | SYSTEM) != 0;
        if in_headers && !name.starts_with(VALUES) {
            return None;
        }
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
