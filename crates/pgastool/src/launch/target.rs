//! The program that a command line means: the instrumented one, also after a command that starts
//! it, such as `numactl` or a script of the site; its compiler or programming model, and where it
//! can run.

use crate::failure::Failure;
use pgas_base::models::Words;
use pgas_instrument::flavour::{Flavour, Launch};
use pgas_instrument::model::Model;
use pgas_instrument::network::Network as CompiledFor;
use pgas_instrument::program::{ProgramError, ProgramInfo, inspect};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// [`pgas_base::models::Model::id`] of programs of tasks, which their note has as compiler.
const TASKS: &str = "tasks";

/// A program and how it was compiled.
#[derive(Debug)]
pub struct Target {
    /// Commands in front of it, such as `numactl`, with their arguments.
    pub before: Vec<OsString>,
    /// The executed file: the program, or a script that starts it.
    pub program: PathBuf,
    /// The file of the instrumented program.
    pub file: PathBuf,
    pub arguments: Vec<OsString>,
    /// The instrumented program, as the user has named it.
    pub named: OsString,
    /// Its note; `None` for a program of another compiler.
    pub info: Option<ProgramInfo>,
    /// Its compiler, if it is a program of UPC.
    pub flavour: Option<Flavour>,
    /// Its model, if it is one of another.
    pub model: Option<Model>,
    /// Whether it is a program of tasks, which has no compiler of its own.
    pub is_of_tasks: bool,
    network: Network,
}

/// The network that a program was built for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Network {
    Unknown,
    /// Shared memory of one node.
    None,
    Some,
}

/// Creation of a program's processes: by the program itself, or by the launcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processes {
    /// It does so itself when it is started once; it may want the number of threads with this
    /// option.
    One(Option<&'static str>),
    /// The launcher.
    Each,
    Unknown,
}

impl Target {
    /// The words of its model for its threads.
    pub fn words(&self) -> Words {
        let id = match self.is_of_tasks {
            true => Some(TASKS),
            false => self.model.map(|model| model.table().id),
        };
        let model = id.and_then(pgas_base::models::Model::from_id);
        Words::of(&Vec::from_iter(model))
    }

    /// Finds the program in a command. `named` is the one that is started by a script that does not
    /// have it among its arguments.
    ///
    /// # Errors
    /// If there is none that can be run, or, if it is to be `measured`, none that is instrumented.
    pub fn of(command: &[OsString], named: Option<&Path>, measured: bool) -> Result<Self, Failure> {
        let (first, rest) = command
            .split_first()
            .ok_or_else(|| Failure::new("no program was named"))?;
        let found = find(first)?;
        let program = found.clone();
        if let Some(named) = named {
            is_runnable(&found, first)?;
            let info = inspect(named).map_err(|error| refused(error, named.as_os_str()))?;
            let target = Self::new(&[], found, rest, named.as_os_str(), info, named)?;
            return target.checked(measured);
        }
        let problem = match inspect(&found) {
            Ok(Some(info)) => {
                let target = Self::new(&[], found, rest, first, Some(info), &program)?;
                return target.checked(measured);
            }
            Ok(None) => None,
            Err(error @ ProgramError::NotElf { .. }) => Some(error),
            Err(error) => return Err(refused(error, first)),
        };
        for (at, word) in rest.iter().enumerate() {
            let path = Path::new(word);
            let Some(info) = path
                .is_file()
                .then(|| inspect(path).ok().flatten())
                .flatten()
            else {
                continue;
            };
            let mut before = vec![found.clone().into()];
            before.extend_from_slice(&rest[..at]);
            let program = path.to_path_buf();
            let target = Self::new(&before, program, &rest[at + 1..], word, Some(info), path)?;
            return target.checked(measured);
        }
        match problem {
            Some(error) if measured => Err(Failure::from(error).help(
                "if it is a script that starts an instrumented program, name that one: among its \
                 arguments, or with --program ./prog",
            )),
            _ => Self::new(&[], found, rest, first, None, &program)?.checked(measured),
        }
    }

