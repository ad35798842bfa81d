//! Round trip through EPILOG: events come back as they were, tick for tick.

mod support;

use std::path::Path;

use pgas_epilog::{ByteOrder, Names, Options, check, read_file, write_file};
use pgas_trace::model::{Attributes, Operation, ProfileScope, Site, SyncMode, TaskReason};
use pgas_trace::{Experiment, ExperimentBuilder, State};
use proptest::prelude::*;
use support::nodes::write_two_nodes;
use support::{Step, expected, experiment, lose_a_block, program, read_steps, temporary};

fn convert(experiment: &Experiment, file: &Path, options: Options) -> Vec<String> {
    write_file(experiment, file, options, &|_| {})
        .unwrap()
        .losses
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_programs(
        threads in program(100),
        shmem in any::<bool>(),
        big in any::<bool>(),
        compressed in any::<bool>(),
        killed in any::<u32>(),
    ) {
        let parent = temporary();
        let killed: Vec<u32> = (0..threads.len() as u32).filter(|t| killed >> t & 3 == 0).collect();
        let original = experiment(&parent.path().join("a"), &threads, &killed);
        let options = Options {
            names: if shmem { Names::Shmem } else { Names::Upc },
            byte_order: if big { ByteOrder::Big } else { ByteOrder::Little },
        };
        let file = parent.path().join(if compressed { "t.elg.gz" } else { "t.elg" });
        let written = write_file(&original, &file, options, &|_| {}).unwrap();
        let contents = check(&file).unwrap();
        prop_assert_eq!(contents.events, written.events);
        prop_assert_eq!(contents.byte_order, options.byte_order);
        prop_assert_eq!(contents.locations, threads.len() as u32);
        prop_assert!(contents.ours);

        let again = parent.path().join("b");
        let imported = read_file(&file, &again, &|_| {}).unwrap();
        prop_assert_eq!(imported.contents, contents);
        prop_assert_eq!(imported.remarks, Vec::<String>::new());
        let expected: Vec<Vec<Step>> = threads.iter().map(|steps| expected(steps)).collect();
        prop_assert_eq!(read_steps(&again), expected);
        let again = Experiment::open(&again).unwrap();
        prop_assert_eq!(again.metadata(), original.metadata());
        prop_assert_eq!(again.clock().seconds_per_tick(), original.clock().seconds_per_tick());
        for (a, b) in original.streams().iter().zip(again.streams()) {
            let open = threads[a.thread() as usize].iter().map(|s| match s {
                Step::Enter(..) => 1,
                Step::Exit(..) => -1,
            });
            prop_assert_eq!(b.complete(), a.complete() && open.sum::<i32>() == 0);
            prop_assert_eq!(b.properties(), a.properties());
        }
    }
}

/// One thread that does a little, then `what`.
fn single(
    directory: &Path,
    what: impl FnOnce(&mut pgas_trace::builder::ThreadBuilder),
) -> Experiment {
    let mut builder = ExperimentBuilder::new("p", 1);
    let thread = builder.thread(0);
    thread.enter(0, &Site::function("main", "a.upc", 1), Attributes::None);
    what(thread);
    thread.exit(1_000_000, Attributes::None);
    builder.write(directory).unwrap();
    Experiment::open(directory).unwrap()
}

fn losses_of(what: impl FnOnce(&mut pgas_trace::builder::ThreadBuilder)) -> String {
    let parent = temporary();
    let original = single(&parent.path().join("a"), what);
    let file = parent.path().join("t.elg");
    let losses = convert(&original, &file, Options::default()).join("\n");
    check(&file).unwrap();
    losses
}

