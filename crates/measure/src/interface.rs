//! The C interface of `include/pgas_measure.h` for a thread's events. Nothing here may panic: what
//! can is caught further down.

use std::ffi::{CStr, c_char, c_int};

use pgas_trace_format::functions::FunctionLines;
use pgas_trace_format::model::{Attributes, Operation, SyncMode};
use pgas_trace_format::samples::{Sample, SharedArray};

use crate::attributes::FIRST_WITH_ATTRIBUTES;
use crate::attributes::Packed;
use crate::dictionary::Place;
use crate::recorder::Recorder;

/// # Safety
/// `recorder` is null or comes from [`crate::lifecycle::pgas_open`] on this thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_wants_addresses(recorder: *const Recorder) -> c_int {
    // SAFETY: promised by the caller.
    let recorder = unsafe { recorder.as_ref() };
    c_int::from(recorder.is_some_and(Recorder::wants_addresses))
}

/// # Safety
/// The same for all functions: `recorder` is null or comes from [`crate::lifecycle::pgas_open`] on
/// this thread; strings are null or end with a zero byte and stay where they are.
#[inline(always)]
unsafe fn enter(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    name: *const c_char,
    attributes: Attributes,
) {
    let operation = region as u8;
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            let place = Place::new(operation, file, line.max(0) as u32, name);
            if operation < FIRST_WITH_ATTRIBUTES {
                recorder.enter::<false>(place, Packed::NONE);
            } else {
                recorder.enter::<true>(place, attributes.into());
            }
        }
    }
}

/// # Safety
/// As for [`enter`].
unsafe fn exit_with(recorder: *const Recorder, region: c_int, attributes: Attributes) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            recorder.exit_with(region as u8, std::ptr::null(), attributes.into());
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    name: *const c_char,
) {
    let operation = region as u8;
    if operation < FIRST_WITH_ATTRIBUTES {
        // SAFETY: promised by the caller.
        unsafe {
            if let Some(recorder) = recorder.as_ref() {
                let place = Place::new(operation, file, line.max(0) as u32, name);
                recorder.enter::<false>(place, Packed::NONE);
            }
        }
    } else {
        // SAFETY: promised by the caller.
        unsafe { enter_operation(recorder, region, file, line, name) };
    }
}

