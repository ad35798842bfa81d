//! `scripts/study NAME`: runs studies one after the other and prints the files that they wrote.

use clap::Parser;
use pgas_study::{programs, run, settings::Settings};
use std::process::ExitCode;

fn main() -> ExitCode {
    let settings = Settings::parse();
    let names: Vec<String> = if settings.names.iter().any(|name| name == "all") {
        programs::names().into_iter().map(String::from).collect()
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
