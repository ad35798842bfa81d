//! The note that every object carries about how it was compiled, in a section that the linker
//! leaves out of programs. A link reads the notes of all objects, so that objects for different
//! numbers of threads do not meet in a program.

use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};
use pgas_filter::{Follower, NOTE_NAME, NOTE_SECTION, NOTE_TYPE, Neighbour, Unseen};
use pgas_instrument::network::Network;

use crate::request::Request;

const SECTION: &str = ".pgas_unit";

/// How one source file was compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitNote {
    /// The object, or `archive(member)`.
    pub object: String,
    /// `None` if the number is chosen at start.
    pub threads: Option<u32>,
    /// Objects of versions without networks are for one machine.
    pub network: Network,
    /// With `-inst`.
    pub instrumented: bool,
    /// With `-fupc-check`.
    pub checked: bool,
}

/// C that puts the note into an object.
pub fn source(request: &Request) -> String {
    let threads = request
        .threads
        .map_or("dynamic".to_string(), |n| n.to_string());
    let yes_or_no = |is: bool| if is { "yes" } else { "no" };
    let instrumented = yes_or_no(request.instrument);
    let checked = yes_or_no(request.check);
    let network = request.network().word();
    // "e" is the flag that excludes a section from what is linked.
    format!(
        "__asm__(\".pushsection {SECTION},\\\"e\\\"\\n\\t.string \
         \\\"threads={threads};instrumented={instrumented};checked={checked};network={network};\\\"\\n\\t.\
         popsection\");\n"
    )
}

/// C that leaves an ELF note of what the unit does to shared data without reporting it, in the
/// object and in every program and library that it becomes a part of. The recorder reads it there.
pub fn unseen_source(unseen: &pgas_upc::Unseen) -> String {
    let unseen = unseen.clone();
    let unseen = Unseen {
        units: 1,
        uninstrumented: unseen.uninstrumented,
        switched_off: unseen.switched_off,
        filtered: unseen.filtered,
        own: unseen.own,
        cast: unseen.cast,
        call: unseen.call,
        neighbours: unseen
            .neighbours
            .into_iter()
            .map(|(place, distance)| Neighbour { place, distance })
            .collect(),
        followers: unseen
            .followers
            .into_iter()
            .map(|(place, array)| Follower { place, array })
            .collect(),
        direct: unseen.direct,
        counted_at_end: unseen.counted_at_end,
    };
    let name = String::from_utf8_lossy(NOTE_NAME.strip_suffix(b"\0").unwrap_or(NOTE_NAME));
    let text = escaped(&unseen.to_string());
    format!(
        "__asm__(\".pushsection {NOTE_SECTION},\\\"a\\\",%note\\n\\t.balign 4\\n\\t.long \
         {}\\n\\t\"\n\".long 2f-1f\\n\\t.long {NOTE_TYPE}\\n\\t.string \
         \\\"{name}\\\"\\n\\t.balign 4\\n\"\n\"1:\\t.string \\\"{text}\\\"\\n2:\\t.balign \
         4\\n\\t.popsection\");\n",
        NOTE_NAME.len()
    )
}

/// Text as it stands in a string of the assembler in a string of C.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.replace('\0', " ").bytes() {
        match byte {
            b' ' | b'*' | b'.' | b'/' | b'_' => escaped.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => escaped.push(char::from(byte)),
            // Once for C, and what is left for the assembler.
            byte => escaped.push_str(&format!("\\\\{byte:03o}")),
        }
    }
    escaped
}

/// C that leaves the rules of a filter in an object and in the program that it becomes a part of,
/// where equal ones fall together: the file's name, a line feed, its text.
pub fn filter_source(name: &str, text: &str) -> String {
    let escaped = escaped(&format!("{name}\n{text}"));
    format!(
        "__asm__(\".pushsection {},\\\"MS\\\",%progbits,1\\n\\t.string \
         \\\"{escaped}\\\"\\n\\t.popsection\");\n",
        pgas_instrument::program::FILTER_SECTION
    )
}

