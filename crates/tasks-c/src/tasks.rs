//! Creation and runs of tasks in C.

use std::ffi::{c_char, c_int, c_uint, c_void};

use pgas_tasks::{Place, Program, create_at};

use crate::names;
use crate::stackful::Stackful;

/// The function of a task in C.
pub type TaskFunction = extern "C-unwind" fn(arguments: *mut c_void);

/// Aligned for anything.
#[repr(align(16))]
#[derive(Clone, Copy)]
struct Block(#[allow(dead_code, reason = "C reads it")] [u8; 16]);

/// A copy of a task's arguments.
type Arguments = Box<[Block]>;

/// Runs a function of C on a stack of its own.
async fn run(function: TaskFunction, mut arguments: Arguments) {
    Stackful::new(move || function(arguments.as_mut_ptr().cast())).await;
}

/// # Safety
/// There are `bytes` bytes at `arguments`.
unsafe fn copy(arguments: *const c_void, bytes: usize) -> Arguments {
    let mut blocks = vec![Block([0; 16]); bytes.div_ceil(16)];
    if bytes > 0 {
        // SAFETY: as promised to this function; and the blocks have as many bytes at least.
        unsafe {
            blocks
                .as_mut_ptr()
                .cast::<u8>()
                .copy_from(arguments.cast(), bytes)
        };
    }
    blocks.into_boxed_slice()
}

/// Creates a task; see `pgas_task_create`.
///
/// # Safety
/// There are `bytes` bytes at `arguments`; `name` and `file` are strings that are never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_task_create_at(
    function: TaskFunction,
    name: *const c_char,
    arguments: *const c_void,
    bytes: usize,
    file: *const c_char,
    line: c_uint,
) {
    // SAFETY: as promised to this function.
    let (name, arguments, place) = unsafe {
        (
            names::name(name),
            copy(arguments, bytes),
            Place::in_c(file, line),
        )
    };
    create_at(name, run, (function, arguments), place);
}

/// Runs a program; see `pgas_tasks_run`.
///
/// # Safety
/// There are `bytes` bytes at `arguments`; `name` and `file` are strings that are never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_tasks_run_at(
    function: TaskFunction,
    name: *const c_char,
    arguments: *const c_void,
    bytes: usize,
    file: *const c_char,
    line: c_uint,
) -> c_int {
    // SAFETY: as promised to this function.
    let (name, arguments, place) = unsafe {
        (
            names::name(name),
            copy(arguments, bytes),
            Place::in_c(file, line),
        )
    };
    match Program::new().run_at(name, run, (function, arguments), place) {
        Ok(()) => 0,
        Err(failure) => {
            eprintln!("pgas_tasks: {failure}");
            1
        }
    }
}
