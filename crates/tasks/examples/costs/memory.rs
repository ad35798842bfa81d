//! Memory of many tasks that all exist and wait, each at a channel of its own.

use std::fs;

use pgas_tasks::{Closed, Input, Output, Program, channel, create};

/// Bytes that a million tasks and channels may take.
const TARGET: f64 = 4.0 * (1_u64 << 30) as f64 / 1e6;

/// A line with the bytes for each task and its channel.
pub fn print(tasks: u64) -> Result<(), Box<dyn std::error::Error>> {
    let before = resident_bytes()?;
    let after = Program::new().processors(2).run(ring, (tasks,))??;
    let bytes = (after - before) / tasks as f64;
    println!("{tasks} tasks and channels, each\t{bytes:.0}\t0\t{TARGET:.0}\tfigure\tbytes");
    Ok(())
}

/// Creates a ring of tasks, sends a token around it, and looks at the memory when all wait again.
async fn ring(tasks: u64) -> std::io::Result<f64> {
    let (first, mut input) = channel();
    for _ in 0..tasks {
        let (output, next) = channel();
        create(member, (input, output));
        input = next;
    }
    let _ = first.send(1).await;
    let passed = input.receive().await;
    assert_eq!(passed, Some(tasks + 1));
    resident_bytes()
}

async fn member(mut input: Input<u64>, output: Output<u64>) -> Result<(), Closed> {
    while let Some(number) = input.receive().await {
        output.send(number + 1).await?;
    }
    Ok(())
}

fn resident_bytes() -> std::io::Result<f64> {
    let pages = fs::read_to_string("/proc/self/statm")?;
    let pages = pages
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<f64>().ok());
    let page_bytes = 4096.0;
    pages
        .map(|pages| pages * page_bytes)
        .ok_or_else(|| std::io::Error::other("/proc/self/statm"))
}
