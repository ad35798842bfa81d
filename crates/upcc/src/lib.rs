//! The driver of the embedded UPC compiler: the command `pgas-upcc`, which takes the command line
//! of a C compiler.
//!
//! Each source goes through three steps: the C compiler preprocesses it, [`pgas_upc`] turns UPC
//! into C, and the C compiler compiles that. Objects carry a note of how they were compiled; a link
//! reads the notes, adds one about the program, and the runtime library.

use std::ffi::OsString;
use std::io::Write;

mod arguments;
mod build;
mod c_messages;
mod dependencies;
mod error;
mod help;
mod inputs;
mod interrupt;
mod link;
mod messages;
mod options;
mod output;
mod request;
mod toolchain;
mod translate;
mod unit_note;

use pgas_instrument::network::Network;

pub use error::Error;

/// Runs the command with these arguments (without its own name), prints results on standard output
/// and messages on standard error, and returns the exit status, which is that of other C compilers:
/// 0 if all is done, else 1.
pub fn main(args: Vec<OsString>) -> u8 {
    match run(args) {
        Ok(()) => 0,
        Err(e) => {
            if let Some(message) = e.message() {
                say("\x1b[1;31merror:\x1b[0m", &message);
            }
            1
        }
    }
}

fn say(kind: &str, message: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(
        anstream::stderr(),
        "\x1b[1mpgas-upcc:\x1b[0m {kind} {message}"
    );
}

/// A warning that is not about a line of the program.
fn warn(message: &str) {
    say("\x1b[1;35mwarning:\x1b[0m", message);
}

fn run(args: Vec<OsString>) -> Result<(), Error> {
    let args = pgas_instrument::response::expand(args)?;
    let mut request = arguments::parse(&args)?;
    let version_asked = request.query.is_none() && request.inputs.is_empty();
    match &request.query {
        Some(request::Query::Help) => print(&help::text()),
        Some(request::Query::Man) => print(&help::man_page()),
        Some(request::Query::Version) => print(&version_text()),
        Some(request::Query::Compiler(question)) => {
            toolchain::Toolchain::find(&request)?.ask(question, &request.general)
        }
        None if version_asked => {
            // `-v` alone: as with C compilers, on standard error. The C compiler adds its own.
            eprint!("{}", version_text());
            toolchain::Toolchain::find(&request)?.ask("-v".as_ref(), &[])
        }
        None => {
            if request.network.is_none() {
                request.network = Network::of_environment()?;
            }
            build::build(&request)
        }
    }
}

fn print(text: &str) -> Result<(), Error> {
    std::io::stdout()
        .write_all(text.as_bytes())
        .map_err(|source| Error::io("write to standard output", "", source))
}

fn version_text() -> String {
    let mut text = format!(
        "pgas-upcc {}, the embedded UPC compiler of pgastool\nlanguage: UPC 1.3; threads are \
         processes of one node, or of an MPI program (-network=mpi)\n",
        env!("CARGO_PKG_VERSION")
    );
    match pgas_instrument::compiler::c_compiler() {
        Ok(path) => text += &format!("C compiler: {}\n", path.display()),
        Err(e) => text += &format!("C compiler: none ({e})\n"),
    }
    text
}
