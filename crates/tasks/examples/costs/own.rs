//! Messages between tasks.

use std::time::{Duration, Instant};

use pgas_tasks::{Closed, Input, Mapping, Output, Program, bounded, channel, create};

use super::{MESSAGES, TRIPS};

/// Child `nth` of the main task runs on processor `nth`.
fn program(processors: usize) -> Program {
    Program::new()
        .processors(processors)
        .mapping(Mapping::function(|task, _| task.nth as usize))
}

fn ports(capacity: Option<usize>) -> (Output<u64>, Input<u64>) {
    capacity.map_or_else(channel, bounded)
}

/// One task sends, another one receives.
pub fn stream(capacity: Option<usize>, processors: usize) -> Duration {
    program(processors)
        .run(stream_main, (capacity,))
        .ok()
        .flatten()
        .unwrap_or(Duration::MAX)
}

async fn stream_main(capacity: Option<usize>) -> Option<Duration> {
    let (output, input) = ports(capacity);
    let (begun, begin) = channel();
    let (done, mut result) = channel();
    create(sender, (begin, output));
    create(receiver, (begun, input, done));
    let (time, sum) = result.receive().await?;
    assert_eq!(sum, (0..MESSAGES).sum());
    Some(time)
}

async fn sender(mut begin: Input<()>, output: Output<u64>) -> Result<(), Closed> {
    begin.receive().await;
    for number in 0..MESSAGES {
        output.send(number).await?;
    }
    Ok(())
}

async fn receiver(
    begun: Output<()>,
    mut input: Input<u64>,
    done: Output<(Duration, u64)>,
) -> Result<(), Closed> {
    let begin = Instant::now();
    begun.send(()).await?;
    let mut sum = 0;
    while let Some(number) = input.receive().await {
        sum += number;
    }
    done.send((begin.elapsed(), sum)).await
}

/// One task sends, another one sends back.
pub fn round_trips(processors: usize) -> Duration {
    program(processors)
        .run(round_trips_main, ())
        .ok()
        .flatten()
        .unwrap_or(Duration::MAX)
}

async fn round_trips_main() -> Option<Duration> {
    let (there, arrived) = channel();
    let (back, returned) = channel();
    let (done, mut time) = channel();
    create(echo, (arrived, back));
    create(caller, (there, returned, done));
    time.receive().await
}

async fn echo(mut input: Input<u64>, output: Output<u64>) -> Result<(), Closed> {
    while let Some(number) = input.receive().await {
        output.send(number).await?;
    }
    Ok(())
}

async fn caller(
    output: Output<u64>,
    mut input: Input<u64>,
    done: Output<Duration>,
) -> Result<(), Closed> {
    let begin = Instant::now();
    for number in 0..TRIPS {
        output.send(number).await?;
        assert_eq!(input.receive().await, Some(number));
    }
    done.send(begin.elapsed()).await
}
