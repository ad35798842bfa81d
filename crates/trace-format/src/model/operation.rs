//! Operations: their numbers, which files and the recorder's C interface use, and their names.

use serde::{Deserialize, Serialize};

use crate::tags::table;

table! {
    /// Kind of region that an Enter begins. The numbers are part of the file format and of the
    /// recorder's C interface (`crates/measure/include/pgas_measure.h`): never reuse one, only
    /// append.
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

        /// Allocation of private memory by the C library.
        Malloc = 8 => "malloc",
        /// Change of the size of private memory.
        Realloc = 9 => "realloc",
        /// Release of private memory to the C library.
        MallocFree = 10 => "free",

        /// First phase of a split-phase barrier: the thread announces its arrival.
        Notify = 16 => "upc_notify",
        /// Second phase of a split-phase barrier: the thread waits for all others to notify.
        Wait = 17 => "upc_wait",
        /// A barrier that the runtime reports as one operation.
        Barrier = 18 => "upc_barrier",
        /// Completion of the thread's accesses to shared data.
        Fence = 19 => "upc_fence",
        /// Loop whose iterations are distributed over the threads.
        Forall = 20 => "upc_forall",

        /// Allocation of shared memory over all threads by one thread.
        GlobalAlloc = 24 => "upc_global_alloc",
        /// Collective allocation of shared memory over all threads.
        AllAlloc = 25 => "upc_all_alloc",
        /// Allocation of shared memory with affinity to the calling thread.
        Alloc = 26 => "upc_alloc",
        /// Release of shared memory by one thread.
        Free = 27 => "upc_free",
        /// Collective release of shared memory.
        AllFree = 28 => "upc_all_free",
        /// Creation of a lock by one thread.
        GlobalLockAlloc = 29 => "upc_global_lock_alloc",
        /// Collective creation of a lock.
        AllLockAlloc = 30 => "upc_all_lock_alloc",
        /// Release of a lock's memory by one thread.
        LockFree = 31 => "upc_lock_free",
        /// Collective release of a lock's memory.
        AllLockFree = 32 => "upc_all_lock_free",

        /// Acquisition of a lock, with waiting for it.
        Lock = 36 => "upc_lock",
        /// Attempt to acquire a lock without waiting.
        LockAttempt = 37 => "upc_lock_attempt",
        /// Release of a held lock.
        Unlock = 38 => "upc_unlock",
        /// Waiting until a word of shared memory has a value that another thread writes.
        FlagWait = 39 => "wait for a flag",
        /// The same for the word that a transfer sets when its data have arrived.
        SignalWait = 40 => "wait for a signal",
        /// Waiting until something was announced often enough: a semaphore, an event.
        EventWait = 41 => "wait for an event",
        /// Announcement that ends a wait for an event.
        Post = 42 => "post",
        /// Synchronisation with some of the other threads, each of which calls it, too.
        PartnerSync = 43 => "sync images",

        /// Copy of a block from shared to shared memory.
        Memcpy = 44 => "upc_memcpy",
        /// Copy of a block from shared to private memory.
        Memget = 45 => "upc_memget",
        /// Copy of a block from private to shared memory.
        Memput = 46 => "upc_memput",
        /// Filling of a block of shared memory.
        Memset = 47 => "upc_memset",
        /// Single read of shared data.
        Get = 48 => "upc_get",
        /// Single write to shared data.
        Put = 49 => "upc_put",
        /// Start of a read that completes later.
        NonBlockingGet = 50 => "upc_nb_get",
        /// Start of a write that completes later.
        NonBlockingPut = 51 => "upc_nb_put",
        /// Completion of non-blocking reads and writes.
        NonBlockingSync = 52 => "upc_nb_sync",
        /// Single read of shared data that waited for another node, where those that did not are
        /// counted.
        RemoteGet = 53 => "off-node upc_get",
        /// Single write to shared data that waited for another node, likewise.
        RemotePut = 54 => "off-node upc_put",
        /// Operation on a word of shared data that no other one interrupts.
        Atomic = 55 => "atomic operation",

        /// A block of one thread to all threads.
        Broadcast = 60 => "upc_all_broadcast",
        /// Blocks of one thread, one to each thread.
        Scatter = 61 => "upc_all_scatter",
        /// A block of each thread to one thread.
        Gather = 62 => "upc_all_gather",
        /// A block of each thread to all threads.
        GatherAll = 63 => "upc_all_gather_all",
        /// A block of each thread to each thread.
        Exchange = 64 => "upc_all_exchange",
        /// A block of each thread to one other, given by a permutation.
        Permute = 65 => "upc_all_permute",
        /// Reduction of elements of all threads to one value.
        Reduce = 66 => "upc_all_reduce",
        /// Reductions of all elements up to each one.
        PrefixReduce = 67 => "upc_all_prefix_reduce",
        /// Collective operation or barrier of some of the threads.
        GroupCollective = 70 => "group collective",

        /// The end of the program that all threads reach together (the final barrier lies inside).
        CollectiveExit = 72 => "program end",
        /// One thread ends the program for all of them.
        NoncollectiveExit = 73 => "upc_global_exit",

        /// Collective input or output of a file.
        InputOutput = 76 => "upc_all_fread/fwrite",
        /// Any other call of a communication library.
        LibraryCall = 77 => "library call",
        /// A message to another thread, which receives it by a call of its own.
        Send = 78 => "send",
        /// The reception of such a message, the waiting for it included.
        Receive = 79 => "receive",

        /// A stretch during which a processor runs a task.
        Task = 80 => "task",
        /// Creation of a task, by a task.
        TaskCreate = 81 => "create task",
        /// Creation of a channel.
        ChannelCreate = 82 => "create channel",
        /// A message into a channel, or the begin of the sender's wait for its place.
        ChannelSend = 83 => "send to channel",
        /// A message out of a channel, or the begin of a wait for one.
        ChannelReceive = 84 => "receive from channel",
        /// Choice of a channel among several, or the begin of a wait for one of them.
        Select = 85 => "select",
        /// A processor has no task that can run.
        Idle = 86 => "idle",
        /// A channel takes no more messages.
        ChannelClose = 87 => "close channel",
        /// Nobody will receive from a channel any more.
        InputDelete = 88 => "delete input",
    }

    /// The name of a runtime operation in the source language, e.g. "upc_barrier", by which reports
    /// and filters know it. For functions and user regions, which have names of their own, it is
    /// what such a region is called when its name is unknown.
    pub fn name;
}

impl Operation {
    /// Whether this is a region of the program itself, which has a name of its own, rather than an
    /// operation of a runtime.
    pub fn is_user(self) -> bool {
        matches!(self, Operation::Function | Operation::UserRegion)
    }

    /// The operation that the source has: an access that waited for another node is a get or a put
    /// there, and filters know it by that name.
    pub fn in_source(self) -> Self {
        match self {
            Operation::RemoteGet => Operation::Get,
            Operation::RemotePut => Operation::Put,
            other => other,
        }
    }

    /// Whether it is an operation of a task: on a channel, or the creation of a task.
    pub fn is_of_tasks(self) -> bool {
        use Operation::{ChannelClose, ChannelCreate, ChannelReceive, ChannelSend, InputDelete};
        matches!(
            self,
            Operation::TaskCreate
                | ChannelCreate
                | ChannelSend
                | ChannelReceive
                | Operation::Select
                | ChannelClose
                | InputDelete
        )
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
