//! `scripts/study NAME`: runs studies one after the other and prints the files that they wrote.

use clap::Parser;
use pgas_study::{programs, run, settings::Settings};
use std::process::ExitCode;

/// All studies whose compilers are here; the others are named.
fn all() -> Vec<String> {
    let possible = programs::STUDIES.iter().filter(|study| {
        let missing = study.demand_compiler();
        if let Err(missing) = &missing {
            eprintln!("study {}: left out: {missing}", study.name);
        }
        missing.is_ok()
    });
    possible.map(|study| study.name.to_string()).collect()
}

fn main() -> ExitCode {
    let settings = Settings::parse();
    let names: Vec<String> = if settings.names.iter().any(|name| name == "all") {
        all()
    } else {
        settings.names.clone()
    };
    for name in names {
        let begin = std::time::Instant::now();
        eprintln!("study {name}");
        match run(&name, &settings) {
            Ok(files) => {
                for file in files {
                    println!("{}", file.display());
                }
                eprintln!("study {name}: {:.0} s", begin.elapsed().as_secs_f64());
            }
            Err(error) => {
                eprintln!("scripts/study {name}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}
