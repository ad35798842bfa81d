//! Time of a message of 8 bytes between two tasks, send and receive, in ns: the fastest of some
//! rounds. All of them are in one run, so that all are recorded if one is.
//!
//!     cargo run --release -p pgas-tasks --example messages -- ROUNDS

use std::env;
use std::time::Instant;

use pgas_tasks::{Closed, Output, Program, channel, create};

/// Messages of a round.
const MESSAGES: u32 = 50_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds = env::args().nth(1).map_or(Ok(15), |rounds| rounds.parse())?;
    let fastest = Program::new().processors(1).run(measure, (rounds,))?;
    println!("{fastest:.3}");
    Ok(())
}

async fn measure(rounds: usize) -> f64 {
    let mut fastest = f64::INFINITY;
    for _ in 0..rounds {
        fastest = fastest.min(round().await);
    }
    fastest
}

async fn round() -> f64 {
    let (output, mut input) = channel();
    create(sender, (output,));
    let begin = Instant::now();
    let mut sum = 0;
    while let Some(number) = input.receive().await {
        sum += number;
    }
    assert_eq!(sum, (0..u64::from(MESSAGES)).sum());
    begin.elapsed().as_secs_f64() * 1e9 / f64::from(MESSAGES)
}

async fn sender(output: Output<u64>) -> Result<(), Closed> {
    for number in 0..u64::from(MESSAGES) {
        output.send(number).await?;
    }
    Ok(())
}
