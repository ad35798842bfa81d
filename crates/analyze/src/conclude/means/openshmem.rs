//! OpenSHMEM's means.

use super::Means;

const OVERLAP: &str = "Overlap the transfers with work (shmem_put_nbi or shmem_get_nbi, and shmem_quiet \
              when the data is needed), or keep the data on the thread that uses it.";

pub(super) const MEANS: Means = Means {
    get: "one shmem_getmem",
    put: "one shmem_putmem",
    strided_get: Some("one shmem_iget"),
    private: "private memory",
    atomic: "an atomic operation (such as shmem_atomic_add)",
    reduction: "shmem_sum_reduce",
    own_single: "Load and store the symmetric object itself in {loop}: on its own thread it is a \
                 variable as any other",
    own_block: "Use the symmetric object in place instead of copying it",
    own_access: "Load and store the thread's own copy of the symmetric object directly.",
    overlap: [OVERLAP; 2],
    barrier: "Use fewer barriers: shmem_sync_all where no transfers have to complete, a barrier \
              of a team, or shmem_wait_until or shmem_signal_wait_until for those whose data is \
              needed; if threads share cores, give each its own.",
    weaker_barrier: "threads wait only for those whose data they need (shmem_wait_until or \
                     shmem_signal_wait_until in place of the barrier)",
    frequent_collective: "Combine several small operations into one of more elements, or call \
                          them on a team of those that need the result.",
    collective: "Call it less often if results may be older, or on a team of those that need the \
                 result.",
    early_exit: "fewer and larger operations, or those of a team,",
    fence: "Use fewer calls of shmem_quiet and start transfers longer before it \
            (shmem_put_nbi); where only the order of puts matters, shmem_fence is enough.",
    allocate_once: "Allocate before the work is divided, when all threads arrive together.",
    remedies: &[
        (
            "wait_at_alloc",
            "Allocate once, before the loop and before the work is divided: each allocation is a \
             barrier.",
        ),
        ("collective_sync_in", ""),
        ("collective_sync_out", ""),
        ("early_gather_sender", ""),
        (
            "flag_wait",
            "Set the flag as soon as what it stands for is done (shmem_put_signal sends data and \
             flag together), and do work that does not need it before waiting.",
        ),
    ],
    has_layouts: false,
    has_sync_modes: false,
};
