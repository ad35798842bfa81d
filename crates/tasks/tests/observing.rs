//! Events that an observer gets: `cargo test -p pgas-tasks --features observe`.

use std::sync::Mutex;

use pgas_tasks::observe::{Event, Observer, observe};
use pgas_tasks::{Closed, Input, Output, Program, bounded, create, current, ready};

static EVENTS: Mutex<Vec<(Option<u64>, Event)>> = Mutex::new(Vec::new());

struct Recorder;

impl Observer for Recorder {
    fn event(&self, event: &Event) {
        EVENTS
            .lock()
            .unwrap()
            .push((current().map(|task| task.number), *event));
    }
}

const SENDS: u32 = line!() + 3;
async fn sender(output: Output<u32>) -> Result<(), Closed> {
    for number in 0..2 {
        output.send(number).await?;
    }
    Ok(())
}

const SELECTS: u32 = line!() + 3;
async fn receiver(mut input: Input<u32>) {
    loop {
        ready(&mut [&mut input]).await;
        if input.receive().await.is_none() {
            return;
        }
    }
}

async fn program() {
    let (output, input) = bounded(1);
    create(sender, (output,));
    create(receiver, (input,));
}

/// An event in words, with the task that it belongs to.
fn words((running, event): &(Option<u64>, Event)) -> String {
    let task = running.map_or("-".to_owned(), |number| number.to_string());
    let call = |name, call: &pgas_tasks::observe::Call| {
        format!(
            "{name} {} bytes, {} queued, line {}",
            call.bytes,
            call.queued,
            call.place.line()
        )
    };
    let text = match event {
        Event::Create(task) => format!("create {} {}", task.number, task.name),
        Event::Begin(task) => format!("begin {} on {}", task.number, task.processor),
        Event::Resume(task) => format!("resume {}", task.number),
        Event::Pause(task) => format!("pause {}", task.number),
        Event::End(task) => format!("end {}", task.number),
        Event::Channel { capacity, .. } => format!("channel {capacity:?}"),
        Event::Send(details) => call("send", details),
        Event::SendWaits(details) => call("wait to send", details),
        Event::SendReady(details) => call("go on sending", details),
        Event::Receive(details) => call("receive", details),
        Event::SelectWaits { inputs, place } => format!("wait for {inputs}, line {}", place.line()),
        Event::Select { inputs, place, .. } => format!("one of {inputs}, line {}", place.line()),
        Event::Close { .. } => "close".to_owned(),
        Event::Abandon { .. } => "abandon".to_owned(),
        Event::Idle { processor } => format!("idle {processor}"),
        Event::Busy { processor } => format!("busy {processor}"),
        other => format!("{other:?}"),
    };
    format!("{task}: {text}")
}

#[test]
fn an_observer_sees_what_tasks_do() {
    assert!(observe(Box::new(Recorder)).is_ok());
    Program::new().processors(1).run(program, ()).unwrap();
    let events: Vec<_> = EVENTS.lock().unwrap().iter().map(words).collect();
    let (sends, selects, receives) = (SENDS, SELECTS, SELECTS + 1);
    let expected = format!(
        "-: create 0 program\n-: begin 0 on 0\n0: resume 0\n0: channel Some(1)\n\
         0: create 1 sender\n0: create 2 receiver\n-: end 0\n\
         -: begin 1 on 0\n1: resume 1\n1: send 4 bytes, 1 queued, line {sends}\n\
         1: send 4 bytes, 2 queued, line {sends}\n1: wait to send 4 bytes, 2 queued, line {sends}\n\
         -: pause 1\n\
         -: begin 2 on 0\n2: resume 2\n2: one of 1, line {selects}\n\
         2: receive 4 bytes, 1 queued, line {receives}\n2: one of 1, line {selects}\n\
         2: receive 4 bytes, 0 queued, line {receives}\n2: wait for 1, line {selects}\n-: pause 2\n\
         1: resume 1\n1: go on sending 4 bytes, 0 queued, line {sends}\n1: close\n-: end 1\n\
         2: resume 2\n2: one of 1, line {selects}\n2: abandon\n-: end 2\n\
         -: idle 0\n-: busy 0"
    );
    assert_eq!(events.join("\n"), expected);
}
