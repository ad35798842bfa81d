//! The C interface of `include/pgas_measure.h` for tasks and channels. Operations are recorded when
//! they are over, by one call: only then it is known which message it was. Nothing here may panic:
//! what can is caught further down.

use std::ffi::{c_char, c_int};

use pgas_trace_format::model::{Attributes, Operation, TaskReason};

use crate::dictionary::Place;
use crate::recorder::Recorder;

/// A region that is over: since `began`, at a place.
///
/// # Safety
/// The same for all functions: `recorder` is null or comes from [`crate::lifecycle::pgas_open`] on
/// this thread; strings are null or end with a zero byte and stay where they are.
#[inline(always)]
unsafe fn record(
    recorder: *const Recorder,
    began: u64,
    place: (Operation, *const c_char, c_int, *const c_char),
    attributes: Attributes,
) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            let (operation, file, line, name) = place;
            let place = Place::new(operation.number(), file, line.max(0) as u32, name);
            recorder.record_since(began, place, attributes.into());
        }
    }
}

/// The operation with this number, if it is one of a channel.
#[inline(always)]
fn of_channel(region: c_int) -> Option<Operation> {
    let operation = Operation::from_number(u64::try_from(region).ok()?)?;
    operation.is_of_tasks().then_some(operation)
}

/// # Safety
/// As for [`record`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_enter_task(
    recorder: *const Recorder,
    file: *const c_char,
    line: c_int,
    name: *const c_char,
    task: u64,
) {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            let operation = Operation::Task.number();
            let place = Place::new(operation, file, line.max(0) as u32, name);
            recorder.enter::<true>(place, Attributes::Task { task }.into());
        }
    }
}

/// # Safety
/// As for [`record`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_exit_task(recorder: *const Recorder, reason: c_int) {
    let reason = TaskReason::from_number(reason as u64).unwrap_or(TaskReason::Yielded);
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(recorder) = recorder.as_ref() {
            let attributes = Attributes::TaskLeft { reason };
            recorder.leave_task(attributes.into());
        }
    }
}

/// # Safety
/// As for [`record`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_record_clock(recorder: *const Recorder) -> u64 {
    // SAFETY: promised by the caller.
    unsafe { recorder.as_ref().map_or(0, |recorder| recorder.now()) }
}

/// # Safety
/// As for [`record`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_record_task_create(
    recorder: *const Recorder,
    began: u64,
    file: *const c_char,
    line: c_int,
    name: *const c_char,
    task: u64,
    processor: u32,
) {
    let place = (Operation::TaskCreate, file, line, name);
    let attributes = Attributes::TaskCreate { task, processor };
    // SAFETY: promised by the caller.
    unsafe { record(recorder, began, place, attributes) };
}

/// # Safety
/// As for [`record`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_record_channel_create(
    recorder: *const Recorder,
    began: u64,
    file: *const c_char,
    line: c_int,
    channel: u64,
    capacity: u64,
) {
    let place = (Operation::ChannelCreate, file, line, std::ptr::null());
    let capacity = (capacity != u64::MAX).then_some(capacity);
    let attributes = Attributes::ChannelCreate { channel, capacity };
    // SAFETY: promised by the caller.
    unsafe { record(recorder, began, place, attributes) };
}

/// # Safety
/// As for [`record`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_record_channel_message(
    recorder: *const Recorder,
    region: c_int,
    began: u64,
    file: *const c_char,
    line: c_int,
    channel: u64,
    message: u64,
    bytes: u64,
    queued: u64,
) {
    let Some(operation) = of_channel(region) else {
        return;
    };
    let attributes = Attributes::ChannelMessage {
        channel,
        message,
        bytes,
        queued,
    };
    let place = (operation, file, line, std::ptr::null());
    // SAFETY: promised by the caller.
    unsafe { record(recorder, began, place, attributes) };
}

/// # Safety
/// As for [`record`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_record_channel_operation(
    recorder: *const Recorder,
    region: c_int,
    began: u64,
    file: *const c_char,
    line: c_int,
    channel: u64,
) {
    let Some(operation) = of_channel(region) else {
        return;
    };
    let place = (operation, file, line, std::ptr::null());
    // SAFETY: promised by the caller.
    unsafe { record(recorder, began, place, Attributes::Channel { channel }) };
}

/// # Safety
/// As for [`record`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_record_select_wait(
    recorder: *const Recorder,
    began: u64,
    file: *const c_char,
    line: c_int,
    inputs: u32,
) {
    let place = (Operation::Select, file, line, std::ptr::null());
    // SAFETY: promised by the caller.
    unsafe { record(recorder, began, place, Attributes::SelectWait { inputs }) };
}
