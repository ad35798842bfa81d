//! `pgastool compile`: the user's compiler command, with what makes the program measurable added.

mod exclusion;
mod keep;
mod models;
pub mod network;

use crate::arguments::thread_count;
use crate::failure::{Failure, Outcome};
use crate::installation::{self, compiler};
use crate::output;
use crate::process::Program;
use crate::recording::filters::FilterFile;
use crate::terminal::Ui;
use clap::{Args, ValueEnum};
use keep::Translation;
use pgas_base::shell::shown;
use pgas_instrument::command::{Accesses, Functions, Options, instruments, plan};
use pgas_instrument::compiler::{Compiler, c_compiler, named_first};
use pgas_instrument::flavour::Flavour;
use pgas_instrument::invocation::Invocation;
use pgas_instrument::mpi::Mpicc;
use pgas_instrument::support::{
    AnyCompiler, Purpose, Shelves, collectives_refused, headers_of, own_headers_of, prepare,
    prepare_link, prepare_mpi_wrappers, threads_arguments,
};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Functions of the program whose calls are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordedFunctions {
    /// All but small ones in which nothing else is recorded, with compilers that can distinguish
    /// them (the embedded one)
    Auto,
    /// All of them
    All,
    /// None: operations of the PGAS runtime alone
    None,
}

/// How single accesses to shared data are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordedAccesses {
    /// Counted with compilers that can have the program do so (the embedded one), else all
    Auto,
    /// The program counts them where they happen, by place and thread
    Counted,
    /// Each is recorded as an event
    All,
}

/// Compile a program of UPC, OpenSHMEM, coarrays or MPI so that it can be measured
///
/// Put it in front of the compiler's arguments, also in a Makefile: CC="pgastool compile". For
/// OpenSHMEM, coarrays and MPI the compiler itself comes first: CC="pgastool compile oshcc",
/// FC="pgastool compile caf"
#[derive(Debug, Clone, Args)]
#[command(
    override_usage = "pgastool compile [OPTIONS] [--] [COMPILER] <COMPILER ARGUMENTS>...",
    after_help = "Examples: pgastool compile -O2 -o is is.c randdp.c
          pgastool compile oshcc -O2 -o stencil stencil.c
          pgastool compile caf -O2 -o heat heat.f90
          pgastool compile mpicc -O2 -o halo halo.c"
)]
pub struct Arguments {
    /// UPC compiler: `auto` ($PGAS_UPCC, else the site's, else the embedded one), `embedded`, or a
    /// path
    #[arg(long, value_name = "auto|embedded|PATH", default_value = "auto")]
    pub upcc: OsString,
    /// Compile for a fixed number of threads; without it the number is given at the start
    #[arg(long, value_name = "N", value_parser = thread_count, allow_negative_numbers = true)]
    pub threads: Option<u32>,
    /// Network of the program: `smp` (all threads on one machine) or `mpi` (each thread a process of
    /// an MPI program, on one or several nodes) with the embedded compiler, else as the site's
    /// compiler names it [default: $PGAS_NETWORK, else smp; else the compiler's]
    #[arg(long, value_name = "smp|mpi")]
    pub network: Option<String>,
    /// With --network mpi: the compiler of the MPI that the program is linked with [default:
    /// $MPICC, else mpicc]
    #[arg(long, value_name = "PATH")]
    pub mpicc: Option<PathBuf>,
    /// Record each access to shared data of the own thread, too; so --accesses auto means all
    #[arg(long)]
    pub inst_local: bool,
    /// Functions whose calls are recorded
    #[arg(
        long,
        value_enum,
        default_value = "auto",
        conflicts_with = "no_functions"
    )]
    pub functions: RecordedFunctions,
    /// As --functions none: record operations of the PGAS runtime alone
    #[arg(long)]
    pub no_functions: bool,
    /// How single accesses to shared data are recorded
    #[arg(long, value_enum, default_value = "auto")]
    pub accesses: RecordedAccesses,
    /// Compile as the compiler would without this tool
    #[arg(long)]
    pub no_instrument: bool,
    /// Functions and operations to leave out, in Score-P's filter format
    #[arg(long, value_name = "FILE")]
    pub filter: Option<PathBuf>,
    /// Print the command instead of running it, as a shell takes it
    #[arg(long)]
    pub show: bool,
    /// Keep what the tool generates in this directory: decoder, UPC files, translated sources,
    /// commands
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Arguments of the compiler: sources, objects, options
    #[arg(
        required = true,
        trailing_var_arg = true,
        value_name = "COMPILER ARGUMENTS"
    )]
    pub arguments: Vec<OsString>,
}

