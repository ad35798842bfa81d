//! `pgastool compile COMPILER ...`: a command that names its compiler first, as those of OpenSHMEM,
//! coarrays and MPI do.

use super::{Arguments, RecordedAccesses, RecordedFunctions, exclusion, keep, shown_or_run};
use crate::failure::{Failure, Outcome};
use crate::installation;
use crate::recording::filters::FilterFile;
use crate::terminal::Ui;
use pgas_instrument::invocation::Invocation;
use pgas_instrument::model::ModelCompiler;
use pgas_instrument::model::command::{FUNCTIONS, LinkInputs, Options, plan};
use pgas_instrument::support::{Wrappers, filter_note, prepare_wrappers};
use std::ffi::OsString;

/// Compiles with such a compiler.
pub(super) fn compile(
    arguments: &Arguments,
    compiler: &ModelCompiler,
    rest: &[OsString],
    ui: &Ui,
) -> Outcome {
    let model = compiler.model.table().name;
    if let Some(option) = of_upc_only(arguments) {
        return Err(Failure::new(format!(
            "{option} is for UPC programs, but {} is a compiler of {model}",
            compiler.path.display()
        ))
        .help("leave it out"));
    }
    ui.command(format_args!(
        "# compiler of {model}: {} ({})",
        compiler.path.display(),
        compiler.version
    ));
    let options = Options {
        no_instrument: arguments.no_instrument,
        functions: arguments.functions == RecordedFunctions::All && !arguments.no_functions,
    };
    if options.functions && !compiler.flags.iter().any(|flag| flag == FUNCTIONS) {
        ui.warning(format_args!(
            "functions of the program will not be seen: this compiler does not take {FUNCTIONS}"
        ));
    }
    let filter = arguments
        .filter
        .as_deref()
        .filter(|_| !options.no_instrument);
    let filter = filter.map(FilterFile::read).transpose()?;
    for loss in filter.iter().flat_map(FilterFile::losses) {
        ui.warning(loss);
    }
    let mut inputs = LinkInputs::default();
    let mut made = None;
    let invocation = Invocation::of_wrapper(rest);
    if invocation.links_program && !options.no_instrument {
        let sources = installation::wrapper_sources();
        let directory = installation::directory()?;
        let shelves = installation::workplace()?.1;
        let wrappers = prepare_wrappers(compiler, rest, &sources, &directory, &shelves)?;
        warn_of(&wrappers, ui);
        inputs = wrappers.link_inputs;
        made = Some(wrappers.made);
        if let Some(filter) = &filter {
            let note = filter_note(&filter.name, &filter.text, &shelves)?;
            inputs.first.push(note.into());
        }
    }
    let rest = match filter.filter(|_| options.functions && invocation.makes_code) {
        Some(filter) => &[&*exclusion::flags(compiler, &filter.filter, rest), rest].concat(),
        None => rest,
    };
    let command = plan(compiler, options, rest, &inputs);
    if let Some(directory) = &arguments.keep {
        keep::keep(directory, &command, made.as_deref(), None, ui)?;
    }
    shown_or_run(&command, arguments.show, ui)
}

/// Says which functions of MPI are not recorded.
pub(super) fn warn_of(wrappers: &Wrappers, ui: &Ui) {
    if !wrappers.left_out.is_empty() {
        ui.warning(format_args!(
            "calls of these functions of MPI will not be recorded, since the library has no second \
             names of them (PMPI_...), or its header declares them in a way that pgastool does not \
             understand: {}",
            wrappers.left_out.join(", ")
        ));
    }
    let lost = &wrappers.lost_of_fortran;
    if !lost.is_empty() {
        ui.warning(format_args!(
            "calls of MPI from Fortran will not be recorded, since this command names no library of \
             MPI for Fortran that has second names of the functions (such as p{0}): {1}; name the \
             library after the objects, such as -lmpi_mpifh of Open MPI or -lmpifort of MPICH, or \
             link with the MPI's compiler of Fortran, such as mpifort",
            lost[0],
            lost.join(", ")
        ));
    }
}

/// The first option of the command that means nothing for other models than UPC.
fn of_upc_only(arguments: &Arguments) -> Option<&'static str> {
    let given = [
        ("--threads", arguments.threads.is_some()),
        ("--network", arguments.network.is_some()),
        ("--mpicc", arguments.mpicc.is_some()),
        ("--inst-local", arguments.inst_local),
        ("--accesses", arguments.accesses != RecordedAccesses::Auto),
    ];
    let mut given = given.into_iter();
    given.find_map(|(option, is_given)| is_given.then_some(option))
}