    fn new(
        before: &[OsString],
        program: PathBuf,
        arguments: &[OsString],
        named: &OsStr,
        info: Option<ProgramInfo>,
        file: &Path,
    ) -> Result<Self, Failure> {
        let id = info.as_ref().map(|info| info.compiler.as_str());
        let flavour = id.and_then(Flavour::from_id);
        let model = id.and_then(Model::from_id);
        let is_of_tasks = id == Some(TASKS);
        if let (Some(id), None, None, false) = (id, flavour, model, is_of_tasks) {
            return Err(Failure::new(format!(
                "`{}` was compiled by `{id}`, which this version of pgastool does not know",
                Path::new(named).display(),
            ))
            .help("use the pgastool that compiled it, or compile it again"));
        }
        let network = match flavour {
            None if model.is_some() => Network::Some,
            None if is_of_tasks => Network::None,
            None => Network::Unknown,
            Some(Flavour::Embedded) => match info.as_ref().and_then(|info| info.network) {
                Some(CompiledFor::Mpi) => Network::Some,
                _ => Network::None,
            },
            // For an unreadable program, the launcher decides.
            Some(flavour) => {
                std::fs::read(file).map_or(Network::Unknown, |program| network(flavour, &program))
            }
        };
        Ok(Target {
            before: before.to_vec(),
            // A name without a directory would be looked for on the search path.
            program: match program.components().count() {
                1 if !program.is_absolute() => Path::new(".").join(program),
                _ => program,
            },
            file: file.to_path_buf(),
            arguments: arguments.to_vec(),
            named: named.to_os_string(),
            info,
            flavour,
            model,
            is_of_tasks,
            network,
        })
    }

    fn checked(self, measured: bool) -> Result<Self, Failure> {
        let is_instrumented = self.info.as_ref().is_some_and(|info| info.instrumented);
        if measured && self.is_of_tasks && !is_instrumented {
            return Err(Failure::new(format!(
                "`{}` cannot be measured: its tasks do not report to a recorder",
                Path::new(&self.named).display()
            ))
            .help(
                "build a program in Rust with `cargo build --release --features \
                 pgas-tasks/record`, and link one in C or C++ with the library of `cargo build \
                 --release -p pgas-tasks-c --features record`; `pgastool run --no-measure` runs it \
                 as it is",
            ));
        }
        if measured && !is_instrumented {
            let how = match self.info {
                Some(_) => "it was compiled without instrumentation",
                None => "it was not compiled by `pgastool compile`",
            };
            return Err(Failure::new(format!(
                "`{}` cannot be measured: {how}",
                Path::new(&self.named).display()
            ))
            .help(
                "put `pgastool compile` in front of the compiler's arguments, as in `pgastool \
                 compile -O2 -o prog prog.upc`, or for another model than UPC in front of the \
                 compiler, as in `pgastool compile oshcc -O2 -o prog prog.c`; `pgastool run \
                 --no-measure` runs the program as it is",
            ));
        }
        Ok(self)
    }

    /// The number of threads that it was compiled for.
    pub fn compiled_for(&self) -> Option<u32> {
        self.info.as_ref().and_then(|info| info.threads)
    }

    /// Why it cannot run on several nodes, if so.
    pub fn one_node_only(&self) -> Option<&'static str> {
        match (self.flavour, &self.network) {
            (Some(Flavour::Embedded), Network::None) => Some(
                "it was compiled for one node, where its threads share memory (--network mpi \
                 compiles for several)",
            ),
            (Some(Flavour::Berkeley), Network::None) => {
                Some("it was compiled for one node (with -network=smp)")
            }
            (None, Network::None) => Some("its processors are threads of one process"),
            (_, Network::None) => Some("its runtime works on one node, where threads share memory"),
            _ => None,
        }
    }

    /// Whether MPI's launcher starts it: a program of the embedded compiler over MPI, or one of a
    /// model whose libraries have such a launcher.
    pub fn is_over_mpi(&self) -> bool {
        let is_embedded = self.flavour == Some(Flavour::Embedded) && self.network == Network::Some;
        is_embedded || self.model.is_some()
    }

    /// Id and name of its compiler or its model.
    pub fn compiled_as(&self) -> Option<(&'static str, &'static str)> {
        let of_flavour = self.flavour.map(Flavour::table);
        let of_model = self.model.map(Model::table);
        of_flavour
            .map(|table| (table.id, table.name))
            .or_else(|| of_model.map(|table| (table.id, table.name)))
    }

    /// How its processes are created.
    pub fn processes(&self) -> Processes {
        match self.flavour.map(|flavour| flavour.table().launch) {
            None if self.model.is_some() => Processes::Each,
            None if self.is_of_tasks => Processes::One(None),
            None => Processes::Unknown,
            Some(Launch::Environment) if self.network == Network::Some => Processes::Each,
            Some(Launch::Environment) => Processes::One(None),
            Some(Launch::Argument(_)) if self.network == Network::Some => Processes::Each,
            Some(Launch::Argument(option)) => Processes::One(Some(option)),
            Some(Launch::Launcher(..)) => Processes::Each,
        }
    }
}

