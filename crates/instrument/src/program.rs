//! The description that a compiled program carries: our compilers leave a note in the section
//! `.pgas_info` of the ELF file, such as
//! `compiler=embedded;threads=4;instrumented=yes;network=mpi;mpicc=/usr/bin/mpicc.openmpi;`.

use crate::network::Network;
use object::read::{Object, ObjectSection, ReadCache};
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Name of the section.
pub const SECTION: &str = ".pgas_info";

/// Section with the filters that parts of a program were compiled with.
pub const FILTER_SECTION: &str = ".pgas_filter";

/// Section with the digests of the files that parts of a program were compiled from.
pub const SOURCES_SECTION: &str = ".pgas_sources";

/// A longer note is not one of ours.
const LONGEST_NOTE: usize = 4096;

/// The note of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramInfo {
    /// [`crate::flavour::Table::id`] of the compiler.
    pub compiler: String,
    /// Number of threads that it was compiled for; `None` if that is said at its start.
    pub threads: Option<u32>,
    /// Whether it reports events to a recorder.
    pub instrumented: bool,
    /// The network that it was compiled for; `None` if it does not say, as programs of other
    /// compilers and those of older versions, which had none.
    pub network: Option<Network>,
    /// The `mpicc` that has linked it.
    pub mpicc: Option<PathBuf>,
    /// Filters that parts of it were compiled with.
    pub filters: Vec<CompiledFilter>,
    /// Digests (SHA-256, as hexadecimal digits) of the files that it was compiled from, each once.
    pub sources: Vec<String>,
}

/// A filter file, as it was when a program was compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledFilter {
    /// Its name, as it was given.
    pub name: String,
    /// Its text.
    pub rules: String,
}

/// Why a file is not a program that can be run here.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// There is no such file.
    #[error("there is no program `{}`", .0.display())]
    NotFound(PathBuf),
    /// The file cannot be read.
    #[error("cannot read `{}`: {}", path.display(), error)]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// From the system.
        error: std::io::Error,
    },
    /// Its permissions do not allow to run it, or it is a directory.
    #[error("`{}` is not an executable file", .0.display())]
    NotExecutable(PathBuf),
    /// It is a script or data.
    #[error("`{}` is not a compiled program (expected an ELF file, found {found})", path.display())]
    NotElf {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: String,
    },
    /// The ELF file or its note is damaged.
    #[error("`{}` is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage, with its offset where it is known.
        problem: String,
    },
}

/// A source in C that leaves a note in a program.
pub(crate) fn note_source(note: &str) -> String {
    format!(
        "__attribute__((section(\"{SECTION}\"), used)) static const char note[] =\n  \"{note}\";\n"
    )
}

/// The word of a note that says whether a program reports to a recorder.
pub(crate) fn instrumented_word(instrumented: bool) -> &'static str {
    match instrumented {
        true => "instrumented=yes;",
        false => "instrumented=no;",
    }
}

/// Reads the note of the program at `path`; `None` if it has none, as a program of another
/// compiler.
///
/// # Errors
/// If the file is missing, not executable, no ELF file, or damaged.
pub fn inspect(path: &Path) -> Result<Option<ProgramInfo>, ProgramError> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => ProgramError::NotFound(path.to_path_buf()),
        _ => ProgramError::Unreadable {
            path: path.to_path_buf(),
            error,
        },
    };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() || metadata.permissions().mode() & 0o111 == 0 {
        return Err(ProgramError::NotExecutable(path.to_path_buf()));
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let mut start = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(&mut file, 16), &mut start)
        .map_err(unreadable)?;
    if !start.starts_with(b"\x7fELF") {
        return Err(ProgramError::NotElf {
            path: path.to_path_buf(),
            found: if start.is_empty() {
                "an empty file".to_string()
            } else {
                format!("\"{}\"", start.escape_ascii())
            },
        });
    }
    let damaged = |problem: String| ProgramError::Damaged {
        path: path.to_path_buf(),
        problem,
    };
    // Reads the tables and our section alone: programs with debugging information can be large.
    let cache = ReadCache::new(file);
    let elf = object::File::parse(&cache).map_err(|error| damaged(error.to_string()))?;
    let Some(section) = elf.section_by_name(SECTION) else {
        return Ok(None);
    };
    let offset = section.file_range().map_or(0, |(offset, _)| offset);
    let note = section
        .data()
        .map_err(|error| damaged(format!("section {SECTION} at offset {offset}: {error}")))?;
    // A relocatable link may have put several notes behind one another; they stem from one command.
    let first = note.split(|&byte| byte == 0).find(|text| !text.is_empty());
    let filters = elf
        .section_by_name(FILTER_SECTION)
        .and_then(|section| section.data().ok())
        .map_or_else(Vec::new, compiled_filters);
    let sources = elf
        .section_by_name(SOURCES_SECTION)
        .and_then(|section| section.data().ok())
        .map_or_else(Vec::new, digests);
    first
        .filter(|text| text.len() <= LONGEST_NOTE)
        .and_then(|text| parse(std::str::from_utf8(text).ok()?))
        .map(|info| {
            Some(ProgramInfo {
                filters,
                sources,
                ..info
            })
        })
        .ok_or_else(|| {
            let shown = &note[..note.len().min(60)];
            damaged(format!(
                "section {SECTION} at offset {offset} has \"{}\", expected \
                 compiler=NAME;threads=N|dynamic;instrumented=yes|no;",
                shown.escape_ascii()
            ))
        })
}

