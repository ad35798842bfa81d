//! Sieve of primes by a chain of tasks that grows while it runs.
//!
//!     cargo run --release -p pgas-tasks --example sieve -- 10000
//!
//! Each task of the chain has a prime, and passes on what that does not divide. The last one waits
//! for a number, the next prime, and then creates its successor.

use std::env;

use pgas_tasks::{Closed, Input, Output, channel, create, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let end = env::args().nth(1).map_or(Ok(10_000), |end| end.parse())?;
    let primes = run(primes, (end,)).map_err(|failure| failure.to_string())?;
    println!(
        "{} primes below {end}, the last is {:?}",
        primes.len(),
        primes.last()
    );
    Ok(())
}

/// All primes below `end`.
async fn primes(end: u64) -> Vec<u64> {
    let (numbers, candidates) = channel();
    let (found, mut primes) = channel();
    create(count, (numbers, end));
    create(filter, (candidates, found));
    let mut list = Vec::new();
    while let Some(prime) = primes.receive().await {
        list.push(prime);
    }
    list
}

async fn count(numbers: Output<u64>, end: u64) -> Result<(), Closed> {
    for number in 2..end {
        numbers.send(number).await?;
    }
    Ok(())
}

/// The first candidate is a prime, as no task before has divided it.
async fn filter(mut candidates: Input<u64>, found: Output<u64>) -> Result<(), Closed> {
    let Some(prime) = candidates.receive().await else {
        return Ok(());
    };
    found.send(prime).await?;
    let (rest, others) = channel();
    create(filter, (others, found));
    while let Some(candidate) = candidates.receive().await {
        if candidate % prime != 0 {
            rest.send(candidate).await?;
        }
    }
    Ok(())
}
