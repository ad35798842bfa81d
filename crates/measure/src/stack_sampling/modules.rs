//! Modules of the process: the program, its shared libraries, and what it loads later. The unwinder
//! gets their unwind information, and the trace their addresses, names, and build ids.

use std::ffi::{CStr, c_void};
use std::fmt::Write;
use std::sync::Arc;

use framehop::ExplicitModuleSectionInfo;
use pgas_trace_format::model;

use super::unwind::{Module, Section, StackUnwinder};

/// Modules that are mapped, as far as that is known.
#[derive(Default)]
pub(crate) struct Modules {
    /// By address.
    known: Vec<Known>,
    /// How many were ever loaded and unloaded.
    changes: Option<(u64, u64)>,
}

struct Known {
    module: model::Module,
    is_reported: bool,
}

impl Modules {
    /// Finds out what was loaded and unloaded since the last time.
    pub(crate) fn update(&mut self, unwinder: &mut StackUnwinder) {
        let mut look = Look {
            before: self.changes,
            changes: None,
            is_complete: false,
            found: Vec::new(),
        };
        // SAFETY: the callback gets what it was made for.
        let result = unsafe { libc::dl_iterate_phdr(Some(see), (&raw mut look).cast()) };
        if result != 0 || !look.is_complete {
            return;
        }
        self.changes = look.changes;
        let is_there = |known: &Known| look.found.iter().any(|found| found.module == known.module);
        self.known.retain(|known| {
            let stays = is_there(known);
            if !stays {
                unwinder.remove(known.module.start);
            }
            stays
        });
        for found in look.found {
            if self.known.iter().any(|known| known.module == found.module) {
                continue;
            }
            if let Some(module) = found.unwinding() {
                unwinder.add(module);
            }
            self.known.push(Known {
                module: found.module,
                is_reported: false,
            });
        }
        self.known.sort_by_key(|known| known.module.start);
    }

    /// The modules of these addresses that were not asked for before.
    pub(crate) fn newly_used(
        &mut self,
        addresses: impl Iterator<Item = u64>,
    ) -> Vec<model::Module> {
        let mut last = 0..0;
        let mut modules = Vec::new();
        for address in addresses {
            if last.contains(&address) {
                continue;
            }
            let after = self
                .known
                .partition_point(|known| known.module.start <= address);
            let Some(known) = after.checked_sub(1).map(|index| &mut self.known[index]) else {
                continue;
            };
            if address >= known.module.end {
                continue;
            }
            last = known.module.start..known.module.end;
            if !known.is_reported {
                known.is_reported = true;
                modules.push(known.module.clone());
            }
        }
        modules
    }
}

/// State of a walk over all modules.
struct Look {
    before: Option<(u64, u64)>,
    changes: Option<(u64, u64)>,
    /// There were changes, and all modules were seen.
    is_complete: bool,
    found: Vec<Found>,
}

struct Found {
    module: model::Module,
    /// It stays as long as the process.
    is_permanent: bool,
    /// Address and bytes of `.eh_frame_hdr`.
    header: Option<(u64, u64)>,
    /// Beginning and end of each segment that is mapped, in memory.
    segments: Vec<(u64, u64)>,
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
    name.to_string_lossy().into_owned()
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

impl Found {
    /// What the unwinder needs; `None` if the module has no unwind information of the usual form.
    fn unwinding(&self) -> Option<Module> {
        let (header, header_length) = self.header?;
        // SAFETY: the header is mapped, and readable like all of its segment.
        let bytes =
            unsafe { std::slice::from_raw_parts(header as *const u8, header_length as usize) };
        // Version 1; the address of `.eh_frame` is a signed distance of four bytes from its field.
        let frames = match bytes {
            [1, 0x1b, _, _, distance @ ..] => {
                let distance = i32::from_ne_bytes(*distance.first_chunk()?);
                header.wrapping_add(4).wrapping_add_signed(distance.into())
            }
            _ => return None,
        };
        let mut segments = self.segments.iter();
        let (_, end) = segments.find(|segment| segment.0 <= frames && frames < segment.1)?;
        // Its end is where a length of zero stands, at the latest at the end of its segment.
        let module = &self.module;
        let at =
            |begin: u64, end: u64| begin.wrapping_sub(module.bias)..end.wrapping_sub(module.bias);
        let sections = ExplicitModuleSectionInfo {
            base_svma: module.start.wrapping_sub(module.bias),
            eh_frame_svma: Some(at(frames, *end)),
            eh_frame: Some(self.section(frames, *end)),
            eh_frame_hdr_svma: Some(at(header, header + header_length)),
            eh_frame_hdr: Some(self.section(header, header + header_length)),
            ..ExplicitModuleSectionInfo::default()
        };
        let range = module.start..module.end;
        Some(Module::new(String::new(), range, module.start, sections))
    }

    /// Mapped bytes of the module.
    fn section(&self, begin: u64, end: u64) -> Section {
        // SAFETY: the range lies within a segment, which is mapped as long as the module is.
        let bytes: &'static [u8] =
            unsafe { std::slice::from_raw_parts(begin as *const u8, (end - begin) as usize) };
        match self.is_permanent {
            true => Section::InPlace(bytes),
            false => Section::Copy(Arc::from(bytes)),
        }
    }
}
