//! Registers of interrupted code, as the unwinder needs them.

use std::ffi::c_void;

use framehop::UnwindRegsNative;

/// Registers of the code that a signal has interrupted.
pub(crate) struct Registers {
    pub(crate) program_counter: u64,
    pub(crate) stack_pointer: u64,
    pub(crate) for_unwinding: UnwindRegsNative,
    pub(crate) signal_stack: SignalStack,
}

/// The thread's stack for handlers of signals.
#[derive(Clone, Copy)]
pub(crate) struct SignalStack {
    /// Bytes; 0 if there is none.
    pub(crate) length: u64,
}

impl Registers {
    /// Those in the third argument of a signal's handler.
    ///
    /// # Safety
    /// `context` is that argument.
    pub(crate) unsafe fn of(context: *const c_void) -> Self {
        // SAFETY: promised by the caller.
        let context = unsafe { &*context.cast::<libc::ucontext_t>() };
        let stack = &context.uc_stack;
        let is_there = stack.ss_flags & libc::SS_DISABLE == 0;
        let signal_stack = SignalStack {
            length: if is_there { stack.ss_size as u64 } else { 0 },
        };
        #[cfg(target_arch = "x86_64")]
        {
            let register = |index: libc::c_int| context.uc_mcontext.gregs[index as usize] as u64;
            let program_counter = register(libc::REG_RIP);
            let stack_pointer = register(libc::REG_RSP);
            let frame_pointer = register(libc::REG_RBP);
            Registers {
                program_counter,
                stack_pointer,
                for_unwinding: UnwindRegsNative::new(program_counter, stack_pointer, frame_pointer),
                signal_stack,
            }
        }
        #[cfg(target_arch = "aarch64")]
        {
            use framehop::aarch64::PtrAuthMask;
            // Addresses of a process have 48 bits; the others of a return address may be signed.
            const ADDRESS: u64 = (1 << 48) - 1;
            let machine = &context.uc_mcontext;
            Registers {
                program_counter: machine.pc,
                stack_pointer: machine.sp,
                for_unwinding: UnwindRegsNative::new_with_ptr_auth_mask(
                    PtrAuthMask(ADDRESS),
                    machine.regs[30],
                    machine.sp,
                    machine.regs[29],
                ),
                signal_stack,
            }
        }
    }
}
