//! Processors, tasks and channels, on events that are written down here, with the truth worked out
//! by hand. One tick is one second.

use crate::common::{analyse, by_place, description, find, per_thread, total};
use pgas_analyze::Analysis;
use pgas_analyze::search::Stretch;
use pgas_earl::StreamBuilder;
use pgas_result::summary::{Finding, FindingKind};
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
    for metric in [
        "late_producer",
        "slow_consumer",
        "idle_without_task",
        "delay",
        "critical_path",
    ] {
        assert_eq!(
            by_place(&whole, metric),
            by_place(&in_pieces, metric),
            "{metric}"
        );
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

#[test]
fn the_finding_names_the_tasks_and_the_line_of_the_send() {
    let a = analysed(&pipeline());
    let finding = a.summary.findings.iter();
    let finding = finding
        .clone()
        .find(|finding| finding.metric == "late_producer")
        .unwrap_or_else(|| panic!("{:?}", a.summary.findings));
    assert_eq!((finding.file.as_str(), finding.line), (FILE, 20));
    for part in [
        "task task1 (created at a.rs:101)",
        "task task0 (created at a.rs:100) sends at a.rs:10 (100 % of the waiting)",
        "Meanwhile processor 0 was computing in task0",
    ] {
        assert!(finding.cause.contains(part), "{}", finding.cause);
    }
    assert!(
        finding
            .advice
            .starts_with("Split task task0 (created at a.rs:100)"),
        "{}",
        finding.advice
    );
    assert_eq!(finding.culprit_thread, Some(0));
    let saves = finding.saves_seconds.expect("a bound");
    assert!((18.0..=21.0).contains(&saves), "{saves}");
    // No load imbalance of tasks, which the mapping decides.
    let of_path = |finding: &&Finding| finding.metric == "critical_path";
    let critical = a.summary.findings.iter().find(of_path);
    let critical = critical.expect("the task that decides the length of the run");
    assert!(
        critical
            .advice
            .starts_with("Split task task0 (created at a.rs:100)"),
        "{}",
        critical.advice
    );
    let others = a
        .summary
        .findings
        .iter()
        .filter(|finding| !of_path(finding));
    let kinds = others.map(|finding| finding.kind);
    assert!(
        kinds.clone().all(|kind| kind == FindingKind::Wait),
        "{:?}",
        kinds.collect::<Vec<_>>()
    );
}

#[test]
fn loads_of_processors_tasks_and_channels() {
    let a = analysed(&pipeline());
    let tasks = a.summary.tasks.as_ref().expect("tasks");
    let loads = tasks.processors.iter();
    let loads: Vec<_> = loads
        .map(|p| {
            (
                p.computing,
                p.communicating,
                p.idle,
                p.rest,
                p.run_time,
                p.tasks,
            )
        })
        .collect();
    assert_eq!(
        loads,
        [
            (20.0, 2.0, 0.0, 0.0, 22.0, 1),
            (2.0 + 2.0, 2.0, 1.0 + 10.0 + 8.0, 0.0, 25.0, 1)
        ]
    );
    let times = tasks.tasks.iter();
    let times: Vec<_> = times
        .map(|t| {
            let waits = (t.waiting_input, t.blocked_in_send, t.waiting_processor);
            (
                t.task,
                t.computing,
                t.communicating,
                waits,
                t.begin,
                t.end,
                t.critical,
            )
        })
        .collect();
    assert_eq!(
        times,
        [
            (0, 20.0, 2.0, (0.0, 0.0, 0.0), 0.0, 22.0, Some(21.0)),
            (1, 4.0, 2.0, (10.0 + 8.0, 0.0, 1.0), 0.0, 25.0, Some(3.0)),
        ]
    );
    let [channel] = &tasks.channels[..] else {
        panic!("{:?}", tasks.channels);
    };
    assert_eq!(
        (channel.messages, channel.bytes, channel.max_queued),
        (2, 16, 1)
    );
    assert_eq!(
        (&channel.senders[..], channel.receiver),
        (&[0][..], Some(1))
    );
    assert_eq!((channel.receive_wait, channel.send_wait), (18.0, 0.0));
    assert_eq!(channel.mean_queued, 0.5);
    assert_eq!((tasks.tasks[1].parent, tasks.tasks[1].line), (Some(0), 101));
    assert_eq!(tasks.efficiency, 24.0 / 50.0);
}

/// Task 0 fills a channel of one message, which task 1 empties only after 20 s of work.
#[test]
fn a_sender_waits_until_its_message_has_a_place() {
    let (mut sender, mut receiver) = (Processor::new(), Processor::new());
    sender.task(0, 0).channel(0, 7, Some(1)).create(0, 1, 1);
    sender.send((1, 2), 7, 0, 1).send((3, 4), 7, 1, 2);
    sender.waits_for_place(4, 7);
    sender.idle(4, 21).task(21, 0).leave(30, TaskReason::Ended);
    receiver.task(0, 1).receive((20, 21), 7, 0, 1);
    receiver
        .receive((22, 23), 7, 1, 0)
        .leave(23, TaskReason::Ended);
    let a = analysed(&[sender, receiver]);
    assert_eq!(per_thread(&a, "slow_consumer"), [17.0, 0.0]);
    assert_eq!(total(&a, "late_producer"), 0.0);
    assert_eq!(per_thread(&a, "delay"), [0.0, 17.0]);
    let tasks = a.summary.tasks.as_ref().expect("tasks");
    let sender = tasks.tasks.iter().find(|task| task.task == 0);
    assert_eq!(sender.map(|task| task.blocked_in_send), Some(17.0));
    assert_eq!(tasks.channels[0].send_wait, 17.0);
    let mut findings = a.summary.findings.iter();
    let finding = findings.find(|finding| finding.metric == "slow_consumer");
    let finding = finding.expect("a finding");
    assert!(
        finding
            .cause
            .contains("task task1 (created at a.rs:101) receives at a.rs:20"),
        "{}",
        finding.cause
    );
}

/// Tasks 1 and 2 are both mapped to processor 1, and processor 2 has nothing to do meanwhile but to
/// wait for the second one.
#[test]
fn a_processor_is_idle_while_a_task_waits_for_another_one() {
    let [mut main, mut both, mut idle] = [Processor::new(), Processor::new(), Processor::new()];
    main.task(0, 0).channel(0, 7, None);
    main.create(0, 1, 1).create(0, 2, 1).create(0, 3, 2);
    main.leave(1, TaskReason::Ended);
    both.idle(0, 1).task(1, 1).leave(11, TaskReason::Ended);
    both.task(11, 2)
        .send((21, 22), 7, 0, 1)
        .leave(22, TaskReason::Ended);
    idle.idle(0, 2).task(2, 3).waits(2, 7);
    idle.idle(2, 22)
        .task(22, 3)
        .receive((22, 23), 7, 0, 0)
        .leave(23, TaskReason::Ended);
    let a = analysed(&[main, both, idle]);
    // Task 2 could run from the time when processor 1 began with task 1, and processor 2 was idle
    // then, before its own task as well as after.
    assert_eq!(per_thread(&a, "idle_without_task"), [0.0, 0.0, 1.0 + 9.0]);
    assert_eq!(per_thread(&a, "late_producer"), [0.0, 0.0, 11.0]);
    let mut findings = a.summary.findings.iter();
    let finding = findings.find(|finding| finding.metric == "idle_without_task");
    let finding = finding.expect("a finding");
    assert!(
        finding
            .advice
            .starts_with("Map task 2 (task2, created at a.rs:102) to a processor"),
        "{}",
        finding.advice
    );
}

/// Task 2 waits for task 1, which waits for task 0.
#[test]
fn a_late_producer_that_has_waited_itself_is_not_the_cause() {
    let [mut first, mut second, mut third] = [Processor::new(), Processor::new(), Processor::new()];
    first.task(0, 0).channel(0, 7, None).channel(0, 8, None);
    first
        .create(0, 1, 1)
        .create(0, 2, 2)
        .send((50, 50), 7, 0, 1);
    first.leave(50, TaskReason::Ended);
    second.task(0, 1).waits(0, 7);
    second.idle(0, 50).task(50, 1).receive((50, 50), 7, 0, 0);
    second.send((55, 55), 8, 0, 1).leave(55, TaskReason::Ended);
    third.task(0, 2).waits_in_select(0);
    third
        .idle(0, 55)
        .task(55, 2)
        .selects(55, 8)
        .receive((55, 55), 8, 0, 0);
    third.leave(60, TaskReason::Ended);
    let a = analysed(&[first, second, third]);
    assert_eq!(per_thread(&a, "late_producer"), [0.0, 50.0, 55.0]);
    let waited_for = |metric| per_thread(&a, metric);
    assert_eq!(waited_for("delay_short_term"), [50.0, 5.0, 0.0]);
    assert_eq!(waited_for("delay_long_term"), [50.0, 0.0, 0.0]);
    assert_eq!(per_thread(&a, "critical_path"), [50.0, 5.0, 5.0]);
}

#[test]
fn a_closed_channel_ends_a_wait() {
    let (mut sender, mut receiver) = (Processor::new(), Processor::new());
    sender.task(0, 0).channel(0, 7, None).create(0, 1, 1);
    let closes = Attributes::Channel { channel: 7 };
    sender.operation((30, 30), Operation::ChannelClose, 40, closes);
    sender.leave(30, TaskReason::Ended);
    receiver.task(0, 1).waits(0, 7);
    receiver
        .idle(0, 30)
        .task(30, 1)
        .leave(31, TaskReason::Ended);
    let a = analysed(&[sender, receiver]);
    assert_eq!(per_thread(&a, "late_producer"), [0.0, 30.0]);
    let mut findings = a.summary.findings.iter();
    let finding = findings.find(|finding| finding.metric == "late_producer");
    let finding = finding.expect("a finding");
    assert!(
        finding.cause.contains("closes the channel at a.rs:40"),
        "{}",
        finding.cause
    );
}

/// The trace of a run that was killed.
#[test]
fn a_run_that_was_cut_off_has_loads() {
    let (mut sender, mut receiver) = (Processor::new(), Processor::new());
    sender
        .task(0, 0)
        .channel(0, 7, None)
        .create(0, 1, 1)
        .send((5, 6), 7, 0, 1);
    receiver.task(0, 1).receive((6, 7), 7, 0, 0).waits(7, 7);
    receiver
        .0
        .enter(7, Processor::site(Operation::Idle, "", 0), Attributes::None);
    let a = analysed(&[sender, receiver]);
    let tasks = a.summary.tasks.as_ref().expect("tasks");
    assert_eq!(tasks.tasks.len(), 2);
    assert!(
        a.summary
            .remarks
            .iter()
            .all(|remark| !remark.contains("internal error"))
    );
}
