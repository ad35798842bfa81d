//! `pgastool compile --keep`: what the tool generates for a program, in a directory of the user's
//! choice: what is added to its link and from what that is made, the C that the embedded compiler
//! makes of its sources, and the commands.

use crate::failure::Failure;
use crate::terminal::Ui;
use pgas_base::shell::shown;
use pgas_instrument::command::{Options, plan};
use pgas_instrument::compiler::Compiler;
use pgas_instrument::flavour::Flavour;
use pgas_instrument::invocation::Invocation;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// All commands that went through with this directory, in their order.
const COMMANDS: &str = "commands.sh";
/// Directory of the files that the tool adds to links, with a script of their own.
const ADDED: &str = "added";

/// Keeps it in `directory`; `command` is the one that is run, `made` where what it adds was made.
pub(super) fn keep(
    directory: &Path,
    command: &[OsString],
    made: Option<&Path>,
    translation: Option<&Translation>,
    ui: &Ui,
) -> Result<(), Failure> {
    let told = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| unusable(&path, error)
    };
    fs::create_dir_all(directory).map_err(told(directory))?;
    let mut kept = vec![COMMANDS.to_string()];
    if let Some(made) = made {
        let place = directory.join(ADDED);
        copy(made, &place).map_err(told(&place))?;
        kept.push(format!("{ADDED}/"));
    }
    if let Some(translation) = translation {
        kept.extend(translation.write(directory)?);
    }
    note_command(directory, command).map_err(told(&directory.join(COMMANDS)))?;
    ui.note(format_args!(
        "kept in {}: {}",
        directory.display(),
        kept.join(", ")
    ));
    Ok(())
}

/// A directory with all that is in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copied = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &copied)?;
        } else {
            fs::copy(entry.path(), &copied)?;
        }
    }
    Ok(())
}

fn unusable(path: &str, problem: impl Display) -> Failure {
    Failure::new(format!("cannot keep {path}: {problem}"))
        .help("`--keep` takes a directory that can be written to, or the name of a new one")
}

fn note_command(directory: &Path, command: &[OsString]) -> std::io::Result<()> {
    let path = directory.join(COMMANDS);
    let here = std::env::current_dir()?;
    let line = format!("(cd {} && {})\n", shown([here]), shown(command));
    let is_new = !path.exists();
    let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
    let start = if is_new { "#!/bin/sh\nset -e\n" } else { "" };
    // In one piece: a build may run several commands at once.
    file.write_all(format!("{start}{line}").as_bytes())
}

/// How the embedded compiler translates the sources of a command.
pub(super) struct Translation<'a> {
    pub compiler: &'a Compiler,
    pub options: &'a Options,
    pub invocation: &'a Invocation,
}

impl<'a> Translation<'a> {
    /// Other compilers have ways of their own to keep what they make of a source.
    pub(super) fn of(
        compiler: &'a Compiler,
        options: &'a Options,
        invocation: &'a Invocation,
    ) -> Option<Self> {
        (compiler.flavour == Flavour::Embedded).then_some(Self {
            compiler,
            options,
            invocation,
        })
    }

    /// Returns the names of the files.
    fn write(&self, directory: &Path) -> Result<Vec<String>, Failure> {
        let mut names = Vec::new();
        for source in &self.invocation.files {
            let path = Path::new(source);
            let is_upc = |ending: &std::ffi::OsStr| ending == "upc" || ending == "c";
            if !path.extension().is_some_and(is_upc) || !path.is_file() {
                continue;
            }
            let name = name_of(path);
            let output: PathBuf = directory.join(&name);
            let mut arguments = self.invocation.options.clone();
            arguments.extend(["-trans", "-o"].map(OsString::from));
            arguments.extend([output.clone().into(), source.clone()]);
            let command = plan(self.compiler, self.options, &arguments, &[]).command;
            // The user's own source, which may take any time.
            let status = Command::new(&command[0])
                .args(&command[1..])
                .stdin(Stdio::null())
                // The command itself will say what is wrong with the source.
                .stderr(Stdio::null())
                .status()
                .map_err(|error| unusable(&output.display().to_string(), error))?;
            if status.success() {
                names.push(name);
            }
        }
        Ok(names)
    }
}

/// Files of one name in several directories are kept apart.
fn name_of(source: &Path) -> String {
    let parts = source.with_extension("trans.c");
    let parts = parts.components().filter_map(|part| match part {
        std::path::Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_one_name_are_kept_apart() {
        assert_eq!(name_of(Path::new("a.upc")), "a.trans.c");
        assert_eq!(name_of(Path::new("../x/a.upc")), "x-a.trans.c");
        assert_eq!(name_of(Path::new("/y/a.b.c")), "y-a.b.trans.c");
    }
}
