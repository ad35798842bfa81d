//! Functions of the UPC library and of Berkeley UPC's: which are recorded, as what operation, and
//! which are checked.

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

/// Likewise for the functions that Berkeley UPC has beyond the specification: copies, and atomic
/// operations on what is shared.
fn is_recorded_of_berkeley(name: &str) -> bool {
    name.starts_with("bupc_mem")
        || semaphore_operation(name).is_some()
        || (name.starts_with("bupc_atomic")
            && (name.ends_with("_strict") || name.ends_with("_relaxed")))
}

/// The operation of a function of Berkeley UPC's semaphores.
fn semaphore_operation(name: &str) -> Option<&'static str> {
    match name.strip_prefix("bupc_sem_")? {
        "post" | "postN" => Some("post"),
        "wait" | "waitN" | "try" | "tryN" => Some("wait for an event"),
        _ => None,
    }
}

/// How the names of functions behind the macros of Berkeley UPC's collectives on values begin.
pub(crate) const VALUES: &str = "upcr_allv_";

/// The operation that reports show for a library function.
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

/// The operation of a function whose calls are recorded; `None` for others.
pub(crate) fn operation_of(name: &str) -> Option<Operation> {
    if name.starts_with("upc_atomic_") {
        return Some(Operation::Atomic);
    }
    if name.starts_with("bupc_atomic") {
        let stores = name.contains("_set_");
        return Some(Operation::Named(if stores { "upc_put" } else { "upc_get" }));
    }
    if let Some(operation) = semaphore_operation(name) {
        return Some(Operation::Named(operation));
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

/// Functions that are not recorded and whose calls become calls of `upcr_c_NAME` nevertheless.
const CHECKED_ALONE: &[&str] = &[
    "bupc_memcpy_async",
    "bupc_memget_async",
    "bupc_memput_async",
    "bupc_memset_async",
    "bupc_memcpy_asynci",
    "bupc_memget_asynci",
    "bupc_memput_asynci",
    "bupc_memset_asynci",
    "upc_all_atomicdomain_alloc",
    "upc_all_atomicdomain_free",
];

/// Text around the first argument of a library function that is checked in its place: the casts of
/// `upc_castable.h`, and Berkeley UPC's atomic operations `bupc_atomicX_NAME_RS`, where X is the
/// type.
pub(crate) fn around_first_argument(name: &str) -> Option<(&'static str, &'static str)> {
    if matches!(name, "upc_cast" | "bupc_cast") {
        return Some(("upcr_check_castable(", ""));
    }
    let rest = name.strip_prefix("bupc_atomic")?;
    rest.strip_suffix("_strict")
        .or(rest.strip_suffix("_relaxed"))?;
    let size = match rest.split('_').next()? {
        "I" | "UI" => ", sizeof(int)",
        "L" | "UL" => ", sizeof(long)",
        "I32" | "U32" | "F" => ", 4",
        "I64" | "U64" | "D" => ", 8",
        _ => return None,
    };
    Some(("upcr_check_target(", size))
}

/// Whether calls of the library function `name` are checked: they become calls of `upcr_c_NAME`.
pub(crate) fn is_checked(name: &str) -> bool {
    (LIBRARY.contains(&name) && name != "upc_global_exit")
        || CHECKED_ALONE.contains(&name)
        || is_reduction(name)
}
