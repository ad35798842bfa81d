//! Compilers and the tool's own parts, and whether they work together.

use super::Check;
use crate::failure::Failure;
use crate::installation;
use pgas_base::helper;
use pgas_instrument::compiler::{Compiler, c_compiler};
use pgas_instrument::support::{not_prelinked, recorder_library};
use std::path::Path;
use std::process::{Command, Output};

pub(super) fn checks() -> Result<Vec<Check>, Failure> {
    let directory = installation::directory()?;
    Ok(vec![
        c(),
        embedded(&directory),
        of_site(),
        recorder(&directory),
        cache(),
        trial(&directory),
        debugger(),
    ])
}

fn c() -> Check {
    const NAME: &str = "C compiler";
    match c_compiler() {
        Ok(path) => {
            let version = first_line(Command::new(&path).arg("--version"));
            Check::ok(NAME, format!("{} ({version})", path.display()))
        }
        Err(error) => Check::missing(NAME, "none found", error.to_string()),
    }
    .essential()
}

fn embedded(directory: &Path) -> Check {
    const NAME: &str = "embedded UPC compiler";
    match Compiler::embedded(directory) {
        Ok(compiler) => Check::ok(
            NAME,
            format!("{} ({})", compiler.path.display(), compiler.version),
        ),
        Err(error) => Check::missing(NAME, "not found", error.to_string()),
    }
    .essential()
}

fn of_site() -> Check {
    const NAME: &str = "UPC compilers of the site";
    if let Some(named) =
        std::env::var_os("PGAS_UPCC").filter(|v| !v.is_empty() && v != "embedded" && v != "auto")
    {
        let asked = which::which(&named)
            .map_err(|error| error.to_string())
            .and_then(|path| Compiler::ask(&path).map_err(|error| error.to_string()));
        return match asked {
            Ok(compiler) => Check::ok(NAME, described(&compiler)),
            Err(reason) => Check::missing(
                NAME,
                format!("PGAS_UPCC={}: {reason}", named.to_string_lossy()),
                "correct PGAS_UPCC or take it out of the environment",
            ),
        };
    }
    let found: Vec<String> = Compiler::on_path().map(|c| described(&c)).collect();
    if found.is_empty() {
        Check::ok(NAME, "none on PATH; the embedded one is used")
    } else {
        Check::ok(NAME, found.join(", "))
    }
}

fn described(compiler: &Compiler) -> String {
    format!(
        "{} at {}",
        compiler.flavour.table().name,
        compiler.path.display()
    )
}

fn recorder(directory: &Path) -> Check {
    const NAME: &str = "recorder";
    match recorder_library(directory) {
        Ok(path) => Check::ok(
            NAME,
            match why_not_prelinked(directory) {
                None => path.display().to_string(),
                Some(why) => format!(
                    "{}, as it is (links take longer, and programs are larger), since the linker \
                     cannot link it in advance: {why}",
                    path.display()
                ),
            },
        ),
        Err(error) => Check::missing(NAME, "not found", error.to_string()),
    }
    .essential()
}

/// The first line of what the linker said.
fn why_not_prelinked(directory: &Path) -> Option<String> {
    let (runtime, shelves) = installation::workplace().ok()?;
    let sources = installation::decoder_sources(&runtime);
    let text = not_prelinked(&sources, directory, &shelves)?;
    let said = text.lines().nth(1).unwrap_or(&text);
    Some(said.trim().to_string())
}

fn cache() -> Check {
    const NAME: &str = "cache directory";
    match installation::runtime() {
        Ok((_, directory)) => Check::ok(NAME, directory.display().to_string()),
        Err(failure) => Check::missing(
            NAME,
            failure.message,
            "name a directory that can be written to in PGAS_CACHE_DIR",
        ),
    }
    .essential()
}

/// Compiles and runs a program of two threads, since parts that are there need not work together.
fn trial(directory: &Path) -> Check {
    const NAME: &str = "a small UPC program";
    const PROGRAM: &str = "#include <upc.h>\n#include <stdio.h>\nshared int from[THREADS];\nint \
                           main(void) {\n  from[MYTHREAD] = MYTHREAD + 1;\n  upc_barrier;\n  if \
                           (MYTHREAD == 0) printf(\"%d\\n\", from[0] + from[THREADS - 1]);\n  \
                           return 0;\n}\n";
    let tried = || -> Result<(), String> {
        let scratch =
            tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
        let source = scratch.path().join("trial.upc");
        let program = scratch.path().join("trial");
        std::fs::write(&source, PROGRAM)
            .map_err(|error| format!("{}: {error}", source.display()))?;
        let mut compile = Command::new(directory.join("pgas-upcc"));
        succeed(compile.arg("-o").arg(&program).arg(&source))?;
        let output = succeed(
            Command::new(&program)
                .env("PGAS_THREADS", "2")
                .env_remove("PGAS_EXPERIMENT"),
        )?;
        match String::from_utf8_lossy(&output.stdout).trim() {
            "3" => Ok(()),
            other => Err(format!("it printed \"{other}\" instead of \"3\"")),
        }
    };
    match tried() {
        Ok(()) => Check::ok(NAME, "compiles, and runs with 2 threads"),
        Err(reason) => Check::missing(
            NAME,
            format!("does not work: {reason}"),
            "fix what is missing above; if nothing is, please report this as a bug",
        ),
    }
    .essential()
}

fn debugger() -> Check {
    const NAME: &str = "debugger";
    match which::which("gdb") {
        Ok(path) => Check::ok(NAME, path.display().to_string()),
        Err(_) => Check::ok(NAME, "no gdb (only needed to debug UPC programs)"),
    }
}

pub(super) fn succeed(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = helper::output(command, helper::WORK);
    let output = output.map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("");
    Err(format!("{name}: {}: {said}", output.status))
}

fn first_line(command: &mut Command) -> String {
    helper::output(command, helper::QUESTION)
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .and_then(|text| text.lines().next().map(String::from))
        .unwrap_or_else(|| "does not say its version".to_string())
}
