//! The functions of the recorder (`pgas_measure.h`) that tasks need.

use std::ffi::{c_char, c_int, c_void};

// They are in its library.
use pgas_measure as _;

/// A recorder, as its library knows it.
#[repr(C)]
pub(super) struct Recorder {
    _private: [u8; 0],
}

unsafe extern "C" {
    pub(super) fn pgas_name_runtime(name: *const c_char);
    pub(super) fn pgas_open(thread: c_int, threads: c_int) -> *const Recorder;
    pub(super) fn pgas_finish(recorder: *const Recorder);
    pub(super) fn pgas_enter(
        recorder: *const Recorder,
        region: c_int,
        file: *const c_char,
        line: c_int,
        name: *const c_char,
    );
    pub(super) fn pgas_exit(recorder: *const Recorder, region: c_int, name: *const c_char);
    pub(super) fn pgas_enter_function_of(
        recorder: *const Recorder,
        function: *const c_void,
        caller: *const c_void,
    );
    pub(super) fn pgas_exit_function_of(
        recorder: *const Recorder,
        function: *const c_void,
        caller: *const c_void,
    );
    pub(super) fn pgas_enter_task(
        recorder: *const Recorder,
        file: *const c_char,
        line: c_int,
        name: *const c_char,
        task: u64,
    );
    pub(super) fn pgas_exit_task(recorder: *const Recorder, reason: c_int);
    pub(super) fn pgas_record_clock(recorder: *const Recorder) -> u64;
    pub(super) fn pgas_record_task_create(
        recorder: *const Recorder,
        began: u64,
        file: *const c_char,
        line: c_int,
        name: *const c_char,
        task: u64,
        processor: u32,
    );
    pub(super) fn pgas_record_channel_create(
        recorder: *const Recorder,
        began: u64,
        file: *const c_char,
        line: c_int,
        channel: u64,
        capacity: u64,
    );
    pub(super) fn pgas_record_channel_message(
        recorder: *const Recorder,
        region: c_int,
        began: u64,
        file: *const c_char,
        line: c_int,
        channel: u64,
        message: u64,
        bytes: u64,
        queued: u64,
    );
    pub(super) fn pgas_record_channel_operation(
        recorder: *const Recorder,
        region: c_int,
        began: u64,
        file: *const c_char,
        line: c_int,
        channel: u64,
    );
    pub(super) fn pgas_record_select_wait(
        recorder: *const Recorder,
        began: u64,
        file: *const c_char,
        line: c_int,
        inputs: u32,
    );
}
