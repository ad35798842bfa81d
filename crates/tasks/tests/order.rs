//! What a task can rely on: order of messages, full channels, ends of channels.

use pgas_tasks::{
    Closed, Failure, Input, Mapping, Operation, Output, Program, bounded, channel, create, run,
};

const MESSAGES: u64 = 2_000;

async fn number(sender: u64, output: Output<(u64, u64)>) -> Result<(), Closed> {
    for message in 0..MESSAGES {
        output.send((sender, message)).await?;
    }
    Ok(())
}

async fn receive_in_order(capacity: Option<usize>) -> u64 {
    let (output, mut input) = capacity.map_or_else(channel, bounded);
    (0..4).for_each(|sender| create(number, (sender, output.clone())));
    drop(output);
    let mut next = [0; 4];
    while let Some((sender, message)) = input.receive().await {
        assert_eq!(message, next[sender as usize], "of sender {sender}");
        next[sender as usize] += 1;
    }
    next.iter().sum()
}

#[test]
fn messages_of_one_sender_arrive_in_order() {
    for capacity in [None, Some(0), Some(1), Some(7)] {
        for processors in [1, 2, 5] {
            let program = Program::new().processors(processors);
            assert_eq!(
                program.run(receive_in_order, (capacity,)).unwrap(),
                4 * MESSAGES
            );
        }
    }
}

/// Sends three messages before the one that its receiver waits for.
async fn ahead(data: Output<u64>, go: Output<()>) -> Result<(), Closed> {
    for message in 0..3 {
        data.send(message).await?;
    }
    go.send(()).await
}

async fn behind(capacity: Option<usize>) -> Vec<u64> {
    let (data, mut numbers) = capacity.map_or_else(channel, bounded);
    let (go, mut start) = channel();
    create(ahead, (data, go));
    start.receive().await;
    let mut received = Vec::new();
    while let Some(number) = numbers.receive().await {
        received.push(number);
    }
    received
}

#[test]
fn senders_run_ahead_as_far_as_the_channel_holds() {
    for capacity in [None, Some(3), Some(100)] {
        assert_eq!(run(behind, (capacity,)).unwrap(), [0, 1, 2], "{capacity:?}");
    }
}

#[test]
fn a_full_channel_blocks_its_sender() {
    for capacity in 0..3 {
        let Err(Failure::Deadlock(tasks)) = run(behind, (Some(capacity),)) else {
            panic!()
        };
        let sender = tasks.iter().find(|task| task.task.name == "ahead").unwrap();
        assert_eq!(sender.waits[0].operation, Operation::Send);
        let port = sender.waits[0].ports[0];
        // The message that its sender waits with is on its way.
        assert_eq!((port.capacity, port.queued), (Some(capacity), capacity + 1));
    }
}

async fn close_with_messages() -> (Vec<u64>, bool, Option<u64>) {
    let (output, mut input) = channel();
    let other = output.clone();
    for number in 0..3 {
        output.send(number).await.unwrap();
    }
    output.close();
    let refused = other.send(3).await == Err(Closed);
    let mut received = Vec::new();
    while let Some(number) = input.receive().await {
        received.push(number);
    }
    (received, refused, input.receive().await)
}

#[test]
fn a_closed_channel_gives_what_was_sent_before() {
    assert_eq!(
        run(close_with_messages, ()).unwrap(),
        (vec![0, 1, 2], true, None)
    );
}

/// Ends only if its channel ends.
async fn drain(mut input: Input<u64>, ended: Output<u64>) -> Result<(), Closed> {
    let mut sum = 0;
    while let Some(number) = input.receive().await {
        sum += number;
    }
    ended.send(sum).await
}

async fn close_while_received() -> Option<u64> {
    let (output, input) = channel();
    let (ended, mut end) = channel();
    create(drain, (input, ended));
    output.send(5).await.unwrap();
    output.close();
    let sum = end.receive().await;
    drop(output);
    sum
}

#[test]
fn closing_ends_a_receiver_that_waits() {
    assert_eq!(run(close_while_received, ()).unwrap(), Some(5));
}

async fn forever(output: Output<u64>, ended: Output<String>) -> Result<(), Closed> {
    while output.send(0).await == Ok(()) {}
    ended.send("ended".to_owned()).await
}

async fn receive_two(capacity: Option<usize>) -> Option<String> {
    let (output, mut input) = capacity.map_or_else(channel, bounded);
    let (ended, mut end) = channel();
    create(forever, (output, ended));
    input.receive().await;
    input.receive().await;
    drop(input);
    end.receive().await
}

#[test]
fn senders_learn_that_their_receiver_is_gone() {
    for capacity in [None, Some(0), Some(3)] {
        for processors in [1, 2] {
            let program = Program::new().processors(processors);
            assert_eq!(
                program.run(receive_two, (capacity,)).unwrap(),
                Some("ended".to_owned())
            );
        }
    }
}

/// Whether its one send succeeded.
async fn send_one(output: Output<u64>, sent: Output<bool>) -> Result<(), Closed> {
    let success = output.send(0).await.is_ok();
    sent.send(success).await
}

async fn receive_one_and_go() -> Option<bool> {
    let (output, mut input) = bounded(0);
    let (sent, mut success) = channel();
    create(send_one, (output, sent));
    input.receive().await;
    // Gone before its sender goes on.
    drop(input);
    success.receive().await
}

#[test]
fn a_message_that_was_received_was_sent() {
    assert_eq!(
        Program::new()
            .processors(1)
            .run(receive_one_and_go, ())
            .unwrap(),
        Some(true)
    );
}

async fn ring(tasks: u64) -> Option<u64> {
    let (first, mut input) = channel();
    for _ in 0..tasks {
        let (output, next) = channel();
        create(pass_on, (input, output));
        input = next;
    }
    first.send(0).await.ok()?;
    input.receive().await
}

async fn pass_on(mut input: Input<u64>, output: Output<u64>) -> Result<(), Closed> {
    while let Some(number) = input.receive().await {
        output.send(number + 1).await?;
    }
    Ok(())
}

#[test]
fn there_may_be_many_tasks() {
    assert_eq!(
        Program::new().processors(3).run(ring, (50_000,)).unwrap(),
        Some(50_000)
    );
}

async fn chain(tasks: u64, output: Output<u64>) -> Result<(), Closed> {
    if tasks == 0 {
        return output.send(7).await;
    }
    create(chain, (tasks - 1, output));
    Ok(())
}

async fn begin_chain() -> Option<u64> {
    let (output, mut input) = channel();
    create(chain, (10_000, output));
    input.receive().await
}

#[test]
fn tasks_outlive_those_that_created_them() {
    let alone = Mapping::function(|_, _| 0);
    for mapping in [Mapping::round_robin(), alone] {
        let program = Program::new().processors(3).mapping(mapping);
        assert_eq!(program.run(begin_chain, ()).unwrap(), Some(7));
    }
}
