//! Memory and time of the manager for a run of 10 hours with 1,024 threads at a picture a second.
//! Arguments: hours, threads.

use std::fs;
use std::time::Instant;

use pgas_base::models::Words;
use pgas_manager::{Manager, Options};

#[path = "../tests/sample/mod.rs"]
mod sample;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|one| one.parse::<u32>());
    let hours = arguments.next().transpose()?.unwrap_or(10);
    let threads = arguments.next().transpose()?.unwrap_or(1024);
    let manager = Manager::start(Options {
        page: String::new(),
        words: Words::of(&[]),
        port: 0,
        questions: None,
    })?;
    let mut picture = sample::picture(0, threads);
    let (before, begin) = (resident()?, Instant::now());
    for second in 1..=hours * 3600 {
        picture.elapsed = f64::from(second);
        manager.add(picture.clone(), Vec::new(), Vec::new());
        if second % 3600 == 0 {
            let took = begin.elapsed().as_secs_f64() / f64::from(second);
            let memory = resident()? - before;
            println!(
                "{} h, {threads} threads: {memory:.0} MiB, {:.2} ms a picture",
                second / 3600,
                1e3 * took
            );
        }
    }
    Ok(())
}

/// Memory of this process in MiB.
fn resident() -> Result<f64, Box<dyn std::error::Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or("no VmRSS")?.parse::<f64>()? / 1024.0)
}
