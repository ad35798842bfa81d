//! The driver: a program of the chosen compiler that times operations, compiled on this machine and
//! kept in the cache.

use super::catalogue::{self, Operation};
use super::starting::{self, StartOptions};
use crate::commands::compile::network;
use crate::failure::Failure;
use crate::installation;
use crate::installation::compiler;
use crate::terminal::Ui;
use clap::Args;
use pgas_instrument::compiler::{Compiler, c_compiler};
use pgas_instrument::flavour::Flavour;
use pgas_instrument::model::Model;
use pgas_instrument::mpi::Mpicc;
use pgas_instrument::network::Network;
use pgas_instrument::support::{AnyCompiler, Recipe, SupportError, library, prepare_program};
use pgas_timing_driver::sources;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// File name of the library with the method, which drivers are linked with.
const LIBRARY: &str = "libpgas_timing_driver.a";

/// Options that choose the driver.
#[derive(Debug, Clone, Default, Args)]
pub struct DriverOptions {
    /// Compiler that the operations are compiled with: `embedded`, or the name or path of a compiler of
    /// UPC, MPI or OpenSHMEM, such as mpicc or oshcc [default: embedded]
    #[arg(long = "with", value_name = "COMPILER")]
    pub compiler: Option<OsString>,
    /// Network of UPC programs: `smp` (all threads on one machine) or `mpi` (each thread a process of
    /// an MPI program) with the embedded compiler, else as the site's compiler names it [default:
    /// $PGAS_NETWORK, else smp; else the compiler's]
    #[arg(long, value_name = "smp|mpi")]
    pub network: Option<String>,
    /// With --network mpi: the compiler of the MPI that the driver is linked with [default: $MPICC,
    /// else mpicc]
    #[arg(long, value_name = "PATH")]
    pub mpicc: Option<PathBuf>,
    /// An operation of your own, a file of C or UPC; without names of operations, it is timed alone
    #[arg(long, value_name = "FILE")]
    pub own: Option<PathBuf>,
}

/// A driver that is ready to be started.
#[derive(Debug)]
pub struct Driver {
    /// The program.
    pub program: PathBuf,
    /// The compiler that built it.
    pub compiler: AnyCompiler,
    /// All that it can time.
    pub operations: Vec<Operation>,
}

impl DriverOptions {
    /// Makes the driver, unless it is in the cache.
    ///
    /// # Errors
    /// If there is no such compiler, or it does not compile the driver.
    pub fn prepare(&self, start: &StartOptions, ui: &Ui) -> Result<Driver, Failure> {
        let compiler = self.compiler()?;
        ui.command(format_args!(
            "# compiler: {} ({})",
            compiler.path().display(),
            compiler.version()
        ));
        let mut options = self.options(&compiler)?;
        if self.own.is_some() {
            // So that the runtime can say at which line an operation crashes.
            options.push("-g".into());
        }
        let files = self.files(&compiler)?;
        let library = timing_library()?;
        let question = |program: &Path| {
            let listing = ["--list".into()];
            let start = starting::prepare(program, &listing, 1, &start.of_one(), ui);
            start.map_err(|failure| failure.message)?.answer()
        };
        let recipe = Recipe {
            what: "the driver that times operations",
            name: "timing-driver",
            compiler: &compiler,
            files: &files,
            options: &options,
            library: &library,
            question: &question,
        };
        let made = prepare_program(&recipe, &installation::workplace()?.1)
            .map_err(|error| self.explained(&error))?;
        if !made.is_kept {
            ui.note("compiled the driver, which is kept for the next time");
        }
        Ok(Driver {
            program: made.program,
            operations: catalogue::parse(&made.answer)?,
            compiler,
        })
    }

    /// A file without the macro compiles by itself, and the linker's message does not name the macro.
    fn explained(&self, error: &SupportError) -> Failure {
        let failure = Failure::new(error);
        match &self.own {
            Some(path) if error.to_string().contains("pgas_own_operation'") => {
                failure.help(format!(
                    "{} must end with PGAS_OPERATION(.name = ..., .run = ...)",
                    path.display()
                ))
            }
            _ => failure,
        }
    }

