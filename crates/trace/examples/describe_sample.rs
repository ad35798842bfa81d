//! Prints everything that an experiment says, as `tests/samples.rs` expects it beside a sample of
//! the format.

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: describe_sample DIRECTORY");
        return ExitCode::from(2);
    };
    print!("{}", support::dump::dump(&directory));
    ExitCode::SUCCESS
}
