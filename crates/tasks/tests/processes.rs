//! Programs on several processes: what users see when channels, failures and ends cross them.
//!
//! Each program is an ignored test, which a test runs in a process of its own.

use std::process::{Command, Output as Ended};

use pgas_tasks::{Closed, Input, Mapping, Output, Program, bounded, channel, create, current};

const PROCESSES: &str = "PROCESSES_OF_TEST";

/// Output, and what it says on standard error, of a program of this file on several processes.
fn run(program: &str, processes: usize) -> (String, String, bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([program, "--exact", "--ignored", "--nocapture"])
        .env(PROCESSES, processes.to_string());
    let Ended {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.success())
}

/// Child `nth` of the main task on processor `nth`, each in a process of its own.
fn program() -> Option<Program> {
    let processes = std::env::var(PROCESSES).ok()?.parse().ok()?;
    let mapping = Mapping::function(|task, _| task.nth as usize);
    let program = Program::new().processes(processes).processors(processes);
    Some(program.mapping(mapping))
}

async fn numbers(output: Output<u64>, ahead: Output<u64>) -> Result<(), Closed> {
    for number in 0..20 {
        output.send(number).await?;
        ahead.send(number).await?;
    }
    Ok(())
}

/// Says how far the sender came while nothing was received, and then what arrived.
async fn full_main(capacity: usize) -> (usize, Vec<u64>) {
    let (output, mut input) = bounded(capacity);
    let (ahead, mut seen) = channel();
    create(nothing, ());
    create(numbers, (output, ahead));
    for _ in 0..capacity {
        seen.receive().await;
    }
    // More than one message has the time to come, if there is any.
    let (ask, mut answer) = channel();
    for _ in 0..20 {
        create(answer_from_there, (ask.clone(),));
        answer.receive().await;
    }
    let sent = capacity + seen.queued();
    let mut received = Vec::new();
    while let Some(number) = input.receive().await {
        received.push(number);
    }
    (sent, received)
}

async fn nothing() {}

async fn answer_from_there(answer: Output<()>) -> Result<(), Closed> {
    answer.send(()).await
}

#[test]
#[ignore = "run by another test, in processes of its own"]
fn full_program() {
    let Some(program) = program() else { return };
    for_each_result(program.run(full_main, (3,)));
}

fn for_each_result<T: std::fmt::Debug>(result: Result<T, pgas_tasks::Failure>) {
    match result {
        Ok(value) => println!("\nvalue {value:?}"),
        Err(failure) => println!("\nfailure {failure}"),
    }
}

#[test]
fn a_full_channel_blocks_a_sender_in_another_process() {
    let (output, error, _) = run("full_program", 2);
    let all: Vec<u64> = (0..20).collect();
    let expected = format!("value (3, {all:?})");
    assert!(output.contains(&expected), "{output}{error}");
}

/// Passes an input on to the next process while messages are in it.
async fn hand_on(mut input: Input<u64>, left: u32, done: Output<Vec<u64>>) -> Result<(), Closed> {
    let first = input.receive().await.into_iter();
    if left > 0 {
        let (more, mut rest) = channel();
        create(nothing, ());
        create(hand_on, (input, left - 1, more));
        let rest = rest.receive().await.into_iter().flatten();
        return done.send(first.chain(rest).collect()).await;
    }
    let mut all: Vec<u64> = first.collect();
    while let Some(number) = input.receive().await {
        all.push(number);
    }
    done.send(all).await
}

async fn moving_main(capacity: Option<usize>) -> Vec<u64> {
    let (output, input) = capacity.map_or_else(channel, bounded);
    let (ahead, _seen) = channel();
    let (done, mut all) = channel();
    create(numbers, (output, ahead));
    create(hand_on, (input, 6, done));
    all.receive().await.unwrap_or_default()
}

#[test]
#[ignore = "run by another test, in processes of its own"]
fn moving_program() {
    let Some(program) = program() else { return };
    let next = Mapping::function(|task, _| task.parent_processor + task.nth as usize);
    for_each_result(program.mapping(next).run(moving_main, (Some(2),)));
}

#[test]
fn an_input_that_moves_loses_no_message_and_no_order() {
    let all: Vec<u64> = (0..20).collect();
    for processes in [2, 3] {
        let (output, error, _) = run("moving_program", processes);
        assert!(
            output.contains(&format!("value {all:?}")),
            "{output}{error}"
        );
    }
}

async fn forever(output: Output<u64>, ended: Output<String>) -> Result<(), Closed> {
    while output.send(1).await.is_ok() {}
    ended.send("sender ended".to_owned()).await
}

