//! Channels of messages that are bytes, and their ports as C sees them.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::slice;

use pgas_tasks::{AnyInput, Input, Output, Place, channel_of_bytes_at, ready_at};

use crate::message::{Bytes, WORD};
use crate::stackful::wait_for;

/// `pgas_output` of the header.
pub struct OutputPort {
    port: SomeOutput,
    bytes: usize,
}

/// `pgas_input` of the header.
pub struct InputPort {
    port: SomeInput,
    bytes: usize,
}

#[derive(Clone)]
enum SomeOutput {
    Words(Output<u64>),
    Blocks(Output<Box<[u8]>>),
}

enum SomeInput {
    Words(Input<u64>),
    Blocks(Input<Box<[u8]>>),
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
    let place = unsafe { Place::in_c(file, line) };
    let (sender, receiver) = if bytes <= WORD {
        let (sender, receiver) = channel_of_bytes_at(capacity, bytes, place);
        (SomeOutput::Words(sender), SomeInput::Words(receiver))
    } else {
        let (sender, receiver) = channel_of_bytes_at(capacity, bytes, place);
        (SomeOutput::Blocks(sender), SomeInput::Blocks(receiver))
    };
    // SAFETY: as promised to this function.
    unsafe {
        output.write(Box::into_raw(Box::new(OutputPort {
            port: sender,
            bytes,
        })));
        input.write(Box::into_raw(Box::new(InputPort {
            port: receiver,
            bytes,
        })));
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
    let (output, place) = unsafe { (&*output, Place::in_c(file, line)) };
    // SAFETY: as promised to this function.
    let sent = unsafe {
        match &output.port {
            SomeOutput::Words(port) => send(port, message, output.bytes, place),
            SomeOutput::Blocks(port) => send(port, message, output.bytes, place),
        }
    };
    c_int::from(sent)
}

/// # Safety
/// There are `bytes` bytes at `message`.
unsafe fn send<T: Bytes>(
    port: &Output<T>,
    message: *const c_void,
    bytes: usize,
    place: Place,
) -> bool {
    // SAFETY: as promised to this function.
    let message = unsafe { T::read(message, bytes) };
    wait_for(port.send_at(message, place)).is_ok()
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
    let (input, place) = unsafe { (&mut *input, Place::in_c(file, line)) };
    // SAFETY: as promised to this function.
    let received = unsafe {
        match &mut input.port {
            SomeInput::Words(port) => receive(port, message, input.bytes, place),
            SomeInput::Blocks(port) => receive(port, message, input.bytes, place),
        }
    };
    c_int::from(received)
}

/// # Safety
/// There is place for `bytes` bytes at `target`.
unsafe fn receive<T: Bytes>(
    port: &mut Input<T>,
    target: *mut c_void,
    bytes: usize,
    place: Place,
) -> bool {
    let message = wait_for(port.receive_at(place));
    if let Some(message) = &message {
        // SAFETY: as promised to this function.
        unsafe { message.write(target, bytes) };
    }
    message.is_some()
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
            Place::in_c(file, line),
        )
    };
    let (mut positions, mut ports) = (Vec::new(), Vec::<&mut dyn AnyInput>::new());
    for (position, input) in inputs.iter().enumerate() {
        // SAFETY: as promised to this function.
        if let Some(input) = unsafe { input.as_mut() } {
            positions.push(position);
            ports.push(match &mut input.port {
                SomeInput::Words(port) => port,
                SomeInput::Blocks(port) => port,
            });
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
    match &unsafe { &*output }.port {
        SomeOutput::Words(port) => port.close(),
        SomeOutput::Blocks(port) => port.close(),
    }
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
