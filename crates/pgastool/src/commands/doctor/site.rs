//! A site's UPC compiler, tried as programs will need it: whether it instruments, and whether a
//! program can be linked. The checks also build the files that its programs need, so that the first
//! user need not wait for them.

use super::Check;
use super::toolchain::succeed;
use crate::failure::Failure;
use crate::installation;
use crate::installation::compiler::chosen;
use pgas_instrument::command::{Options, plan};
use pgas_instrument::compiler::Compiler;
use pgas_instrument::support::{Purpose, Shelves, prepare, prepare_link, shared_shelf};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "#include <upc.h>\nshared int from[THREADS];\nint main(void) {\n  \
                       from[MYTHREAD] = 1;\n  upc_barrier;\n  return from[0] - 1;\n}\n";

/// `for_all`: what is made goes into the installation.
pub(super) fn checks(upcc: &OsStr, for_all: bool) -> Result<Vec<Check>, Failure> {
    let directory = installation::directory()?;
    let compiler = chosen(upcc, &directory)?;
    let table = compiler.flavour.table();
    let mut checks = vec![Check::ok(
        "compiler asked for",
        format!(
            "{} at {} ({})",
            table.name,
            compiler.path.display(),
            compiler.version
        ),
    )];
    if let Some(reason) = table.unmeasurable {
        checks.push(
            Check::missing(
                "instrumentation",
                "there is none",
                format!("its programs run, but unmeasured: {reason}"),
            )
            .essential(),
        );
        return Ok(checks);
    }
    let (runtime, mut shelves) = installation::workplace()?;
    if for_all {
        let own = shared_shelf(&directory).ok_or_else(|| {
            Failure::new(format!(
                "{} is not an installation, in which something could be kept for all",
                directory.display()
            ))
            .help("install pgastool with `scripts/install`, or leave `--for-all` out")
        })?;
        make_readable(&own)?;
        shelves = Shelves {
            shared: Vec::new(),
            own,
        };
    }
    let sources = installation::decoder_sources(&runtime);
    match prepare(&compiler, &Purpose::default(), &sources, &shelves) {
        Ok(made) => checks.push(Check::ok(
            "instrumentation",
            format!("works; what programs need is in {}", made.display()),
        )),
        Err(error) => {
            let check = missing("instrumentation", error.to_string());
            checks.push(match error.remedy() {
                Some(remedy) => Check {
                    remedy: Some(remedy.to_string()),
                    ..check
                },
                None => check,
            });
            return Ok(checks);
        }
    }
    let link_inputs = prepare_link(
        &compiler,
        &Purpose::default(),
        &sources,
        &directory,
        &shelves,
    )?;
    checks.push(match link(&compiler, &link_inputs) {
        Ok(()) => Check::ok("a program for it", "compiles and links with the recorder"),
        Err(reason) => missing("a program for it", reason),
    });
    Ok(checks)
}

/// A directory that others can read, whatever the operator's files are by default.
fn make_readable(directory: &Path) -> Result<(), Failure> {
    if directory.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(directory)
        .and_then(|()| fs::set_permissions(directory, Permissions::from_mode(0o755)))
        .map_err(|error| Failure::new(format!("cannot make {}: {error}", directory.display())))
}

fn missing(name: &'static str, reason: String) -> Check {
    Check::missing(
        name,
        format!("does not work: {reason}"),
        "docs/site-compilers.md says what each compiler needs; `--upcc embedded` uses the tool's \
         own",
    )
    .essential()
}

/// It is not started: that may need a batch job.
fn link(compiler: &Compiler, link_inputs: &[OsString]) -> Result<(), String> {
    let scratch =
        tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
    std::fs::write(scratch.path().join("trial.upc"), PROGRAM)
        .map_err(|error| format!("{}: {error}", scratch.path().display()))?;
    let arguments = ["-o", "trial", "trial.upc"].map(OsString::from);
    let command = plan(compiler, &Options::default(), &arguments, link_inputs).command;
    succeed(
        Command::new(Path::new(&command[0]))
            .args(&command[1..])
            .current_dir(scratch.path()),
    )
    .map(|_| ())
}
