//! The command `pgas-upcc`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pgas_upcc::main(std::env::args_os().skip(1).collect()))
}
