//! Places that are known by an address of the code: as the dictionary keeps them while the program
//! runs, and as text once a site is defined for one.
//!
//! A dictionary knows strings by their addresses, and an address of the code stands in their place,
//! with a mark that no address of a user's process has. So the hot path is the same for both.

use std::ffi::c_char;
use std::sync::{Mutex, PoisonError};

use pgas_trace_format::code_address::CodeAddress;
use pgas_trace_format::model::Module;

use crate::modules::{Changes, look};

const MARK: usize = 1 << (usize::BITS - 1);
/// Bytes that looking for modules may take where there are many.
const NEEDED: usize = 256 << 10;

/// An address of the code in the place of a string.
#[inline(always)]
pub(crate) fn marked(address: usize) -> *const c_char {
    std::ptr::without_provenance(address | MARK)
}

/// The address of the code that stands in the place of a string; `None` for a string.
#[inline(always)]
pub(crate) fn address_of(text: *const c_char) -> Option<u64> {
    (text.addr() & MARK != 0).then(|| (text.addr() & !MARK) as u64)
}

/// The modules of the process, as far as they are known.
struct Modules {
    changes: Option<Changes>,
    all: Vec<Module>,
}

static MODULES: Mutex<Modules> = Mutex::new(Modules {
    changes: None,
    all: Vec::new(),
});

/// The file and the address in it that an address of the process belongs to; `None` if there is no
/// memory to find out.
#[cold]
pub(crate) fn place_of(address: u64) -> Option<CodeAddress> {
    if !crate::memory::has(NEEDED) {
        return None;
    }
    let mut modules = MODULES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((changes, found)) = look(modules.changes) {
        modules.changes = Some(changes);
        modules.all = found.into_iter().map(|found| found.module).collect();
    }
    let mut all = modules.all.iter();
    let module = all.find(|module| (module.start..module.end).contains(&address));
    Some(match module {
        Some(module) => CodeAddress {
            address: address.wrapping_sub(module.bias),
            build_id: module.build_id.clone(),
            path: module.path.clone(),
        },
        None => CodeAddress {
            address,
            build_id: String::new(),
            path: String::new(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_no_strings() {
        assert_eq!(address_of(c"text".as_ptr()), None);
        assert_eq!(address_of(std::ptr::null()), None);
        assert_eq!(address_of(marked(0x1234)), Some(0x1234));
    }

    #[test]
    fn code_is_in_the_program() {
        let function: fn() = addresses_are_no_strings;
        let text = place_of(function as usize as u64).unwrap().to_text();
        let program = std::env::current_exe().unwrap();
        assert!(text.ends_with(program.to_str().unwrap()), "{text}");
        assert_eq!(place_of(1).unwrap().to_text(), "0x1 - ");
    }
}
