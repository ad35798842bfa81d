//! Numbers of operations, which files and the recorder's C interface use, their names, and short constructors of sites.

use crate::model::{Operation, Site};

impl Operation {
    /// Every operation, in ascending order of numbers.
    pub const ALL: [Operation; 44] = [
        Operation::Function,
        Operation::UserRegion,
        Operation::MeasurementStall,
        Operation::NoCore,
        Operation::Malloc,
        Operation::Realloc,
        Operation::MallocFree,
        Operation::Notify,
        Operation::Wait,
        Operation::Barrier,
        Operation::Fence,
        Operation::Forall,
        Operation::GlobalAlloc,
        Operation::AllAlloc,
        Operation::Alloc,
        Operation::Free,
        Operation::AllFree,
        Operation::GlobalLockAlloc,
        Operation::AllLockAlloc,
        Operation::LockFree,
        Operation::AllLockFree,
        Operation::Lock,
        Operation::LockAttempt,
        Operation::Unlock,
        Operation::Memcpy,
        Operation::Memget,
        Operation::Memput,
        Operation::Memset,
        Operation::Get,
        Operation::Put,
        Operation::NonBlockingGet,
        Operation::NonBlockingPut,
        Operation::NonBlockingSync,
        Operation::Broadcast,
        Operation::Scatter,
        Operation::Gather,
        Operation::GatherAll,
        Operation::Exchange,
        Operation::Permute,
        Operation::Reduce,
        Operation::PrefixReduce,
        Operation::CollectiveExit,
        Operation::NoncollectiveExit,
        Operation::InputOutput,
    ];

    /// Whether this is a region of the program itself, which has a name of its own, rather than an operation of a runtime.
    pub fn is_user(self) -> bool {
        matches!(self, Operation::Function | Operation::UserRegion)
    }

    /// Whether it is time in which the thread did nothing of the program's: something else had stopped it.
    pub fn is_standstill(self) -> bool {
        matches!(self, Operation::MeasurementStall | Operation::NoCore)
    }

    /// The number that stands for this operation in files and in the recorder's C interface.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The operation with that number; `None` if there is none.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL
            .binary_search_by_key(&number, |operation| operation.number())
            .ok()
            .map(|index| Self::ALL[index])
    }

    /// The name of a runtime operation in the source language, e.g. "upc_barrier", by which reports and filters know
    /// it. For functions and user regions, which have names of their own, it is what such a region is called when its
    /// name is unknown.
    pub fn name(self) -> &'static str {
        use Operation::*;
        match self {
            Function => "(unknown function)",
            UserRegion => "(user region)",
            MeasurementStall => "(measurement)",
            NoCore => "(no core)",
            Malloc => "malloc",
            Realloc => "realloc",
            MallocFree => "free",
            Notify => "upc_notify",
            Wait => "upc_wait",
            Barrier => "upc_barrier",
            Fence => "upc_fence",
            Forall => "upc_forall",
            GlobalAlloc => "upc_global_alloc",
            AllAlloc => "upc_all_alloc",
            Alloc => "upc_alloc",
            Free => "upc_free",
            AllFree => "upc_all_free",
            GlobalLockAlloc => "upc_global_lock_alloc",
            AllLockAlloc => "upc_all_lock_alloc",
            LockFree => "upc_lock_free",
            AllLockFree => "upc_all_lock_free",
            Lock => "upc_lock",
            LockAttempt => "upc_lock_attempt",
            Unlock => "upc_unlock",
            Memcpy => "upc_memcpy",
            Memget => "upc_memget",
            Memput => "upc_memput",
            Memset => "upc_memset",
            Get => "upc_get",
            Put => "upc_put",
            NonBlockingGet => "upc_nb_get",
            NonBlockingPut => "upc_nb_put",
            NonBlockingSync => "upc_nb_sync",
            Broadcast => "upc_all_broadcast",
            Scatter => "upc_all_scatter",
            Gather => "upc_all_gather",
            GatherAll => "upc_all_gather_all",
            Exchange => "upc_all_exchange",
            Permute => "upc_all_permute",
            Reduce => "upc_all_reduce",
            PrefixReduce => "upc_all_prefix_reduce",
            CollectiveExit => "program end",
            NoncollectiveExit => "upc_global_exit",
            InputOutput => "upc_all_fread/fwrite",
        }
    }
}

impl Site {
    /// A function of the program that is defined at `file` and `line`.
    pub fn function(name: &str, file: &str, line: u32) -> Self {
        Site {
            operation: Operation::Function,
            file: file.to_owned(),
            line,
            name: name.to_owned(),
        }
    }

    /// A region that the program named itself.
    pub fn user_region(name: &str, file: &str, line: u32) -> Self {
        Site {
            operation: Operation::UserRegion,
            ..Site::function(name, file, line)
        }
    }

    /// An operation of the PGAS runtime that is called at `file` and `line`.
    pub fn operation(operation: Operation, file: &str, line: u32) -> Self {
        Site {
            operation,
            ..Site::function("", file, line)
        }
    }

    /// The region that is entered here, as a site: a function's site says where it is defined, so each is a region; an
    /// operation's says where it is called, which does not count.
    pub fn region(&self) -> Site {
        match self.operation.is_user() {
            true => self.clone(),
            false => Site::operation(self.operation, "", 0),
        }
    }

    /// Name of the region: the function's own, if it is known, or that of the operation.
    pub fn region_name(&self) -> &str {
        match self.operation.is_user() && !self.name.is_empty() {
            true => &self.name,
            false => self.operation.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_name_operations_uniquely() {
        assert!(Operation::ALL
            .windows(2)
            .all(|pair| pair[0].number() < pair[1].number()));
        let known = (0..=u8::MAX)
            .filter_map(Operation::from_number)
            .collect::<Vec<_>>();
        assert_eq!(known, Operation::ALL);
    }
}
