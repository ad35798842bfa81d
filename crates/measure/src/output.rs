//! Where the bytes of a thread's stream go: into a file of the thread's own, or, in extents, into
//! one that all threads of the node share.
//!
//! Into a shared file every extent is written by one call, after everything that is there
//! (`O_APPEND`): the kernel of the node orders the calls of all its processes, so that no process
//! has to ask another. Bytes that are there are never taken back, since they may be another
//! process's; a reader skips a call that was cut off.
//!
//! The program may close descriptors that it does not know and open files of its own under their
//! numbers, so the file is looked at before every write: the recorder must never write into
//! somebody else's.

use std::ffi::{CStr, CString};
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use pgas_trace_format::extent::ExtentHeader;
use pgas_trace_format::names;
use pgas_trace_format::names::STREAMS;

use crate::clock::since_epoch;
use crate::descriptor::move_up;
use crate::files::Files;
use crate::node;
use crate::signals::without_signals;

/// The end of a stream in its file. All methods are called with signals blocked.
#[derive(Debug)]
pub(crate) enum Output {
    Own(Descriptor),
    Node {
        file: &'static Descriptor,
        /// The next extent, without its length.
        next: ExtentHeader,
    },
}

/// An open file, and what tells it from all others.
#[derive(Debug)]
pub(crate) struct Descriptor {
    path: PathBuf,
    number: AtomicI32,
    identity: Identity,
    /// Flags with which it is opened once more: nothing is made then.
    again: libc::c_int,
}

/// Device and number of the file on it.
type Identity = ((u32, u32), u64);

/// Files of nodes that this process has opened: one, except in tests. They stay open until the
/// process ends.
static OPEN: Mutex<Vec<&'static Descriptor>> = Mutex::new(Vec::new());

impl Output {
    /// Creates the file of `thread` in the experiment, where one that exists is left alone; or
    /// opens that of its node, which the first thread that comes makes.
    pub(crate) fn open(experiment: &Path, files: Files, thread: u32) -> Result<Self, String> {
        let streams = experiment.join(STREAMS);
        let shared = match files {
            Files::Node => node::own_kernel(thread),
            _ => None,
        };
        let Some(kernel) = shared else {
            let path = streams.join(names::of_thread(thread));
            return Descriptor::open(path, libc::O_EXCL).map(Output::Own);
        };
        let path = streams.join(names::of_node(&node::host_name(thread), &kernel));
        Ok(Output::Node {
            file: file_of_node(path)?,
            next: ExtentHeader {
                thread,
                process: std::process::id(),
                opened: since_epoch(),
                number: 0,
                stream_offset: 0,
                length: 0,
            },
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.descriptor().path
    }

    /// When the stream was opened, in nanoseconds since 1970, if others share the file.
    pub(crate) fn opened(&self) -> Option<u64> {
        match self {
            Output::Own(_) => None,
            Output::Node { next, .. } => Some(next.opened),
        }
    }

    fn descriptor(&self) -> &Descriptor {
        match self {
            Output::Own(file) => file,
            Output::Node { file, .. } => file,
        }
    }

    /// Appends `bytes`, which are those from `offset` on of the stream, whole or not at all.
    pub(crate) fn append(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        match self {
            Output::Own(file) => file.with_number(|number| {
                let result = write_all_at(number, bytes, offset);
                if result.is_err() {
                    // SAFETY: the descriptor is the recorder's own. If it fails, readers cope with
                    // a block cut short.
                    unsafe { libc::ftruncate(number, offset as libc::off_t) };
                }
                result
            }),
            Output::Node { file, next } => {
                let header = ExtentHeader {
                    length: bytes.len() as u64,
                    ..*next
                };
                let (begin, end) = (header.encode(), header.end_mark());
                file.with_number(|number| append_whole(number, [&begin, bytes, &end]))?;
                next.number += 1;
                next.stream_offset += header.length;
                Ok(())
            }
        }
    }

    /// Nothing more is written.
    pub(crate) fn close(&mut self) {
        if let Output::Own(file) = self {
            if file.is_ours() {
                // SAFETY: the descriptor is the recorder's own, and not used after this.
                unsafe { libc::close(file.number.load(Ordering::Relaxed)) };
            }
            file.number.store(-1, Ordering::Relaxed);
        }
    }
}

/// The file of that name, which this process opens once.
fn file_of_node(path: PathBuf) -> Result<&'static Descriptor, String> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = open.iter().find(|known| known.path == path) {
        return Ok(known);
    }
    let file: &'static Descriptor = Box::leak(Box::new(Descriptor::open(path, libc::O_APPEND)?));
    open.push(file);
    Ok(file)
}

impl Descriptor {
    fn open(path: PathBuf, flags: libc::c_int) -> Result<Self, String> {
        let failed = |error: io::Error| format!("{}: cannot create: {error}", path.display());
        let name =
            CString::new(path.as_os_str().as_bytes()).map_err(|error| failed(error.into()))?;
        let again = flags & libc::O_APPEND;
        let number = open_out_of_the_way(&name, flags | libc::O_CREAT).map_err(failed)?;
        let identity = identity_of(number).map_err(failed)?;
        Ok(Descriptor {
            path,
            number: number.into(),
            identity,
            again,
        })
    }

