//! Roles of operations, by the names that their programming model has for them.

use pgas_base::models::Model;

/// The role of an operation of a model.
pub(super) fn role(model: Model, name: &str) -> &'static str {
    match model {
        Model::Upc => of_upc(name),
        Model::OpenShmem => of_openshmem(name),
        Model::Coarrays => of_coarrays(name),
        Model::Mpi => of_mpi(name),
        Model::Tasks => of_tasks(name),
    }
}

/// Also of the C library's allocations.
pub(super) fn of_upc(name: &str) -> &'static str {
    match name {
        "upc_barrier" | "upc_notify" | "upc_wait" => "barrier",
        "upc_fence" => "flush",
        "upc_lock" | "upc_lock_attempt" | "upc_unlock" => "critical",
        "upc_forall" => "workshare",
        "upc_all_broadcast" | "upc_all_scatter" => "one2all",
        "upc_all_gather" | "upc_all_reduce" => "all2one",
        "upc_all_gather_all" | "upc_all_exchange" | "upc_all_permute" => "all2all",
        "upc_all_prefix_reduce" => "other collective",
        "malloc" => "allocate",
        "realloc" => "reallocate",
        "free" | "upc_free" | "upc_all_free" | "upc_lock_free" | "upc_all_lock_free" => {
            "deallocate"
        }
        name if name.ends_with("alloc") => "allocate",
        "program end" | "upc_global_exit" => "function",
        "upc_all_fread/fwrite" => "file_io",
        _ => "rma",
    }
}

fn of_tasks(name: &str) -> &'static str {
    match name {
        "create task" => "task create",
        "send to channel" | "receive from channel" | "select" => "point2point",
        "create channel" => "allocate",
        "close channel" | "delete input" => "deallocate",
        "idle" => "idle",
        _ => "task",
    }
}

fn of_openshmem(name: &str) -> &'static str {
    let is = |part: &str| name.contains(part);
    match name {
        "shmem_quiet" | "shmem_fence" | "shmem_ctx_quiet" | "shmem_ctx_fence" => "flush",
        "shmem_finalize" | "shmem_global_exit" | "exit" => "function",
        "shmem_free" | "shfree" => "deallocate",
        "shmem_realloc" | "shrealloc" => "reallocate",
        _ if is("barrier") || is("sync") => "barrier",
        _ if is("_lock") => "critical",
        _ if is("alloc") || is("align") => "allocate",
        _ if is("broadcast") => "one2all",
        _ if is("collect") || is("alltoall") || is("_reduce") || name.ends_with("_to_all") => {
            "all2all"
        }
        _ if is("shmem_team_") => "other collective",
        _ if is("wait") => "point2point",
        _ if is("_ctx_create") || is("_ctx_destroy") => "function",
        _ => "rma",
    }
}

fn of_coarrays(name: &str) -> &'static str {
    match name {
        "sync all" | "sync team" => "barrier",
        "sync images" | "event post" | "event wait" | "arrives" | "partner has arrived" => {
            "point2point"
        }
        "sync memory" => "flush",
        "lock" | "unlock" => "critical",
        "critical" | "end critical" => "critical",
        "allocate" => "allocate",
        "deallocate" => "deallocate",
        "co_broadcast" => "one2all",
        "co_sum" | "co_max" | "co_min" | "co_reduce" => "all2all",
        "form team" | "change team" | "end team" => "other collective",
        "end program" | "stop" | "error stop" | "fail image" => "function",
        _ => "rma",
    }
}

fn of_mpi(name: &str) -> &'static str {
    let call = name.strip_prefix("MPI_").unwrap_or(name);
    let call = call
        .strip_prefix('I')
        .filter(|_| !call.starts_with("In"))
        .unwrap_or(call);
    match call.to_ascii_lowercase().as_str() {
        "barrier" => "barrier",
        "bcast" | "scatter" | "scatterv" => "one2all",
        "gather" | "gatherv" | "reduce" => "all2one",
        "allgather" | "allgatherv" | "allreduce" | "alltoall" | "alltoallv" | "alltoallw" => {
            "all2all"
        }
        "reduce_scatter" | "reduce_scatter_block" | "scan" | "exscan" => "other collective",
        "put" | "get" | "accumulate" | "get_accumulate" | "fetch_and_op" | "compare_and_swap" => {
            "rma"
        }
        call if call.starts_with("file_") => "file_io",
        call if call.starts_with("win_") => "rma",
        call if ["send", "recv", "wait", "test", "probe"]
            .iter()
            .any(|p| call.contains(p)) =>
        {
            "point2point"
        }
        _ => "function",
    }
}
