//! Channels of messages that are bytes, and their ports as C sees them.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::slice;

use pgas_tasks::{AnyInput, Input, Output, channel_at, ready_at};
use smallvec::SmallVec;

use crate::names;
use crate::stackful::wait_for;

/// A message. Short ones need no allocation.
type Bytes = SmallVec<[u8; 16]>;

/// `pgas_output` of the header.
pub struct OutputPort {
    port: Output<Bytes>,
    bytes: usize,
}

/// `pgas_input` of the header.
pub struct InputPort {
    port: Input<Bytes>,
}

/// Creates a channel; see `pgas_channel`. Without limit, `capacity` is `SIZE_MAX`.
///
/// # Safety
/// `output` and `input` can be written; `file` is a string that is never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_channel_at(
    bytes: usize,
    capacity: usize,
    output: *mut *mut OutputPort,
    input: *mut *mut InputPort,
    file: *const c_char,
    line: c_uint,
) {
    let capacity = (capacity != usize::MAX).then_some(capacity);
    // SAFETY: as promised to this function.
    let place = unsafe { names::place(file, line) };
    let (sender, receiver) = channel_at(capacity, place);
    // SAFETY: as promised to this function.
    unsafe {
        output.write(Box::into_raw(Box::new(OutputPort {
            port: sender,
            bytes,
        })));
        input.write(Box::into_raw(Box::new(InputPort { port: receiver })));
    }
}

/// Sends; see `pgas_send`.
///
/// # Safety
/// The output exists, and at `message` are as many bytes as its channel was created for.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_send_at(
    output: *const OutputPort,
    message: *const c_void,
    file: *const c_char,
    line: c_uint,
) -> c_int {
    // SAFETY: as promised to this function.
    let (output, place) = unsafe { (&*output, names::place(file, line)) };
    let message = if output.bytes == 0 {
        Bytes::new()
    } else {
        // SAFETY: as promised to this function.
        Bytes::from_slice(unsafe { slice::from_raw_parts(message.cast(), output.bytes) })
    };
    c_int::from(wait_for(output.port.send_at(message, place)).is_ok())
}

/// Receives; see `pgas_receive`.
///
/// # Safety
/// The input exists and is no other task's, and at `message` is place for what its channel carries.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_receive_at(
    input: *mut InputPort,
    message: *mut c_void,
    file: *const c_char,
    line: c_uint,
) -> c_int {
    // SAFETY: as promised to this function.
    let (input, place) = unsafe { (&mut *input, names::place(file, line)) };
    let Some(bytes) = wait_for(input.port.receive_at(place)) else {
        return 0;
    };
    if !bytes.is_empty() {
        // SAFETY: as promised to this function.
        unsafe { message.cast::<u8>().copy_from(bytes.as_ptr(), bytes.len()) };
    }
    1
}

/// Selects; see `pgas_select`.
///
/// # Safety
/// At `inputs` are `count` inputs that exist, differ and are no other task's, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_select_at(
    inputs: *const *mut InputPort,
    count: usize,
    file: *const c_char,
    line: c_uint,
) -> usize {
    if count == 0 {
        return 0;
    }
    // SAFETY: as promised to this function.
    let (inputs, place) = unsafe {
        (
            slice::from_raw_parts(inputs, count),
            names::place(file, line),
        )
    };
    let (mut positions, mut ports) = (Vec::new(), Vec::<&mut dyn AnyInput>::new());
    for (position, input) in inputs.iter().enumerate() {
        // SAFETY: as promised to this function.
        if let Some(input) = unsafe { input.as_mut() } {
            positions.push(position);
            ports.push(&mut input.port);
        }
    }
    if ports.is_empty() {
        count
    } else {
        positions[wait_for(ready_at(&mut ports, place))]
    }
}

/// Copies an output; see the header.
///
/// # Safety
/// The output exists.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_output_copy(output: *const OutputPort) -> *mut OutputPort {
    // SAFETY: as promised to this function.
    let output = unsafe { &*output };
    Box::into_raw(Box::new(OutputPort {
        port: output.port.clone(),
        bytes: output.bytes,
    }))
}

/// Closes a channel; see the header.
///
/// # Safety
/// The output exists.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_output_close(output: *const OutputPort) {
    // SAFETY: as promised to this function.
    unsafe { &*output }.port.close();
}

/// Deletes an output; see the header.
///
/// # Safety
/// The output exists, and is not used any more, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_output_delete(output: *mut OutputPort) {
    if !output.is_null() {
        // SAFETY: as promised to this function.
        drop(unsafe { Box::from_raw(output) });
    }
}

/// Deletes an input; see the header.
///
/// # Safety
/// The input exists, and is not used any more, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pgas_input_delete(input: *mut InputPort) {
    if !input.is_null() {
        // SAFETY: as promised to this function.
        drop(unsafe { Box::from_raw(input) });
    }
}
