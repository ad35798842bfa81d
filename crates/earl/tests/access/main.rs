//! Random access gives what reading from the beginning to the end gives, whatever is asked for in
//! whatever order.

mod generate;
mod naive;

use generate::programs;
use naive::Naive;
use pgas_earl::access::{AccessError, EventId, EventTrace, EventType, History};
use pgas_trace::model::{Attributes, EventKind, Operation};
use proptest::prelude::*;

fn config() -> ProptestConfig {
    ProptestConfig::with_cases(40)
}

/// Some of the events, in no order.
fn picked(naive: &Naive, picks: &[prop::sample::Index]) -> Vec<EventId> {
    match naive.order.is_empty() {
        true => Vec::new(),
        false => picks.iter().map(|pick| *pick.get(&naive.order)).collect(),
    }
}

fn picks() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    proptest::collection::vec(any::<prop::sample::Index>(), 1..25)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_event_by_its_number(program in programs(), picks in picks()) {
        let parent = tempfile::tempdir().unwrap();
        let experiment = program.write(&parent.path().join("e"));
        let naive = Naive::new(&experiment);
        let trace = EventTrace::new(&experiment).unwrap();
        prop_assert_eq!(trace.events(), naive.order.len() as u64);
        for id in picked(&naive, &picks) {
            let known = naive.known(id);
            let event = trace.event(id).unwrap();
            prop_assert_eq!((event.id, event.time), (id, known.event.time));
            prop_assert_eq!((event.operation(), event.depth), (known.operation, known.depth));
            prop_assert_eq!(event.inferred, known.inferred);
            let (takes, gives) = match event.event_type {
                EventType::LockAcquired { lock } => (Some(lock), None),
                EventType::LockReleased { lock } => (None, Some(lock)),
                _ => (None, None),
            };
            prop_assert_eq!((takes, gives), (known.takes, known.gives));

            let enter = trace.enter_pointer(id).unwrap().map(|enter| enter.number);
            prop_assert_eq!(enter, known.enter);
            prop_assert_eq!(trace.lock_pointer(id).unwrap(), known.lock_pointer);
        }
        let thread = program.threads.len() as u32;
        let missing = trace.event(EventId::new(thread, 0));
        let is_refused = matches!(missing, Err(AccessError::NoSuchThread { .. }));
        prop_assert!(is_refused);
        let missing = trace.event(EventId::new(0, trace.events_of(0).unwrap()));
        let is_refused = matches!(missing, Err(AccessError::NoSuchEvent { .. }));
        prop_assert!(is_refused);
    }

    #[test]
    fn an_event_by_its_place_in_time(program in programs(), picks in picks(), times in proptest::collection::vec(0u64..2000, 5)) {
        let parent = tempfile::tempdir().unwrap();
        let experiment = program.write(&parent.path().join("e"));
        let naive = Naive::new(&experiment);
        let trace = EventTrace::new(&experiment).unwrap();
        for id in picked(&naive, &picks) {
            let number = naive.order.iter().position(|&other| other == id).unwrap() as u64;
            prop_assert_eq!(trace.event_in_time(number).unwrap(), id);
            prop_assert_eq!(trace.number_in_time(id).unwrap(), number);
        }
        let refused = trace.event_in_time(trace.events());
        let is_refused = matches!(refused, Err(AccessError::NoSuchNumber { .. }));
        prop_assert!(is_refused);
        for time in times {
            for (thread, events) in naive.threads.iter().enumerate() {
                let first = events.partition_point(|known| known.event.time < time);
                prop_assert_eq!(trace.position_at(thread as u32, time).unwrap(), first as u64);
            }
        }
    }

    #[test]
    fn the_states_at_any_event(program in programs(), picks in picks()) {
        let parent = tempfile::tempdir().unwrap();
        let experiment = program.write(&parent.path().join("e"));
        let naive = Naive::new(&experiment);
        let trace = EventTrace::new(&experiment).unwrap();
        for id in picked(&naive, &picks) {
            let place = naive.order.iter().position(|&other| other == id).unwrap();
            let states = trace.states_after(id).unwrap();
            prop_assert_eq!(states.cut.events(), place as u64 + 1);
            for (thread, state) in states.threads.iter().enumerate() {
                let before = &naive.order[..=place];
                let last = before.iter().rfind(|event| event.thread as usize == thread);
                let known = last.map(|&last| naive.known(last));
                let stack: Vec<_> = state.stack.iter().map(|open| open.enter.unwrap().0.number).collect();
                prop_assert_eq!(&stack[..], known.map_or(&[][..], |known| &known.stack));
                prop_assert_eq!(state.position, last.map_or(0, |last| last.number + 1));
                prop_assert_eq!(state.barriers, known.map_or(Some(0), |known| known.barriers));
                prop_assert_eq!(state.collectives, known.map_or(Some(0), |known| known.collectives));
                prop_assert_eq!(state.notified, known.is_some_and(|known| known.notified));
            }
            let locks = &states.locks;
            let owners = locks.locks().filter_map(|lock| Some((lock, locks.owner(lock)?.acquired)));
            prop_assert_eq!(owners.collect::<Vec<_>>(), naive.known(id).owners.clone());
        }
    }

    #[test]
    fn what_was_kept_gives_the_same_states(program in programs(), picks in picks()) {
        let parent = tempfile::tempdir().unwrap();
        let experiment = program.write(&parent.path().join("e"));
        let naive = Naive::new(&experiment);
        let path = parent.path().join("index");
        let first = EventTrace::new(&experiment).unwrap();
        prop_assert!(!first.recall_summaries(&path));
        for id in picked(&naive, &picks).into_iter().take(2) {
            let states = first.states_after(id).unwrap();
            first.keep_summaries(&path).unwrap();
            let again = EventTrace::new(&experiment).unwrap();
            prop_assert!(again.recall_summaries(&path));
            let time = first.event(id).unwrap().time;
            prop_assert_eq!(again.unread_before(time), 0);
            prop_assert_eq!(again.states_after(id).unwrap(), states);
            prop_assert_eq!(again.lock_pointer(id).unwrap(), first.lock_pointer(id).unwrap());
        }
        for number in 0..3 {
            let again = EventTrace::new(&experiment).unwrap();
            again.recall_summaries(&path);
            prop_assert_eq!(again.barrier(number).unwrap(), first.barrier(number).unwrap());
        }
    }

    #[test]
    fn a_stretch_of_time_in_order(program in programs(), from in 0u64..1500, length in 0u64..800, chosen in proptest::collection::vec(any::<bool>(), 4)) {
        let parent = tempfile::tempdir().unwrap();
        let experiment = program.write(&parent.path().join("e"));
        let naive = Naive::new(&experiment);
        let trace = EventTrace::new(&experiment).unwrap();
        let within = |id: &EventId| (from..from + length).contains(&naive.known(*id).event.time);
        let expected: Vec<_> = naive.order.iter().copied().filter(within).collect();
        let events = trace.events_between(from, from + length).unwrap();
        let found: Vec<_> = events.map(|event| event.unwrap().id).collect();
        prop_assert_eq!(&found, &expected);

        let before = naive.order.iter().filter(|id| naive.known(**id).event.time < from).count();
        prop_assert!(trace.events_before_at_least(from) <= before as u64);

        for history in [History::Read, History::Skip] {
            for threads in [vec![true; 4], chosen.clone()] {
                let wanted: Vec<_> = expected.iter().copied().filter(|id| threads[id.thread as usize]).collect();
                let replay = trace.replay(from, from + length, &threads, history).unwrap();
                let seen: Vec<_> = replay.map(Result::unwrap).collect();
                prop_assert_eq!(seen.iter().map(|seen| seen.event.id).collect::<Vec<_>>(), wanted);
                for seen in seen {
                    let known = naive.known(seen.event.id);
                    let is_enter = matches!(known.event.kind, EventKind::Enter { .. });
                    let exact = history == History::Read;
                    let enter = seen.enter.map(|enter| enter.0.number);
                    // What is said is right; with the history nothing is left out.
                    if !is_enter && (exact || enter.is_some()) {
                        prop_assert_eq!(enter, known.enter);
                    }
                    match (exact, seen.lock_pointer) {
                        (true, pointer) => prop_assert_eq!(pointer, known.lock_pointer),
                        (false, Some(pointer)) if known.takes.is_some() => {
                            prop_assert_eq!(Some(pointer), known.lock_pointer);
                        }
                        (false, Some(pointer)) => {
                            prop_assert_eq!(naive.known(pointer).takes, known.gives);
                        }
                        (false, None) => {}
                    }
                    let Some(barrier) = seen.barrier.filter(|_| !is_enter) else { continue };
                    let completes = matches!(known.operation, Operation::Barrier | Operation::Wait);
                    prop_assert_eq!(Some(barrier + u64::from(completes)), known.barriers);
                }
            }
        }
    }

    #[test]
    fn compound_events_by_number(program in programs()) {
        let parent = tempfile::tempdir().unwrap();
        let experiment = program.write(&parent.path().join("e"));
        let naive = Naive::new(&experiment);
        let trace = EventTrace::new(&experiment).unwrap();
        for number in 0..6 {
            let barrier = trace.barrier(number).unwrap();
            let collective = trace.collective(number).unwrap();
            for (thread, events) in naive.threads.iter().enumerate() {
                // The event with which the count goes beyond the number, unless recording was off then.
                let passes = |count: fn(&naive::Known) -> Option<u64>| {
                    let at = events.iter().position(|known| count(known) > Some(number))?;
                    let is_recorded = events[at].operation != Operation::MeasurementStall;
                    is_recorded.then_some(at)
                };
                let exit = passes(|known| known.barriers);
                let member = barrier.members[thread];
                prop_assert_eq!(member.map(|member| member.exit.number), exit.map(|n| n as u64));
                if let (Some(member), Some(exit)) = (member, exit) {
                    prop_assert_eq!(member.enter.map(|enter| enter.number), events[exit].enter);
                }
                let exit = passes(|known| known.collectives);
                let member = collective.members[thread];
                prop_assert_eq!(member.map(|member| member.exit.number), exit.map(|n| n as u64));
            }
        }
    }
}

