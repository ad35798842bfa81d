//! Calls of MPI from Fortran in a link's objects and libraries, as their symbols show.

use crate::invocation::Invocation;
use crate::model::context;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Symbols of objects that the compiler makes code from only when it links, each after a zero byte.
const LATE_SYMBOLS: &str = ".gnu.lto_.symtab";
/// Endings of source files that compilers take for Fortran, in small letters.
const SOURCES: [&str; 8] = ["f", "for", "ftn", "fpp", "f90", "f95", "f03", "f08"];

/// Calls that a link may have.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FortranCalls {
    /// Symbols of the functions that objects and libraries call, such as `mpi_send_`.
    pub symbols: BTreeSet<String>,
    /// The command compiles files of Fortran, too, whose calls are not known.
    pub has_sources: bool,
}

impl FortranCalls {
    /// Looks into what the link with these `arguments` names, and into libraries in directories that
    /// it names.
    pub fn of(arguments: &[OsString], invocation: &Invocation) -> Self {
        let mut found = Self::default();
        let libraries = named_libraries(arguments);
        let files = invocation.files.iter().map(PathBuf::from);
        for file in files.chain(libraries) {
            found.has_sources |= is_source(&file);
            if let Ok(bytes) = fs::read(&file) {
                found.add(&bytes);
            }
        }
        found
    }

    fn add(&mut self, bytes: &[u8]) {
        let Ok(archive) = ArchiveFile::parse(bytes) else {
            self.add_object(bytes);
            return;
        };
        for member in archive.members().flatten() {
            if let Ok(bytes) = member.data(bytes) {
                self.add_object(bytes);
            }
        }
    }

    fn add_object(&mut self, bytes: &[u8]) {
        let Ok(file) = object::File::parse(bytes) else {
            return;
        };
        let symbols = file.symbols().chain(file.dynamic_symbols());
        for symbol in symbols.filter(ObjectSymbol::is_undefined) {
            self.add_name(symbol.name_bytes().unwrap_or_default());
        }
        let is_late = |name: &str| name.starts_with(LATE_SYMBOLS);
        let sections = file.sections();
        for section in sections.filter(|section| section.name().is_ok_and(is_late)) {
            let data = section.uncompressed_data().unwrap_or_default();
            data.split(|&byte| byte == 0)
                .for_each(|name| self.add_name(name));
        }
    }

    fn add_name(&mut self, name: &[u8]) {
        if name.starts_with(b"mpi_") && name.ends_with(b"_") {
            self.symbols
                .insert(String::from_utf8_lossy(name).into_owned());
        }
    }
}

fn is_source(file: &Path) -> bool {
    let ending = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    SOURCES.contains(&&*ending.to_lowercase())
}

/// Files of libraries `-lNAME` in directories `-LDIRECTORY`.
fn named_libraries(arguments: &[OsString]) -> Vec<PathBuf> {
    let words = context::of(arguments);
    let pairs = words.iter().zip(words.iter().skip(1));
    let directories = pairs.filter(|(option, _)| *option == "-L");
    let directories: Vec<&Path> = directories.map(|(_, path)| Path::new(path)).collect();
    let names = words
        .iter()
        .filter_map(|word| word.to_str()?.strip_prefix("-l"));
    let files = names.filter_map(|name| {
        let candidates = directories.iter().flat_map(|directory| {
            [".so", ".a"].map(|ending| directory.join(format!("lib{name}{ending}")))
        });
        candidates.into_iter().find(|path| path.is_file())
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn calls(line: &str, directory: &Path) -> FortranCalls {
        let place = directory.to_str().unwrap();
        let line = line.replace("DIR", place);
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        FortranCalls::of(&words, &Invocation::of_wrapper(&words))
    }

    #[test]
    fn objects_and_libraries_are_looked_into() {
        let directory = tempfile::tempdir().unwrap();
        let source = "extern void mpi_send_(void), mpi_win_free_f08_(void), MPI_Send(void);\n\
                      void mpi_own_(void) { mpi_send_(); mpi_win_free_f08_(); MPI_Send(); }\n";
        fs::write(directory.path().join("a.c"), source).unwrap();
        let run = |line: &str| {
            let mut words = line.split(' ');
            let mut command = Command::new(words.next().unwrap());
            let command = command.args(words).current_dir(directory.path());
            assert!(command.status().unwrap().success(), "{line}");
        };
        run("cc -c -fPIC a.c");
        run("ar rcs liba.a a.o");
        run("cc -shared -o libb.so a.o");
        run("cc -c -flto -fno-fat-lto-objects -o late.o a.c");
        let both = ["mpi_send_", "mpi_win_free_f08_"].map(String::from);
        for line in [
            "-o p main.o DIR/a.o",
            "-o p DIR/liba.a",
            "-o p main.o -LDIR -la",
            "-o p main.o -L DIR -lb",
        ] {
            let found = calls(line, directory.path());
            assert_eq!(found.symbols, both.clone().into(), "{line}");
            assert!(!found.has_sources);
        }
        let late = calls("-o p DIR/late.o", directory.path());
        assert!(
            both.iter().all(|name| late.symbols.contains(name)),
            "{late:?}"
        );
        assert!(calls("-o p part.F90 -lb", directory.path()).has_sources);
        assert_eq!(
            calls("-o p main.o -lb", directory.path()),
            FortranCalls::default()
        );
    }
}
