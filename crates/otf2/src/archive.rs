//! An OTF2 archive that is being written, without anything unsafe for those who use it.

use std::ffi::{CStr, CString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

use crate::error::Error;
use crate::ffi;

/// No string, line, thread or parent.
pub const NONE: u32 = u32::MAX;

/// A record of a location's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    Enter {
        region: u32,
    },
    Leave {
        region: u32,
    },
    /// `number` is one that no other transfer of this thread under way has.
    Put {
        remote: u32,
        bytes: u64,
        number: u64,
    },
    Get {
        remote: u32,
        bytes: u64,
        number: u64,
    },
    /// The transfer with that number has been done.
    Complete {
        number: u64,
        blocking: bool,
    },
    RequestLock {
        lock: u64,
    },
    AcquireLock {
        lock: u64,
    },
    /// An attempt that was not successful.
    TryLock {
        lock: u64,
    },
    ReleaseLock {
        lock: u64,
    },
    /// A message to that thread; receivers match it by the two threads and the tag.
    Send {
        receiver: u32,
        tag: u32,
        bytes: u64,
    },
    Receive {
        sender: u32,
        tag: u32,
        bytes: u64,
    },
    CollectiveBegin,
    CollectiveEnd {
        collective: Collective,
        synchronises: Synchronises,
        root: Option<u32>,
        sent: u64,
        received: u64,
    },
    /// From here on events are missing, or are not.
    OnOff {
        on: bool,
    },
}

/// Kinds of collective operations; the order is that of `collectives` in `c/shim.c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Collective {
    Barrier,
    Broadcast,
    Scatter,
    Gather,
    AllGather,
    AllToAll,
    Reduce,
    Scan,
    Allocate,
    Deallocate,
    CreateHandle,
    DestroyHandle,
}

/// Scope of a collective operation's synchronisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Synchronises {
    Nothing = 0,
    Memory = 2,
    ProcessesAndMemory = 3,
}

/// Role of a region; the order is that of `roles` in `c/shim.c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Role {
    Function,
    Code,
    Loop,
    Artificial,
    Barrier,
    Flush,
    Allocate,
    Deallocate,
    Reallocate,
    Critical,
    Rma,
    OneToAll,
    AllToOne,
    AllToAll,
    OtherCollective,
    FileIo,
    Atomic,
    PointToPoint,
}

/// Where a region comes from; the order is that of `paradigms` in `c/shim.c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Paradigm {
    Compiler,
    User,
    Upc,
    Shmem,
    Mpi,
    /// OTF2 has none for coarrays: it is defined as an unknown one with their name.
    Coarrays,
    Measurement,
}

/// Types of attributes; the order is that of `types` in `c/shim.c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum AttributeType {
    Place,
    Int32,
    Uint64,
    String,
}

/// The value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    Place(u32),
    Int32(i32),
    Uint64(u64),
    String(u32),
}

/// Begins with the events of one location after the other; [`Archive::begin_definitions`] ends
/// that.
#[derive(Debug)]
pub struct Archive {
    raw: NonNull<ffi::Archive>,
    path: PathBuf,
}

