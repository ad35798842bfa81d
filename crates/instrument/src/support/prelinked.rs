//! The recorder, linked in advance. Its library has hundreds of objects, most of which no program
//! needs, and a linker goes through all of them for each program. So they are linked once to one
//! object with what the recorder uses, under no names but those of its interface: then a program
//! that has the same libraries keeps its own.

use super::workshop::{Failed, Workshop};
use super::{RECORDER, Shelves, SupportError, find, identity, put};
use pgas_cache::Trust;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// There only if the linker cannot do it; says what happened. Programs are linked with the library
/// as it is then.
const REFUSED: &str = "not_prelinked.txt";
const SCRIPT: &str = "recorder.ld";
const NAMES: &str = "recorder.names";
const LINKED: &str = "recorder-all-names.o";
const OBJECT: &str = "recorder.o";

/// Puts sections of a kind together, and leaves out what programs have no use for: code for
/// optimisation at link time, and debug information of libraries.
const SCRIPT_TEXT: &str = "SECTIONS
{
  .text : { *(.text .text.*) }
  .rodata : { *(.rodata .rodata.*) }
  .eh_frame : { KEEP(*(.eh_frame)) }
  .gcc_except_table : { *(.gcc_except_table .gcc_except_table.*) }
  .tdata : { *(.tdata .tdata.*) }
  .tbss : { *(.tbss .tbss.*) }
  .init_array : { KEEP(*(.init_array .init_array.*)) }
  .data.rel.ro : { *(.data.rel.ro .data.rel.ro.*) }
  .data : { *(.data .data.*) }
  .bss : { *(.bss .bss.* COMMON) }
  /DISCARD/ : { *(.llvmbc) *(.llvmcmd) *(.comment) *(.debug*) }
}
";

/// Leaves out names that nothing refers to. Those of functions that the C library may lack were
/// weak, and are not any more when the code that called them is left out: then a program whose own
/// library of Rust refers to them could not be linked. Names of the recorder's functions stay, for
/// profilers.
const STRIPPED: &[&str] = &[
    "--strip-unneeded",
    "--wildcard",
    "--keep-symbol=_ZN*",
    "--keep-symbol=_R*",
];

/// The library that programs are linked with: `library` linked in advance, or itself where that is
/// impossible. `exports` are the names of its interface.
///
/// # Errors
/// If there is no place for what is made.
pub(super) fn recorder(
    library: &Path,
    exports: &[&str],
    c_compiler: &Path,
    shelves: &Shelves,
) -> Result<PathBuf, SupportError> {
    let name = set_name(library, exports, c_compiler);
    if let Some(set) = find(shelves, &name, &[RECORDER]) {
        return Ok(set.join(RECORDER));
    }
    if find(shelves, &name, &[REFUSED]).is_some() {
        return Ok(library.to_path_buf());
    }
    let own = Trust::own().make_directory(&shelves.own)?;
    let no_place = |error| SupportError::Cache {
        path: own.clone(),
        error,
    };
    let made = pgas_cache::aside(&own).map_err(no_place)?;
    let workshop = Workshop::new(made.path());
    let file = match prelink(&workshop, library, exports, c_compiler)? {
        Ok(()) => RECORDER,
        Err(failed) => {
            let why = format!("{}\n  {}\n", failed.command, failed.said);
            written(workshop.write(REFUSED, why.as_bytes()))?;
            REFUSED
        }
    };
    written(workshop.note_commands())?;
    let set = own.join(name);
    put(made, &set, &[file]).map_err(|error| SupportError::Cache {
        path: set.clone(),
        error,
    })?;
    Ok(match file {
        RECORDER => set.join(RECORDER),
        _ => library.to_path_buf(),
    })
}

/// Why the linker at hand cannot link `library` in advance, in its own words; `None` if it can, or
/// was not asked yet.
pub(super) fn refused(
    library: &Path,
    exports: &[&str],
    c_compiler: &Path,
    shelves: &Shelves,
) -> Option<String> {
    let name = set_name(library, exports, c_compiler);
    let set = find(shelves, &name, &[REFUSED])?;
    fs::read_to_string(set.join(REFUSED)).ok()
}

fn prelink(
    workshop: &Workshop,
    library: &Path,
    exports: &[&str],
    c_compiler: &Path,
) -> Result<Result<(), Failed>, SupportError> {
    let names: String = exports.iter().map(|name| format!("{name}\n")).collect();
    written(workshop.write(SCRIPT, SCRIPT_TEXT.as_bytes()))?;
    written(workshop.write(NAMES, names.as_bytes()))?;
    Ok(linked(workshop, library, exports, c_compiler))
}

fn linked(
    workshop: &Workshop,
    library: &Path,
    exports: &[&str],
    c_compiler: &Path,
) -> Result<(), Failed> {
    let mut link = ["-r", "-nostdlib", "-Wl,--gc-sections"]
        .map(OsString::from)
        .to_vec();
    link.push(format!("-Wl,-T,{SCRIPT}").into());
    link.extend(exports.iter().map(|name| format!("-Wl,-u,{name}").into()));
    link.extend(["-o".into(), LINKED.into(), absolute(library).into()]);
    workshop.run(c_compiler, &link)?;
    let tool = |name: &str| -> Result<PathBuf, Failed> {
        let asked = format!("-print-prog-name={name}");
        let answer = workshop.ask(c_compiler, &[asked.into()])?;
        Ok(PathBuf::from(answer.trim()))
    };
    let keep = format!("--keep-global-symbols={NAMES}");
    let mut hide = vec![OsString::from(keep)];
    hide.extend(STRIPPED.iter().chain(&[LINKED, OBJECT]).map(OsString::from));
    workshop.run(&tool("objcopy")?, &hide)?;
    workshop.run(&tool("ar")?, &["rcs", RECORDER, OBJECT].map(OsString::from))?;
    for name in [LINKED, OBJECT] {
        workshop.remove(name)?;
    }
    Ok(())
}

/// Commands run elsewhere than this process.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn written(outcome: Result<(), (PathBuf, std::io::Error)>) -> Result<(), SupportError> {
    outcome.map_err(|(path, error)| SupportError::Cache { path, error })
}

/// Differs whenever something else would be made. Where the library is does not matter.
fn set_name(library: &Path, exports: &[&str], c_compiler: &Path) -> String {
    let state = fs::metadata(library).map(|m| (m.len(), m.mtime(), m.mtime_nsec()));
    let mut key = Xxh3::new();
    key.update(&identity(c_compiler));
    key.update(format!("{state:?} {exports:?} {SCRIPT_TEXT} {STRIPPED:?}").as_bytes());
    format!("recorder-{:032x}", key.digest128())
}
