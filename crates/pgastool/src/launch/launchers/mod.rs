//! Launchers that the tool knows. Each is a module with its [`Launcher`] table; to add one, add a
//! module and list it in [`ALL`].

mod aprun;
mod cafrun;
mod flux;
mod hydra;
mod jsrun;
mod open_mpi;
mod srun;
mod table;
#[cfg(test)]
mod tests;
mod upcrun;

use crate::failure::Failure;
use pgas_base::helper;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
pub use table::{Launcher, Shape, assignment};

/// All launchers that are known.
pub const ALL: [&Launcher; 8] = [
    &upcrun::TABLE,
    &srun::TABLE,
    &open_mpi::TABLE,
    &hydra::TABLE,
    &aprun::TABLE,
    &jsrun::TABLE,
    &flux::TABLE,
    &cafrun::TABLE,
];

/// Launchers whose commands have this name. A machine with several MPIs has each under a name with
/// an ending, such as `mpirun.mpich`.
fn with_name(word: &str) -> Vec<&'static Launcher> {
    let name = Path::new(word).file_name().unwrap_or(OsStr::new(word));
    let name = name.to_string_lossy();
    let is = |name: &str| {
        ALL.into_iter()
            .filter(|launcher| launcher.commands.contains(&name))
            .collect()
    };
    let exact: Vec<_> = is(&name);
    match (exact.is_empty(), name.split_once('.')) {
        (true, Some((start @ ("mpirun" | "mpiexec" | "oshrun" | "cafrun"), _))) => is(start),
        _ => exact,
    }
}

/// Whether a command has the name of a launcher.
pub fn called(word: &str) -> bool {
    !with_name(word).is_empty()
}

/// The launcher with this command. Launchers that share a name are distinguished by what they
/// answer.
pub fn known(word: &str) -> Result<Option<&'static Launcher>, Failure> {
    let called = with_name(word);
    match called[..] {
        [] => Ok(None),
        [launcher] if launcher.recognises.is_none() => Ok(Some(launcher)),
        _ => {
            let answer = answer(word)?;
            let recognised = called
                .iter()
                .find(|launcher| launcher.recognises.is_some_and(|is| is(&answer)));
            let first = answer.lines().find(|line| !line.trim().is_empty());
            recognised.copied().map(Some).ok_or_else(|| {
                Failure::new(format!(
                    "`{word}` is neither Open MPI's nor MPICH's; asked for its version, it said: \
                     {}",
                    first.unwrap_or("nothing")
                ))
                .help(format!(
                    "describe it: --launcher '{word} -n {{threads}} {{program}} {{arguments}}'"
                ))
            })
        }
    }
}

/// Version output of a launcher.
fn answer(command: &str) -> Result<String, Failure> {
    let answered = helper::output(Command::new(command).arg("--version"), helper::QUESTION);
    let output = answered.map_err(|error| {
        Failure::new(format!(
            "cannot ask the launcher `{command}` what it is: {error}"
        ))
        .help("is it on PATH? a module may have to be loaded")
    })?;
    let text = [output.stdout, b"\n".to_vec(), output.stderr].concat();
    Ok(String::from_utf8_lossy(&text).into_owned())
}
