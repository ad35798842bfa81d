//! Farm of workers: who is ready sends an output port, and the next piece of work comes through it.
//!
//!     cargo run --release -p pgas-tasks --example farm -- 8

use std::env;

use pgas_tasks::{Closed, Output, channel, create, run};

/// Rows of the picture, each a piece of work.
const ROWS: u32 = 240;
const COLUMNS: u32 = 320;
const MOST_STEPS: u32 = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let workers = env::args()
        .nth(1)
        .map_or(Ok(8), |workers| workers.parse())?;
    let steps = run(master, (workers,))?;
    println!("{workers} workers, {ROWS} rows, {steps} steps");
    Ok(())
}

/// Steps until points of the plane are known to be outside of Mandelbrot's set, in all.
async fn master(workers: u32) -> u64 {
    let (idle, mut ready) = channel::<Output<u32>>();
    let (done, mut results) = channel();
    for _ in 0..workers {
        create(worker, (idle.clone(), done.clone()));
    }
    drop((idle, done));
    for row in 0..ROWS {
        let Some(work) = ready.receive().await else {
            break;
        };
        // A worker that waits takes what it gets.
        let _ = work.send(row).await;
    }
    // A worker whose port is dropped gets no more work, and ends.
    drop(ready);
    let mut steps = 0;
    while let Some(row) = results.receive().await {
        steps += row;
    }
    steps
}

async fn worker(idle: Output<Output<u32>>, done: Output<u64>) -> Result<(), Closed> {
    loop {
        let (work, mut rows) = channel();
        idle.send(work).await?;
        let Some(row) = rows.receive().await else {
            return Ok(());
        };
        done.send(steps_of_row(row)).await?;
    }
}

fn steps_of_row(row: u32) -> u64 {
    let y = f64::from(row) / f64::from(ROWS) * 2.4 - 1.2;
    let x = |column: u32| f64::from(column) / f64::from(COLUMNS) * 3.2 - 2.2;
    (0..COLUMNS)
        .map(|column| u64::from(steps_of_point(x(column), y)))
        .sum()
}

fn steps_of_point(x: f64, y: f64) -> u32 {
    let (mut re, mut im) = (0.0, 0.0);
    for step in 0..MOST_STEPS {
        if re * re + im * im > 4.0 {
            return step;
        }
        (re, im) = (re * re - im * im + x, 2.0 * re * im + y);
    }
    MOST_STEPS
}
