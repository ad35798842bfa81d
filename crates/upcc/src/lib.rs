//! The driver of the embedded UPC compiler: the command `pgas-upcc`, which takes the command line of a C compiler.
//!
//! Each source goes through three steps: the C compiler preprocesses it, [`pgas_upc`] turns UPC into C, and the C
//! compiler compiles that. Objects carry a note of how they were compiled; a link reads the notes, adds one about the
//! program, and the runtime library.

use std::ffi::OsString;
use std::io::Write;

mod arguments;
mod build;
mod error;
mod link;
mod output;
mod response;
mod toolchain;
mod unit_note;

pub use error::Error;

/// Help on the command line; what a C compiler has too is not repeated.
const HELP: &str = "\
Usage: pgas-upcc [options] file...

Compiles UPC (.upc, .c, .i) for the embedded runtime, and links. Options are those of the C compiler behind it, such
as -c -o -E -S -D -U -I -L -l -O -g -std= -W -f -m -include -MMD -x -shared -Wl, @file; and these:

  -T N, -fupc-threads=N    compile for N threads; without it, the number is chosen when the program starts
  -inst                    report operations of the runtime to a GASP tool that is linked in
  -inst-functions          with -inst: also calls of the program's functions
  -inst-local              with -inst: also accesses to shared data with affinity to the accessing thread
  -inst-filter FILE        with -inst-functions: which functions (Score-P's filter file format)
  -trans                   stop after translation: write the C that is compiled to FILE.trans.c
  -v                       say which commands are run
  --show                   say which commands would be run, and run none
  --version                version of this compiler

A program is run with PGAS_THREADS=N ./a.out. Environment: PGAS_CC names the C compiler (else cc, gcc or clang),
PGAS_CACHE_DIR the directory for the runtime's own files.
";

/// Runs the command with these arguments (without its own name), prints results on standard output and messages on
/// standard error, and returns the exit status: 0 done, 1 the program has errors, 2 wrong usage or unusable input.
pub fn main(args: Vec<OsString>) -> u8 {
    match run(args) {
        Ok(()) => 0,
        Err(e) => {
            if let Some(message) = e.message() {
                let mut stderr = anstream::stderr();
                // Nobody is left to tell if standard error is closed.
                let _ = writeln!(
                    stderr,
                    "\x1b[1mpgas-upcc:\x1b[0m \x1b[1;31merror:\x1b[0m {message}"
                );
            }
            e.exit_status()
        }
    }
}

fn run(args: Vec<OsString>) -> Result<(), Error> {
    let args = response::expand(args)?;
    let request = arguments::parse(&args)?;
    match &request.query {
        Some(arguments::Query::Help) => print(HELP),
        Some(arguments::Query::Version) => print(&version_text()),
        Some(arguments::Query::Compiler(question)) => {
            toolchain::Toolchain::find(&request)?.ask(question)
        }
        None => build::build(&request),
    }
}

fn print(text: &str) -> Result<(), Error> {
    std::io::stdout()
        .write_all(text.as_bytes())
        .map_err(|source| Error::io("write to standard output", "", source))
}

fn version_text() -> String {
    let mut text = format!(
        "pgas-upcc {}, the embedded UPC compiler of pgastool\nlanguage: UPC 1.3; threads are processes of one node\n",
        env!("CARGO_PKG_VERSION")
    );
    match pgas_instrument::compiler::c_compiler() {
        Ok(path) => text += &format!("C compiler: {}\n", path.display()),
        Err(e) => text += &format!("C compiler: none ({e})\n"),
    }
    text
}
