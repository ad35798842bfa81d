//! Unwinds a stack within a handler of signals: by `.eh_frame` where the code has it, else by frame
//! pointers. It reads nothing but the thread's stack above the stack pointer, so that wrong
//! information leads to a wrong address at worst.

use std::mem::MaybeUninit;
use std::ops::Deref;
use std::sync::Arc;

use framehop::{CacheNative, MustNotAllocateDuringUnwind, Unwinder, UnwinderNative};

use super::own_stack::OwnStack;
use super::registers::Registers;
use super::slots::MOST_FRAMES;

/// Bytes that the thread's stack for handlers must have for unwinding; on a smaller one, which the
/// program has set up, it takes place on a stack of its own.
pub(crate) const ENOUGH_STACK: u64 = 48 << 10;

/// A section of a module.
#[derive(Clone)]
pub(crate) enum Section {
    /// Of a module that stays as long as the process.
    InPlace(&'static [u8]),
    /// Of one that the program may unload.
    Copy(Arc<[u8]>),
}

impl Default for Section {
    fn default() -> Self {
        Section::InPlace(&[])
    }
}

impl Deref for Section {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Section::InPlace(bytes) => bytes,
            Section::Copy(bytes) => bytes,
        }
    }
}

/// What the unwinder knows of a module.
pub(crate) type Module = framehop::Module<Section>;

/// Unwinds the stack of one thread.
pub(crate) struct StackUnwinder {
    unwinder: UnwinderNative<Section, MustNotAllocateDuringUnwind>,
    cache: CacheNative<MustNotAllocateDuringUnwind>,
    /// Addresses of the thread's stack: the lowest that it may grow to, and its end.
    stack: (u64, u64),
    own_stack: Option<OwnStack>,
}

impl StackUnwinder {
    /// Of the calling thread; it knows no modules yet.
    pub(crate) fn of_this_thread() -> Self {
        StackUnwinder {
            unwinder: UnwinderNative::new(),
            cache: CacheNative::default(),
            stack: stack_of_this_thread().unwrap_or((0, 0)),
            own_stack: OwnStack::new(),
        }
    }

    pub(crate) fn add(&mut self, module: Module) {
        self.unwinder.add_module(module);
    }

    /// Forgets the module that begins at this address.
    pub(crate) fn remove(&mut self, start: u64) {
        self.unwinder.remove_module(start);
    }

    /// The program counter and the return addresses, as many as there is room for; how many.
    ///
    /// # Safety
    /// Called by a handler of signals that has blocked all.
    pub(crate) unsafe fn unwind(
        &mut self,
        registers: &Registers,
        frames: &mut [u64; MOST_FRAMES],
    ) -> u32 {
        frames[0] = registers.program_counter;
        let (low, end) = self.stack;
        let begin = registers.stack_pointer;
        // Elsewhere the thread runs on a stack of the program's own making, of which no more is
        // known: a coroutine, a handler of signals.
        let is_on_stack = (low..end).contains(&begin);
        if !is_on_stack {
            return 1;
        }
        if registers.signal_stack.length >= ENOUGH_STACK {
            return self.walk(registers, frames);
        }
        let Some(stack) = self.own_stack.take() else {
            return 1;
        };
        let mut count = 1;
        // SAFETY: promised by the caller; unwinding does not panic.
        unsafe { stack.run(|| count = self.walk(registers, frames)) };
        self.own_stack = Some(stack);
        count
    }

    /// Apart from its caller, whose own frame is small.
    #[inline(never)]
    fn walk(&mut self, registers: &Registers, frames: &mut [u64; MOST_FRAMES]) -> u32 {
        let (begin, end) = (registers.stack_pointer, self.stack.1);
        let mut read = |address: u64| {
            let is_readable = address >= begin && address <= end - 8;
            // SAFETY: what lies between the stack pointer and the stack's end is mapped, and this
            // is the thread that owns it.
            is_readable
                .then(|| unsafe { (address as *const u64).read_unaligned() })
                .ok_or(())
        };
        let mut all = self.unwinder.iter_frames(
            registers.program_counter,
            registers.for_unwinding,
            &mut self.cache,
            &mut read,
        );
        let mut count = 0;
        while let (true, Ok(Some(frame))) = (count < frames.len(), all.next()) {
            frames[count] = frame.address();
            count += 1;
        }
        count.max(1) as u32
    }
}

/// Lowest address and end of the calling thread's stack; `None` if the C library does not say.
fn stack_of_this_thread() -> Option<(u64, u64)> {
    let mut attributes = MaybeUninit::uninit();
    let (mut begin, mut length) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are used once they are initialised, and destroyed after that.
    unsafe {
        let attributes = attributes.as_mut_ptr();
        if libc::pthread_getattr_np(libc::pthread_self(), attributes) != 0 {
            return None;
        }
        let is_known = libc::pthread_attr_getstack(attributes, &mut begin, &mut length) == 0;
        libc::pthread_attr_destroy(attributes);
        if !is_known {
            return None;
        }
    }
    let begin = begin as u64;
    Some((begin, begin.checked_add(length as u64)?))
}