impl Archive {
    /// Begins the archive `traces.otf2` in the directory `path`.
    ///
    /// # Errors
    /// [`Error::Library`], as of everything here.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let directory = text(path.as_os_str().as_bytes());
        let (name, creator) = (
            c"traces",
            text(concat!("pgastool ", env!("CARGO_PKG_VERSION")).as_bytes()),
        );
        // SAFETY: three strings that end in NUL and live until the call returns; the library copies
        // them.
        let raw =
            unsafe { ffi::pgas_otf2_open(directory.as_ptr(), name.as_ptr(), creator.as_ptr()) };
        match NonNull::new(raw) {
            Some(raw) => Ok(Archive {
                raw,
                path: path.to_owned(),
            }),
            None => Err(Error::Library {
                path: path.to_owned(),
                action: "create an archive",
                reason: "the archive cannot be opened".to_owned(),
            }),
        }
    }

    pub fn begin_location(&mut self, thread: u32) -> Result<(), Error> {
        // SAFETY: see `raw`.
        let code = unsafe { ffi::pgas_otf2_begin_location(self.raw(), thread.into()) };
        self.check(code, "begin a location")
    }

    /// Ends the location that was begun; how many events it has.
    pub fn end_location(&mut self) -> Result<u64, Error> {
        let mut events = 0;
        // SAFETY: see `raw`; the number is written before the call returns.
        let code = unsafe { ffi::pgas_otf2_end_location(self.raw(), &mut events) };
        self.check(code, "write events")?;
        Ok(events)
    }

    /// Gives the next event an attribute.
    pub fn attribute(&mut self, id: u32, value: Value) -> Result<(), Error> {
        let raw = self.raw();
        // SAFETY: see `raw`.
        let code = unsafe {
            match value {
                Value::Place(place) => ffi::pgas_otf2_attribute_place(raw, id, place),
                Value::Int32(value) => ffi::pgas_otf2_attribute_int32(raw, id, value),
                Value::Uint64(value) => ffi::pgas_otf2_attribute_uint64(raw, id, value),
                Value::String(string) => ffi::pgas_otf2_attribute_string(raw, id, string),
            }
        };
        self.check(code, "write an attribute")
    }

    /// An event of the location that was begun, with the attributes given before.
    pub fn event(&mut self, time: u64, record: &Record) -> Result<(), Error> {
        let raw = self.raw();
        // SAFETY: see `raw`; a location was begun, which `write` sees to, or the library refuses
        // the event.
        let code = unsafe {
            match *record {
                Record::Enter { region } => ffi::pgas_otf2_enter(raw, time, region),
                Record::Leave { region } => ffi::pgas_otf2_leave(raw, time, region),
                Record::Put {
                    remote,
                    bytes,
                    number,
                } => ffi::pgas_otf2_put(raw, time, remote, bytes, number),
                Record::Get {
                    remote,
                    bytes,
                    number,
                } => ffi::pgas_otf2_get(raw, time, remote, bytes, number),
                Record::Complete { number, blocking } => {
                    ffi::pgas_otf2_complete(raw, time, number, blocking.into())
                }
                Record::RequestLock { lock } => ffi::pgas_otf2_request_lock(raw, time, lock),
                Record::AcquireLock { lock } => ffi::pgas_otf2_acquire_lock(raw, time, lock),
                Record::TryLock { lock } => ffi::pgas_otf2_try_lock(raw, time, lock),
                Record::ReleaseLock { lock } => ffi::pgas_otf2_release_lock(raw, time, lock),
                Record::Send {
                    receiver,
                    tag,
                    bytes,
                } => ffi::pgas_otf2_send(raw, time, receiver, tag, bytes),
                Record::Receive { sender, tag, bytes } => {
                    ffi::pgas_otf2_receive(raw, time, sender, tag, bytes)
                }
                Record::CollectiveBegin => ffi::pgas_otf2_collective_begin(raw, time),
                Record::CollectiveEnd {
                    collective,
                    synchronises,
                    root,
                    sent,
                    received,
                } => ffi::pgas_otf2_collective_end(
                    raw,
                    time,
                    collective as u32,
                    synchronises as u32,
                    root.unwrap_or(NONE),
                    sent,
                    received,
                ),
                Record::OnOff { on } => ffi::pgas_otf2_on_off(raw, time, on.into()),
            }
        };
        self.check(code, "write events")
    }

    /// Ends the events of all locations. `length` is in ticks.
    pub fn begin_definitions(
        &mut self,
        locations: u32,
        ticks_per_second: u64,
        first_tick: u64,
        length: u64,
        unix_nanoseconds: u64,
    ) -> Result<(), Error> {
        // SAFETY: see `raw`.
        let code = unsafe {
            ffi::pgas_otf2_begin_definitions(
                self.raw(),
                locations.into(),
                ticks_per_second,
                first_tick,
                length,
                unix_nanoseconds,
            )
        };
        self.check(code, "write definitions")
    }

    pub fn string(&mut self, id: u32, string: &str) -> Result<(), Error> {
        let string = text(string.as_bytes());
        // SAFETY: see `raw`; the string ends in NUL and lives until the call returns; the library
        // copies it.
        let code = unsafe { ffi::pgas_otf2_string(self.raw(), id, string.as_ptr()) };
        self.check(code, "write definitions")
    }

    pub fn paradigm(&mut self, paradigm: Paradigm, name: u32) -> Result<(), Error> {
        // SAFETY: see `raw`.
        let code = unsafe { ffi::pgas_otf2_paradigm(self.raw(), paradigm as u32, name) };
        self.check(code, "write definitions")
    }

    pub fn define_attribute(
        &mut self,
        id: u32,
        name: u32,
        description: u32,
        kind: AttributeType,
    ) -> Result<(), Error> {
        // SAFETY: see `raw`.
        let code =
            unsafe { ffi::pgas_otf2_attribute(self.raw(), id, name, description, kind as u32) };
        self.check(code, "write definitions")
    }

    pub fn tree_node(&mut self, id: u32, name: u32, class: u32, parent: u32) -> Result<(), Error> {
        // SAFETY: see `raw`.
        let code = unsafe { ffi::pgas_otf2_tree_node(self.raw(), id, name, class, parent) };
        self.check(code, "write definitions")
    }

    pub fn thread(&mut self, thread: u32, name: u32, node: u32, events: u64) -> Result<(), Error> {
        // SAFETY: see `raw`.
        let code = unsafe { ffi::pgas_otf2_thread(self.raw(), thread, name, node, events) };
        self.check(code, "write definitions")
    }

    pub fn region(
        &mut self,
        id: u32,
        name: u32,
        role: Role,
        paradigm: Paradigm,
        (file, line): (u32, u32),
    ) -> Result<(), Error> {
        let (role, paradigm) = (role as u32, paradigm as u32);
        // SAFETY: see `raw`.
        let code =
            unsafe { ffi::pgas_otf2_region(self.raw(), id, name, role, paradigm, file, line) };
        self.check(code, "write definitions")
    }

    pub fn place(&mut self, id: u32, (file, line): (u32, u32)) -> Result<(), Error> {
        // SAFETY: see `raw`.
        let code = unsafe { ffi::pgas_otf2_place(self.raw(), id, file, line) };
        self.check(code, "write definitions")
    }

    /// The window, number 0, of the memory that all threads share.
    pub fn window(&mut self, name: u32, paradigm: Paradigm, threads: u32) -> Result<(), Error> {
        let members: Vec<u64> = (0..threads.into()).collect();
        // SAFETY: see `raw`; there are as many members as threads, and the library copies them.
        let code = unsafe {
            let paradigm = paradigm as u32;
            ffi::pgas_otf2_window(self.raw(), name, paradigm, threads, members.as_ptr())
        };
        self.check(code, "write definitions")
    }

    /// Completes the archive.
    pub fn close(self) -> Result<(), Error> {
        let raw = self.raw();
        let archive = std::mem::ManuallyDrop::new(self);
        // SAFETY: see `raw`; `drop`, which would close it again, does not run.
        let code = unsafe { ffi::pgas_otf2_close(raw) };
        archive.check(code, "complete the archive")
    }

    /// The archive of the library: it lives as long as this value, and only this value, which is in
    /// one thread, uses it.
    fn raw(&self) -> *mut ffi::Archive {
        self.raw.as_ptr()
    }

    fn check(&self, code: c_int, action: &'static str) -> Result<(), Error> {
        match code {
            0 => Ok(()),
            code => Err(Error::Library {
                path: self.path.clone(),
                action,
                reason: description(code),
            }),
        }
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        // SAFETY: see `raw`; nothing uses the archive after this. Its error would come second:
        // something failed already.
        unsafe { ffi::pgas_otf2_close(self.raw()) };
    }
}

fn description(code: c_int) -> String {
    // SAFETY: takes any number; the library returns a string that lives for ever, or NULL.
    let described: *const c_char = unsafe { ffi::pgas_otf2_describe(code) };
    if described.is_null() {
        return format!("error {code}");
    }
    // SAFETY: it is not NULL, ends in NUL and is not changed.
    unsafe { CStr::from_ptr(described) }
        .to_string_lossy()
        .into_owned()
}

/// As a string of C, up to its first NUL.
fn text(bytes: &[u8]) -> CString {
    let bytes = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    CString::new(bytes).unwrap_or_default()
}
