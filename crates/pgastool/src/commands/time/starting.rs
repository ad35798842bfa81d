//! Starts of a driver, by the same launchers as other programs.

use crate::arguments::heap_size;
use crate::failure::Failure;
use crate::job::Job;
use crate::launch::target::Target;
use crate::launch::{Start, Starter, environment, threads};
use crate::process::Program;
use crate::terminal::Ui;
use clap::Args;
use pgas_base::helper;
use pgas_base::shell::shown;
use pgas_measure::settings::EXPERIMENT;
use rustix::process::Signal;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Options that state how drivers are started.
#[derive(Debug, Clone, Default, Args)]
pub struct StartOptions {
    #[command(flatten)]
    pub starter: Starter,
    /// Shared memory that each UPC thread may allocate, such as 512MB; without a unit, in megabytes
    #[arg(long, value_name = "SIZE", value_parser = heap_size)]
    pub shared_heap: Option<String>,
}

impl StartOptions {
    /// The same for one thread, which needs one node alone.
    pub fn of_one(&self) -> Self {
        StartOptions {
            starter: Starter {
                nodes: None,
                ..self.starter.clone()
            },
            ..self.clone()
        }
    }
}

/// A start of a driver that is decided.
#[derive(Debug)]
pub struct Prepared {
    command: Vec<OsString>,
    variables: Vec<(String, OsString)>,
    is_direct: bool,
    /// Nodes that it runs on; `None` if nobody has said.
    pub nodes: Option<u32>,
    /// The launcher as it is called; `None` if the driver is started directly.
    pub launcher: Option<String>,
}

/// Decides how a driver is started with a number of threads.
///
/// # Errors
/// If it cannot be started so.
pub fn prepare(
    driver: &Path,
    arguments: &[OsString],
    threads: u32,
    options: &StartOptions,
    ui: &Ui,
) -> Result<Prepared, Failure> {
    let words = [&[OsString::from(driver)], arguments].concat();
    let target = Target::of(&words, None, false)?;
    let job = Job::here();
    let threads = threads::decide(&target, Some(threads), job.as_ref(), ui)?;
    let given = options.starter.launcher.as_deref();
    let nodes = options.starter.nodes;
    let start = Start::decide(&target, threads, nodes, given, job.as_ref())?;
    let mut set = vec![("PGAS_THREADS".to_string(), threads.to_string().into())];
    if let Some(size) = &options.shared_heap {
        let names = ["PGAS_SHARED_HEAP", "UPC_SHARED_HEAP_SIZE"];
        set.extend(names.map(|name| (name.to_string(), size.into())));
    }
    let (command, own) = start.command(&target, &environment::for_all(&set), &[])?;
    set.extend(
        own.into_iter()
            .map(|(name, value)| (name.to_string(), value)),
    );
    Ok(Prepared {
        command,
        variables: set,
        is_direct: start.is_direct(),
        nodes: start.nodes,
        launcher: start.launched_by(),
    })
}

impl Prepared {
    /// The program with its environment. It is not recorded.
    pub fn program(&self) -> Program<'_> {
        // A launcher must get the chance to end what it has started elsewhere.
        let last_signal = match self.is_direct {
            true => Signal::KILL,
            false => Signal::TERM,
        };
        let program = Program::new(&self.command).not_outliving(last_signal);
        let program = program.variable(EXPERIMENT, None);
        let variables = self.variables.iter();
        variables.fold(program, |program, (name, value)| {
            program.variable(name, Some(value.clone()))
        })
    }

    /// The command, as a shell takes it.
    pub fn shown(&self) -> String {
        shown(&self.command)
    }

    /// Its standard output.
    ///
    /// # Errors
    /// Its messages if it fails.
    pub fn answer(&self) -> Result<String, String> {
        let (program, arguments) = self.command.split_first().ok_or("an empty command")?;
        let mut command = Command::new(program);
        command.args(arguments).env_remove(EXPERIMENT);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let output = helper::output(&mut command, helper::WORK);
        let output = output.map_err(|error| format!("{}: {error}", self.shown()))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(format!(
                "{}: {}: {}",
                self.shown(),
                output.status,
                String::from_utf8_lossy(&output.stderr).trim()
            )),
        }
    }
}
