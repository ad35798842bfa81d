//! Running the C compiler: which one, and showing its commands.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pgas_base::shell::shown;

use crate::Error;
use crate::interrupt;
use crate::request::Request;

/// The C compiler behind this one.
pub struct Toolchain {
    compiler: PathBuf,
    verbose: bool,
    dry_run: bool,
}

/// How a command of the C compiler ended.
pub struct Outcome {
    /// It exited with status 0.
    pub success: bool,
    /// Its standard error, if that was asked for.
    pub messages: Vec<u8>,
}

impl Toolchain {
    /// `$PGAS_CC`, else `cc`, `gcc` or `clang`.
    pub fn find(request: &Request) -> Result<Self, Error> {
        let compiler = pgas_instrument::compiler::c_compiler()?;
        let same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
        if std::env::current_exe().is_ok_and(|own| same(&own, &compiler)) {
            return Err(Error::Unusable(format!(
                "the C compiler {} is pgas-upcc itself; name a C compiler in PGAS_CC, such as \
                 /usr/bin/gcc",
                compiler.display()
            )));
        }
        Ok(Toolchain {
            compiler,
            verbose: request.verbose,
            dry_run: request.dry_run,
        })
    }

    /// Whether commands are only shown.
    pub fn dry_run(&self) -> bool {
        self.dry_run
    }

    /// The executable of the C compiler.
    pub fn compiler(&self) -> &Path {
        &self.compiler
    }

    /// Runs the compiler; its messages go where ours go.
    pub fn run(&self, args: &[OsString]) -> Result<Outcome, Error> {
        self.start(&[self.compiler.clone().into()], args, false)
    }

    /// Runs the compiler and keeps its messages.
    pub fn run_quietly(&self, args: &[OsString]) -> Result<Outcome, Error> {
        self.start(&[self.compiler.clone().into()], args, true)
    }

    /// Runs a command that stands in the place of the compiler, and keeps its messages.
    pub fn run_instead(&self, command: &[OsString], args: &[OsString]) -> Result<Outcome, Error> {
        self.start(command, args, true)
    }

    /// Shows a command, as a shell takes it, where that is asked for.
    pub fn show(&self, command: &str) {
        if self.verbose || self.dry_run {
            eprintln!("{command}");
        }
    }

    /// Passes a question such as `-dumpmachine` on, with options such as `-m32` that the answer
    /// depends on.
    pub fn ask(&self, question: &OsStr, general: &[OsString]) -> Result<(), Error> {
        let mut args = general.to_vec();
        args.push(question.to_os_string());
        match self.run(&args)?.success {
            true => Ok(()),
            false => Err(Error::Shown),
        }
    }

    fn start(
        &self,
        compiler: &[OsString],
        args: &[OsString],
        keep_messages: bool,
    ) -> Result<Outcome, Error> {
        self.show(&shown(compiler.iter().chain(args)));
        if self.dry_run {
            return Ok(Outcome {
                success: true,
                messages: Vec::new(),
            });
        }
        // No `helper::output`: it has our terminal and input, takes any time, and ends by our
        // signals.
        let mut command = Command::new(&compiler[0]);
        command.args(&compiler[1..]).args(args);
        if keep_messages {
            command.stderr(Stdio::piped());
        }
        let cannot = |e: std::io::Error| {
            Error::Unusable(format!(
                "cannot run the C compiler {}: {e}",
                shown(compiler)
            ))
        };
        let child = command
            .stdin(Stdio::inherit())
            .stdout(Stdio::inherit())
            .spawn()
            .map_err(cannot)?;
        interrupt::set_child(Some(child.id()));
        let output = child.wait_with_output();
        while interrupt::is_ending() {
            // The signal that ended the compiler is about to end us too.
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
        interrupt::set_child(None);
        let output = output.map_err(cannot)?;
        if output.status.code().is_none() {
            return Err(Error::Unusable(format!(
                "the C compiler {} was ended by a signal ({})",
                shown(compiler),
                output.status
            )));
        }
        Ok(Outcome {
            success: output.status.success(),
            messages: output.stderr,
        })
    }
}
