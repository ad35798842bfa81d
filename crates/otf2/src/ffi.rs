//! The functions of `c/shim.c`. All return 0 or one of OTF2's error codes unless they say
//! otherwise.

use std::ffi::{c_char, c_int};

/// An archive of the shim's.
#[repr(C)]
pub struct Archive {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    pub fn pgas_otf2_describe(code: c_int) -> *const c_char;
    /// `NULL` if it fails.
    pub fn pgas_otf2_open(
        directory: *const c_char,
        name: *const c_char,
        creator: *const c_char,
    ) -> *mut Archive;
    pub fn pgas_otf2_close(archive: *mut Archive) -> c_int;

    pub fn pgas_otf2_begin_location(archive: *mut Archive, location: u64) -> c_int;
    pub fn pgas_otf2_end_location(archive: *mut Archive, events: *mut u64) -> c_int;
    pub fn pgas_otf2_attribute_place(archive: *mut Archive, attribute: u32, place: u32) -> c_int;
    pub fn pgas_otf2_attribute_int32(archive: *mut Archive, attribute: u32, value: i32) -> c_int;
    pub fn pgas_otf2_attribute_uint64(archive: *mut Archive, attribute: u32, value: u64) -> c_int;
    pub fn pgas_otf2_attribute_string(archive: *mut Archive, attribute: u32, string: u32) -> c_int;
    pub fn pgas_otf2_enter(archive: *mut Archive, time: u64, region: u32) -> c_int;
    pub fn pgas_otf2_leave(archive: *mut Archive, time: u64, region: u32) -> c_int;
    pub fn pgas_otf2_put(
        archive: *mut Archive,
        time: u64,
        remote: u32,
        bytes: u64,
        number: u64,
    ) -> c_int;
    pub fn pgas_otf2_get(
        archive: *mut Archive,
        time: u64,
        remote: u32,
        bytes: u64,
        number: u64,
    ) -> c_int;
    pub fn pgas_otf2_complete(
        archive: *mut Archive,
        time: u64,
        number: u64,
        blocking: c_int,
    ) -> c_int;
    pub fn pgas_otf2_request_lock(archive: *mut Archive, time: u64, lock: u64) -> c_int;
    pub fn pgas_otf2_acquire_lock(archive: *mut Archive, time: u64, lock: u64) -> c_int;
    pub fn pgas_otf2_try_lock(archive: *mut Archive, time: u64, lock: u64) -> c_int;
    pub fn pgas_otf2_release_lock(archive: *mut Archive, time: u64, lock: u64) -> c_int;
    pub fn pgas_otf2_send(
        archive: *mut Archive,
        time: u64,
        receiver: u32,
        tag: u32,
        bytes: u64,
    ) -> c_int;
    pub fn pgas_otf2_receive(
        archive: *mut Archive,
        time: u64,
        sender: u32,
        tag: u32,
        bytes: u64,
    ) -> c_int;
    pub fn pgas_otf2_collective_begin(archive: *mut Archive, time: u64) -> c_int;
    pub fn pgas_otf2_collective_end(
        archive: *mut Archive,
        time: u64,
        collective: u32,
        synchronises: u32,
        root: u32,
        sent: u64,
        received: u64,
    ) -> c_int;
    pub fn pgas_otf2_on_off(archive: *mut Archive, time: u64, on: c_int) -> c_int;

    pub fn pgas_otf2_begin_definitions(
        archive: *mut Archive,
        locations: u64,
        ticks_per_second: u64,
        first: u64,
        length: u64,
        unix_nanoseconds: u64,
    ) -> c_int;
    pub fn pgas_otf2_string(archive: *mut Archive, id: u32, text: *const c_char) -> c_int;
    pub fn pgas_otf2_paradigm(archive: *mut Archive, paradigm: u32, name: u32) -> c_int;
    pub fn pgas_otf2_attribute(
        archive: *mut Archive,
        id: u32,
        name: u32,
        description: u32,
        kind: u32,
    ) -> c_int;
    pub fn pgas_otf2_tree_node(
        archive: *mut Archive,
        id: u32,
        name: u32,
        class: u32,
        parent: u32,
    ) -> c_int;
    pub fn pgas_otf2_thread(
        archive: *mut Archive,
        thread: u32,
        name: u32,
        node: u32,
        events: u64,
    ) -> c_int;
    pub fn pgas_otf2_region(
        archive: *mut Archive,
        id: u32,
        name: u32,
        role: u32,
        paradigm: u32,
        file: u32,
        line: u32,
    ) -> c_int;
    pub fn pgas_otf2_place(archive: *mut Archive, id: u32, file: u32, line: u32) -> c_int;
    pub fn pgas_otf2_window(
        archive: *mut Archive,
        name: u32,
        paradigm: u32,
        threads: u32,
        members: *const u64,
    ) -> c_int;
}
