//! Names of regions: what an operation is called in a file, and which operation a name in a file
//! means.

use pgas_trace::model::Operation;

use crate::format::RegionType;

/// By which names operations of the runtime are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// Those of UPC. EXPERT computes time and visits for them.
    #[default]
    Upc,
    /// Those of SHMEM where it has the same operation, those of UPC elsewhere. EXPERT's SHMEM
    /// patterns then apply.
    Shmem,
}

/// The name without which EXPERT does not look for SHMEM's patterns.
pub const SHMEM_MARK: &str = "shmem_get";

/// UPC's operations that SHMEM has, too, by the names that SHMEM's libraries of EPILOG's time had
/// for them.
const SHMEM: [(Operation, &str); 15] = [
    (Operation::Barrier, "shmem_barrier_all"),
    (Operation::Fence, "shmem_quiet"),
    (Operation::AllAlloc, "shmalloc"),
    (Operation::AllFree, "shfree"),
    (Operation::Lock, "shmem_set_lock"),
    (Operation::LockAttempt, "shmem_test_lock"),
    (Operation::Unlock, "shmem_clear_lock"),
    (Operation::Memget, "shmem_getmem"),
    (Operation::Memput, "shmem_putmem"),
    (Operation::Get, SHMEM_MARK),
    (Operation::Put, "shmem_put"),
    (Operation::NonBlockingGet, "shmem_get_nb"),
    (Operation::NonBlockingPut, "shmem_put_nb"),
    (Operation::Broadcast, "shmem_broadcast32"),
    (Operation::GatherAll, "shmem_collect32"),
];

/// Operations of MPI and OpenMP that mean the same as one of UPC.
const OTHERS: [(Operation, &str); 14] = [
    (Operation::Barrier, "MPI_Barrier"),
    (Operation::Broadcast, "MPI_Bcast"),
    (Operation::Scatter, "MPI_Scatter"),
    (Operation::Gather, "MPI_Gather"),
    (Operation::GatherAll, "MPI_Allgather"),
    (Operation::Exchange, "MPI_Alltoall"),
    (Operation::Reduce, "MPI_Reduce"),
    (Operation::PrefixReduce, "MPI_Scan"),
    (Operation::NonBlockingPut, "MPI_Put"),
    (Operation::NonBlockingPut, "MPI_Accumulate"),
    (Operation::NonBlockingGet, "MPI_Get"),
    (Operation::Lock, "omp_set_lock"),
    (Operation::LockAttempt, "omp_test_lock"),
    (Operation::Unlock, "omp_unset_lock"),
];

/// Name of a runtime operation in a file.
pub fn written(operation: Operation, names: Names) -> &'static str {
    let shmem = || SHMEM.iter().find(|(known, _)| *known == operation);
    match names {
        Names::Shmem => shmem().map_or(operation.name(), |(_, name)| name),
        Names::Upc => operation.name(),
    }
}

/// Whether a runtime operation has this name in files of ours.
pub fn is_written(operation: Operation, name: &str) -> bool {
    let written = |names| written(operation, names) == name;
    written(Names::Upc) || written(Names::Shmem)
}

/// The type of region that an operation is.
pub fn region_type(operation: Operation) -> RegionType {
    use Operation::*;
    match operation {
        Function => RegionType::Function,
        UserRegion => RegionType::User,
        MeasurementStall | NoCore => RegionType::Unknown,
        Forall => RegionType::Loop,
        Barrier => RegionType::Barrier,
        Broadcast | Scatter => RegionType::OneToAll,
        Gather | Reduce => RegionType::AllToOne,
        GatherAll | Exchange | Permute => RegionType::AllToAll,
        PrefixReduce => RegionType::OtherCollective,
        _ => RegionType::Function,
    }
}

