//! The means of Fortran with coarrays.

use super::Means;

pub(super) const MEANS: Means = Means {
    get: "one array section, as b(:) = a(i:j)[p],",
    put: "one array section, as a(i:j)[p] = b(:),",
    strided_get: Some("one array section with a stride, as b(:) = a(i:j:k)[p],"),
    private: "a local array",
    atomic: "an atomic operation (such as atomic_add)",
    reduction: "co_sum",
    own_single: "Leave out the image selector in {loop}: without it, a coarray is a local array",
    own_block: "Use the coarray in place, without an image selector, instead of copying it",
    own_access: "Leave out the image selector: without it, a coarray is a local array.",
    overlap: [
        "Let the thread that has the data write it to those that need it, a section at a time: it \
         may go on while the data is on its way, which one that reads cannot.",
        "Do work between the write and the synchronisation after it, where the library transfers \
         meanwhile, or keep the data on the thread that uses it.",
    ],
    barrier: "Use fewer of them: sync images with those whose data is needed in place of sync \
              all, or events; if threads share cores, give each its own.",
    weaker_barrier: "threads wait only for those whose data they need (sync images, or events, \
                     in place of sync all)",
    frequent_collective: "Combine several small operations into one of an array, or call them \
                          within a team of those that need the result.",
    collective: "Call it less often if results may be older, or within a team of those that need \
                 the result.",
    early_exit: "fewer and larger operations, or those of a team,",
    fence: "Use fewer sync memory statements, and write data longer before them.",
    allocate_once: "Allocate before the work is divided, when all threads arrive together.",
    remedies: &[
        (
            "wait_at_alloc",
            "Allocate once, before the loop and before the work is divided: allocating a coarray \
             synchronises all threads.",
        ),
        ("collective_sync_in", ""),
        ("collective_sync_out", ""),
        ("early_gather_sender", ""),
    ],
    has_layouts: false,
    has_sync_modes: false,
};
