//! Numbers of operations, which files and the recorder's C interface use, and short constructors of sites.

use crate::model::{Operation, Site};

impl Operation {
    /// Every operation, in ascending order of numbers.
    pub const ALL: [Operation; 43] = [
        Operation::Function,
        Operation::UserRegion,
        Operation::MeasurementStall,
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
