//! MPI's means.

use super::Means;

const OVERLAP: &str = "Overlap the transfers with work (MPI_Rget or MPI_Rput), or keep the data on the \
              thread that uses it.";

pub(super) const MEANS: Means = Means {
    get: "one MPI_Get",
    put: "one MPI_Put",
    strided_get: Some("one MPI_Get of a vector type (MPI_Type_vector)"),
    private: "private memory",
    atomic: "an atomic operation (MPI_Accumulate)",
    reduction: "MPI_Reduce",
    own_single: "Load and store the window's memory itself in {loop}",
    own_block: "Use the data in place instead of copying it",
    own_access: "Load and store the thread's own part of the window directly.",
    overlap: [OVERLAP; 2],
    barrier: "Use fewer barriers, or those of a communicator of the threads concerned; if threads \
              share cores, give each its own.",
    weaker_barrier: "MPI_Ibarrier and MPI_Wait surround work that needs no others",
    frequent_collective: "Combine several small operations into one of more elements.",
    collective: "Call it less often if results may be older, or in a non-blocking form before \
                 work that does not need the result.",
    early_exit: "fewer and larger operations, or non-blocking forms,",
    fence: "Use fewer of them, and start transfers longer before.",
    allocate_once: "Allocate before the work is divided, when all threads arrive together.",
    remedies: &[
        (
            "wait_at_alloc",
            "Allocate once, before the loop and before the work is divided.",
        ),
        ("collective_sync_in", ""),
        ("collective_sync_out", ""),
        ("early_gather_sender", ""),
    ],
    has_layouts: false,
    has_sync_modes: false,
};