/// Operation that a region of a foreign file stands for.
pub fn recognise(name: &str, kind: RegionType) -> Operation {
    let runtime = || Operation::ALL.into_iter().filter(|op| !op.is_user());
    let upc = runtime().map(|operation| (operation, operation.name()));
    let known = upc.filter(|(_, name)| name.starts_with("upc_"));
    let mut known = known.chain(SHMEM).chain(OTHERS);
    if let Some((operation, _)) = known.find(|(_, known)| *known == name) {
        return operation;
    }
    if let Some(shmem) = name.strip_prefix("shmem_") {
        if let Some(operation) = recognise_shmem(shmem) {
            return operation;
        }
    }
    match kind {
        RegionType::Loop | RegionType::User => Operation::UserRegion,
        RegionType::Unknown | RegionType::Function => Operation::Function,
        // The names of collective operations differ, what threads wait for follows from the type.
        RegionType::Barrier => Operation::Barrier,
        RegionType::OneToAll => Operation::Broadcast,
        RegionType::AllToOne => Operation::Reduce,
        RegionType::AllToAll => Operation::Exchange,
        RegionType::OtherCollective => Operation::Function,
        // Constructs of OpenMP; a team need not have all threads, so that its barriers are none of
        // the model's.
        _ => Operation::UserRegion,
    }
}

/// SHMEM has an operation for each type of data (`shmem_double_put`), and of some several
/// (`shmem_broadcast64`).
fn recognise_shmem(name: &str) -> Option<Operation> {
    let last = name.rsplit('_').next().unwrap_or(name);
    let word = last.trim_end_matches(|c: char| c.is_ascii_digit());
    Some(match word {
        "broadcast" => Operation::Broadcast,
        "collect" | "fcollect" => Operation::GatherAll,
        "alltoall" => Operation::Exchange,
        "put" | "iput" | "putmem" | "p" => Operation::Put,
        "get" | "iget" | "getmem" | "g" => Operation::Get,
        "quiet" | "fence" => Operation::Fence,
        _ => return None,
    })
}

/// Whether another thread's post ends it: a write, an event, a semaphore's count, a partner.
pub fn waits_for_a_post(operation: Operation) -> bool {
    use Operation::*;
    matches!(operation, FlagWait | SignalWait | EventWait | PartnerSync)
}

/// Whether its Enter says which thread's memory is accessed.
pub fn is_transfer(operation: Operation) -> bool {
    use Operation::*;
    matches!(
        operation,
        Memcpy
            | Memget
            | Memput
            | Memset
            | Get
            | Put
            | RemoteGet
            | RemotePut
            | NonBlockingGet
            | NonBlockingPut
    )
}

/// Of a transfer: whether it reads the other thread's memory.
pub fn is_get(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Memget | Operation::Get | Operation::RemoteGet | Operation::NonBlockingGet
    )
}

/// Whether all threads leave it together, with a root and amounts of data where it has them.
pub fn is_collective(operation: Operation) -> bool {
    use Operation::*;
    matches!(
        operation,
        Broadcast | Scatter | Gather | GatherAll | Exchange | Permute | Reduce | PrefixReduce
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_names_are_recognised() {
        for operation in Operation::ALL {
            for names in [Names::Upc, Names::Shmem] {
                let name = written(operation, names);
                if name.starts_with("upc_") || name.starts_with("sh") {
                    let kind = region_type(operation);
                    assert_eq!(recognise(name, kind), operation, "{name}");
                }
            }
        }
    }

    #[test]
    fn foreign_names_are_what_they_do() {
        for (name, kind, expected) in [
            ("main", RegionType::Function, Operation::Function),
            ("loop", RegionType::Loop, Operation::UserRegion),
            ("malloc", RegionType::Function, Operation::Function),
            ("shmem_double_put", RegionType::Function, Operation::Put),
            (
                "shmem_broadcast64",
                RegionType::OneToAll,
                Operation::Broadcast,
            ),
            (
                "shmem_int_sum_to_all",
                RegionType::AllToAll,
                Operation::Exchange,
            ),
            ("shmem_init", RegionType::Function, Operation::Function),
            ("MPI_Bcast", RegionType::OneToAll, Operation::Broadcast),
            ("MPI_Allreduce", RegionType::AllToAll, Operation::Exchange),
        ] {
            assert_eq!(recognise(name, kind), expected, "{name}");
        }
    }
}