    /// Does something with a number that stands for the file. If the program has closed that, the
    /// file is opened once more, in a thread with descriptors of its own: programs that close
    /// all descriptors count on the numbers of the next ones.
    fn with_number(
        &self,
        work: impl FnOnce(libc::c_int) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        if self.is_ours() {
            return work(self.number.load(Ordering::Relaxed));
        }
        let closed = || io::Error::from_raw_os_error(libc::EBADF);
        let name = CString::new(self.path.as_os_str().as_bytes()).map_err(|_| closed())?;
        let elsewhere = move || {
            leave_descriptors()?;
            let number = open(&name, self.again)?;
            match identity_of(number)? == self.identity {
                true => work(number),
                false => Err(closed()),
            }
        };
        // The thread inherits the mask, so that signals for the program never end up there.
        without_signals(|| {
            std::thread::scope(|scope| {
                let thread = Builder::new().spawn_scoped(scope, elsewhere)?;
                thread.join().unwrap_or_else(|_| Err(closed()))
            })
        })
    }

    /// Whether the number still stands for the file.
    fn is_ours(&self) -> bool {
        identity_of(self.number.load(Ordering::Relaxed))
            .is_ok_and(|identity| identity == self.identity)
    }
}

/// From here on this thread has descriptors of its own, none at first. They are closed when it
/// ends.
///
/// # Errors
/// Before Linux 5.9.
fn leave_descriptors() -> io::Result<()> {
    // SAFETY: it changes only what numbers mean in this thread.
    let result = unsafe {
        libc::syscall(
            libc::SYS_close_range,
            0u32,
            u32::MAX,
            libc::CLOSE_RANGE_UNSHARE,
        )
    };
    match result {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Opens a file for writing where no program expects a descriptor.
fn open_out_of_the_way(name: &CStr, flags: libc::c_int) -> io::Result<libc::c_int> {
    open(name, flags).map(move_up)
}

fn open(name: &CStr, flags: libc::c_int) -> io::Result<libc::c_int> {
    let flags = flags | libc::O_WRONLY | libc::O_CLOEXEC | libc::O_NONBLOCK;
    // SAFETY: `name` is a C string.
    match unsafe { libc::open(name.as_ptr(), flags, 0o666) } {
        number if number < 0 => Err(io::Error::last_os_error()),
        number => Ok(number),
    }
}

/// Asked of the kernel alone: `fstat` would make a network file system write everything back first,
/// to know the file's times, and ask its server.
fn identity_of(descriptor: libc::c_int) -> io::Result<Identity> {
    // SAFETY: `found` is plain data for which zeros are valid, and valid for writing; the name is a
    // C string.
    let (result, found) = unsafe {
        let mut found: libc::statx = MaybeUninit::zeroed().assume_init();
        let flags = libc::AT_EMPTY_PATH | libc::AT_STATX_DONT_SYNC;
        let result = libc::syscall(
            libc::SYS_statx,
            descriptor,
            c"".as_ptr(),
            flags,
            libc::STATX_INO,
            &raw mut found,
        );
        (result, found)
    };
    if result == 0 {
        return Ok(((found.stx_dev_major, found.stx_dev_minor), found.stx_ino));
    }
    let error = io::Error::last_os_error();
    // Unknown before Linux 4.11, and forbidden by some containers.
    match error.raw_os_error() {
        Some(libc::ENOSYS | libc::EPERM) => identity_by_fstat(descriptor),
        _ => Err(error),
    }
}

fn identity_by_fstat(descriptor: libc::c_int) -> io::Result<Identity> {
    // SAFETY: `status` is plain data for which zeros are valid, and valid for writing.
    let status = unsafe {
        let mut status: libc::stat = MaybeUninit::zeroed().assume_init();
        if libc::fstat(descriptor, &mut status) != 0 {
            return Err(io::Error::last_os_error());
        }
        status
    };
    let device = (libc::major(status.st_dev), libc::minor(status.st_dev));
    Ok((device, status.st_ino))
}

/// Writes these parts behind one another by one call, at the end of a file that was opened for
/// appending. If there is room for some of it only, it is tried once more: that leaves an end
/// without its beginning and then says why.
fn append_whole(descriptor: libc::c_int, parts: [&[u8]; 3]) -> io::Result<()> {
    let vectors = parts.map(|part| libc::iovec {
        iov_base: part.as_ptr().cast_mut().cast(),
        iov_len: part.len(),
    });
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut cut_off = 0;
    while cut_off < 2 {
        // SAFETY: the vectors are those of `parts`, which are only read.
        let written =
            unsafe { libc::writev(descriptor, vectors.as_ptr(), vectors.len() as libc::c_int) };
        if written < 0 {
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        } else if written as usize == length {
            return Ok(());
        } else {
            cut_off += 1;
        }
    }
    Err(io::ErrorKind::WriteZero.into())
}

fn write_all_at(descriptor: libc::c_int, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        // SAFETY: pointer and length are those of `bytes`.
        let written = unsafe {
            libc::pwrite(
                descriptor,
                bytes.as_ptr().cast(),
                bytes.len(),
                offset as libc::off_t,
            )
        };
        match written {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            1.. => {
                bytes = &bytes[written as usize..];
                offset += written as u64;
            }
            _ => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}
