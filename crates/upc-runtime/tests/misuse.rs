//! Misuse by programs ends with a message that says who, what and where; nothing hangs.

mod common;

use common::{Program, build};

/// Case of `c/misuse.c`, exit status, and what the message must contain.
const CASES: &[(&str, i32, &[&str])] = &[
    (
        "names",
        1,
        &[
            "thread 0 is at a barrier with the value 1 (prog.upc:",
            "thread 1 is at a barrier with the value 2",
            "must be equal",
        ],
    ),
    (
        "names split",
        1,
        &[
            "the value 7 (prog.upc:",
            "the value 8 (prog.upc:",
            "must be equal",
        ],
    ),
    (
        "wait name",
        1,
        &[
            "thread 1 is at upc_wait with the value 9 (prog.upc:",
            "upc_notify with the value 7",
        ],
    ),
    (
        "wait name of others",
        1,
        &[
            "thread 1 is at upc_wait with the value 9",
            "thread 0 was at upc_notify with the value 7",
        ],
    ),
    (
        "notify twice",
        1,
        &[
            "thread 1 is at upc_notify (prog.upc:",
            "has called upc_notify (prog.upc:",
            "not yet upc_wait",
        ],
    ),
    (
        "wait alone",
        1,
        &[
            "thread 1 is at upc_wait (prog.upc:",
            "has not called upc_notify",
        ],
    ),
    (
        "barrier inside",
        1,
        &[
            "thread 1 is at upc_barrier (prog.upc:",
            "has called upc_notify (prog.upc:",
        ],
    ),
    (
        "collective inside",
        1,
        &["is at upc_all_broadcast, but it has called upc_notify (prog.upc:"],
    ),
    (
        "collective and barrier",
        1,
        &[
            "thread 1 is at a barrier",
            "is at upc_all_broadcast",
            "must come to the same one",
        ],
    ),
    (
        "end and barrier",
        1,
        &[
            "thread 0 ended with status 0",
            "is at a barrier",
            "(prog.upc:",
        ],
    ),
    (
        "exit and barrier",
        7,
        &[
            "thread 0 ended with status 7",
            "is at a barrier",
            "(prog.upc:",
        ],
    ),
    (
        "end after notify",
        1,
        &["the end of the program", "has called upc_notify (prog.upc:"],
    ),
    (
        "exit after notify",
        7,
        &[
            "thread 1 ended with status 7 between upc_notify (prog.upc:",
            "all threads end",
        ],
    ),
    (
        "unlock free",
        0,
        &["thread 1: upc_unlock of a lock that nobody holds"],
    ),
    (
        "unlock other",
        0,
        &["thread 1: upc_unlock of a lock that thread 0 holds"],
    ),
    (
        "lock twice",
        1,
        &["thread 1: upc_lock of a lock that this thread already holds"],
    ),
    ("lock null", 1, &["upc_lock of a null pointer"]),
    (
        "lock freed",
        1,
        &["upc_lock of something that is not a lock, or was freed"],
    ),
    ("free twice", 0, &["upc_free of", "freed before"]),
    (
        "lock free twice",
        0,
        &["upc_lock_free of a lock that was freed before"],
    ),
    (
        "free middle",
        1,
        &[
            "thread 0: upc_free of a pointer",
            "not the begin of an allocation",
        ],
    ),
    (
        "free middle line",
        0,
        &[
            "thread 0: upc_free of a pointer",
            "not the begin of an allocation",
        ],
    ),
    ("free static", 1, &["thread 0: upc_free of a pointer"]),
    ("free wild", 1, &["thread 0: upc_free of a pointer"]),
    (
        "too much",
        1,
        &[
            "upc_alloc finds no 1152921504606846976 bytes",
            "PGAS_SHARED_HEAP",
        ],
    ),
    (
        "overflow",
        1,
        &["upc_global_alloc of", "more than memory can be"],
    ),
    (
        "null source",
        1,
        &["the source of upc_all_broadcast is a null pointer"],
    ),
    (
        "bad permutation",
        1,
        &["the permutation of upc_all_permute has 77", "0 to 2"],
    ),
    ("bad operator", 1, &["upc_all_reduce has no operator 16"]),
    (
        "no function",
        1,
        &["upc_all_reduce with UPC_FUNC has no function"],
    ),
];

fn check(threads: u32) {
    let program = build("misuse", &[]);
    for (case, status, parts) in CASES {
        let run = Program::new(&program).threads(threads).args(&[case]).run();
        assert_eq!(run.status, *status, "{case}: {run:?}");
        // One message, however many threads see it.
        assert_eq!(run.stderr.lines().count(), 1, "{case}: {run:?}");
        for part in *parts {
            assert!(
                run.stderr.contains(part),
                "{case}: expected `{part}` in {run:?}"
            );
        }
    }
}

/// Three threads share two cores, as on the machines that tests run on: the tree.
#[test]
fn with_few_threads() {
    check(3);
}

#[test]
fn with_two_threads() {
    let program = build("misuse", &[]);
    for (case, status, parts) in CASES {
        if *case == "bad permutation" {
            continue;
        }
        let run = Program::new(&program).threads(2).args(&[case]).run();
        assert_eq!(run.status, *status, "{case}: {run:?}");
        for part in *parts {
            assert!(
                run.stderr.contains(part),
                "{case}: expected `{part}` in {run:?}"
            );
        }
    }
}

/// Threads that wait for each other are told so; the runtime looks every second.
#[test]
fn deadlocks() {
    let program = build("misuse", &[]);
    let cases: [(&str, i32, &[&str]); 4] = [
        (
            "deadlock allocation",
            1,
            &[
                "thread 0 ended with status 0",
                "thread 1 waits for thread 0 in upc_all_alloc",
                "in upcr_user_main at ",
            ],
        ),
        (
            "deadlock locks",
            1,
            &[
                "thread 0 waits for a lock that thread 1 holds, in upcr_user_main at ",
                "misuse.c:",
                "thread 1 waits for a lock that thread 0 holds",
            ],
        ),
        (
            "deadlock lock held",
            3,
            &[
                "thread 0 waits for a lock that thread 1 holds",
                "thread 1 ended with status 3",
            ],
        ),
        (
            "deadlock collective",
            1,
            &[
                "thread 0 is at a barrier without a value (prog.upc:",
                "thread 1 waits for another in a collective",
                "in upcr_user_main at ",
            ],
        ),
    ];
    std::thread::scope(|scope| {
        for (case, status, parts) in &cases {
            let program = &program;
            scope.spawn(move || {
                let run = Program::new(program).threads(2).args(&[case]).run();
                assert_eq!(run.status, *status, "{case}: {run:?}");
                assert!(
                    run.stderr.contains("all threads wait for each other"),
                    "{case}: {run:?}"
                );
                for part in *parts {
                    assert!(
                        run.stderr.contains(part),
                        "{case}: expected `{part}` in {run:?}"
                    );
                }
            });
        }
        let program = &program;
        scope.spawn(move || {
            let run = Program::new(program).threads(3).args(&["patience"]).run();
            assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        });
    });
}

/// A right program is not accused of anything.
#[test]
fn nothing_wrong() {
    let run = Program::new(&build("misuse", &[])).threads(3).run();
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}
