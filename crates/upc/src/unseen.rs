//! Accesses of a unit to shared data that an instrumented program does not report: the places of
//! the first access, operation or cast of each kind. Advice that rests on having seen all accesses
//! is withheld if there are any.

/// See the module. Places are `FILE:LINE`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unseen {
    /// An access or operation that is not instrumented.
    pub uninstrumented: Option<String>,
    /// An access or operation under `#pragma pupc off`.
    pub switched_off: Option<String>,
    /// Operations that the filter leaves out.
    pub filtered: Vec<String>,
    /// An access that is not reported where the data is the thread's own.
    pub own: Option<String>,
    /// A pointer-to-shared whose address becomes a pointer to private, or a number.
    pub cast: Option<String>,
    /// A call of a function that moves shared data and is never reported, and its place.
    pub call: Option<String>,
    /// Accesses to elements at a fixed distance from the one that `upc_forall` goes by, other than
    /// 0, and that distance in iterations, which are elements of a one-dimensional array: as
    /// the iteration's thread owns the one, it is close to the other.
    pub neighbours: Vec<(String, i64)>,
    /// Accesses to these elements and to that one, and the name of the array that `upc_forall`
    /// goes by.
    pub followers: Vec<(String, String)>,
    /// Lines of which all accesses are to own elements in loops over them, through pointers to
    /// private.
    pub direct: Vec<String>,
    /// Those of them where nothing is counted before the loop has ended.
    pub counted_at_end: Vec<String>,
}
