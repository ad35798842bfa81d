//! Operations of the runtime: addresses, memory, locks, barriers, collectives. The programs under
//! `c/` check themselves.

mod common;

use common::{Program, build};

/// Runs a program with these numbers of threads.
fn check(name: &str, options: &[&str], threads: &[u32]) {
    let program = build(name, options);
    for &n in threads {
        let run = Program::new(&program).threads(n).run();
        assert_eq!(
            (run.status, run.stdout.as_str()),
            (0, "OK\n"),
            "{name} with {n} threads: {run:?}"
        );
    }
}

#[test]
fn addresses_with_a_number_of_threads_chosen_at_start() {
    check("address", &["-O2"], &[1, 2, 3, 4, 6, 7]);
}

#[test]
fn addresses_with_a_fixed_number_of_threads() {
    check("address", &["-O2", "-DUPCR_STATIC_THREADS=1"], &[1]);
    check("address", &["-O2", "-DUPCR_STATIC_THREADS=4"], &[4]);
    check("address", &["-O2", "-DUPCR_STATIC_THREADS=5"], &[5]);
    check("address", &["-O0", "-DUPCR_STATIC_THREADS=3"], &[3]);
}

#[test]
fn allocation() {
    check("alloc", &[], &[1, 2, 3, 5]);
}

#[test]
fn locks() {
    check("locks", &[], &[1, 2, 4, 16]);
}

#[test]
fn barriers() {
    check("barriers", &[], &[1, 2, 3, 8, 9, 17, 65]);
}

#[test]
fn relocalization() {
    check("collectives", &[], &[1, 2, 3, 4, 8]);
}

#[test]
fn computation() {
    check("reduce", &[], &[1, 2, 3, 4]);
}

/// Many more threads than cores make progress, and more than fit one node of the barrier's tree of
/// each level.
#[test]
fn hundreds_of_threads() {
    check("barriers", &[], &[256]);
}