/// The network that a program's file names: GASNet, by which programs of Berkeley UPC communicate,
/// leaves the name of its network in it; GNU UPC's and Clang UPC's runtime has a network only by
/// way of Portals 4.
fn network(flavour: Flavour, program: &[u8]) -> Network {
    const NAME: &[u8] = b"$GASNetConduitName: ";
    let find = |what: &[u8]| program.windows(what.len()).position(|bytes| bytes == what);
    match flavour {
        Flavour::Berkeley => match find(NAME) {
            None => Network::Unknown,
            Some(at) => match program[at + NAME.len()..].get(..3) {
                Some(name) if name.eq_ignore_ascii_case(b"smp") => Network::None,
                _ => Network::Some,
            },
        },
        Flavour::Gnu | Flavour::Clang => match find(b"PtlInit") {
            Some(_) => Network::Some,
            None => Network::None,
        },
        _ => Network::Unknown,
    }
}

/// The file that `named` means: a path, a program on the search path, or one in the current
/// directory.
fn find(named: &OsStr) -> Result<PathBuf, Failure> {
    let path = Path::new(named);
    if path.components().count() > 1
        || path.is_absolute()
        || named.as_encoded_bytes().contains(&b'/')
    {
        return Ok(path.to_path_buf());
    }
    if let Ok(found) = which::which(path) {
        return Ok(found);
    }
    // As mpirun does it, for those who forget the "./".
    Ok(Path::new(".").join(path))
}

/// A script or a program.
fn is_runnable(path: &Path, named: &OsStr) -> Result<(), Failure> {
    match inspect(path) {
        Ok(_) | Err(ProgramError::NotElf { .. }) => Ok(()),
        Err(error) => Err(refused(error, named)),
    }
}

/// Why `named` cannot be run, and what was probably forgotten.
fn refused(error: ProgramError, named: &OsStr) -> Failure {
    let path = Path::new(named);
    let shown = path.display();
    let is_source = |path: &Path| {
        let ending = path.extension().and_then(OsStr::to_str);
        matches!(ending, Some("upc" | "c" | "f90" | "F90"))
    };
    // That of UPC need not be named.
    let compiler = |source: &Path| match source.extension().and_then(OsStr::to_str) {
        Some("f90" | "F90") => "caf ",
        _ => "",
    };
    match error {
        ProgramError::NotExecutable(_) if path.is_dir() => {
            Failure::new(format!("`{shown}` is a directory, not a program"))
        }
        ProgramError::NotExecutable(_) if is_source(path) => {
            let program = path.with_extension("");
            Failure::new(format!("`{shown}` is source code, not a program")).help(format!(
                "compile it first: pgastool compile {}-o {} {shown}",
                compiler(path),
                program.display()
            ))
        }
        ProgramError::NotFound(_) => {
            let source = ["upc", "c", "f90"].map(|ending| path.with_extension(ending));
            let failure = Failure::new(format!("there is no program `{shown}`"));
            match source.iter().find(|source| source.is_file()) {
                Some(source) => failure.help(format!(
                    "compile it first: pgastool compile {}-o {shown} {}",
                    compiler(source),
                    source.display()
                )),
                None => failure,
            }
        }
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_says_for_which_network_it_was_built() {
        let berkeley = |name: &str| {
            let text = format!("\x7fELF..$GASNetConduitName: {name} $..");
            network(Flavour::Berkeley, text.as_bytes())
        };
        assert_eq!(berkeley("SMP"), Network::None);
        assert_eq!(berkeley("IBV"), Network::Some);
        assert_eq!(network(Flavour::Berkeley, b"\x7fELF"), Network::Unknown);
        assert_eq!(network(Flavour::Gnu, b"..PtlInit.."), Network::Some);
        assert_eq!(network(Flavour::Gnu, b"\x7fELF"), Network::None);
    }
}