#[test]
fn what_cannot_be_carried_is_said_once() {
    let operation = |operation| Site::operation(operation, "a.upc", 7);
    assert_eq!(losses_of(|_| {}), "");
    let losses = losses_of(|thread| {
        for round in 0..2 {
            let value = Some(round);
            thread
                .enter(
                    10,
                    &operation(Operation::Barrier),
                    Attributes::Barrier { value },
                )
                .exit(10, Attributes::None);
        }
        let allocation = Attributes::Allocation { bytes: 100 };
        thread
            .enter(10, &operation(Operation::AllAlloc), allocation)
            .exit(11, Attributes::None)
            .enter(
                11,
                &operation(Operation::LockFree),
                Attributes::Lock { lock: 3 },
            )
            .exit(11, Attributes::None)
            .enter(
                11,
                &operation(Operation::LockAttempt),
                Attributes::Lock { lock: 3 },
            )
            .exit(11, Attributes::LockAttempt { acquired: false })
            .enter(
                12,
                &operation(Operation::CollectiveExit),
                Attributes::Exit { status: 0 },
            )
            .exit(12, Attributes::None);
    });
    assert_eq!(
        losses,
        "EPILOG has no place for values of barriers (2), sizes of allocations (1), exit statuses \
         (1), locks that were freed (1), locks that were not obtained (1)"
    );
    let losses = losses_of(|thread| {
        let copy = Attributes::copy_at((0, 0), (0, 64), 8);
        thread
            .enter(
                10,
                &operation(Operation::Put),
                Attributes::transfer_at(0, 8, 64),
            )
            .exit(10, Attributes::None)
            .enter(10, &operation(Operation::Memcpy), copy)
            .exit(10, Attributes::None);
    });
    assert_eq!(losses, "EPILOG has no place for addresses of transfers (2)");
    let losses = losses_of(|thread| {
        let event = Attributes::Object {
            object: 7,
            units: 1,
        };
        let message = Attributes::Message {
            partner: 1,
            bytes: 8,
            group: 0,
        };
        for (operation, attributes) in [
            (Operation::Post, event),
            (Operation::EventWait, event),
            (Operation::FlagWait, Attributes::transfer(0, 4)),
            (Operation::Send, message),
        ] {
            let site = Site::operation(operation, "a.upc", 3);
            thread
                .enter(10, &site, attributes)
                .exit(10, Attributes::None);
        }
    });
    assert_eq!(
        losses,
        "EPILOG has no place for ends of waits for flags, signals, events or partners (2), \
         partners of messages (1)"
    );
    let losses = losses_of(|thread| {
        for bytes in [u64::from(u32::MAX), 1 << 32] {
            let partner = 0;
            thread
                .enter(
                    10,
                    &operation(Operation::Memget),
                    Attributes::transfer(partner, bytes),
                )
                .exit(10, Attributes::None);
        }
    });
    assert_eq!(
        losses,
        "amounts of data of 4 GiB or more are written as 4 GiB - 1 (1)"
    );
    let losses = losses_of(|thread| {
        let (partner, bytes) = (1, 8);
        thread
            .enter(
                10,
                &operation(Operation::Put),
                Attributes::transfer(partner, bytes),
            )
            .exit(10, Attributes::None)
            .enter(
                10,
                &operation(Operation::Fence),
                Attributes::Barrier { value: Some(1) },
            )
            .exit(10, Attributes::LockAttempt { acquired: true });
    });
    assert!(
        losses.contains("does not have are left out (1)"),
        "{losses}"
    );
    assert!(
        losses.contains("attributes that an operation cannot have are left out (1)"),
        "{losses}"
    );
}

#[test]
fn sums_of_calls_are_lost_and_the_result_says_so() {
    let parent = temporary();
    let site = Site::function("f", "a.upc", 2);
    let sums = |calls| pgas_trace::builder::Sums::new(None, &site, calls, 100);
    let original = single(&parent.path().join("a"), |thread| {
        thread
            .sums(ProfileScope::Within, (0, 100), &[sums(4)])
            .sums(ProfileScope::Beyond, (100, 200), &[sums(5)]);
    });
    let file = parent.path().join("t.elg");
    let losses = convert(&original, &file, Options::default());
    assert_eq!(losses.len(), 2, "{losses:?}");
    let again = parent.path().join("b");
    read_file(&file, &again, &|_| {}).unwrap();
    let again = Experiment::open(&again).unwrap();
    assert_eq!(again.metadata().remarks, losses);
}

/// A file has one clock: times of other nodes are corrected before they are written, and read as
/// what they are then.
#[test]
fn times_of_several_nodes_are_corrected() {
    let parent = temporary();
    let directory = parent.path().join("a");
    write_two_nodes(&directory);
    let file = parent.path().join("t.elg");
    let original = Experiment::open(&directory).unwrap();
    let losses = convert(&original, &file, Options::default());
    assert!(losses[0].contains("comparisons of clocks"), "{losses:?}");
    let again = parent.path().join("b");
    read_file(&file, &again, &|_| {}).unwrap();
    let read = Experiment::open(&again).unwrap();
    assert!(read.clocks().are_one());
    assert_eq!(read.streams()[1].property("host"), Some("node1"));
    let times = read.streams()[1].events().map(|event| event.unwrap().time);
    assert_eq!(times.collect::<Vec<_>>(), [1_001, 1_011]);
}