/// C that leaves the digests of all files that a unit was made of in an object and in the program
/// that it becomes a part of, where equal ones fall together.
pub fn sources_source(digests: &[String]) -> String {
    if digests.is_empty() {
        return String::new();
    }
    let strings = digests
        .iter()
        .map(|digest| format!("\"\\t.string \\\"{digest}\\\"\\n\"\n"));
    format!(
        "__asm__(\".pushsection {},\\\"MS\\\",%progbits,1\\n\"\n{}\"\\t.popsection\");\n",
        pgas_instrument::program::SOURCES_SECTION,
        strings.collect::<String>()
    )
}

/// The notes in an object or archive; none in files of other kinds, and in what other compilers
/// made.
pub fn read(path: &Path) -> Vec<UnitNote> {
    let Ok(bytes) = fs::read(path) else {
        return Vec::new();
    };
    let name = path.display().to_string();
    if let Ok(archive) = ArchiveFile::parse(&*bytes) {
        return archive
            .members()
            .filter_map(Result::ok)
            .filter_map(|member| {
                let content = member.data(&*bytes).ok()?;
                let label = format!("{name}({})", String::from_utf8_lossy(member.name()));
                Some(of_object(content, &label))
            })
            .flatten()
            .collect();
    }
    of_object(&bytes, &name)
}

/// Whether an object has shared data in it, or pointers-to-shared that are set before `main`.
pub fn has_shared_data(path: &Path) -> bool {
    let Ok(bytes) = fs::read(path) else {
        return false;
    };
    object::File::parse(&*bytes).is_ok_and(|file| {
        ["upcr_objects", "upcr_init_private"]
            .iter()
            .any(|name| file.section_by_name(name).is_some_and(|s| s.size() > 0))
    })
}

fn of_object(bytes: &[u8], label: &str) -> Vec<UnitNote> {
    let Some(section) = object::File::parse(bytes).ok().and_then(|file| {
        file.section_by_name(SECTION)?
            .data()
            .map(<[u8]>::to_vec)
            .ok()
    }) else {
        return Vec::new();
    };
    // An object joined from several (ld -r) has several notes.
    section
        .split(|&b| b == 0)
        .filter_map(|text| parse(std::str::from_utf8(text).ok()?, label))
        .collect()
}

fn parse(text: &str, label: &str) -> Option<UnitNote> {
    let value = |key: &str| {
        text.split(';')
            .find_map(|field| field.strip_prefix(key)?.strip_prefix('='))
    };
    Some(UnitNote {
        object: label.to_string(),
        threads: match value("threads")? {
            "dynamic" => None,
            number => Some(number.parse().ok()?),
        },
        network: match value("network") {
            None => Network::Smp,
            Some(word) => Network::parse(word).ok()?,
        },
        instrumented: value("instrumented")? == "yes",
        checked: value("checked") == Some("yes"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_and_anything_else_is_not() {
        assert_eq!(
            parse("threads=4;instrumented=yes;", "a.o"),
            Some(UnitNote {
                object: "a.o".into(),
                threads: Some(4),
                network: Network::Smp,
                instrumented: true,
                checked: false
            })
        );
        assert_eq!(
            parse("threads=dynamic;instrumented=no;", "a.o")
                .unwrap()
                .threads,
            None
        );
        assert_eq!(
            parse("threads=4;instrumented=yes;checked=no;network=mpi;", "a.o")
                .unwrap()
                .network,
            Network::Mpi
        );
        assert_eq!(parse("threads=many;instrumented=no;", "a.o"), None);
        assert_eq!(parse("", "a.o"), None);
        assert!(read(Path::new("/nonexistent")).is_empty());
        assert!(read(Path::new("/proc/self/exe")).is_empty());
    }
}
