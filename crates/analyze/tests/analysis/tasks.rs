//! Processors, tasks and channels, on events that are written down here, with the truth worked out
//! by hand. One tick is one second.

use crate::common::{analyse, by_place, description, find, per_thread, total};
use pgas_analyze::Analysis;
use pgas_analyze::search::Stretch;
use pgas_earl::StreamBuilder;
use pgas_trace::model::{Attributes, Operation, Site, TaskReason};

const FILE: &str = "a.rs";

/// Events of one processor.
struct Processor(StreamBuilder);

impl Processor {
    fn new() -> Self {
        Processor(StreamBuilder::new())
    }

    fn site(operation: Operation, name: &str, line: u32) -> Site {
        Site {
            operation,
            file: FILE.into(),
            line,
            name: name.into(),
        }
    }

    /// Goes on with a task, which was created at line 100 + its number.
    fn task(&mut self, at: u64, task: u64) -> &mut Self {
        let site = Self::site(Operation::Task, &format!("task{task}"), 100 + task as u32);
        self.0.enter(at, site, Attributes::Task { task });
        self
    }

    fn leave(&mut self, at: u64, reason: TaskReason) -> &mut Self {
        self.0.exit(at, Attributes::TaskLeft { reason });
        self
    }

    fn idle(&mut self, begin: u64, end: u64) -> &mut Self {
        self.0
            .enter(begin, Self::site(Operation::Idle, "", 0), Attributes::None)
            .leave(end);
        self
    }

    fn operation(
        &mut self,
        (begin, end): (u64, u64),
        operation: Operation,
        line: u32,
        attributes: Attributes,
    ) -> &mut Self {
        self.0
            .enter(begin, Self::site(operation, "", line), attributes)
            .leave(end);
        self
    }

    fn create(&mut self, at: u64, task: u64, processor: u32) -> &mut Self {
        let name = format!("task{task}");
        let site = Self::site(Operation::TaskCreate, &name, 100 + task as u32);
        self.0
            .enter(at, site, Attributes::TaskCreate { task, processor })
            .leave(at);
        self
    }

    fn channel(&mut self, at: u64, channel: u64, capacity: Option<u64>) -> &mut Self {
        let attributes = Attributes::ChannelCreate { channel, capacity };
        self.operation((at, at), Operation::ChannelCreate, 50, attributes)
    }

    fn send(&mut self, times: (u64, u64), channel: u64, message: u64, queued: u64) -> &mut Self {
        let attributes = message_of(channel, message, queued);
        self.operation(times, Operation::ChannelSend, 10, attributes)
    }

    fn receive(&mut self, times: (u64, u64), channel: u64, message: u64, queued: u64) -> &mut Self {
        let attributes = message_of(channel, message, queued);
        self.operation(times, Operation::ChannelReceive, 20, attributes)
    }

    /// The task begins to wait for a message, and leaves its processor.
    fn waits(&mut self, at: u64, channel: u64) -> &mut Self {
        let attributes = Attributes::Channel { channel };
        self.operation((at, at), Operation::ChannelReceive, 20, attributes)
            .leave(at, TaskReason::Receives)
    }

    fn waits_for_place(&mut self, at: u64, channel: u64) -> &mut Self {
        let attributes = Attributes::Channel { channel };
        self.operation((at, at), Operation::ChannelSend, 10, attributes)
            .leave(at, TaskReason::Sends)
    }

    fn waits_in_select(&mut self, at: u64) -> &mut Self {
        let attributes = Attributes::SelectWait { inputs: 2 };
        self.operation((at, at), Operation::Select, 30, attributes)
            .leave(at, TaskReason::Selects)
    }

    fn selects(&mut self, at: u64, channel: u64) -> &mut Self {
        let attributes = Attributes::Channel { channel };
        self.operation((at, at), Operation::Select, 30, attributes)
    }
}

fn message_of(channel: u64, message: u64, queued: u64) -> Attributes {
    Attributes::ChannelMessage {
        channel,
        message,
        bytes: 8,
        queued,
    }
}

fn analysed(processors: &[Processor]) -> Analysis {
    let streams: Vec<StreamBuilder> = processors.iter().map(|p| p.0.clone()).collect();
    let whole = analyse(&streams);
    // The same in pieces of a few events.
    let stretch = Stretch {
        events: 2,
        per_thread: 2,
    };
    let sources = streams.iter().map(StreamBuilder::source).collect();
    let found = find(sources, stretch);
    let described = description(streams.len());
    let in_pieces = pgas_analyze::conclude(&found, 1.0, described, Vec::new());
    for metric in ["late_producer", "slow_consumer", "idle_without_task", "delay", "critical_path"] {
        assert_eq!(by_place(&whole, metric), by_place(&in_pieces, metric), "{metric}");
    }
    assert_eq!(whole.summary.tasks, in_pieces.summary.tasks);
    whole
}

/// A producer on processor 0 that computes 10 s for each message, and a consumer on processor 1
/// that computes for 2 s.
fn pipeline() -> [Processor; 2] {
    let (mut producer, mut consumer) = (Processor::new(), Processor::new());
    producer.task(0, 0).channel(0, 7, None).create(0, 1, 1);
    producer.send((10, 11), 7, 0, 1).send((21, 22), 7, 1, 1);
    producer.leave(22, TaskReason::Ended);
    consumer.idle(0, 1).task(1, 1).waits(1, 7);
    consumer.idle(1, 11).task(11, 1).receive((11, 12), 7, 0, 0);
    consumer.waits(14, 7);
    consumer.idle(14, 22).task(22, 1).receive((22, 23), 7, 1, 0);
    consumer.leave(25, TaskReason::Ended);
    [producer, consumer]
}

#[test]
fn a_processor_is_idle_until_the_message_is_sent() {
    let a = analysed(&pipeline());
    assert_eq!(per_thread(&a, "late_producer"), [0.0, 10.0 + 8.0]);
    let places = by_place(&a, "late_producer");
    let (path, _) = places.keys().next().expect("a place").clone();
    assert!(path.contains("task1"), "{path}");
    assert!(path.ends_with("receive from channel"), "{path}");
    assert_eq!(total(&a, "idle_without_task"), 0.0);
    // The producer is the cause of all of it.
    assert_eq!(per_thread(&a, "delay"), [18.0, 0.0]);
    // It computes and sends up to the second message, then the consumer goes on.
    assert_eq!(per_thread(&a, "critical_path"), [21.0, 3.0]);
}
