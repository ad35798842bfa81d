//! The recorder's functions in the program, as far as it has a recorder.
//!
//! C refers to them by weak symbols (`pgas_metrics.h`), which Rust does not have. So a table in
//! assembly does: the linker fills it in, with zeros where there is no recorder.

use std::ffi::{c_char, c_int};

/// The functions of `pgas_metrics.h`, in the order of the table in assembly.
#[repr(C)]
pub(crate) struct Functions {
    /// Expects a C string, and whether it is the name of a timer.
    pub(crate) register: Option<unsafe extern "C" fn(*const c_char, c_int) -> c_int>,
    /// Expects a C string.
    pub(crate) define: Option<unsafe extern "C" fn(*const c_char) -> c_int>,
    pub(crate) set: Option<extern "C" fn(c_int, u64)>,
    pub(crate) add: Option<extern "C" fn(c_int, u64)>,
    pub(crate) attach: Option<extern "C" fn(c_int)>,
    /// Starts a timer, or stops it (0).
    pub(crate) run: Option<extern "C" fn(c_int, c_int)>,
    pub(crate) value: Option<extern "C" fn(c_int) -> u64>,
}

/// The functions; none in a program without a recorder.
#[inline(always)]
pub(crate) fn functions() -> &'static Functions {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    // SAFETY: the table has this layout, and the linker alone writes to it.
    return unsafe { &table::pgas_program_metrics_functions };
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    return &Functions {
        register: None,
        define: None,
        set: None,
        add: None,
        attach: None,
        run: None,
        value: None,
    };
}

/// Where there is a recorder at all: on 64-bit Linux.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod table {
    use super::Functions;

    // The table itself is weak, too: two static libraries in a program may bring one each.
    std::arch::global_asm!(
        ".pushsection .data.rel.ro.pgas_program_metrics, \"aw\", %progbits",
        ".balign 8",
        ".weak pgas_program_metrics_functions",
        ".hidden pgas_program_metrics_functions",
        ".type pgas_program_metrics_functions, %object",
        ".size pgas_program_metrics_functions, 56",
        "pgas_program_metrics_functions:",
        ".irp name, pgas_recorder_metric, pgas_recorder_metric_define, pgas_recorder_metric_set, \
         pgas_recorder_metric_add, pgas_recorder_metric_attach, pgas_recorder_metric_run, \
         pgas_recorder_metric_value",
        ".weak \\name",
        ".quad \\name",
        ".endr",
        ".popsection",
    );

    unsafe extern "C" {
        pub(super) static pgas_program_metrics_functions: Functions;
    }

    const _: () = assert!(size_of::<Functions>() == 56);
}
