//! Wrappers of MPI for UPC programs over MPI, which may call MPI themselves: made with the site's
//! `mpicc`, as the part of the runtime is that speaks MPI.

use super::made::{FLAGS, lines};
use super::mpi_fortran::Link;
use super::mpi_wrappers::{self, LISTS, Making};
use super::workshop::{Failed, Workshop};
use super::wrappers::{WrapperSources, Wrappers};
use super::{Shelves, SupportError, find, identity, prelinked, put, recorder_library};
use crate::compiler::c_compiler;
use crate::model::command::LinkInputs;
use crate::mpi::{Mpicc, wrapping};
use pgas_base::shell::shown;
use pgas_cache::Trust;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// Makes what a UPC program that `mpicc` links is linked with, too, unless it is there already.
/// `arguments` are those of the compiler's command that links it.
///
/// # Errors
/// If the recorder is missing, the wrappers cannot be compiled, or there is no place for them.
pub fn prepare_mpi_wrappers(
    mpicc: &Mpicc,
    arguments: &[OsString],
    sources: &WrapperSources,
    tool_directory: &Path,
    shelves: &Shelves,
) -> Result<Wrappers, SupportError> {
    let library = recorder_library(tool_directory)?;
    let compiler = c_compiler()?;
    let recorder = prelinked::recorder(&library, sources.recorder_exports, &compiler, shelves)?;
    let recorder = std::path::absolute(&recorder).unwrap_or(recorder);
    let name = set_name(mpicc, sources);
    let made = match find(shelves, &name, &LISTS) {
        Some(made) => made,
        None => make(mpicc, sources, &recorder, &name, shelves)?,
    };
    let objects = lines(&made, mpi_wrappers::OBJECTS);
    let objects = objects.iter().map(|name| made.join(name));
    let link = Link {
        arguments,
        made: &made,
        compiler: &mpicc.command(),
        context: &[],
        is_joined: true,
        shelves,
    };
    let more = link.more()?;
    let objects = objects.chain(more.object).collect();
    Ok(Wrappers {
        link_inputs: LinkInputs::new(objects, Vec::new(), recorder),
        left_out: lines(&made, mpi_wrappers::LEFT_OUT),
        lost_of_fortran: more.lost,
        made,
    })
}

fn make(
    mpicc: &Mpicc,
    sources: &WrapperSources,
    recorder: &Path,
    name: &str,
    shelves: &Shelves,
) -> Result<PathBuf, SupportError> {
    let own = Trust::own().make_directory(&shelves.own)?;
    let no_place = |(path, error)| SupportError::Cache { path, error };
    let made = pgas_cache::aside(&own).map_err(|error| no_place((own.clone(), error)))?;
    let workshop = Workshop::new(made.path());
    make_there(mpicc, sources, recorder, &workshop).map_err(|failed| SupportError::Wrappers {
        model: "MPI",
        command: failed.command,
        output: failed.said,
    })?;
    workshop.note_commands().map_err(no_place)?;
    let set = own.join(name);
    put(made, &set, &LISTS).map_err(|error| no_place((set.clone(), error)))?;
    Ok(set)
}

fn make_there(
    mpicc: &Mpicc,
    sources: &WrapperSources,
    recorder: &Path,
    workshop: &Workshop,
) -> Result<(), Failed> {
    let words = mpicc.command();
    let program = Path::new(&words[0]);
    let command = |arguments: &[OsString]| [&words[1..], arguments].concat();
    workshop.write_text(sources.interface.0, sources.interface.1)?;
    let making = Making {
        workshop,
        run: &|arguments| workshop.run(program, &command(arguments)),
        ask: &|arguments| workshop.ask(program, &command(arguments)),
        flags: &FLAGS,
        files: sources.mpi,
        recorder,
        options: &[],
        is_joined: true,
    };
    making.make()
}

/// Differs whenever something else would be made.
fn set_name(mpicc: &Mpicc, sources: &WrapperSources) -> String {
    let mut key = Xxh3::new();
    for (name, text) in sources.mpi.iter().chain([&sources.interface]) {
        key.update(name.as_bytes());
        key.update(text.as_bytes());
        key.update(&[0]);
    }
    key.update(wrapping::GENERATOR.as_bytes());
    key.update(&identity(&mpicc.path));
    let command = shown(mpicc.command());
    let answers = (mpicc.shown(), mpicc.c_compiler_version());
    key.update(format!("{command} {answers:?} {FLAGS:?}").as_bytes());
    format!("mpi-of-upc-{:032x}", key.digest128())
}
