//! Messages between tasks of two processes, beside a pipe.

use std::env;
use std::error::Error;
use std::io::{Read, Write, stdin, stdout};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{TRIPS, own, shortest};

/// Round trips of this program with a task in each of two processes.
const TASKS: &str = "--tasks-of-two-processes";
/// Sends back what comes through a pipe.
const ECHO: &str = "--echo";

/// A line with the time of a round trip, and that of a pipe.
pub fn print(rounds: usize) -> Result<(), Box<dyn Error>> {
    let (mut own, mut pipe) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        own.push(tasks()?);
        pipe.push(through_a_pipe()?.as_secs_f64() * 1e9 / TRIPS as f64);
    }
    let (own, pipe) = (shortest(&own), shortest(&pipe));
    println!("round trip, two processes (a pipe)\t{own:.3}\t{pipe:.3}\t2\tratio\tns");
    Ok(())
}

/// This program as a part of a measurement.
pub fn part(name: &str) -> Result<(), Box<dyn Error>> {
    match name {
        TASKS => {
            let time = own::round_trips(2);
            println!("{}", time.as_secs_f64() * 1e9 / TRIPS as f64);
            Ok(())
        }
        ECHO => echo(),
        _ => Err(format!("unknown part {name}").into()),
    }
}

fn tasks() -> Result<f64, Box<dyn Error>> {
    let mut command = Command::new(env::current_exe()?);
    let output = command
        .arg(TASKS)
        .env("PGAS_TASK_PROCESSES", "2")
        .stderr(Stdio::inherit())
        .output()?;
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

fn through_a_pipe() -> Result<Duration, Box<dyn Error>> {
    let mut echo = Command::new(env::current_exe()?)
        .arg(ECHO)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut there), Some(mut back)) = (echo.stdin.take(), echo.stdout.take()) else {
        return Err("no pipe".into());
    };
    let mut trip = |number: u64| {
        there.write_all(&number.to_le_bytes())?;
        back.read_exact(&mut [0; 8])
    };
    trip(0)?;
    let begin = Instant::now();
    (0..TRIPS).try_for_each(&mut trip)?;
    let time = begin.elapsed();
    drop(there);
    echo.wait()?;
    Ok(time)
}

fn echo() -> Result<(), Box<dyn Error>> {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut number = [0; 8];
    while input.read_exact(&mut number).is_ok() {
        output.write_all(&number)?;
        output.flush()?;
    }
    Ok(())
}