#[test]
fn an_experiment_without_events_has_no_answers_but_no_errors() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("e");
    pgas_trace::ExperimentBuilder::new("idle", 2)
        .write(&directory)
        .unwrap();
    let experiment = pgas_trace::Experiment::open(&directory).unwrap();
    let trace = EventTrace::new(&experiment).unwrap();
    assert_eq!((trace.events(), trace.time_range()), (0, None));
    assert!(matches!(
        trace.event_in_time(0),
        Err(AccessError::NoSuchNumber { .. })
    ));
    let states = trace.states_at(100).unwrap();
    assert!(
        states
            .threads
            .iter()
            .all(|thread| thread.stack.is_empty() && thread.barriers == Some(0))
    );
    assert_eq!(states.pending_barriers(9), []);
    assert_eq!(trace.events_between(0, u64::MAX).unwrap().count(), 0);
    assert!(
        trace
            .barrier(0)
            .unwrap()
            .members
            .iter()
            .all(Option::is_none)
    );
}

#[test]
fn what_all_threads_must_do_is_pending_until_all_have_left_it() {
    use pgas_trace::model::Site;
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("e");
    let mut builder = pgas_trace::ExperimentBuilder::new("queue", 3);
    let at = |operation, line| Site::operation(operation, "a.upc", line);
    // Thread 1 comes late, thread 2 has left its first operation when thread 0 is still in it.
    for (thread, times) in [[10, 40, 50], [35, 38, 60], [5, 20, 30]]
        .into_iter()
        .enumerate()
    {
        let [enter, exit, next] = times;
        builder
            .thread(thread as u32)
            .enter(enter, &at(Operation::Scatter, 3), Attributes::None)
            .exit(exit, Attributes::None)
            .enter(next, &at(Operation::Barrier, 4), Attributes::None)
            .exit(70, Attributes::None);
    }
    builder.write(&directory).unwrap();
    let experiment = pgas_trace::Experiment::open(&directory).unwrap();
    let trace = EventTrace::new(&experiment).unwrap();

    let states = trace.states_at(25).unwrap();
    let pending = trace.pending_collectives(&states, 9).unwrap();
    assert_eq!(pending.len(), 1);
    let scatter = &pending[0];
    assert_eq!((scatter.number, scatter.operation), (0, Operation::Scatter));
    assert_eq!(
        (&scatter.left[..], &scatter.inside[..], &scatter.missing[..]),
        (&[2][..], &[0][..], &[1][..])
    );
    assert_eq!(states.pending_barriers(9), []);

    let states = trace.states_at(55).unwrap();
    assert_eq!(trace.pending_collectives(&states, 9).unwrap(), []);
    let barrier = &states.pending_barriers(9)[0];
    assert_eq!(
        (&barrier.inside[..], &barrier.missing[..]),
        (&[0, 2][..], &[1][..])
    );
    assert_eq!(trace.states_at(70).unwrap().pending_barriers(9), []);
}

