//! Messages between tasks.

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
pub fn stream(capacity: Option<usize>, processors: usize) {
    let sum = program(processors).run(stream_main, (capacity,));
    assert_eq!(sum.ok().flatten(), Some((0..MESSAGES).sum()));
}

async fn stream_main(capacity: Option<usize>) -> Option<u64> {
    let (output, input) = ports(capacity);
    let (done, mut sum) = channel();
    create(sender, (output,));
    create(receiver, (input, done));
    sum.receive().await
}

async fn sender(output: Output<u64>) -> Result<(), Closed> {
    for number in 0..MESSAGES {
        output.send(number).await?;
    }
    Ok(())
}

async fn receiver(mut input: Input<u64>, done: Output<u64>) -> Result<(), Closed> {
    let mut sum = 0;
    while let Some(number) = input.receive().await {
        sum += number;
    }
    done.send(sum).await
}

/// One task sends, another one sends back.
pub fn round_trips(processors: usize) {
    let result = program(processors).run(round_trips_main, ());
    assert!(result.is_ok());
}

async fn round_trips_main() {
    let (there, arrived) = channel();
    let (back, returned) = channel();
    create(echo, (arrived, back));
    create(caller, (there, returned));
}

async fn echo(mut input: Input<u64>, output: Output<u64>) -> Result<(), Closed> {
    while let Some(number) = input.receive().await {
        output.send(number).await?;
    }
    Ok(())
}

async fn caller(output: Output<u64>, mut input: Input<u64>) -> Result<(), Closed> {
    for number in 0..TRIPS {
        output.send(number).await?;
        assert_eq!(input.receive().await, Some(number));
    }
    Ok(())
}