#[test]
fn missing_events_are_said_in_the_file_too() {
    let parent = temporary();
    let main = Site::function("main", "a.upc", 1);
    let enter = |time| Step::Enter(time, main.clone(), Attributes::None);
    let exit = |time| Step::Exit(time, main.clone(), Attributes::None);
    let steps: Vec<Step> = (0..200)
        .flat_map(|t| [enter(10 * t), exit(10 * t + 5)])
        .collect();
    let directory = parent.path().join("a");
    experiment(&directory, &[steps], &[]);
    let original = lose_a_block(&directory, 0);
    let file = parent.path().join("t.elg");
    let losses = convert(&original, &file, Options::default());
    assert_eq!(losses.len(), 1, "{losses:?}");
    assert!(
        losses[0].contains("1 thread (thread 0), which EPILOG cannot say"),
        "{losses:?}"
    );
    let again = parent.path().join("b");
    read_file(&file, &again, &|_| {}).unwrap();
    assert_eq!(read_steps(&again), read_steps(&directory));
    assert_eq!(Experiment::open(&again).unwrap().metadata().remarks, losses);
}

#[test]
fn locks_keep_their_identity_whatever_their_numbers() {
    let parent = temporary();
    let locks = [u64::MAX, 5, 1 << 40, 5, u64::MAX];
    let mut builder = ExperimentBuilder::new("p", 1);
    let thread = builder.thread(0);
    for lock in locks {
        thread
            .enter(
                0,
                &Site::operation(Operation::Lock, "", 0),
                Attributes::Lock { lock },
            )
            .exit(0, Attributes::None);
    }
    let directory = parent.path().join("a");
    builder.write(&directory).unwrap();
    let file = parent.path().join("t.elg");
    convert(
        &Experiment::open(&directory).unwrap(),
        &file,
        Options::default(),
    );
    let again = parent.path().join("b");
    read_file(&file, &again, &|_| {}).unwrap();
    let read = read_steps(&again).remove(0);
    let read: Vec<u64> = read
        .iter()
        .filter_map(|step| match step {
            Step::Enter(_, _, Attributes::Lock { lock }) => Some(*lock),
            _ => None,
        })
        .collect();
    assert_eq!(read, [2, 0, 1, 0, 2]);
}

#[test]
fn long_names_and_many_threads_take_several_records() {
    let parent = temporary();
    let lengths = [0, 248, 249, 250, 251, 504, 505, 506, 60_000];
    let mut builder = ExperimentBuilder::new("p", 2_000);
    for length in lengths {
        let site = Site::function(&"ä".repeat(length / 2), &"x".repeat(length), 1);
        builder
            .thread(1_990)
            .enter(7, &site, Attributes::None)
            .exit(7, Attributes::None);
    }
    let exchange = Site::operation(Operation::Exchange, "a.upc", 9);
    let collective = Attributes::Collective {
        root: None,
        sent: 1,
        received: 2,
        sync_in: SyncMode::All,
        sync_out: SyncMode::None,
    };
    for thread in [0, 1_999] {
        builder
            .thread(thread)
            .enter(9, &exchange, Attributes::None)
            .exit(10, collective);
    }
    builder.metadata_mut().arguments = vec!["y".repeat(100_000)];
    let directory = parent.path().join("a");
    builder.write(&directory).unwrap();
    let original = Experiment::open(&directory).unwrap();
    let file = parent.path().join("t.elg");
    convert(&original, &file, Options::default());
    let again = parent.path().join("b");
    read_file(&file, &again, &|_| {}).unwrap();
    assert_eq!(read_steps(&again), read_steps(&directory));
    let metadata = Experiment::open(&again).unwrap().metadata().clone();
    assert_eq!(metadata.threads, 2_000);
    // The arguments alone are more than a string can hold.
    assert_eq!(metadata.arguments, Vec::<String>::new());
    assert_eq!(metadata.state, State::Finished);
}

