//! The recorder of one thread: what happens at an Enter and at an Exit that do not go the short way
//! of `fast_path`, and to the recorder as a whole. How buffers are exchanged is in `handover`.
//!
//! Two parties touch a recorder. Its thread alone appends events. The holder of its sink's lock
//! (the helper, the thread itself, or the process's end) writes full buffers. They meet in a few
//! atomics: `limit`, which another party lowers to zero to make the thread look up from the hot
//! path, and `closed`.
//!
//! As long as all flags are zero, events become records on the short way. Everything else (sums
//! instead of events, recording switched off, calls that do not nest) goes the long way, and the
//! flags say so.

mod end;
mod enter;
mod exit;
mod flags;
mod jumps;
mod missing_enters;
mod operations;
mod owner;
mod setup;
mod standstill;
mod switching;

use std::cell::UnsafeCell;
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, compiler_fence,
};

use crate::buffer::Buffer;
use crate::buffer_file::BufferFile;
use crate::excluded_calls::ExcludedCalls;
use crate::sink::Sink;
use crate::stack_sampling::StackSampler;
use crate::thread_state::ThreadState;

pub(crate) use flags::{BUSY, COUNTED, OFF, PAUSED, flags_of};

pub(crate) const UNKNOWN_CORE: usize = usize::MAX;

/// Fields that an event reads before it touches anything. Where buffers are shared with others, the
/// child of a fork finds zeros here: it looks up, and finds out that nothing of this is its own.
#[derive(Default)]
#[cfg_attr(target_arch = "x86_64", repr(align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(align(65536)))]
pub(crate) struct Gate {
    /// Written by the thread alone.
    pub(crate) flags: AtomicU8,
    /// Position in the current buffer from which on the thread must look up.
    pub(crate) limit: AtomicUsize,
}

pub(crate) struct Recorder {
    pub(crate) gate: Gate,
    pub(crate) state: UnsafeCell<ThreadState>,
    /// Touched by the recorder's thread only, as `state` is.
    pub(crate) excluded: ExcludedCalls,
    pub(crate) buffers: [Buffer; 2],
    pub(crate) sink: Mutex<Sink>,
    /// Set for good, by anybody: the thread is to stop.
    pub(crate) closed: AtomicBool,
    /// Blocks handed over, so that the helper sees whether anything moves.
    pub(crate) handed_over: AtomicU32,
    pub(crate) lost: AtomicU64,
    /// Events that came while another one was being recorded, as in handlers of signals.
    pub(crate) ignored: AtomicU64,
    /// Bytes of records in a buffer.
    pub(crate) size: usize,
    /// Bytes in the stream so far, and how many of them end the trace.
    pub(crate) written: AtomicU64,
    pub(crate) trace_limit: u64,
    /// The trace has ended there.
    pub(crate) limit_reached: AtomicBool,
    /// There is no helper: the thread writes by itself.
    pub(crate) is_synchronous: bool,
    /// There is a trace, at least at the beginning.
    pub(crate) has_events: bool,
    /// Transfers are to have addresses.
    addresses: bool,
    /// Time without a core is to be recorded.
    pub(crate) wants_no_core: bool,
    /// Threads of the program.
    threads: u32,
    /// The core on which the thread last handed over a buffer, or [`UNKNOWN_CORE`].
    pub(crate) core: AtomicUsize,
    /// Kernel's number of the thread.
    pub(crate) owner: libc::pid_t,
    /// Number of the process. A child has another one, also where no handler of forks was run
    /// (`_Fork`, `clone`).
    process: u32,
    /// The file that the buffers lie in; `None` if nobody else can read them.
    pub(crate) buffer_file: Option<BufferFile>,
    /// Samples where the thread computes; `None` if nobody wants to know, or it cannot be done.
    pub(crate) stack_sampler: Option<Box<StackSampler>>,
    /// Next recorder of the process.
    pub(crate) next: AtomicPtr<Recorder>,
}

// SAFETY: `state` is accessed by the recorder's thread only, or after it has been seen outside of
// the recorder for good (`finish_for_other`); everything else is made for sharing.
unsafe impl Sync for Recorder {}

impl Recorder {
    /// Whether what is in the buffers can be collected when the process is gone.
    pub(crate) fn survives_a_kill(&self) -> bool {
        self.buffers.iter().all(Buffer::is_shared)
    }

    /// Whether the thread is inside of the recorder.
    pub(crate) fn is_busy(&self) -> bool {
        self.gate.flags.load(Ordering::Acquire) & BUSY != 0
    }

    /// Whether addresses of transfers are wanted: sums have none.
    pub(crate) fn wants_addresses(&self) -> bool {
        self.addresses
    }

    /// Threads of the program.
    pub(crate) fn threads(&self) -> u32 {
        self.threads
    }

    /// Events that the program had after recording ended.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(crate) fn set_flags(&self, flags: u8) {
        compiler_fence(Ordering::SeqCst);
        self.gate.flags.store(flags, Ordering::Release);
        compiler_fence(Ordering::SeqCst);
    }

    #[cold]
    fn count_lost(&self, flags: u8) {
        let counter = match flags & OFF {
            0 => &self.ignored,
            _ => &self.lost,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}
