//! Select: which input it chooses, and when it ends.

use pgas_tasks::{Closed, Input, Message, Output, Program, channel, create, ready, run, select};

async fn filled<T: Message>(messages: impl IntoIterator<Item = T>) -> Input<T> {
    let (output, input) = channel();
    for message in messages {
        output.send(message).await.unwrap();
    }
    input
}

async fn choices_among_full() -> Vec<usize> {
    let mut inputs = vec![filled(0..4).await, filled(0..4).await, filled(0..4).await];
    let mut choices = Vec::new();
    while let Some((index, _)) = select(&mut inputs).await {
        choices.push(index);
    }
    choices
}

#[test]
fn inputs_that_have_messages_take_turns() {
    assert_eq!(run(choices_among_full, ()).unwrap(), [0, 1, 2].repeat(4));
}

async fn choices_with_favourite() -> Vec<usize> {
    let (mut busy, mut rare) = (filled(0..9).await, filled(["a".to_owned()]).await);
    let mut late = filled([1.0]).await;
    let mut choices = Vec::new();
    for _ in 0..4 {
        // The set changes: what counts is when each input was chosen.
        let index = match choices.len() {
            0 => ready(&mut [&mut busy]).await,
            1 | 2 => ready(&mut [&mut busy, &mut rare]).await,
            _ => ready(&mut [&mut busy, &mut rare, &mut late]).await,
        };
        choices.push(index);
        match index {
            0 => assert!(busy.receive().await.is_some()),
            1 => assert_eq!(rare.receive().await.is_some(), choices.len() == 2),
            _ => assert_eq!(late.receive().await, Some(1.0)),
        }
    }
    choices
}

#[test]
fn the_least_recently_chosen_input_comes_first() {
    assert_eq!(run(choices_with_favourite, ()).unwrap(), [0, 1, 0, 2]);
}

async fn count(from: u64, output: Output<u64>) -> Result<(), Closed> {
    for number in from..from + 500 {
        output.send(number).await?;
    }
    Ok(())
}

async fn merge() -> u64 {
    let mut inputs = Vec::new();
    for sender in 0..5 {
        let (output, input) = channel();
        create(count, (sender * 500, output));
        inputs.push(input);
    }
    let mut sum = 0;
    while let Some((_, number)) = select(&mut inputs).await {
        sum += number;
    }
    sum
}

#[test]
fn a_select_gets_all_messages_and_ends_with_the_last_channel() {
    for processors in [1, 2, 4] {
        let sum = Program::new()
            .processors(processors)
            .run(merge, ())
            .unwrap();
        assert_eq!(sum, (0..2500).sum::<u64>());
    }
}

async fn closed_input_is_ready() -> (usize, Option<u64>) {
    let (_open, mut silent) = channel::<u64>();
    let (closed, mut ended) = channel::<u64>();
    drop(closed);
    let index = ready(&mut [&mut silent, &mut ended]).await;
    (index, ended.receive().await)
}

#[test]
fn a_closed_input_does_not_keep_a_task_waiting() {
    assert_eq!(run(closed_input_is_ready, ()).unwrap(), (1, None));
}

async fn nothing() -> bool {
    select::<u64>(&mut []).await.is_none()
}

#[test]
fn a_select_over_nothing_ends() {
    assert!(run(nothing, ()).unwrap());
}