#[test]
fn existing_experiments_are_left_alone() {
    let parent = temporary();
    let original = single(&parent.path().join("a"), |_| {});
    let file = parent.path().join("t.elg");
    convert(&original, &file, Options::default());
    let error = read_file(&file, &parent.path().join("a"), &|_| {}).unwrap_err();
    assert!(error.to_string().contains("already exists"), "{error}");
    assert_eq!(read_steps(&parent.path().join("a"))[0].len(), 2);
}

/// Steps of a program of two tasks, of which the first sends two messages to the second.
fn of_tasks() -> [Vec<Step>; 2] {
    let at = |operation, line| Site::operation(operation, "a.rs", line);
    let named = |name: &str, operation| Site {
        name: name.to_owned(),
        ..at(operation, 1)
    };
    let channel = 1 << 32 | 7;
    let none = Attributes::None;
    let message = |message, queued| Attributes::ChannelMessage {
        channel,
        message,
        bytes: 8 + message,
        queued,
    };
    let left = |reason| Attributes::TaskLeft { reason };
    let mut threads = [Vec::new(), Vec::new()];
    let mut step = |thread: usize, begin, end, site: Site, enter, exit| {
        threads[thread].push(Step::Enter(begin, site.clone(), enter));
        threads[thread].push(Step::Exit(end, site, exit));
    };
    let created = Attributes::ChannelCreate {
        channel,
        capacity: Some(1),
    };
    let create = Attributes::TaskCreate {
        task: 2,
        processor: 1,
    };
    let wait = Attributes::Channel { channel };
    let select = Attributes::SelectWait { inputs: 3 };
    let (send, receive) = (Operation::ChannelSend, Operation::ChannelReceive);
    step(0, 10, 11, at(Operation::ChannelCreate, 2), created, none);
    step(
        0,
        20,
        21,
        named("consume", Operation::TaskCreate),
        create,
        none,
    );
    step(0, 100, 101, at(send, 3), message(0, 1), none);
    step(0, 200, 201, at(send, 4), message(1, 1), none);
    step(0, 212, 213, at(send, 4), wait, none);
    step(1, 31, 32, at(Operation::Select, 5), select, none);
    step(1, 150, 152, at(Operation::Select, 5), wait, none);
    step(1, 153, 154, at(receive, 6), message(0, 0), none);
    step(1, 300, 301, at(receive, 6), message(1, 0), none);
    step(1, 310, 311, at(Operation::InputDelete, 7), wait, none);
    let stretch =
        |threads: &mut Vec<Step>, from: usize, until: usize, task, ends: (u64, u64), reason| {
            let site = named(
                if task == 1 { "produce" } else { "consume" },
                Operation::Task,
            );
            let enter = Step::Enter(ends.0, site.clone(), Attributes::Task { task });
            threads.insert(until, Step::Exit(ends.1, site, left(reason)));
            threads.insert(from, enter);
        };
    stretch(&mut threads[0], 0, 10, 1, (0, 214), TaskReason::Sends);
    stretch(&mut threads[0], 12, 12, 1, (400, 410), TaskReason::Yielded);
    stretch(&mut threads[0], 14, 14, 1, (420, 430), TaskReason::Ended);
    stretch(&mut threads[1], 2, 10, 2, (150, 320), TaskReason::Ended);
    stretch(&mut threads[1], 0, 2, 2, (30, 33), TaskReason::Selects);
    threads
}

#[test]
fn tasks_and_their_messages_come_back() {
    let parent = temporary();
    let threads = of_tasks();
    let original = experiment(&parent.path().join("a"), &threads, &[]);
    let file = parent.path().join("t.elg");
    let losses = convert(&original, &file, Options::default());
    assert_eq!(losses.len(), 1, "{losses:?}");
    assert!(losses[0].contains("lengths of queues"), "{losses:?}");
    let again = parent.path().join("b");
    let imported = read_file(&file, &again, &|_| {}).unwrap();
    assert_eq!(imported.remarks, Vec::<String>::new());
    assert_eq!(read_steps(&again), threads);
}

#[test]
fn a_message_that_nobody_receives_is_no_message_of_the_file() {
    let losses = losses_of(|thread| {
        let send = Site::operation(Operation::ChannelSend, "a.rs", 3);
        let message = Attributes::ChannelMessage {
            channel: 1,
            message: 0,
            bytes: 8,
            queued: 1,
        };
        thread.enter(10, &send, message).exit(11, Attributes::None);
    });
    let expected = "messages of which the trace has one end (1)";
    assert!(losses.contains(expected), "{losses}");
}
