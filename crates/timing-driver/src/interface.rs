//! The structures of `include/pgas_timing.h` and `include/pgas_operation.h`.

use std::ffi::{c_char, c_int, c_long, c_void};

/// `pgas_transport`.
#[repr(C)]
pub struct Transport {
    pub context: *mut c_void,
    pub thread: c_int,
    pub threads: c_int,
    pub node: c_int,
    pub model: *const c_char,
    pub implementation: *const c_char,
    pub send: unsafe extern "C" fn(*mut c_void, c_int, *const u64, c_int),
    pub receive: unsafe extern "C" fn(*mut c_void, c_int, *mut u64, c_int),
    pub barrier: unsafe extern "C" fn(*mut c_void),
    pub clock: Option<unsafe extern "C" fn(*mut c_void) -> f64>,
    pub end: unsafe extern "C" fn(*mut c_void, c_int),
}

/// `pgas_case`.
#[repr(C)]
pub struct Case {
    pub thread: c_int,
    pub threads: c_int,
    pub nodes: *const c_int,
    pub bytes: usize,
    pub buffers: c_int,
    /// A [`Told`](crate::arguments::Told).
    pub driver: *mut c_void,
}

/// A function of an operation that is called for each launch.
pub type Launched = Option<unsafe extern "C" fn(*mut c_void, c_long)>;

/// `pgas_operation`.
#[repr(C)]
pub struct Operation {
    pub name: *const c_char,
    pub help: *const c_char,
    pub arguments: *const c_char,
    pub sized: c_int,
    pub independent: c_int,
    pub prepare: Option<unsafe extern "C" fn(*const Case) -> *mut c_void>,
    pub ready: Launched,
    pub run: Launched,
    pub done: Launched,
    pub start: Launched,
    pub complete: Launched,
    pub check: Option<unsafe extern "C" fn(*mut c_void, c_long) -> c_int>,
    pub finish: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// Words of one message at most: `PGAS_MESSAGE_WORDS`.
pub const MESSAGE_WORDS: usize = 64;

/// A string of C as text.
///
/// # Safety
/// `string` is null or ends with a zero byte, and stays as long as the text is used.
pub unsafe fn text<'a>(string: *const c_char) -> std::borrow::Cow<'a, str> {
    match string.is_null() {
        true => "".into(),
        // SAFETY: not null, and the rest is the caller's promise.
        false => unsafe { std::ffi::CStr::from_ptr(string) }.to_string_lossy(),
    }
}
