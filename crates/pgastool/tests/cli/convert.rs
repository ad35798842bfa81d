//! `convert`: what a user sees of it, with real runs.

use crate::bench::{Bench, contains, last_line};
use std::fs;

/// Most of what EPILOG has records for.
const PROGRAM: &str = r#"#include <upc.h>
#include <upc_collective.h>
#include <unistd.h>

shared int from[THREADS];
shared int to[THREADS];
shared [] char block[64];

void work(int times) { usleep(1000 * times); }

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    char mine[64] = "";
    int round;
    for (round = 0; round < 3; round++) {
        work(MYTHREAD + 1);
        upc_all_broadcast(to, from, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
        upc_lock(lock);
        work(1);
        upc_memput(block, mine, sizeof mine);
        upc_unlock(lock);
        to[(MYTHREAD + 1) % THREADS] = from[(MYTHREAD + 1) % THREADS];
        work(MYTHREAD);
        upc_barrier;
        upc_notify;
        work(2 * MYTHREAD);
        upc_wait;
    }
    if (MYTHREAD == 0) upc_lock_free(lock);
    return 0;
}
"#;

#[test]
fn the_report_of_a_run_is_the_same_after_epilog() {
    let bench = Bench::new();
    bench.compile_all(PROGRAM, &[]);
    // The format has no samples.
    bench.ok(&["run", "-n", "2", "--sample", "off", "-o", "run", "./prog"]);
    bench.ok(&["analyze", "run"]);
    let report = bench.ok(&["report", "run", "--format", "json"]);
    contains(
        &report,
        &["late_broadcast", "lock_contention", "split_phase_wait"],
    );
    for (file, options) in [
        ("run.elg", &[][..]),
        (
            "other.elg.gz",
            &["-o", "other.elg.gz", "--names=shmem", "--byte-order=big"],
        ),
    ] {
        let told = bench.told(&[&["convert", "run", "--to", "epilog"], options].concat());
        assert_eq!(
            (told.status, told.out.trim_end()),
            (Some(0), file),
            "{}",
            told.err
        );
        contains(&told.err, &["EPILOG has no place for"]);
        let name = last_line(&bench.ok(&[
            "convert",
            file,
            "--from",
            "epilog",
            "-o",
            &format!("{file}.e"),
        ]))
        .to_owned();
        bench.ok(&["analyze", &name]);
        assert_eq!(bench.ok(&["report", &name, "--format", "json"]), report);
    }
    let plain = fs::metadata(bench.path("run.elg")).unwrap().len();
    let compressed = fs::read(bench.path("other.elg.gz")).unwrap();
    assert!((compressed.len() as u64) < plain);
    assert!(compressed.starts_with(&[0x1f, 0x8b]));
}

#[test]
fn wrong_calls_and_files_are_refused() {
    let bench = Bench::new();
    bench.write("x.elg", "something else");
    for (arguments, expected) in [
        (&["convert", "x.elg"][..], "--to <FORMAT>"),
        (&["convert", "--from", "epilog"], "INPUT"),
        (
            &["convert", "x.elg", "--from", "epilog", "--names", "shmem"],
            "cannot be used with",
        ),
        (
            &["convert", "x.elg", "--from", "epilog"],
            "x.elg: offset 0: not an EPILOG file: found \"somethi\"",
        ),
        (
            &["convert", "none.elg", "--from", "epilog"],
            "none.elg: cannot open",
        ),
        (&["convert", "--to", "epilog"], "there is no experiment"),
        (
            &["convert", "x.elg", "--to", "epilog"],
            "pgastool convert x.elg --from epilog",
        ),
    ] {
        contains(&bench.refused(arguments), &[expected]);
    }
    assert!(!bench.path("x").exists());

    // A file of one record, which is not what it should be.
    bench.write(
        "y.elg",
        b"EPILOG\0\x01\x09\x01\x04\x0e\x01\x00\x00\x00\x00\x0d",
    );
    let told = bench.refused(&["convert", "y.elg", "--from", "epilog"]);
    contains(
        &told,
        &[
            "y.elg: offset 18, end of the file",
            "after 0 events, expected 1, by NUM_EVENTS",
        ],
    );
    assert!(!bench.path("y").exists());
}

#[cfg(not(feature = "otf2"))]
#[test]
fn otf2_is_there_only_where_its_library_is() {
    let bench = Bench::new();
    let told = bench.refused(&["convert", "x", "--to", "otf2"]);
    contains(&told, &["built without OTF2", "--features pgastool/otf2"]);
    assert!(!bench.ok(&["convert", "--help"]).contains("otf2"));
}

#[cfg(feature = "otf2")]
#[test]
fn a_run_becomes_an_otf2_archive() {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "run", "./prog"]);
    let anchor = last_line(&bench.ok(&["convert", "run", "--to", "otf2"])).to_owned();
    assert_eq!(anchor, "run.otf2/traces.otf2");
    for file in ["traces.otf2", "traces.def", "traces/0.evt", "traces/1.evt"] {
        assert!(bench.path("run.otf2").join(file).is_file(), "{file}");
    }
    let again = bench.refused(&["convert", "run", "--to", "otf2"]);
    contains(&again, &["run.otf2: already exists"]);
    let names = bench.refused(&["convert", "run", "--to", "otf2", "--names", "shmem"]);
    contains(&names, &["are for EPILOG files"]);
}
