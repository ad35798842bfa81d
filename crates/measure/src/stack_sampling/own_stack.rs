//! A stack of the recorder's own for one function: the program's stack for handlers of signals may be
//! too small for it.

use std::ffi::c_void;

use crate::buffer::Reserved;

/// Bytes of the stack.
const LENGTH: usize = 64 << 10;

pub(crate) struct OwnStack {
    memory: Reserved,
}

impl OwnStack {
    /// `None` if there is no address space left.
    pub(crate) fn new() -> Option<Self> {
        Reserved::new(LENGTH).map(|memory| OwnStack { memory })
    }

    /// Calls `function` there. It must not panic.
    ///
    /// # Safety
    /// All signals are blocked: a handler would run there, too, or jump away.
    pub(crate) unsafe fn run(&self, mut function: impl FnMut()) {
        extern "C" fn call<F: FnMut()>(function: *mut c_void) {
            // SAFETY: it points to the closure of `run`, which waits for this.
            unsafe { (*function.cast::<F>())() }
        }
        fn enter_of<F: FnMut()>(_: &F) -> extern "C" fn(*mut c_void) {
            call::<F>
        }
        let enter = enter_of(&function);
        let top = self.memory.pointer() as usize + self.memory.length();
        // SAFETY: the memory is this value's own, with its end at a page's; the stack pointer is
        // kept in a register that the called function preserves.
        unsafe { switch(top, enter, (&raw mut function).cast()) }
    }
}

/// # Safety
/// `top` is the end of a stack that nobody uses, aligned to 16 bytes.
#[cfg(target_arch = "x86_64")]
unsafe fn switch(top: usize, function: extern "C" fn(*mut c_void), argument: *mut c_void) {
    // SAFETY: promised by the caller.
    unsafe {
        std::arch::asm!(
            "mov r12, rsp",
            "mov rsp, {top}",
            "call {function}",
            "mov rsp, r12",
            top = in(reg) top,
            function = in(reg) function,
            in("rdi") argument,
            out("r12") _,
            clobber_abi("C"),
        );
    }
}

/// # Safety
/// As above.
#[cfg(target_arch = "aarch64")]
unsafe fn switch(top: usize, function: extern "C" fn(*mut c_void), argument: *mut c_void) {
    // SAFETY: promised by the caller.
    unsafe {
        std::arch::asm!(
            "mov x20, sp",
            "mov sp, {top}",
            "blr {function}",
            "mov sp, x20",
            top = in(reg) top,
            function = in(reg) function,
            in("x0") argument,
            out("x20") _,
            clobber_abi("C"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::without_signals;

    #[test]
    fn what_runs_there_has_its_variables_there_and_comes_back() {
        let stack = OwnStack::new().expect("memory");
        let begin = stack.memory.pointer() as usize;
        let (mut sum, mut place) = (0, 0);
        for round in 0..3 {
            without_signals(|| {
                // SAFETY: all signals are blocked.
                unsafe {
                    stack.run(|| {
                        let numbers = std::hint::black_box([round; 1000]);
                        place = (&raw const numbers) as usize;
                        sum += numbers.iter().sum::<u64>();
                    });
                }
            });
        }
        assert_eq!(sum, 3000);
        assert!((begin..begin + LENGTH).contains(&place));
    }
}
