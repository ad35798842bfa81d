//! Operations of the program and its libraries on shared data that they do not report: joins the
//! notes that the compiler has left in them ([`Unseen`]).

use std::ffi::c_void;

use pgas_filter::{NOTE_NAME, NOTE_TYPE, Unseen};

/// Of all objects that are loaded now.
pub(crate) fn unseen() -> Unseen {
    let mut all = Unseen::default();
    // SAFETY: `collect` is called with the pointer to `all`, before `dl_iterate_phdr` returns.
    unsafe { libc::dl_iterate_phdr(Some(collect), (&raw mut all).cast()) };
    all
}

unsafe extern "C" fn collect(
    object: *mut libc::dl_phdr_info,
    _: libc::size_t,
    all: *mut c_void,
) -> libc::c_int {
    // SAFETY: as `unseen` and the loader call it: both are valid, and nobody else uses them
    // meanwhile.
    let (object, all) = unsafe { (&*object, &mut *all.cast::<Unseen>()) };
    if object.dlpi_phdr.is_null() {
        return 0;
    }
    // SAFETY: the loader's table of that many entries.
    let headers =
        unsafe { std::slice::from_raw_parts(object.dlpi_phdr, usize::from(object.dlpi_phnum)) };
    let notes = headers.iter().filter(|header| {
        header.p_type == libc::PT_NOTE && header.p_align <= 4 && header.p_memsz > 0
    });
    for header in notes {
        let begin = (object.dlpi_addr as usize).wrapping_add(header.p_vaddr as usize);
        // SAFETY: a segment of notes is mapped, for reading, as long as its object is loaded.
        let bytes =
            unsafe { std::slice::from_raw_parts(begin as *const u8, header.p_memsz as usize) };
        texts(bytes, &mut |text| all.add(&Unseen::parse(text)));
    }
    0
}

/// Calls `found` with the text of each note of ours in a segment of notes. A damaged note ends the
/// search.
fn texts(mut notes: &[u8], found: &mut dyn FnMut(&str)) {
    const HEADER: usize = 12;
    let rounded = |length: u32| (length as usize).checked_add(3).map(|length| length & !3);
    while let Some((header, rest)) = notes.split_at_checked(HEADER) {
        let field = |at: usize| {
            let bytes = header[at..at + 4].try_into().unwrap_or_default();
            u32::from_ne_bytes(bytes)
        };
        let (name, length, kind) = (field(0), field(4), field(8));
        let sizes = rounded(name).zip(rounded(length));
        let Some((name_room, room)) = sizes else {
            return;
        };
        let Some((name_bytes, rest)) = rest.split_at_checked(name_room) else {
            return;
        };
        let Some((description, rest)) = rest.split_at_checked(room) else {
            return;
        };
        if kind == NOTE_TYPE && name_bytes.get(..name as usize) == Some(NOTE_NAME) {
            let text = description.split(|&byte| byte == 0).next();
            found(&String::from_utf8_lossy(text.unwrap_or_default()));
        }
        notes = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(name: &[u8], kind: u32, description: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [name.len() as u32, description.len() as u32, kind] {
            bytes.extend(number.to_ne_bytes());
        }
        for part in [name, description] {
            bytes.extend(part);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        bytes
    }

    #[test]
    fn notes_of_ours_are_found_among_others() {
        let mut all = note(b"GNU\0", 3, b"0123456789");
        all.extend(note(NOTE_NAME, NOTE_TYPE, b"units=1;own=a.upc:2;\0"));
        all.extend(note(NOTE_NAME, 7, b"units=1;"));
        all.extend(note(NOTE_NAME, NOTE_TYPE, b"units=1;\0"));
        let mut found = Vec::new();
        texts(&all, &mut |text| found.push(text.to_owned()));
        assert_eq!(found, ["units=1;own=a.upc:2;", "units=1;"]);
        for length in 0..all.len() {
            texts(&all[..length], &mut |_| {});
        }
        texts(&[255; 64], &mut |_| {});
    }

    #[test]
    fn this_program_has_no_units() {
        assert_eq!(unseen(), Unseen::default());
    }
}
