//! The C interface of `include/pgas_measure.h` for calls of communication libraries, and for
//! functions that are known by their addresses. Nothing here may panic: what can is caught further
//! down.

use std::ffi::{c_char, c_int, c_void};

use pgas_trace_format::model::{Attributes, GroupFlow, Operation};

use crate::attributes::{FIRST_WITH_ATTRIBUTES, Packed};
use crate::dictionary::Place;
use crate::interface::sync_mode;
use crate::recorder::Recorder;

/// A call of a library.
#[repr(C)]
pub struct Call {
    region: c_int,
    name: *const c_char,
    caller: *const c_void,
}

/// # Safety
/// The same for all functions: `recorder` is null or comes from [`crate::lifecycle::pgas_open`] on
/// this thread; `call` can be read; its name is null or ends with a zero byte and stays where it
/// is.
#[inline(always)]
unsafe fn enter(recorder: *const Recorder, call: *const Call, attributes: Attributes) {
    // SAFETY: promised by the caller.
    unsafe {
        let Some(recorder) = recorder.as_ref() else {
            return;
        };
        let call = &*call;
        let operation = call.region as u8;
        let place = Place::of_call(operation, call.caller, call.name);
        if operation < FIRST_WITH_ATTRIBUTES {
            enter_region(recorder, place);
        } else {
            recorder.enter::<true>(place, attributes.into());
        }
    }
}

/// Enter of a region that is none of the library's. Out of the way of its operations.
///
/// # Safety
/// As for [`enter`].
#[inline(never)]
unsafe fn enter_region(recorder: &Recorder, place: Place) {
    // SAFETY: promised by the caller.
    unsafe { recorder.enter::<false>(place, Packed::NONE) };
}

/// # Safety
/// As for [`enter`].
#[inline(never)]
unsafe fn exit_region(recorder: &Recorder, operation: u8, name: *const c_char) {
    // SAFETY: promised by the caller.
    unsafe { recorder.exit::<false>(operation, name) };
}

/// Enter of a function that is known by its address. Out of the way of those that are left out.
///
/// # Safety
/// As for [`enter`].
#[inline(never)]
unsafe fn enter_function(recorder: &Recorder, function: *const c_void, caller: *const c_void) {
    // SAFETY: promised by the caller.
    unsafe { recorder.enter::<false>(Place::of_function(function, caller), Packed::NONE) };
}

/// # Safety
/// As for [`enter`].
#[inline(never)]
unsafe fn exit_function(recorder: &Recorder, function: *const c_void, caller: *const c_void) {
    let name = Place::of_function(function, caller).name;
    // SAFETY: promised by the caller.
    unsafe { recorder.exit::<false>(Operation::Function.number(), name) };
}

/// # Safety
/// As for [`enter`].
unsafe fn exit_with(recorder: *const Recorder, call: *const Call, attributes: Attributes) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            let call = &*call;
            recorder.exit_with(call.region as u8, call.name, attributes.into());
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call(recorder: *const Recorder, call: *const Call) {
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, Attributes::None) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call_barrier(recorder: *const Recorder, call: *const Call) {
    let attributes = Attributes::Barrier { value: None };
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call_transfer(
    recorder: *const Recorder,
    call: *const Call,
    partner: c_int,
    address: u64,
    bytes: u64,
) {
    let attributes = Attributes::transfer_at(partner as u32, bytes, address);
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call_copy(
    recorder: *const Recorder,
    call: *const Call,
    source: c_int,
    source_address: u64,
    destination: c_int,
    destination_address: u64,
    bytes: u64,
) {
    let attributes = Attributes::copy_at(
        (source as u32, source_address),
        (destination as u32, destination_address),
        bytes,
    );
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call_allocation(
    recorder: *const Recorder,
    call: *const Call,
    bytes: u64,
) {
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, Attributes::Allocation { bytes }) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call_lock(
    recorder: *const Recorder,
    call: *const Call,
    lock: u64,
) {
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, Attributes::Lock { lock }) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call_object(
    recorder: *const Recorder,
    call: *const Call,
    object: u64,
    units: u64,
) {
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, Attributes::Object { object, units }) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call_group(
    recorder: *const Recorder,
    call: *const Call,
    group: u64,
    members: u32,
    flow: c_int,
    root: c_int,
) {
    let attributes = Attributes::Group {
        group,
        members,
        flow: GroupFlow::from_number(flow as u64).unwrap_or(GroupFlow::Unknown),
        root: u32::try_from(root).ok(),
    };
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call_message(
    recorder: *const Recorder,
    call: *const Call,
    partner: c_int,
    bytes: u64,
    group: u64,
) {
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, message(partner, bytes, group)) };
}

fn message(partner: c_int, bytes: u64, group: u64) -> Attributes {
    Attributes::Message {
        partner: partner as u32,
        bytes,
        group,
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_call_end(
    recorder: *const Recorder,
    call: *const Call,
    status: c_int,
) {
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, call, Attributes::Exit { status }) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit_call(recorder: *const Recorder, call: *const Call) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            let (operation, name) = ((*call).region as u8, (*call).name);
            if operation < FIRST_WITH_ATTRIBUTES {
                exit_region(recorder, operation, name);
            } else {
                recorder.exit::<true>(operation, name);
            }
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit_call_lock_attempt(
    recorder: *const Recorder,
    call: *const Call,
    acquired: c_int,
) {
    let attributes = Attributes::LockAttempt {
        acquired: acquired != 0,
    };
    // SAFETY: promised by the caller.
    unsafe { exit_with(recorder, call, attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit_call_collective(
    recorder: *const Recorder,
    call: *const Call,
    root: c_int,
    sent: u64,
    received: u64,
    sync_in: c_int,
    sync_out: c_int,
) {
    let attributes = Attributes::Collective {
        root: u32::try_from(root).ok(),
        sent,
        received,
        sync_in: sync_mode(sync_in),
        sync_out: sync_mode(sync_out),
    };
    // SAFETY: promised by the caller.
    unsafe { exit_with(recorder, call, attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit_call_message(
    recorder: *const Recorder,
    call: *const Call,
    partner: c_int,
    bytes: u64,
    group: u64,
) {
    // SAFETY: promised by the caller.
    unsafe { exit_with(recorder, call, message(partner, bytes, group)) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_function_of(
    recorder: *const Recorder,
    function: *const c_void,
    caller: *const c_void,
) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            if !recorder.excluded.has(function.addr()) {
                enter_function(recorder, function, caller);
            }
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit_function_of(
    recorder: *const Recorder,
    function: *const c_void,
    caller: *const c_void,
) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            if !recorder.excluded.has(function.addr()) {
                exit_function(recorder, function, caller);
            }
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_function(recorder: *const Recorder, function: *const c_void) {
    // SAFETY: promised by the caller.
    unsafe { pgas_enter_function_of(recorder, function, std::ptr::null()) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit_function(recorder: *const Recorder, function: *const c_void) {
    // SAFETY: promised by the caller.
    unsafe { pgas_exit_function_of(recorder, function, std::ptr::null()) };
}
