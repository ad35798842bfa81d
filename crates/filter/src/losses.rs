//! Wait states that an analysis cannot find if a filter excludes an operation. They come from
//! comparing threads at the same time, so that most of them need every instance of some operation.

use crate::Filter;

/// Wait states that are not searched for because of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The excluded operations, by their names in reports.
    pub operations: Vec<&'static str>,
    /// Results that the analysis lacks, as a part of a sentence.
    pub what: &'static str,
}

/// Groups of operations, and the results that need all of the group.
const NEEDED: &[(&[&str], &str)] = &[
    (
        &["upc_barrier", "upc_notify", "upc_wait"],
        "waiting at barriers, which counts as the program's own computation, and the causes of \
         load imbalance",
    ),
    (
        &[
            "upc_all_broadcast",
            "upc_all_scatter",
            "upc_all_gather",
            "upc_all_gather_all",
            "upc_all_exchange",
            "upc_all_permute",
            "upc_all_reduce",
            "upc_all_prefix_reduce",
        ],
        "waiting in these collective operations",
    ),
    (
        &["upc_lock", "upc_lock_attempt", "upc_unlock"],
        "contention for locks and which thread holds them",
    ),
    (
        &[
            "upc_all_alloc",
            "upc_all_free",
            "upc_all_lock_alloc",
            "upc_all_lock_free",
        ],
        "waiting in collective allocations",
    ),
    (
        &["shmem_barrier_all", "shmem_sync_all"],
        "waiting at barriers, which counts as the program's own computation, and the causes of \
         load imbalance",
    ),
    (
        &["shmem_set_lock", "shmem_test_lock", "shmem_clear_lock"],
        "contention for locks and which thread holds them",
    ),
    (
        &["shmem_wait_until", "shmem_signal_wait_until"],
        "waiting for flags and signals",
    ),
    (
        &["MPI_Barrier", "MPI_Win_fence"],
        "waiting at barriers, which counts as the program's own computation, and the causes of \
         load imbalance",
    ),
    (
        &[
            "MPI_Bcast",
            "MPI_Scatter",
            "MPI_Scatterv",
            "MPI_Gather",
            "MPI_Gatherv",
            "MPI_Reduce",
            "MPI_Allgather",
            "MPI_Allgatherv",
            "MPI_Allreduce",
            "MPI_Reduce_scatter",
            "MPI_Reduce_scatter_block",
            "MPI_Alltoall",
            "MPI_Alltoallv",
            "MPI_Alltoallw",
            "MPI_Scan",
            "MPI_Exscan",
        ],
        "waiting in these collective operations",
    ),
    (
        &["MPI_Win_lock", "MPI_Win_unlock"],
        "contention for locks of windows and which process holds them",
    ),
    (
        &[
            "MPI_Win_post",
            "MPI_Win_start",
            "MPI_Win_complete",
            "MPI_Win_wait",
        ],
        "waiting for partners at windows",
    ),
];

/// Operations by which threads may depend on each other: with any of them missing, nobody knows
/// which synchronisation a program needs.
const LINKING: &[&str] = &[
    "upc_get",
    "upc_put",
    "upc_memget",
    "upc_memput",
    "upc_memcpy",
    "upc_memset",
    "upc_nb_get",
    "upc_nb_put",
    "upc_nb_sync",
    "upc_barrier",
    "upc_notify",
    "upc_wait",
    "upc_lock",
    "upc_lock_attempt",
    "upc_unlock",
    "upc_all_broadcast",
    "upc_all_scatter",
    "upc_all_gather",
    "upc_all_gather_all",
    "upc_all_exchange",
    "upc_all_permute",
    "upc_all_reduce",
    "upc_all_prefix_reduce",
    "upc_free",
    "upc_all_free",
    "upc_all_fread/fwrite",
];

/// Of the operations by which threads may depend on each other, those that are left out.
pub fn hidden(is_left_out: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let names = LINKING.iter().copied();
    names.filter(|name| is_left_out(name)).collect()
}

impl Filter {
    /// Operations that the filter excludes and by which threads may depend on each other. With any
    /// of them, advice that rests on having seen all accesses is withheld: which barriers are
    /// needed, where data should lie.
    pub fn hides(&self) -> Vec<&'static str> {
        hidden(|name| !self.includes_operation(name))
    }

    /// The wait states that cannot be found with this filter; empty for one that excludes functions
    /// and one-sided operations alone.
    pub fn losses(&self) -> Vec<Loss> {
        let lost = NEEDED.iter().filter_map(|&(group, what)| {
            let operations: Vec<_> = group
                .iter()
                .copied()
                .filter(|name| !self.includes_operation(name))
                .collect();
            (!operations.is_empty()).then_some(Loss { operations, what })
        });
        lost.chain(self.half_a_barrier()).collect()
    }

    /// Barriers in two halves of which one is left out.
    fn half_a_barrier(&self) -> Option<Loss> {
        let left_out: Vec<_> = ["upc_notify", "upc_wait"]
            .into_iter()
            .filter(|name| !self.includes_operation(name))
            .collect();
        (left_out.len() == 1).then_some(Loss {
            operations: left_out,
            what: "which upc_notify and which upc_wait belong together: exclude both or none",
        })
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the filter excludes {}; the report cannot distinguish {}",
            self.operations.join(", "),
            self.what
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(rules: &str) -> Vec<String> {
        let text = format!("SCOREP_REGION_NAMES_BEGIN {rules} SCOREP_REGION_NAMES_END");
        let filter = Filter::parse(&text, "test.filter").unwrap();
        filter.losses().iter().map(Loss::to_string).collect()
    }

    #[test]
    fn functions_and_one_sided_operations_are_no_loss() {
        for rules in [
            "EXCLUDE * INCLUDE main",
            "EXCLUDE upc_mem* upc_get upc_put",
            "EXCLUDE upc_* INCLUDE upc_barrier upc_notify upc_wait upc_all_* upc_lock* upc_unlock",
        ] {
            assert_eq!(losses(rules), [""; 0], "{rules}");
        }
    }

    #[test]
    fn what_wait_states_need_is_named() {
        let all = losses("EXCLUDE upc_*");
        assert_eq!(all.len(), 4, "{all:?}");
        assert!(
            all[0].starts_with(
                "the filter excludes upc_barrier, upc_notify, upc_wait; the report cannot \
                 distinguish waiting at barriers"
            ),
            "{all:?}"
        );
        let mpi = losses("EXCLUDE MPI_Bar* MPI_Win_post");
        let expected = [
            "the filter excludes MPI_Barrier; the report cannot distinguish waiting at barriers",
            "the filter excludes MPI_Win_post; the report cannot distinguish waiting for partners",
        ];
        assert_eq!(mpi.len(), 2, "{mpi:?}");
        assert!(
            mpi.iter()
                .zip(expected)
                .all(|(loss, start)| loss.starts_with(start)),
            "{mpi:?}"
        );
        let locks = losses("EXCLUDE upc_lock");
        assert!(
            locks[0].contains("excludes upc_lock; the report cannot distinguish contention"),
            "{locks:?}"
        );
        let half = losses("EXCLUDE upc_notify");
        assert!(half[1].contains("exclude both or none"), "{half:?}");
    }
}
