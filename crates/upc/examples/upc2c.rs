//! Prints the C of one preprocessed source: `cc -E ... foo.upc | upc2c [--threads N] [--instrument]
//! > foo.i`.

use std::io::Read;

fn main() {
    let mut options = pgas_upc::Options {
        name: "<stdin>".into(),
        ..Default::default()
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--threads" => options.threads = args.next().and_then(|n| n.parse().ok()),
            "--instrument" => (options.instrument, options.instrument_functions) = (true, true),
            other => {
                eprintln!("unknown option {other}");
                std::process::exit(2);
            }
        }
    }
    let mut text = String::new();
    if let Err(e) = std::io::stdin().read_to_string(&mut text) {
        eprintln!("cannot read the standard input: {e}");
        std::process::exit(2);
    }
    match pgas_upc::compile(&text, &options) {
        Ok(output) => {
            output.warnings.iter().for_each(|w| eprintln!("{w}"));
            print!("{}", output.c);
        }
        Err(messages) => {
            messages.iter().for_each(|m| eprintln!("{m}"));
            std::process::exit(1);
        }
    }
}
