//! The name of the program's runtime.

use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicPtr, Ordering};

static RUNTIME: AtomicPtr<c_char> = AtomicPtr::new(std::ptr::null_mut());

/// # Safety
/// `name` ends with a zero byte and stays where it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_name_runtime(name: *const c_char) {
    RUNTIME.store(name.cast_mut(), Ordering::Release);
}

/// The name of the program's runtime, if it said one.
pub(crate) fn name() -> Option<String> {
    let name = RUNTIME.load(Ordering::Acquire);
    (!name.is_null()).then(|| {
        // SAFETY: `pgas_name_runtime` was promised that it stays and ends.
        unsafe { CStr::from_ptr(name) }
            .to_string_lossy()
            .into_owned()
    })
}
