//! `pgastool demo`: the whole cycle on a bundled program. It types the same commands that a user
//! would, and shows them.

mod bundled;

use crate::failure::{Failure, Outcome};
use crate::installation;
use crate::output;
use crate::process::Program;
use crate::terminal::Ui;
use bundled::Bundled;
use clap::{ArgAction, Args};
use owo_colors::OwoColorize;
use std::ffi::OsString;
use std::path::Path;

const THREADS: &str = "4";

/// Compile, run, analyse and report a bundled program
///
/// It works in ./pgastool-demo-NAME, which stays, and shows each command as it goes.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Which program [default: is]
    pub name: Option<String>,
    /// List the bundled programs
    #[arg(long, action = ArgAction::SetTrue, conflicts_with = "name")]
    pub list: bool,
}

pub fn demo(arguments: &Arguments, ui: &Ui) -> Outcome {
    if arguments.list {
        let lines = bundled::ALL
            .iter()
            .map(|program| format!("{:8}  {}\n", program.name, program.what));
        output::deliver(&lines.collect::<String>(), None)?;
        return Ok(0);
    }
    let name = arguments.name.as_deref().unwrap_or(bundled::ALL[0].name);
    let program = bundled::ALL
        .iter()
        .find(|p| p.name == name)
        .ok_or_else(|| {
            let names: Vec<_> = bundled::ALL.iter().map(|p| p.name).collect();
            Failure::new(format!("there is no bundled program `{name}`"))
                .help(format!("there are: {}", names.join(", ")))
        })?;

    let name = program.name;
    let directory = Path::new(".").join(format!("pgastool-demo-{name}"));
    unpack(program, &directory)?;
    ui.note(format_args!(
        "{name}: {}; its source is in {}",
        program.what,
        directory.display()
    ));
    let steps = Steps {
        executable: installation::executable()?.into(),
        directory: &directory,
        ui,
    };

    let mut compile = vec!["compile"];
    compile.extend(program.flags);
    compile.push("-O2");
    compile.extend(["-o", name]);
    compile.extend(program.sources());
    compile.extend(program.libraries);
    if let status @ 1.. = steps.step("compile it, with what records its events", &compile)? {
        return Ok(status);
    }
    let program_path = format!("./{name}");
    let mut run = vec!["run", "-n", THREADS, &program_path];
    run.extend(program.arguments.iter().map(|a| -> &str { a }));
    let what = format!("run it on {THREADS} threads and record what they do");
    if let status @ 1.. = steps.step(&what, &run)? {
        return Ok(status);
    }
    if let status @ 1.. = steps.step("search the trace for wait states", &["analyze"])? {
        return Ok(status);
    }
    steps.step("show where the time went", &["report"])
}

/// Writes the program's sources; what is there already stays, since the user may have changed it to
/// see the effect.
fn unpack(program: &Bundled, directory: &Path) -> Result<(), Failure> {
    let fail = |path: &Path, error: std::io::Error| {
        Failure::new(format!("cannot write {}: {error}", path.display()))
    };
    std::fs::create_dir_all(directory).map_err(|error| fail(directory, error))?;
    for (name, text) in program.files {
        let path = directory.join(name);
        if path.exists() {
            continue;
        }
        crate::output::write_file(&path, text.as_bytes()).map_err(|error| fail(&path, error))?;
    }
    Ok(())
}

struct Steps<'a> {
    executable: OsString,
    directory: &'a Path,
    ui: &'a Ui,
}

impl Steps<'_> {
    /// Shows the command and runs it in the demo's directory.
    fn step(&self, what: &str, arguments: &[&str]) -> Outcome {
        let words = arguments.iter().map(OsString::from);
        if !self.ui.quiet {
            let typed = pgas_base::shell::shown(words.clone());
            self.ui.line("");
            self.ui.line(format_args!("# {what}").dimmed());
            self.ui.line(format_args!("$ pgastool {typed}").bold());
        }
        let mut command = vec![self.executable.clone()];
        command.extend(self.ui.options().into_iter().map(OsString::from));
        command.extend(words);
        let ended = Program::new(&command)
            .directory(self.directory)
            .run()
            .map_err(|error| Failure::new(format!("cannot run pgastool itself: {error}")))?;
        Ok(ended.status())
    }
}