pub fn compile(arguments: &Arguments, ui: &Ui) -> Outcome {
    let first = named_first(&arguments.arguments).filter(|_| arguments.upcc == "auto");
    let Some((path, rest)) = first else {
        return of_upc(arguments, ui);
    };
    match compiler::named(&path, rest)? {
        AnyCompiler::Upc(_) => {
            let arguments = Arguments {
                upcc: path.into(),
                arguments: rest.to_vec(),
                ..arguments.clone()
            };
            of_upc(&arguments, ui)
        }
        AnyCompiler::Other(compiler) => models::compile(arguments, &compiler, rest, ui),
    }
}

fn of_upc(arguments: &Arguments, ui: &Ui) -> Outcome {
    if arguments.inst_local && arguments.accesses == RecordedAccesses::Counted {
        let problem = "`--inst-local` records each access to own data, `--accesses counted` none";
        return Err(Failure::new(problem)
            .help("give only one of them; accesses to own data are counted like all others"));
    }
    if let Some(path) = &arguments.filter {
        // Read here too, so that an error in it is reported once and not by each compiler process.
        let filter = FilterFile::read(path)?;
        if !arguments.no_instrument {
            for loss in filter.losses() {
                ui.warning(loss);
            }
        }
    }
    let directory = installation::directory()?;
    let compiler = compiler::chosen(&arguments.upcc, &directory)?;
    ui.command(format_args!(
        "# compiler: {} ({})",
        compiler.path.display(),
        compiler.version
    ));

    let invocation = Invocation::of(&arguments.arguments, compiler.flavour.table());
    let network = network::arguments(
        &compiler,
        arguments.network.as_deref(),
        arguments.mpicc.as_deref(),
    )?;
    let mut options = Options {
        threads: match arguments.threads {
            Some(threads) if invocation.has_inputs => {
                threads_arguments(&compiler, threads, &installation::workplace()?.1)
            }
            _ => Vec::new(),
        },
        network,
        no_instrument: arguments.no_instrument,
        functions: match arguments.functions {
            _ if arguments.no_functions => Functions::None,
            RecordedFunctions::Auto => Functions::Auto,
            RecordedFunctions::All => Functions::All,
            RecordedFunctions::None => Functions::None,
        },
        accesses: match arguments.accesses {
            RecordedAccesses::Auto => Accesses::Auto,
            RecordedAccesses::Counted => Accesses::Counted,
            RecordedAccesses::All => Accesses::All,
        },
        local_accesses: arguments.inst_local,
        filter: arguments.filter.clone(),
        headers: None,
        own_headers: None,
    };
    let added = added(&compiler, &options, arguments, &invocation, &directory, ui)?;
    if let Some(made) = &added.made {
        options.headers = headers_of(made, compiler.flavour);
        options.own_headers = own_headers_of(made, compiler.flavour);
        if collectives_refused(made).is_some() {
            ui.warning(format_args!(
                "collective operations will not be seen: this compiler does not take the file of \
                 the tool that reports them (what it said is below {})",
                made.display()
            ));
        }
    }
    let plan = plan(
        &compiler,
        &options,
        &arguments.arguments,
        &added.link_inputs,
    );
    for remark in &plan.remarks {
        ui.warning(remark);
    }
    if let Some(keep) = &arguments.keep {
        let translation = Translation::of(&compiler, &options, &invocation);
        // Nothing is run if the command is only to be shown.
        let translation = translation.filter(|_| !arguments.show);
        let made = added.made.as_deref();
        keep::keep(keep, &plan.command, made, translation.as_ref(), ui)?;
    }
    shown_or_run(&plan.command, arguments.show, ui)
}

