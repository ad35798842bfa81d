//! `pgastool compile`: the user's compiler command, with what makes the program measurable added.

use crate::child::Program;
use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::filters::FilterFile;
use crate::tool;
use crate::ui::Ui;
use pgas_instrument::command::{links_program, plan, shown, Options};
use pgas_instrument::compiler::{Choice, Compiler, CompilerError};
use pgas_instrument::support::{prepare_link, Sources};

pub fn compile(arguments: &cli::Compile, ui: &Ui) -> Outcome {
    if let Some(path) = &arguments.filter {
        // Read here too, so that a mistake in it is told once and not by each compiler process.
        let filter = FilterFile::read(path)?;
        if !arguments.no_instrument {
            for loss in filter.losses() {
                ui.warning(loss);
            }
        }
    }
    let directory = tool::directory()?;
    let compiler =
        Compiler::choose(&Choice::parse(&arguments.upcc), &directory).map_err(|error| {
            let advice = matches!(
                error,
                CompilerError::NotFound { .. } | CompilerError::Unknown { .. }
            );
            let failure = Failure::from(error);
            if advice {
                failure.help("`--upcc embedded` uses the compiler that belongs to pgastool")
            } else {
                failure
            }
        })?;
    ui.command(format_args!(
        "# compiler: {} ({})",
        compiler.path.display(),
        compiler.version
    ));

    let options = Options {
        threads: arguments.threads,
        no_instrument: arguments.no_instrument,
        no_functions: arguments.no_functions,
        local_accesses: arguments.inst_local,
        filter: arguments.filter.clone(),
    };
    let link_inputs = if !options.no_instrument
        && compiler.flavour.table().refusal.is_none()
        && links_program(&compiler, &arguments.arguments)
    {
        let (runtime, cache) = tool::runtime()?;
        let sources = Sources {
            decoder: pgas_measure::sources::GASP_DECODER_C,
            headers: pgas_measure::sources::HEADERS,
            runtime_include: &runtime.include_dir,
        };
        prepare_link(&compiler, arguments.threads, &sources, &directory, &cache)?
    } else {
        Vec::new()
    };
    let plan = plan(&compiler, &options, &arguments.arguments, &link_inputs)?;
    for remark in &plan.remarks {
        ui.warning(remark);
    }
    let text = shown(&plan.command);
    if arguments.show {
        println!("{text}");
        return Ok(0);
    }
    ui.command(&text);
    let ended = Program::new(&plan.command).run().map_err(|error| {
        Failure::new(format!("cannot run {}: {error}", compiler.path.display()))
    })?;
    Ok(ended.status())
}
