//! What users read when a program fails, and that it then ends.

use std::sync::Arc;

use pgas_tasks::{
    Closed, Failure, Input, Operation, Output, Program, bounded, channel, create, run, select,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const RECEIVES: u32 = line!() + 4;
/// Two tasks that each wait for the other.
async fn cautious(mut input: Input<u64>, output: Output<u64>) -> Result<(), Closed> {
    // Neither sends first.
    let Some(number) = input.receive().await else {
        return Ok(());
    };
    output.send(number).await
}

const CHANNELS: u32 = line!() + 3;
const CREATES: u32 = line!() + 4;
async fn two_cautious() {
    let (there, arrived) = channel();
    let (back, returned) = channel();
    create(cautious, (arrived, back));
    create(cautious, (returned, there));
}

#[test]
fn a_deadlock_names_tasks_ports_and_lines() {
    for processors in [1, 2, 3] {
        let failure = Program::new()
            .processors(processors)
            .run(two_cautious, ())
            .unwrap_err();
        let text = failure.to_string();
        let file = file!();
        assert!(
            text.starts_with("deadlock: the 2 tasks left all wait"),
            "{text}"
        );
        for part in [
            format!("\n  task 1 (cautious, created at {file}:{CREATES}:5)\n"),
            format!(
                "\n  task 2 (cautious, created at {file}:{}:5)\n",
                CREATES + 1
            ),
            format!("waits at {file}:{RECEIVES}:30 in receive from channel"),
            format!("(created at {file}:{CHANNELS}:28, 0 queued, 1 output)"),
            format!(
                "(created at {file}:{}:28, 0 queued, 1 output)",
                CHANNELS + 1
            ),
        ] {
            assert!(text.contains(&part), "{part:?} in\n{text}");
        }
    }
}

async fn never_received(output: Output<u64>) -> Result<(), Closed> {
    output.send(1).await?;
    output.send(2).await
}

async fn different_waits() {
    let (output, full) = bounded(1);
    let (_first, one) = channel::<u64>();
    let (_second, two) = channel::<u64>();
    create(never_received, (output,));
    select(&mut [one, two]).await;
    drop(full);
}

#[test]
fn a_deadlock_says_what_each_task_waits_in() {
    let Err(Failure::Deadlock(tasks)) = run(different_waits, ()) else {
        panic!()
    };
    let waits: Vec<_> = tasks
        .iter()
        .map(|task| (task.waits[0].operation, task.waits[0].ports.len()))
        .collect();
    assert_eq!(waits, [(Operation::Select, 2), (Operation::Send, 1)]);
}

async fn many_waiting(tasks: usize) {
    let (output, mut input) = channel::<Output<u64>>();
    for _ in 0..tasks {
        create(wait_for_answer, (output.clone(),));
    }
    let mut questions = Vec::new();
    for _ in 0..tasks {
        questions.push(input.receive().await);
    }
    input.receive().await;
}

async fn wait_for_answer(output: Output<Output<u64>>) -> Result<(), Closed> {
    let (question, mut answer) = channel();
    output.send(question).await?;
    answer.receive().await;
    Ok(())
}

#[test]
fn a_long_list_of_tasks_is_cut_and_counted() {
    let failure = Program::new()
        .processors(2)
        .run(many_waiting, (500,))
        .unwrap_err();
    let text = failure.to_string();
    assert!(text.starts_with("deadlock: the 501 tasks"), "{text}");
    assert!(text.ends_with("\n  and 481 more"), "{text}");
}

/// Counts itself out when it is dropped. It stays in its process.
#[derive(Clone, Default)]
struct Token(Arc<()>);

impl Serialize for Token {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("a token"))
    }
}

impl<'de> Deserialize<'de> for Token {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(serde::de::Error::custom("a token"))
    }
}

async fn endless(_token: Token) -> Result<(), Closed> {
    let (output, input) = channel();
    let (back, mut returned) = channel();
    create(repeat, (input, back));
    loop {
        output.send(0).await?;
        returned.receive().await;
    }
}

async fn repeat(mut input: Input<u64>, output: Output<u64>) -> Result<(), Closed> {
    while let Some(number) = input.receive().await {
        output.send(number).await?;
    }
    Ok(())
}

async fn waiting(mut input: Input<Token>, _token: Token) {
    while input.receive().await.is_some() {}
}

const PANICS: u32 = line!() + 3;
async fn divide(mut input: Input<u64>) {
    let divisor = input.receive().await;
    assert_ne!(divisor, Some(0), "divisor of row {}", 3);
}

async fn with_a_panic(token: Token) {
    let (_output, input) = channel();
    create(waiting, (input, token.clone()));
    create(endless, (token.clone(),));
    let (divisor, input) = channel();
    create(divide, (input,));
    divisor.send(0).await.unwrap();
    let (_never, mut input) = channel::<()>();
    input.receive().await;
}

#[test]
fn a_panic_names_the_task_and_its_place_and_ends_all() {
    for processors in [1, 2, 4] {
        let token = Token::default();
        let program = Program::new().processors(processors);
        let failure = program.run(with_a_panic, (token.clone(),)).unwrap_err();
        let text = failure.to_string();
        let place = format!("panicked at {}:{PANICS}:5: ", file!());
        assert!(
            text.contains("(divide, created at ") && text.contains(&place),
            "{text}"
        );
        assert!(text.contains("divisor of row 3"), "{text}");
        assert_eq!(
            Arc::strong_count(&token.0),
            1,
            "data of all tasks is dropped"
        );
    }
}

async fn idle() {}

#[test]
fn tasks_are_created_by_tasks_only() {
    let result = std::panic::catch_unwind(|| create(idle, ()));
    let message = *result.unwrap_err().downcast::<&str>().unwrap();
    assert_eq!(message, "a task can only be created by a task");
}
