//! Programs that MPI's launcher starts: those of the embedded compiler over MPI, and those of other
//! models than UPC. The launcher of the MPI that they were linked with, and a launcher that the user
//! has written before the program.

use super::launchers::{Launcher, called, known};
use super::target::Target;
use super::{By, by_name};
use crate::failure::Failure;
use crate::job::Job;
use pgas_instrument::model::Model;
use pgas_instrument::mpi::{launcher_beside, launcher_called};
use std::ffi::OsString;
use std::path::Path;

/// The launcher of such a program unless the user says otherwise: in a batch job the launcher of
/// the batch system, else that of the program's MPI.
///
/// # Errors
/// If it is not there.
pub(super) fn automatic(target: &Target, job: Option<&Job>) -> Result<By, Failure> {
    let of_job = job.map_or(&[][..], |job| job.system.launchers);
    for name in of_job {
        if is_of_an_mpi(name) {
            break;
        }
        if let (true, Some(launcher)) = (which::which(name).is_ok(), known(name)?) {
            return Ok(by_name(name, launcher));
        }
    }
    let command = of_program(target)?;
    let launcher = known(&command)?
        .ok_or_else(|| Failure::new(format!("`{command}` is no launcher that pgastool knows")))?;
    Ok(by_name(&command, launcher))
}

/// Whether the launcher that was chosen without the user would refuse these processes, as it takes
/// the cores of this machine for all that there are.
pub(super) fn is_crowded(target: &Target, threads: u32, job: Option<&Job>) -> bool {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    target.is_over_mpi() && job.is_none() && threads as usize > cores
}

/// Whether the name is one that every MPI gives its own launcher.
fn is_of_an_mpi(name: &str) -> bool {
    matches!(name, "mpirun" | "mpiexec")
}

/// The launcher of the MPI that the program was linked with.
fn of_program(target: &Target) -> Result<String, Failure> {
    let mpicc = target.info.as_ref().and_then(|info| info.mpicc.as_deref());
    if let Some(model) = target.model {
        return Ok(of_model(model, mpicc));
    }
    let Some(mpicc) = mpicc else {
        return Ok("mpirun".to_string());
    };
    let found = launcher_beside(mpicc).map_err(|error| {
        Failure::new(error.to_string()).help(
            "install it (Debian, Ubuntu: openmpi-bin or mpich), load the module that the program \
             was compiled with, or name one of the same MPI, as in --launcher /opt/mpi/bin/mpirun",
        )
    })?;
    Ok(found.to_string_lossy().into_owned())
}

/// The launcher beside the compiler that a program was linked with, else one on the search path.
pub fn of_model(model: Model, compiler: Option<&Path>) -> String {
    let names = model.table().launchers;
    let beside = compiler.and_then(|compiler| launcher_called(names, compiler).ok());
    let found = beside.map(|path| path.to_string_lossy().into_owned());
    let is_there = |name: &&&str| which::which(name).is_ok();
    let on_path = || names.iter().find(is_there).unwrap_or(&"mpirun");
    found.unwrap_or_else(|| on_path().to_string())
}

/// A launcher that the user has written before the program, as in `mpirun -n 4 ./prog`.
#[derive(Debug)]
pub struct Written {
    pub(super) launcher: &'static Launcher,
    /// All that stands before the program.
    pub(super) words: Vec<OsString>,
    /// Where the launcher stands in it.
    at: usize,
    /// Processes that it starts, if its options say so.
    pub processes: Option<u32>,
}

impl Written {
    /// The one before this program, if it is for MPI.
    ///
    /// # Errors
    /// If what is called as a launcher does not say which one it is.
    pub fn of(target: &Target) -> Result<Option<Self>, Failure> {
        if !target.is_over_mpi() {
            return Ok(None);
        }
        let words: Vec<String> = target
            .before
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let Some(at) = words.iter().position(|word| called(word)) else {
            return Ok(None);
        };
        Ok(known(&words[at])?.map(|launcher| Written {
            launcher,
            words: target.before.clone(),
            at,
            processes: processes(&words[at + 1..]),
        }))
    }

    /// The number of threads: as the launcher's options say, else as the user has told this tool.
    ///
    /// # Errors
    /// If neither says it, or they differ.
    pub fn threads(&self, given: Option<u32>, compiled: Option<u32>) -> Result<u32, Failure> {
        let name = self.launcher.name;
        match (self.processes, given) {
            (Some(processes), Some(given)) if processes != given => Err(Failure::new(format!(
                "{name} is to start {processes} processes, -n {given} given"
            ))
            .help("each thread is a process: leave one of the two numbers out")),
            (Some(processes), _) => Ok(processes),
            (None, given) => given.or(compiled).ok_or_else(|| {
                Failure::new(format!("how many processes does {name} start?")).help(
                    "say it to pgastool as well, as in `pgastool run -n 4 mpirun --hostfile hosts \
                     ./prog`, or leave the launcher to pgastool: `pgastool run -n 4 ./prog`",
                )
            }),
        }
    }

    /// The words before the program, with options by which `variables` reach all processes.
    pub(super) fn command(&self, variables: &[(String, OsString)]) -> Vec<OsString> {
        let (front, options) = self.words.split_at(self.at + 1);
        let mut options = options.to_vec();
        let environment = (self.launcher.environment)(variables, &mut options);
        [front, &environment, &options].concat()
    }
}

/// The number of processes in a launcher's options.
fn processes(options: &[String]) -> Option<u32> {
    const NAMES: [&str; 6] = ["-n", "-np", "--n", "--np", "--ntasks", "--nrs"];
    options.iter().enumerate().find_map(|(at, word)| {
        let number = match word.split_once('=') {
            Some((name, value)) if NAMES.contains(&name) => value,
            _ if NAMES.contains(&word.as_str()) => options.get(at + 1)?,
            _ => word.strip_prefix("-n")?,
        };
        number.parse().ok().filter(|&number| number > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_processes_are_found_in_every_spelling() {
        let of = |line: &str| {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            processes(&words)
        };
        for line in [
            "-n 4",
            "-np 4 -x A",
            "--hostfile h -np 4",
            "--ntasks=4",
            "-n4",
            "--ntasks 4",
        ] {
            assert_eq!(of(line), Some(4), "{line}");
        }
        for line in ["", "-n", "-n x", "--nodes=4", "-npernode 4", "-np 0"] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
