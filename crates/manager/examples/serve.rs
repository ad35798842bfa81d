//! Offers a simulated run of 8 threads, for trying clients. Argument: seconds (600).

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use pgas_base::models::Words;
use pgas_manager::{Manager, Options};

#[path = "../tests/sample/mod.rs"]
mod sample;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds = std::env::args().nth(1).map(|one| one.parse());
    let manager = Manager::start(Options {
        page: "<!doctype html><title>A simulated run</title>".to_owned(),
        words: Words::of(&[]),
        port: 0,
        questions: None,
    })?;
    manager.announce(Path::new("."))?;
    println!("live/manager.json has address and token");
    for second in 1..=seconds.transpose()?.unwrap_or(600) {
        manager.add(sample::picture(second, 8), Vec::new(), Vec::new());
        sleep(Duration::from_secs(1));
    }
    manager.end("the simulated run has ended");
    Ok(())
}
