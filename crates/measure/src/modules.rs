//! Modules of the process: the program, its shared libraries, and what it loads later, as the dynamic
//! linker knows them.

use std::ffi::{CStr, c_void};
use std::fmt::Write;

use pgas_trace_format::model;

/// How many modules were ever loaded and unloaded.
pub(crate) type Changes = (u64, u64);

/// All modules of the process; `None` if they are the same as at the time of `before`.
pub(crate) fn look(before: Option<Changes>) -> Option<(Changes, Vec<Found>)> {
    let mut look = Look {
        before,
        changes: None,
        is_complete: false,
        found: Vec::new(),
    };
    // SAFETY: the callback gets what it was made for.
    let result = unsafe { libc::dl_iterate_phdr(Some(see), (&raw mut look).cast()) };
    let is_news = result == 0 && look.is_complete;
    look.changes
        .filter(|_| is_news)
        .map(|changes| (changes, look.found))
}

/// State of a walk over all modules.
struct Look {
    before: Option<Changes>,
    changes: Option<Changes>,
    /// There were changes, and all modules were seen.
    is_complete: bool,
    found: Vec<Found>,
}

/// A module as it lies in memory.
pub(crate) struct Found {
    pub(crate) module: model::Module,
    /// It stays as long as the process.
    pub(crate) is_permanent: bool,
    /// Address and bytes of `.eh_frame_hdr`.
    pub(crate) header: Option<(u64, u64)>,
    /// Beginning and end of each segment that is mapped, in memory.
    pub(crate) segments: Vec<(u64, u64)>,
}

/// # Safety
/// Called by `dl_iterate_phdr`, with a [`Look`].
unsafe extern "C" fn see(
    info: *mut libc::dl_phdr_info,
    _: libc::size_t,
    look: *mut c_void,
) -> libc::c_int {
    // SAFETY: promised by the caller.
    let (info, look) = unsafe { (&*info, &mut *look.cast::<Look>()) };
    let changes = Some((info.dlpi_adds, info.dlpi_subs));
    if look.before.is_some() && look.before == changes {
        return 1;
    }
    look.changes = changes;
    look.is_complete = true;
    // SAFETY: the headers and the name are valid during the call.
    let found = unsafe { find(info, look.found.is_empty()) };
    look.found.extend(found);
    0
}

/// # Safety
/// `info` comes from `dl_iterate_phdr`.
unsafe fn find(info: &libc::dl_phdr_info, is_first: bool) -> Option<Found> {
    let count = usize::from(info.dlpi_phnum);
    if info.dlpi_phdr.is_null() || count == 0 {
        return None;
    }
    // SAFETY: promised by the caller.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, count) };
    // Names of the architecture's own size: 64 bits.
    let place = |header: &libc::Elf64_Phdr| {
        let begin = info.dlpi_addr.wrapping_add(header.p_vaddr);
        (begin, begin.wrapping_add(header.p_memsz))
    };
    let of_kind = |kind: u32| headers.iter().filter(move |header| header.p_type == kind);
    let segments: Vec<(u64, u64)> = of_kind(libc::PT_LOAD).map(place).collect();
    let start = segments.iter().map(|segment| segment.0).min()?;
    let end = segments.iter().map(|segment| segment.1).max()?;
    if end <= start {
        return None;
    }
    let is_mapped = |place: &(u64, u64)| {
        let mut segments = segments.iter();
        segments.any(|segment| segment.0 <= place.0 && place.1 <= segment.1)
    };
    let notes = of_kind(libc::PT_NOTE).map(place).filter(is_mapped);
    // SAFETY: the notes are mapped.
    let mut build_ids = notes.filter_map(|place| unsafe { build_id(place) });
    let build_id = build_ids.next().unwrap_or_default();
    let header = of_kind(libc::PT_GNU_EH_FRAME).map(place).find(is_mapped);
    // SAFETY: promised by the caller.
    let name = unsafe { name(info) };
    let path = match (name.as_str(), is_first) {
        ("", true) => std::fs::read_link("/proc/self/exe")
            .map(|path| path.to_string_lossy().into_owned())
            .unwrap_or_default(),
        _ => name,
    };
    // SAFETY: no pointers.
    let permanent = unsafe {
        [
            libc::getauxval(libc::AT_SYSINFO_EHDR),
            libc::getauxval(libc::AT_BASE),
            libc::getpid as *const () as u64,
        ]
    };
    let is_permanent = is_first || permanent.iter().any(|at| (start..end).contains(at));
    Some(Found {
        module: model::Module {
            start,
            end,
            bias: info.dlpi_addr,
            build_id,
            path,
        },
        is_permanent,
        header: header.map(|(begin, end)| (begin, end - begin)),
        segments,
    })
}

/// # Safety
/// `info` comes from `dl_iterate_phdr`.
unsafe fn name(info: &libc::dl_phdr_info) -> String {
    if info.dlpi_name.is_null() {
        return String::new();
    }
    // SAFETY: promised by the caller.
    let name = unsafe { CStr::from_ptr(info.dlpi_name) };
    absolute(name.to_string_lossy().into_owned())
}

/// The name of a library may be relative to the directory in which it was loaded. Names without
/// directories are of no files.
fn absolute(name: String) -> String {
    if name.starts_with('/') || !name.contains('/') {
        return name;
    }
    let path = std::env::current_dir().map(|directory| directory.join(&name));
    path.map_or(name, |path| path.to_string_lossy().into_owned())
}

/// The build id in a segment of notes.
///
/// # Safety
/// The range is mapped and readable.
unsafe fn build_id((begin, end): (u64, u64)) -> Option<String> {
    const BUILD_ID: u32 = 3;
    // SAFETY: promised by the caller.
    let mut notes =
        unsafe { std::slice::from_raw_parts(begin as *const u8, (end - begin) as usize) };
    loop {
        let word = |at: usize| Some(u32::from_ne_bytes(*notes.get(at..)?.first_chunk()?));
        let (name_length, length, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let name = notes.get(12..)?.get(..name_length)?;
        let at = 12 + name_length.next_multiple_of(4);
        let content = notes.get(at..)?.get(..length)?;
        if kind == BUILD_ID && name == b"GNU\0" {
            return Some(content.iter().fold(String::new(), |mut text, byte| {
                // Writing to a string cannot fail.
                let _ = write!(text, "{byte:02x}");
                text
            }));
        }
        notes = notes.get(at + length.next_multiple_of(4)..)?;
    }
}
