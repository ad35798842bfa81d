//! Creation and runs of tasks in C.

use std::ffi::{c_char, c_int, c_uint, c_void};

use pgas_tasks::{Place, Program, create_at};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
async fn run(call: Call) {
    let Call {
        function,
        mut arguments,
    } = call;
    Stackful::new(move || function(arguments.as_mut_ptr().cast())).await;
}

/// A function of C and its arguments.
struct Call {
    function: TaskFunction,
    arguments: Arguments,
}

/// Nobody knows which of the bytes are ports, so the arguments cannot leave the process.
const STAYS: &str = "arguments in C";

impl Serialize for Call {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(STAYS))
    }
}

impl<'de> Deserialize<'de> for Call {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(serde::de::Error::custom(STAYS))
    }
}

/// What users read who ask for several processes.
const ALONE: &str = "programs of tasks in C and C++ run on one process only, as ports in their \
                     messages are pointers: set PGAS_TASK_PROCESSES to 1, or unset it";

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
    let call = Call {
        function,
        arguments,
    };
    create_at(name, run, (call,), place);
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
    let call = Call {
        function,
        arguments,
    };
    let program = Program::new().alone(ALONE);
    match program.run_at(name, run, (call,), place) {
        Ok(()) => 0,
        Err(failure) => {
            eprintln!("pgas_tasks: {failure}");
            1
        }
    }
}
