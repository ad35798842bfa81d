//! Operations: their numbers, which files and the recorder's C interface use, and their names.

use serde::{Deserialize, Serialize};

use crate::tags::table;

table! {
    /// What kind of region an Enter begins. The numbers are part of the file format and of the recorder's C
    /// interface (`crates/measure/include/pgas_measure.h`): never reuse one, only append.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Operation: u8 {
        /// A function of the program.
        Function = 0 => "unknown function",
        /// A region that the program named itself.
        UserRegion = 1 => "user region",
        /// The program stood still because a full buffer had to be written.
        MeasurementStall = 2 => "measurement stall",
        /// The thread was ready to run and had no core.
        NoCore = 3 => "no core",

        Malloc = 8 => "malloc",
        Realloc = 9 => "realloc",
        MallocFree = 10 => "free",

        Notify = 16 => "upc_notify",
        Wait = 17 => "upc_wait",
        /// A barrier that the runtime reports as one operation.
        Barrier = 18 => "upc_barrier",
        Fence = 19 => "upc_fence",
        Forall = 20 => "upc_forall",

        GlobalAlloc = 24 => "upc_global_alloc",
        AllAlloc = 25 => "upc_all_alloc",
        Alloc = 26 => "upc_alloc",
        Free = 27 => "upc_free",
        AllFree = 28 => "upc_all_free",
        GlobalLockAlloc = 29 => "upc_global_lock_alloc",
        AllLockAlloc = 30 => "upc_all_lock_alloc",
        LockFree = 31 => "upc_lock_free",
        AllLockFree = 32 => "upc_all_lock_free",

        Lock = 36 => "upc_lock",
        LockAttempt = 37 => "upc_lock_attempt",
        Unlock = 38 => "upc_unlock",

        Memcpy = 44 => "upc_memcpy",
        Memget = 45 => "upc_memget",
        Memput = 46 => "upc_memput",
        Memset = 47 => "upc_memset",
        Get = 48 => "upc_get",
        Put = 49 => "upc_put",
        NonBlockingGet = 50 => "upc_nb_get",
        NonBlockingPut = 51 => "upc_nb_put",
        NonBlockingSync = 52 => "upc_nb_sync",

        Broadcast = 60 => "upc_all_broadcast",
        Scatter = 61 => "upc_all_scatter",
        Gather = 62 => "upc_all_gather",
        GatherAll = 63 => "upc_all_gather_all",
        Exchange = 64 => "upc_all_exchange",
        Permute = 65 => "upc_all_permute",
        Reduce = 66 => "upc_all_reduce",
        PrefixReduce = 67 => "upc_all_prefix_reduce",

        /// The end of the program that all threads reach together (the final barrier lies inside).
        CollectiveExit = 72 => "program end",
        /// One thread ends the program for all of them.
        NoncollectiveExit = 73 => "upc_global_exit",

        InputOutput = 76 => "upc_all_fread/fwrite",
    }

    /// The name of a runtime operation in the source language, e.g. "upc_barrier", by which reports and filters know
    /// it. For functions and user regions, which have names of their own, it is what such a region is called when its
    /// name is unknown.
    pub fn name;
}

impl Operation {
    /// Whether this is a region of the program itself, which has a name of its own, rather than an
    /// operation of a runtime.
    pub fn is_user(self) -> bool {
        matches!(self, Operation::Function | Operation::UserRegion)
    }

    /// Whether it is time in which the thread did nothing of the program's: something else had
    /// stopped it.
    pub fn is_standstill(self) -> bool {
        matches!(self, Operation::MeasurementStall | Operation::NoCore)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_name_operations_uniquely() {
        assert!(
            Operation::ALL
                .windows(2)
                .all(|pair| pair[0].number() < pair[1].number())
        );
        let known = (0..=u8::MAX)
            .filter_map(Operation::from_number)
            .collect::<Vec<_>>();
        assert_eq!(known, Operation::ALL);
    }
}
