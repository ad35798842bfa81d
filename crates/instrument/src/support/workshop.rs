//! Commands that make files in one directory. They name the files without the directory and are
//! noted down, so that the directory can be moved, and everything in it made again by hand.

use pgas_base::helper;
use pgas_base::shell::shown;
use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// Name of the script with the commands.
pub(super) const COMMANDS: &str = "commands.sh";

/// A directory where things are made.
pub(super) struct Workshop<'a> {
    directory: &'a Path,
    commands: RefCell<String>,
}

/// A command that failed.
#[derive(Debug)]
pub(super) struct Failed {
    pub command: String,
    /// Its output, and how it ended; each line indented.
    pub said: String,
}

impl<'a> Workshop<'a> {
    pub(super) fn new(directory: &'a Path) -> Self {
        Self {
            directory,
            commands: RefCell::default(),
        }
    }

    /// Makes a directory in it; an error names it.
    pub(super) fn directory_for(&self, name: &str) -> Result<(), (PathBuf, io::Error)> {
        let path = self.directory.join(name);
        fs::create_dir_all(&path).map_err(|error| (path, error))
    }

    /// Writes a file; an error names it.
    pub(super) fn write(&self, name: &str, text: &[u8]) -> Result<(), (PathBuf, io::Error)> {
        let path = self.directory.join(name);
        fs::write(&path, text).map_err(|error| (path, error))
    }

    /// Runs a command that makes something in the directory.
    pub(super) fn run(&self, program: &Path, arguments: &[OsString]) -> Result<(), Failed> {
        self.ask(program, arguments)?;
        let mut command = vec![OsString::from(program)];
        command.extend_from_slice(arguments);
        *self.commands.borrow_mut() += &format!("{}\n", shown(&command));
        Ok(())
    }

    /// Runs a command in the directory and returns its standard output.
    pub(super) fn ask(&self, program: &Path, arguments: &[OsString]) -> Result<String, Failed> {
        let words = [&[OsString::from(program)], arguments].concat();
        let failed = |said: String| Failed {
            command: shown(&words),
            said: said.replace('\n', "\n  "),
        };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.directory);
        let output = helper::output(&mut command, helper::WORK);
        let output = output.map_err(|error| failed(error.to_string()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if output.status.success() {
            return Ok(text.into_owned());
        }
        // Some compilers complain on their standard output.
        let said = String::from_utf8_lossy(&output.stderr);
        let parts = [text.trim(), said.trim(), &output.status.to_string()];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        Err(failed(parts.collect::<Vec<_>>().join("\n")))
    }

    /// Writes a file of text into the directory.
    pub(super) fn write_text(&self, name: &str, text: &str) -> Result<(), Failed> {
        let written = self.write(name, text.as_bytes());
        written.map_err(|(path, error)| Failed {
            command: format!("write {}", path.display()),
            said: error.to_string(),
        })
    }

    /// Removes a file that is needed no more.
    pub(super) fn remove(&self, name: &str) -> Result<(), Failed> {
        self.run(Path::new("rm"), &[name.into()])
    }

    /// Writes the script with the commands that succeeded.
    pub(super) fn note_commands(&self) -> Result<(), (PathBuf, io::Error)> {
        let script = format!(
            "#!/bin/sh\n# Makes what is here again.\nset -e\ncd \"$(dirname \"$0\")\"\n{}",
            self.commands.borrow()
        );
        self.write(COMMANDS, script.as_bytes())
    }
}