/// Skips texts that are no digests.
fn digests(section: &[u8]) -> Vec<String> {
    let texts = section.split(|&byte| byte == 0);
    let mut found: Vec<String> = texts
        .filter(|text| text.len() == 64 && text.iter().all(u8::is_ascii_hexdigit))
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Each once, however often a linker has left it.
fn compiled_filters(section: &[u8]) -> Vec<CompiledFilter> {
    let mut found = Vec::new();
    for note in section.split(|&byte| byte == 0) {
        let text = String::from_utf8_lossy(note);
        if let Some((name, rules)) = text.split_once('\n') {
            let filter = CompiledFilter {
                name: name.to_string(),
                rules: rules.to_string(),
            };
            if !found.contains(&filter) {
                found.push(filter);
            }
        }
    }
    found
}

fn parse(note: &str) -> Option<ProgramInfo> {
    let value = |key: &str| {
        note.split(';')
            .filter_map(|pair| pair.split_once('='))
            .find_map(|(k, value)| (k.trim() == key).then_some(value.trim()))
    };
    Some(ProgramInfo {
        compiler: value("compiler")?.to_string(),
        threads: match value("threads")? {
            "dynamic" => None,
            number => Some(number.parse().ok().filter(|&n| n > 0)?),
        },
        instrumented: match value("instrumented")? {
            "yes" => true,
            "no" => false,
            _ => return None,
        },
        network: match value("network") {
            None => None,
            Some(word) => Some(Network::parse(word).ok()?),
        },
        mpicc: value("mpicc").map(PathBuf::from),
        filters: Vec::new(),
        sources: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read() {
        assert_eq!(
            parse("compiler=embedded;threads=4;instrumented=yes;"),
            Some(ProgramInfo {
                compiler: "embedded".into(),
                threads: Some(4),
                instrumented: true,
                network: None,
                mpicc: None,
                filters: Vec::new(),
                sources: Vec::new(),
            })
        );
        let over_mpi = parse(
            "compiler=embedded;threads=dynamic;instrumented=no;network=mpi;mpicc=/a b/mpicc;",
        )
        .unwrap();
        assert_eq!(over_mpi.network, Some(Network::Mpi));
        assert_eq!(over_mpi.mpicc.as_deref(), Some(Path::new("/a b/mpicc")));
        let dynamic = parse("compiler=berkeley;threads=dynamic;instrumented=no;").unwrap();
        assert_eq!((dynamic.threads, dynamic.instrumented), (None, false));
        for broken in [
            "",
            "compiler=embedded",
            "compiler=embedded;threads=0;instrumented=yes;",
            "compiler=embedded;threads=-1;instrumented=yes;",
            "compiler=embedded;threads=4;instrumented=maybe;",
            "compiler=embedded;threads=4;instrumented=yes;network=unheard-of;",
        ] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }

    #[test]
    fn programs_of_the_system_have_no_note() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(inspect(&own).unwrap(), None);
    }

    #[test]
    fn what_is_no_program_is_distinguished() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x");
        assert!(matches!(inspect(&path), Err(ProgramError::NotFound(_))));
        std::fs::write(&path, "#!/bin/sh\necho\n").unwrap();
        assert!(matches!(
            inspect(&path),
            Err(ProgramError::NotExecutable(_))
        ));
        let runnable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, runnable).unwrap();
        let script = inspect(&path).unwrap_err().to_string();
        assert!(
            script.contains("expected an ELF file, found \"#!/bin/sh"),
            "{script}"
        );
        assert!(matches!(
            inspect(directory.path()),
            Err(ProgramError::NotExecutable(_))
        ));
    }

    #[test]
    fn a_truncated_program_is_damaged_at_every_length() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cut");
        for length in [4, 16, 40, 64, 100, own.len() / 2] {
            std::fs::write(&path, &own[..length]).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            assert!(
                matches!(inspect(&path), Err(ProgramError::Damaged { .. })),
                "{length}"
            );
        }
    }
}
