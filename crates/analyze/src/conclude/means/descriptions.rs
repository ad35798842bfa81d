//! Descriptions of metrics for programs without UPC, where those of all metrics name operations of
//! UPC.

/// By metric id.
const WITHOUT_UPC: [(&str, &str); 14] = [
    (
        "wait_at_barrier",
        "Time from a thread's arrival at a barrier to the arrival of the last thread. The end of \
         the program, which all threads reach together, counts as a barrier.",
    ),
    (
        "split_phase_wait",
        "Time from a thread's entry into the second half of a split-phase barrier to the last \
         thread's arrival, where that is later.",
    ),
    (
        "completion_wait",
        "Time in calls that complete transfers which the thread itself has begun (shmem_quiet, \
         MPI_Win_flush), where some may have been under way.",
    ),
    (
        "fence_wait",
        "Time in fences (shmem_fence, sync memory) that come after transfers of the thread \
         itself, which they wait for.",
    ),
    (
        "barrier_completion",
        "Time in a barrier after the first thread has left it and the last one has arrived.",
    ),
    (
        "lock_contention",
        "Time from a thread's entry into a lock to the start of the unlock by the owner before it.",
    ),
    (
        "wait_at_alloc",
        "Time from a thread's entry into a collective allocation or release to that of the last \
         thread.",
    ),
    (
        "collective_sync_in",
        "Time from a thread's entry into a collective operation that begins when all have come, \
         to the entry of the last thread.",
    ),
    (
        "collective_sync_out",
        "Time in a collective operation that all leave together, after the first thread has left \
         it and the last one has entered it.",
    ),
    (
        "late_broadcast",
        "Time from a thread's entry into a broadcast or scatter to the entry of the root.",
    ),
    (
        "early_gather_receiver",
        "Time from the root's entry into a gather or reduction to the entry of the last of the \
         other threads.",
    ),
    (
        "early_gather_sender",
        "Time from a sender's entry into a gather or reduction to the entry of the root, where a \
         sender may not leave before.",
    ),
    (
        "early_prefix_reduce",
        "Time from a thread's entry into a prefix reduction to the entry of the last thread with a \
         smaller number.",
    ),
    (
        "bytes_get",
        "Bytes read from shared memory by one-sided operations; a copy from one thread to another \
         reads and writes.",
    ),
];

/// The same of exchanges, in which all threads need data of all.
const EXCHANGES: [(&str, &str); 3] = [
    (
        "wait_at_nxn",
        "Time from a thread's entry into an operation in which each thread gets data of all, to \
         the entry of the last thread. An upper bound: part of it may be useful transfer of data \
         that was already there.",
    ),
    (
        "nxn_completion",
        "Time in an operation in which each thread gets data of all, after the first thread has \
         left it and the last one has entered it.",
    ),
    (
        "wait_inside_collective",
        "Time of the root in a broadcast, scatter, gather or reduction in which no other thread \
         was in the operation, beyond what is an early gather.",
    ),
];

/// The description of a metric; `of_upc` is that for UPC programs.
pub(crate) fn without_upc<'a>(id: &str, of_upc: &'a str) -> &'a str {
    let mut all = WITHOUT_UPC.iter().chain(&EXCHANGES);
    let own = all.find(|(known, _)| *known == id);
    own.map_or(of_upc, |(_, description)| description)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conclude::metrics::metrics;

    #[test]
    fn no_description_names_an_operation_of_upc() {
        for metric in metrics(true) {
            let text = without_upc(&metric.unique_name, &metric.description);
            assert!(!text.to_lowercase().contains("upc"), "{text}");
        }
    }

    #[test]
    fn all_are_of_metrics() {
        let metrics = metrics(true);
        for (id, _) in WITHOUT_UPC.iter().chain(&EXCHANGES) {
            assert!(
                metrics.iter().any(|metric| metric.unique_name == *id),
                "{id}"
            );
        }
    }
}
