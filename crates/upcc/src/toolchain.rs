//! Running the C compiler: which one, and showing its commands.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::arguments::Request;
use crate::Error;

/// The C compiler behind this one.
pub struct Toolchain {
    compiler: PathBuf,
    verbose: bool,
    dry_run: bool,
}

/// How a command of the C compiler ended.
pub struct Outcome {
    pub success: bool,
    /// What it wrote to standard error, if that was asked for.
    pub messages: Vec<u8>,
}

impl Toolchain {
    /// `$PGAS_CC`, else `cc`, `gcc` or `clang`.
    pub fn find(request: &Request) -> Result<Self, Error> {
        Ok(Toolchain {
            compiler: pgas_instrument::compiler::c_compiler()?,
            verbose: request.verbose,
            dry_run: request.dry_run,
        })
    }

    /// Whether commands are only shown.
    pub fn dry_run(&self) -> bool {
        self.dry_run
    }

    /// Runs the compiler; its messages go where ours go.
    pub fn run(&self, args: &[OsString]) -> Result<Outcome, Error> {
        self.start(args, false)
    }

    /// Runs the compiler and keeps its messages.
    pub fn run_quietly(&self, args: &[OsString]) -> Result<Outcome, Error> {
        self.start(args, true)
    }

    /// Passes a question such as `-dumpmachine` on.
    pub fn ask(&self, question: &OsStr) -> Result<(), Error> {
        match self.run(&[question.to_os_string()])?.success {
            true => Ok(()),
            false => Err(Error::Shown),
        }
    }

    fn start(&self, args: &[OsString], keep_messages: bool) -> Result<Outcome, Error> {
        if self.verbose || self.dry_run {
            eprintln!("{}", shown(&self.compiler, args));
        }
        if self.dry_run {
            return Ok(Outcome {
                success: true,
                messages: Vec::new(),
            });
        }
        let mut command = Command::new(&self.compiler);
        command.args(args);
        if keep_messages {
            command.stderr(Stdio::piped());
        }
        let output = command
            .stdin(Stdio::inherit())
            .stdout(Stdio::inherit())
            .spawn()
            .and_then(|child| child.wait_with_output())
            .map_err(|e| {
                Error::Unusable(format!(
                    "cannot run the C compiler {}: {e}",
                    self.compiler.display()
                ))
            })?;
        if output.status.code().is_none() {
            return Err(Error::Unusable(format!(
                "the C compiler {} was ended by a signal ({})",
                self.compiler.display(),
                output.status
            )));
        }
        Ok(Outcome {
            success: output.status.success(),
            messages: output.stderr,
        })
    }
}

/// A command as one could type it.
fn shown(program: &std::path::Path, args: &[OsString]) -> String {
    std::iter::once(program.as_os_str())
        .chain(args.iter().map(OsString::as_os_str))
        .map(|word| {
            let text = word.to_string_lossy();
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./,:@%".contains(c);
            match !text.is_empty() && text.chars().all(plain) {
                true => text.into_owned(),
                false => format!("'{}'", text.replace('\'', r"'\''")),
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}
