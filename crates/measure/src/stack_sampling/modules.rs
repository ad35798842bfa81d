//! Modules that samples are in. The unwinder gets their unwind information, and the trace their
//! addresses, names, and build ids.

use std::sync::Arc;

use framehop::ExplicitModuleSectionInfo;
use pgas_trace_format::model;

use super::unwind::{Module, Section, StackUnwinder};
use crate::modules::{Changes, Found, look};

/// Modules that are mapped, as far as that is known.
#[derive(Default)]
pub(crate) struct Modules {
    /// By address.
    known: Vec<Known>,
    changes: Option<Changes>,
}

struct Known {
    module: model::Module,
    is_reported: bool,
}

impl Modules {
    /// Finds out what was loaded and unloaded since the last time.
    pub(crate) fn update(&mut self, unwinder: &mut StackUnwinder) {
        let Some((changes, all)) = look(self.changes) else {
            return;
        };
        self.changes = Some(changes);
        let is_there = |known: &Known| all.iter().any(|found| found.module == known.module);
        self.known.retain(|known| {
            let stays = is_there(known);
            if !stays {
                unwinder.remove(known.module.start);
            }
            stays
        });
        for found in all {
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