#[test]
fn barriers_have_the_numbers_that_the_analysis_gives_them() {
    use pgas_earl::{BarrierRecord, Observer, Walker};
    use pgas_trace::model::Site;

    #[derive(Default)]
    struct Exits(Vec<u64>);
    impl Observer for Exits {
        fn barrier(&mut self, record: BarrierRecord) {
            self.0.push(record.span.end);
        }
    }

    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("e");
    let mut builder = pgas_trace::ExperimentBuilder::new("barriers", 1);
    let thread = builder.thread(0);
    let mut time = 0;
    let mut passes = |operation, line| {
        let site = Site::operation(operation, "a.upc", line);
        thread
            .enter(time, &site, Attributes::None)
            .exit(time + 3, Attributes::None);
        time += 10;
    };
    for _ in 0..3 {
        passes(Operation::Barrier, 3);
        // As one runtime reports a plain barrier.
        passes(Operation::Notify, 4);
        passes(Operation::Wait, 4);
        // In two halves.
        passes(Operation::Notify, 5);
        passes(Operation::Get, 6);
        passes(Operation::Wait, 7);
        // No barrier.
        passes(Operation::Wait, 8);
    }
    builder.write(&directory).unwrap();
    let experiment = pgas_trace::Experiment::open(&directory).unwrap();
    let stream = &experiment.streams()[0];
    let (mut walker, mut exits) = (Walker::new(0), Exits::default());
    for event in stream.events() {
        walker
            .step(
                &event.unwrap(),
                |id| stream.sites().get(id.0 as usize),
                &mut exits,
            )
            .unwrap();
    }
    walker.finish(&mut exits);
    assert_eq!(exits.0.len(), 9);
    let trace = EventTrace::new(&experiment).unwrap();
    for (number, exit) in exits.0.iter().enumerate() {
        let member = trace.barrier(number as u64).unwrap().members[0].unwrap();
        assert_eq!(trace.event(member.exit).unwrap().time, *exit);
        let arrival = trace.event(member.arrival.unwrap()).unwrap();
        let expected = if number % 3 == 0 {
            Operation::Barrier
        } else {
            Operation::Notify
        };
        assert_eq!(arrival.operation(), expected);
    }
    assert!(trace.barrier(9).unwrap().members[0].is_none());
}