/// Prints the command if it is only to be shown, else runs it.
fn shown_or_run(command: &[OsString], show: bool, ui: &Ui) -> Outcome {
    let text = shown(command);
    if show {
        output::deliver(&text, None)?;
        return Ok(0);
    }
    ui.command(&text);
    let ended = Program::new(command).run().map_err(|error| {
        let compiler = Path::new(&command[0]).display();
        Failure::new(format!("cannot run {compiler}: {error}"))
    })?;
    Ok(ended.status())
}

/// Additions of the tool to a command.
#[derive(Default)]
struct Added {
    /// For the link.
    link_inputs: Vec<OsString>,
    /// Where it is, with what it was made from.
    made: Option<PathBuf>,
}

fn added(
    compiler: &Compiler,
    options: &Options,
    arguments: &Arguments,
    invocation: &Invocation,
    directory: &Path,
    ui: &Ui,
) -> Result<Added, Failure> {
    if !instruments(compiler, options) || !invocation.has_inputs {
        return Ok(Added::default());
    }
    // A site's compiler that cannot instrument is noticed before the first file is compiled.
    let embedded = compiler.flavour == Flavour::Embedded;
    if embedded && !invocation.links_program {
        return Ok(Added::default());
    }
    let (runtime, shelves) = installation::workplace()?;
    let sources = installation::decoder_sources(&runtime);
    let threads = arguments.threads;
    // A user's own spelling is the compiler's business.
    let threads_arguments = match threads {
        Some(_) => options.threads.clone(),
        None => invocation.threads_arguments.clone(),
    };
    let purpose = Purpose {
        threads: threads.or(invocation.threads),
        threads_arguments,
        configuration: [&*options.network, &invocation.configuration].concat(),
        is_over_mpi: embedded && network::is_over_mpi(arguments.network.as_deref(), invocation),
    };
    let made = prepare(compiler, &purpose, &sources, &shelves).map_err(|error| {
        let remedy = error.remedy();
        let failure = Failure::from(error);
        match remedy {
            Some(remedy) => failure.help(format_args!(
                "{remedy}; until then, `--upcc embedded` uses the compiler that belongs to \
                 pgastool"
            )),
            None => failure,
        }
    })?;
    let mut link_inputs = Vec::new();
    if invocation.links_program {
        link_inputs = prepare_link(compiler, &purpose, &sources, directory, &shelves)?;
    }
    if invocation.links_program && purpose.is_over_mpi {
        link_inputs.extend(mpi_wrappers(arguments, directory, &shelves, ui)?);
    }
    Ok(Added {
        link_inputs,
        made: Some(made),
    })
}

/// Objects that report the program's own calls of MPI. An `mpicc` that is not there is the
/// compiler's affair.
fn mpi_wrappers(
    arguments: &Arguments,
    directory: &Path,
    shelves: &Shelves,
    ui: &Ui,
) -> Result<Vec<OsString>, Failure> {
    let Ok(mpicc) = Mpicc::find(arguments.mpicc.as_deref(), &c_compiler()?) else {
        return Ok(Vec::new());
    };
    let sources = installation::wrapper_sources();
    let words = &arguments.arguments;
    let wrappers = prepare_mpi_wrappers(&mpicc, words, &sources, directory, shelves)?;
    models::warn_of(&wrappers, ui);
    Ok(wrappers.link_inputs.first)
}
