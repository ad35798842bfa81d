//! The example of a pattern finds what it says it does.

#[path = "../examples/lock_convoys.rs"]
mod lock_convoys;

use lock_convoys::{Convoy, convoys};
use pgas_earl::access::EventTrace;
use pgas_trace::model::{Attributes, Operation, Site};
use pgas_trace::{Experiment, ExperimentBuilder};

#[test]
fn a_lock_that_goes_to_a_waiter_while_others_wait() {
    let [take, give] =
        [Operation::Lock, Operation::Unlock].map(|o| Site::operation(o, "queue.upc", 7));
    let lock = Attributes::Lock { lock: 5 };
    let mut builder = ExperimentBuilder::new("queue", 4);
    // All ask at about the same time; thread 3 comes when the lock is free again.
    for (thread, asked, taken, given) in [
        (0, 10, 11, 30),
        (1, 12, 31, 50),
        (2, 13, 51, 70),
        (3, 80, 81, 90),
    ] {
        builder
            .thread(thread)
            .enter(asked, &take, lock)
            .exit(taken, Attributes::None)
            .enter(given, &give, lock)
            .exit(given + 1, Attributes::None);
    }
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("e");
    builder.write(&directory).unwrap();
    let experiment = Experiment::open(&directory).unwrap();
    let found = convoys(&EventTrace::new(&experiment).unwrap()).unwrap();
    // Thread 1 gets it while thread 2 waits; behind thread 2 nobody does.
    let expected = Convoy {
        handovers: 1,
        longest_queue: 1,
    };
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        [(("queue.upc".to_owned(), 7), expected)]
    );
}