/// A file that is damaged, of other streams, or cut short is passed over.
#[test]
fn a_kept_file_that_does_not_fit_is_of_no_use() {
    let parent = tempfile::tempdir().unwrap();
    let written = |name: &str, time: u64| {
        let mut builder = pgas_trace::ExperimentBuilder::new("p", 1);
        let main = pgas_trace::model::Site::function("main", "a.upc", 1);
        let thread = builder.thread(0);
        thread
            .enter(time, &main, Attributes::None)
            .exit(time + 9, Attributes::None);
        let directory = parent.path().join(name);
        builder.write(&directory).unwrap();
        pgas_trace::Experiment::open(&directory).unwrap()
    };
    let (experiment, other) = (written("a", 0), written("b", 1));
    let path = parent.path().join("of/a/folder/index");
    let trace = EventTrace::new(&experiment).unwrap();
    trace.barrier(0).unwrap();
    trace.keep_summaries(&path).unwrap();
    let is_taken = |experiment| EventTrace::new(experiment).unwrap().recall_summaries(&path);
    assert!(is_taken(&experiment));
    assert!(!is_taken(&other));
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        std::fs::write(&path, &whole[..at]).unwrap();
        assert!(!is_taken(&experiment), "{at} bytes");
        let mut wrong = whole.clone();
        wrong[at] ^= 1;
        std::fs::write(&path, &wrong).unwrap();
        assert!(!is_taken(&experiment), "byte {at} is wrong");
    }
    std::fs::write(&path, &whole).unwrap();
    assert!(is_taken(&experiment));
}
