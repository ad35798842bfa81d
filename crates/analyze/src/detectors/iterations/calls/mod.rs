//! Iterations that are calls: the k-th call of a function, or of a region of the program's own, on
//! each thread. They tell iterations apart where no synchronisation of all threads does.
//!
//! An iteration goes from the end of one call to the end of the next; the first one begins with its
//! call. The marks of the threads ([`crate::threads::calls`]) are added up, together with the
//! waiting that is found in between (`lane.rs`, `combined.rs`). Which call paths all threads called
//! equally often, and hence may be loops, shows at the end (`loops.rs`).

mod combined;
mod lane;
mod loops;

pub(crate) use combined::Calls;
pub(crate) use loops::CallLoop;
pub use loops::CallLoops;