    fn compiler(&self) -> Result<AnyCompiler, Failure> {
        let embedded = || Compiler::embedded(&installation::directory()?).map_err(Failure::from);
        let Some(name) = self.compiler.as_deref().filter(|name| *name != "embedded") else {
            return embedded().map(AnyCompiler::Upc);
        };
        let found = which::which(name).map_err(|error| {
            Failure::new(format!(
                "there is no compiler `{}`: {error}",
                name.to_string_lossy()
            ))
            .help("--with takes the name or path of a compiler, such as mpicc, oshcc or upcc")
        })?;
        let found = std::path::absolute(&found).unwrap_or(found);
        compiler::named(&found, &[])
    }

    /// Options of the compiler. All that the environment would decide is among them, since what is
    /// kept is found by them.
    fn options(&self, compiler: &AnyCompiler) -> Result<Vec<OsString>, Failure> {
        let compiler = match compiler {
            AnyCompiler::Upc(compiler) => compiler,
            AnyCompiler::Other(other) => return self.none_of_upc(other.model),
        };
        if compiler.flavour != Flavour::Embedded {
            return network::arguments(compiler, self.network.as_deref(), self.mpicc.as_deref());
        }
        let chosen = match &self.network {
            Some(word) => Some(Network::parse(word)?),
            None => Network::of_environment()?,
        };
        let network = chosen.unwrap_or_default();
        let mpicc = match network {
            Network::Smp => None,
            Network::Mpi => Some(Mpicc::find(self.mpicc.as_deref(), &c_compiler()?)?.path),
        };
        network::arguments(compiler, Some(network.word()), mpicc.as_deref())
    }

    fn none_of_upc(&self, model: Model) -> Result<Vec<OsString>, Failure> {
        let given = [
            ("--network", self.network.is_some()),
            ("--mpicc", self.mpicc.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            None => Ok(Vec::new()),
            Some((option, _)) => Err(Failure::new(format!(
                "{option} is for UPC, but --with names a compiler of {}",
                model.table().name
            ))
            .help("leave it out")),
        }
    }

    fn files(&self, compiler: &AnyCompiler) -> Result<Vec<(String, String)>, Failure> {
        let (of_model, is_upc) = match compiler {
            AnyCompiler::Upc(_) => (sources::UPC, true),
            AnyCompiler::Other(other) => match other.model {
                Model::Mpi => (sources::MPI, false),
                Model::OpenShmem => (sources::OPENSHMEM, false),
                Model::Coarrays => {
                    return Err(Failure::new(
                        "operations of coarrays cannot be timed, --with names a compiler of these",
                    )
                    .help("compilers of UPC, MPI and OpenSHMEM can be used"));
                }
            },
        };
        let files = sources::HEADERS.iter().chain(of_model);
        let mut files: Vec<(String, String)> = files.map(owned).collect();
        files.push(match &self.own {
            Some(path) => own_operation(path, is_upc)?,
            None => owned(&sources::NO_OWN_OPERATION),
        });
        Ok(files)
    }
}

fn owned((name, text): &sources::Source) -> (String, String) {
    (name.to_string(), text.to_string())
}

/// The user's file, in a directory of its own, so that its name cannot collide with the driver's.
fn own_operation(path: &Path, is_upc: bool) -> Result<(String, String), Failure> {
    match path.extension().and_then(OsStr::to_str) {
        Some("c") => {}
        Some("upc") if is_upc => {}
        Some("upc") => {
            return Err(Failure::new(format!(
                "{} is UPC, but --with names a compiler of another model",
                path.display()
            )));
        }
        _ => {
            return Err(Failure::new(format!(
                "{}: an operation of your own is a file of C (.c) or UPC (.upc)",
                path.display()
            )));
        }
    }
    // Reports of a crash name the file as it is called here.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text = pgas_files::read_to_string(path)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", path.display())))?;
    // Messages of the compiler name the user's file.
    let shown = path.display().to_string().replace(['"', '\\', '\n'], "_");
    Ok((
        format!("own/{name}"),
        format!("#line 1 \"{shown}\"\n{text}"),
    ))
}

fn timing_library() -> Result<PathBuf, Failure> {
    let looked_in = match library(&installation::directory()?, LIBRARY) {
        Ok(path) => return Ok(std::path::absolute(&path).unwrap_or(path)),
        Err(looked_in) => looked_in,
    };
    let places: Vec<String> = looked_in.iter().map(|p| p.display().to_string()).collect();
    Err(Failure::new(format!(
        "the method of timing `{LIBRARY}` is not in {}",
        places.join(" or ")
    ))
    .help("build it with `cargo build --release --workspace`, or say in PGAS_LIB_DIR where it is"))
}