async fn leaving_main() -> Option<String> {
    let (output, mut input) = bounded(2);
    let (ended, mut end) = channel();
    create(nothing, ());
    create(forever, (output, ended));
    input.receive().await;
    drop(input);
    end.receive().await
}

#[test]
#[ignore = "run by another test, in processes of its own"]
fn leaving_program() {
    let Some(program) = program() else { return };
    for_each_result(program.run(leaving_main, ()));
}

#[test]
fn a_sender_learns_that_its_receiver_in_another_process_is_gone() {
    let (output, error, _) = run("leaving_program", 2);
    assert!(
        output.contains("value Some(\"sender ended\")"),
        "{output}{error}"
    );
}

const RECEIVES: u32 = line!() + 2;
async fn waits(mut input: Input<u64>, output: Output<u64>) -> Result<(), Closed> {
    let number = input.receive().await.unwrap_or(0);
    output.send(number).await
}

async fn deadlock_main() {
    let (there, arrived) = channel();
    let (back, returned) = channel();
    create(waits, (arrived, back));
    create(waits, (returned, there));
}

#[test]
#[ignore = "run by another test, in processes of its own"]
fn deadlock_program() {
    let Some(program) = program() else { return };
    for_each_result(program.run(deadlock_main, ()));
}

#[test]
fn a_deadlock_across_processes_is_one_message() {
    let (output, error, _) = run("deadlock_program", 2);
    let expected = "failure deadlock: the 2 tasks left all wait, and nobody can send or receive\n";
    assert!(output.contains(expected), "{output}{error}");
    assert_eq!(
        output.matches("in receive from channel").count(),
        2,
        "{output}"
    );
    let line = format!("{}:{}:", file!(), RECEIVES);
    assert!(
        output.contains(&format!("waits at {line}")),
        "{line} in {output}"
    );
}

async fn panics(mut input: Input<u64>) {
    assert_eq!(input.receive().await, Some(8), "row {}", 5);
}

async fn panic_main() {
    let (output, input) = channel();
    let (_open, mut never) = channel::<u64>();
    create(nothing, ());
    create(panics, (input,));
    let _ = output.send(7).await;
    never.receive().await;
}

#[test]
#[ignore = "run by another test, in processes of its own"]
fn panic_program() {
    let Some(program) = program() else { return };
    for_each_result(program.run(panic_main, ()));
}

#[test]
fn a_panic_in_another_process_ends_all() {
    for processes in [2, 3] {
        let (output, error, _) = run("panic_program", processes);
        assert!(
            output.contains("failure task 2 (panics, created at "),
            "{output}{error}"
        );
        assert!(output.contains("row 5"), "{output}");
    }
}

async fn dies(mut input: Input<u64>) {
    input.receive().await;
    let me = std::process::id().to_string();
    let _ = Command::new("kill").args(["-KILL", &me]).status();
}

async fn killed_main() {
    let (output, input) = channel();
    let (_open, mut never) = channel::<u64>();
    create(nothing, ());
    create(dies, (input,));
    let _ = output.send(1).await;
    never.receive().await;
}

#[test]
#[ignore = "run by another test, in processes of its own"]
fn killed_program() {
    let Some(program) = program() else { return };
    for_each_result(program.run(killed_main, ()));
}

#[test]
fn a_killed_process_is_named_with_its_tasks_and_ends_all() {
    for processes in [2, 3] {
        let (output, error, _) = run("killed_program", processes);
        let expected = "failure process 1 (processor 1) ended before the program: signal: 9";
        assert!(output.contains(expected), "{output}{error}");
        assert!(output.contains("task 2 (dies, created at "), "{output}");
    }
}

async fn where_am_i(answer: Output<(u64, u32)>) -> Result<(), Closed> {
    let me = current().map_or((0, 0), |task| (task.number, task.processor));
    let (output, _input) = channel::<u64>();
    answer.send(me).await?;
    answer.send((output.channel(), 0)).await
}

async fn numbers_main() -> Vec<(u64, u32)> {
    let (answer, mut answers) = channel();
    create(nothing, ());
    create(where_am_i, (answer,));
    let mut all = Vec::new();
    while let Some(answer) = answers.receive().await {
        all.push(answer);
    }
    all
}

#[test]
#[ignore = "run by another test, in processes of its own"]
fn numbers_program() {
    let Some(program) = program() else { return };
    for_each_result(program.run(numbers_main, ()));
}

#[test]
fn numbers_have_the_process_in_the_upper_half() {
    let (output, error, _) = run("numbers_program", 2);
    let channel = (1_u64 << 32) + 1;
    let expected = format!("value [(2, 1), ({channel}, 0)]");
    assert!(output.contains(&expected), "{output}{error}");
}
