//! UPC's means.

use super::Means;

const OVERLAP: &str = "Overlap the transfers with work (non-blocking forms), or place the data where it is \
              used.";

pub(super) const MEANS: Means = Means {
    get: "one upc_memget",
    put: "one upc_memput",
    strided_get: None,
    private: "private memory",
    atomic: "an atomic operation (upc_atomic.h)",
    reduction: "upc_all_reduce",
    own_single: "Cast the pointer-to-shared to a pointer to private before {loop}, and go through \
                 that",
    own_block: "Use the data in place, through a pointer to private, instead of copying it",
    own_access: "Access the thread's own part through a pointer to private, cast from the \
                 pointer-to-shared.",
    overlap: [OVERLAP; 2],
    barrier: "Use fewer barriers; if threads share cores, give each its own.",
    weaker_barrier: "upc_notify and upc_wait surround work that needs no others",
    frequent_collective: "Combine several small operations into one, and ask for no more \
                          synchronization than is needed.",
    collective: "Ask for no more synchronization than is needed, and call it less often if \
                 results may be older.",
    early_exit: "fewer and larger operations, or weaker synchronization flags there,",
    fence: "Use fewer fences, or relaxed accesses before them that can complete earlier.",
    allocate_once: "Let thread 0 come to it earlier, or let threads that do not need thread 0 use \
                    upc_global_alloc.",
    remedies: &[],
    has_layouts: true,
    has_sync_modes: true,
};