/// Enter of an operation whose attributes are unknown. Out of the way of functions.
///
/// # Safety
/// As for [`enter`].
#[inline(never)]
unsafe fn enter_operation(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    name: *const c_char,
) {
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, region, file, line, name, Attributes::None) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_barrier(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    named: c_int,
    value: c_int,
) {
    let attributes = Attributes::Barrier {
        value: (named != 0).then_some(value),
    };
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, region, file, line, std::ptr::null(), attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_transfer(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    partner: c_int,
    bytes: u64,
) {
    let attributes = Attributes::transfer(partner as u32, bytes);
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, region, file, line, std::ptr::null(), attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_transfer_at(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    partner: c_int,
    address: u64,
    bytes: u64,
) {
    let attributes = Attributes::transfer_at(partner as u32, bytes, address);
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, region, file, line, std::ptr::null(), attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_sample(
    recorder: *const Recorder,
    partner: c_int,
    address: u64,
    bytes: u64,
    period: u32,
    is_locked: c_int,
) -> u32 {
    let sample = Sample {
        partner: partner as u32,
        address,
        bytes,
        is_locked: is_locked != 0,
        ..Sample::default()
    };
    // SAFETY: promised by the caller.
    unsafe {
        match recorder.as_ref() {
            Some(recorder) => recorder.sample(sample, period),
            None => u32::MAX,
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_sample_counted(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    partner: c_int,
    address: u64,
    bytes: u64,
    period: u32,
    is_locked: c_int,
) -> u32 {
    let place = Place::new(region as u8, file, line.max(0) as u32, std::ptr::null());
    let sample = Sample {
        partner: partner as u32,
        address,
        bytes,
        is_locked: is_locked != 0,
        ..Sample::default()
    };
    // SAFETY: promised by the caller.
    unsafe {
        match recorder.as_ref() {
            Some(recorder) => recorder.sample_counted(place, sample, period),
            None => u32::MAX,
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_next_sample_of(recorder: *const Recorder) -> u32 {
    // SAFETY: promised by the caller.
    unsafe { recorder.as_ref().map_or(u32::MAX, |r| r.next_sample()) }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_count_accesses(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    partner: c_int,
    accesses: u64,
    bytes: u64,
) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            let place = Place::new(region as u8, file, line.max(0) as u32, std::ptr::null());
            recorder.count_accesses(place, partner as u32, accesses, bytes);
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_count_calls(
    recorder: *const Recorder,
    name: *const c_char,
    file: *const c_char,
    line: c_int,
    calls: u64,
) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            recorder.count_calls(function(name, file, line), calls);
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_is_short_leaf(
    recorder: *const Recorder,
    name: *const c_char,
    file: *const c_char,
    line: c_int,
) -> c_int {
    // SAFETY: promised by the caller.
    let is_short = unsafe {
        let recorder = recorder.as_ref();
        recorder.is_some_and(|recorder| recorder.is_short(function(name, file, line)))
    };
    c_int::from(is_short)
}

fn function(name: *const c_char, file: *const c_char, line: c_int) -> Place {
    Place::new(Operation::Function.number(), file, line.max(0) as u32, name)
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_is_recording(recorder: *const Recorder) -> c_int {
    // SAFETY: promised by the caller.
    let recorder = unsafe { recorder.as_ref() };
    c_int::from(recorder.is_some_and(Recorder::is_recording))
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_shared_array(
    recorder: *const Recorder,
    name: *const c_char,
    file: *const c_char,
    line: c_int,
    address: u64,
    element_bytes: u64,
    block: u64,
    elements: u64,
) {
    // SAFETY: promised by the caller.
    unsafe {
        let Some(recorder) = recorder.as_ref() else {
            return;
        };
        let text = |text: *const c_char| match text.is_null() {
            true => String::new(),
            false => CStr::from_ptr(text).to_string_lossy().into_owned(),
        };
        let array = SharedArray {
            address,
            element_bytes,
            block,
            elements,
            line: line.max(0) as u32,
            name: text(name),
            file: text(file),
        };
        recorder.note_array(array);
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_copy(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    source: c_int,
    destination: c_int,
    bytes: u64,
) {
    let attributes = Attributes::copy(source as u32, destination as u32, bytes);
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, region, file, line, std::ptr::null(), attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_copy_at(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
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
    unsafe { enter(recorder, region, file, line, std::ptr::null(), attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_allocation(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    bytes: u64,
) {
    let attributes = Attributes::Allocation { bytes };
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, region, file, line, std::ptr::null(), attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_lock(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    lock: u64,
) {
    let attributes = Attributes::Lock { lock };
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, region, file, line, std::ptr::null(), attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_object(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    object: u64,
    units: u64,
) {
    let attributes = Attributes::Object { object, units };
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, region, file, line, std::ptr::null(), attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_end(
    recorder: *const Recorder,
    region: c_int,
    file: *const c_char,
    line: c_int,
    status: c_int,
) {
    let attributes = Attributes::Exit { status };
    // SAFETY: promised by the caller.
    unsafe { enter(recorder, region, file, line, std::ptr::null(), attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit(recorder: *const Recorder, region: c_int, name: *const c_char) {
    let operation = region as u8;
    if operation < FIRST_WITH_ATTRIBUTES {
        // SAFETY: promised by the caller.
        unsafe {
            if let Some(recorder) = recorder.as_ref() {
                recorder.exit::<false>(operation, name);
            }
        }
    } else {
        // SAFETY: promised by the caller.
        unsafe { exit_operation(recorder, operation, name) };
    }
}

/// Exit of an operation that has nothing to tell at its end. Out of the way of functions.
///
/// # Safety
/// As for [`enter`].
#[inline(never)]
unsafe fn exit_operation(recorder: *const Recorder, operation: u8, name: *const c_char) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            recorder.exit::<true>(operation, name);
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit_lock_attempt(recorder: *const Recorder, acquired: c_int) {
    let attributes = Attributes::LockAttempt {
        acquired: acquired != 0,
    };
    // SAFETY: promised by the caller.
    unsafe {
        exit_with(
            recorder,
            c_int::from(Operation::LockAttempt.number()),
            attributes,
        )
    };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit_collective(
    recorder: *const Recorder,
    region: c_int,
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
    unsafe { exit_with(recorder, region, attributes) };
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_function_lines(
    recorder: *const Recorder,
    name: *const c_char,
    file: *const c_char,
    line: c_int,
    end_line: c_int,
    is_last: c_int,
) {
    // SAFETY: promised by the caller.
    unsafe {
        let Some(recorder) = recorder.as_ref() else {
            return;
        };
        if !name.is_null() && !file.is_null() {
            let text = |text: *const c_char| CStr::from_ptr(text).to_string_lossy().into_owned();
            recorder.note_function(FunctionLines {
                file: text(file),
                line: line.max(0) as u32,
                end_line: end_line.max(0) as u32,
                name: text(name),
            });
        }
        if is_last != 0 {
            recorder.write_functions();
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_open_regions(recorder: *const Recorder) -> usize {
    // SAFETY: promised by the caller.
    unsafe { recorder.as_ref().map_or(0, |recorder| recorder.depth()) }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_return_to(recorder: *const Recorder, regions: usize) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            recorder.return_to(regions);
        }
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_control(recorder: *const Recorder, on: c_int) -> c_int {
    // SAFETY: promised by the caller.
    unsafe {
        recorder
            .as_ref()
            .map_or(0, |recorder| c_int::from(recorder.control(on != 0)))
    }
}

/// # Safety
/// As for [`enter`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_finish(recorder: *const Recorder) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            recorder.finish();
        }
    }
}

pub(crate) fn sync_mode(number: c_int) -> SyncMode {
    match number {
        0 => SyncMode::None,
        1 => SyncMode::Mine,
        _ => SyncMode::All,
    }
}
