//! Begin and end of programs: number of threads, limits, exit statuses, signals, output, and what
//! is left behind.

mod common;

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use common::{Program, Run, build, eventually, finish, processes_of};

const FOUR: &[&str] = &["-DUPCR_STATIC_THREADS=4"];

fn end(what: &str) -> Run {
    Program::new(&build("ends", &[]))
        .threads(4)
        .args(&[what])
        .run()
}

/// Every thread's mark is there, once.
fn assert_all_marks(run: &Run) {
    for t in 0..4 {
        assert_eq!(run.stdout.matches(&format!("<{t}>")).count(), 1, "{run:?}");
    }
}

#[test]
fn together() {
    for (what, status) in [("return", 0), ("return 3", 3), ("exit", 5)] {
        let run = end(what);
        assert_eq!((run.status, run.stderr.as_str()), (status, ""), "{what}");
        assert_all_marks(&run);
    }
    let run = end("atexit");
    assert_eq!(run.status, 0);
    for t in 0..4 {
        assert!(run.stdout.contains(&format!("<atexit {t}>")), "{run:?}");
    }
}

#[test]
fn one_ends_all_and_no_output_is_lost() {
    for what in ["compute", "barrier", "sleep", "lock", "pthread", "print"] {
        let run = end(&format!("global {what}"));
        assert_eq!((run.status, run.stderr.as_str()), (6, ""), "{what}");
        assert!(run.stdout.contains("<last words>"), "{what}: {run:?}");
        assert_all_marks(&run);
    }
    let run = end("global all");
    assert_eq!(run.status, 0);
    assert_all_marks(&run);
}

#[test]
fn what_is_done_at_the_end_may_take_time() {
    let run = end("slow end");
    assert_eq!((run.status, run.stderr.as_str()), (6, ""));
    for t in 0..4 {
        assert!(run.stdout.contains(&format!("<slow {t}>")), "{run:?}");
    }
}

#[test]
fn nobody_reads_the_output() {
    let mut program = Program::new(&build("ends", &[]))
        .threads(2)
        .args(&["broken pipe"]);
    let mut child = program.start();
    drop(child.stdout.take());
    let run = finish(child);
    assert_eq!((run.status, run.stderr.as_str()), (128 + libc::SIGPIPE, ""));
    eventually("the end of all processes", || {
        processes_of(&program.path()).is_empty()
    });
}

#[test]
fn a_crash_ends_all() {
    for (what, status, message) in [
        (
            "crash",
            128 + libc::SIGSEGV,
            "thread 1 was ended by signal 11 (Segmentation fault)",
        ),
        (
            "abort",
            128 + libc::SIGABRT,
            "thread 1 was ended by signal 6 (Aborted)",
        ),
        (
            "killed",
            128 + libc::SIGKILL,
            "thread 1 was ended by signal 9 (Killed)",
        ),
        (
            "_exit",
            4,
            "thread 1 ended with status 4 and did not wait for the others",
        ),
        (
            "_exit 0",
            1,
            "thread 1 ended with status 0 and did not wait for the others",
        ),
    ] {
        let run = end(what);
        assert_eq!(run.status, status, "{what}: {run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{what}: {run:?}");
        assert!(run.stderr.contains(message), "{what}: {run:?}");
        // The others could print what they had.
        for t in [0, 2, 3] {
            assert!(run.stdout.contains(&format!("<{t}>")), "{what}: {run:?}");
        }
    }
}

/// The message about a crash says what happened and where in the source, as far as that can be
/// known.
#[test]
fn a_crash_says_where() {
    let store = "in store at ";
    for (what, signal, parts) in [
        (
            "null pointer",
            libc::SIGSEGV,
            [store, "ends.c:", ": access through a null pointer"],
        ),
        (
            "no such thread",
            libc::SIGSEGV,
            [store, "shared memory of thread 9", "there are 4 threads"],
        ),
        (
            "wild pointer",
            libc::SIGSEGV,
            [store, "ends.c:", "access to address 0x23456789000"],
        ),
        (
            "deep",
            libc::SIGSEGV,
            ["in deep at ", "its stack of", "ulimit -s"],
        ),
        (
            "in the library",
            libc::SIGSEGV,
            ["called from upcr_user_main at ", "ends.c:", "null pointer"],
        ),
        (
            "division",
            libc::SIGFPE,
            [
                "in upcr_user_main at ",
                "ends.c:",
                "division of an integer by zero",
            ],
        ),
        (
            "abort",
            libc::SIGABRT,
            ["called from upcr_user_main at ", "ends.c:", "(Aborted)"],
        ),
    ] {
        let run = end(what);
        assert_eq!(run.status, 128 + signal, "{what}: {run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{what}: {run:?}");
        for part in parts {
            assert!(run.stderr.contains(part), "{what}: {part} in {run:?}");
        }
        // Also what the thread itself had printed before.
        assert_all_marks(&run);
    }
}

#[test]
fn a_process_of_the_programs_own_is_no_thread() {
    let run = end("child");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("<child>"));
}

/// Starts the program that runs for ever, and returns once its threads run.
fn hanging() -> (std::path::PathBuf, std::process::Child) {
    started(Program::new(&build("ends", &[])).threads(4).args(&["hang"]))
}

fn started(mut program: Program) -> (std::path::PathBuf, std::process::Child) {
    let mut child = program.start();
    let mut seen = String::new();
    let stdout = child.stdout.as_mut().unwrap();
    while !seen.contains("<ready>") {
        let mut byte = [0];
        assert_eq!(
            stdout.read(&mut byte).unwrap(),
            1,
            "the program ended early: {seen}"
        );
        seen.push(char::from(byte[0]));
    }
    (program.path(), child)
}

#[test]
fn signals_to_the_program_end_it() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        let (path, child) = hanging();
        // SAFETY: kill with the id of a child that was not waited for.
        unsafe { libc::kill(child.id() as i32, signal) };
        let run = finish(child);
        assert_eq!((run.status, run.stderr.as_str()), (1000 + signal, ""));
        eventually("the end of all processes", || {
            processes_of(&path).is_empty()
        });
    }
}

/// A program that handles a signal ends as it likes.
#[test]
fn signals_that_the_program_handles() {
    let (_, child) = started(
        Program::new(&build("ends", &[]))
            .threads(4)
            .args(&["handles"]),
    );
    // SAFETY: as above.
    unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
    let run = finish(child);
    assert_eq!((run.status, run.stderr.as_str()), (9, ""));
    for t in 0..4 {
        assert!(run.stdout.contains(&format!("<told {t}>")), "{run:?}");
    }
}

/// A signal that is ignored from the start, as under nohup, does not end the program.
#[test]
fn signals_that_are_ignored() {
    let mut program = Program::new(&build("ends", &[]))
        .threads(2)
        .args(&["slow end"]);
    program.ignore(libc::SIGHUP);
    let child = program.start();
    std::thread::sleep(std::time::Duration::from_millis(300));
    // SAFETY: as above.
    unsafe { libc::kill(child.id() as i32, libc::SIGHUP) };
    assert_eq!(finish(child).status, 6);
}

#[test]
fn a_killed_supervisor_takes_its_threads_along() {
    let (path, child) = hanging();
    assert_eq!(processes_of(&path).len(), 5);
    // SAFETY: as above.
    unsafe { libc::kill(child.id() as i32, libc::SIGKILL) };
    let run = finish(child);
    assert_eq!(run.status, 1000 + libc::SIGKILL);
    eventually("the end of all processes", || {
        processes_of(&path).is_empty()
    });
}

#[test]
fn the_number_of_threads() {
    let program = build("address", &["-O2"]);
    for wrong in ["0", "-1", "1025", "x", "4x", "99999999999999999999"] {
        let run = Program::new(&program).env("PGAS_THREADS", wrong).run();
        assert_eq!(run.status, 2, "{run:?}");
        assert!(
            run.stderr.contains(&format!("PGAS_THREADS is '{wrong}'")),
            "{run:?}"
        );
        assert!(run.stderr.contains("1 to 1024"), "{run:?}");
    }
    let program = build("ends", FOUR);
    let run = Program::new(&program).threads(2).run();
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("this program was compiled for 4 threads (-T 4), it cannot run with 2"),
        "{run:?}"
    );
    // Without PGAS_THREADS a program runs with what it was compiled for, else with one thread.
    assert_all_marks(&Program::new(&program).run());
    let run = Program::new(&build("ends", &[])).args(&["return"]).run();
    assert_eq!(run.stdout, "<0>");
}

/// Arguments for the runtime come first, are taken out, and count more than the environment.
#[test]
fn settings_among_the_arguments() {
    let program = build("ends", &[]);
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        let mut program = Program::new(&program).args(args);
        for (name, value) in variables {
            program = program.env(name, value);
        }
        program.run()
    };
    let both = [("PGAS_THREADS", "2"), ("UPC_NUM_THREADS", "3")];
    for (args, variables, shown) in [
        (&["arguments"][..], &both[..], "2 arguments"),
        (&["arguments"], &both[1..], "3 arguments"),
        (
            &["-fupc-threads=4", "arguments", "-fupc-threads=5"],
            &both,
            "4 arguments -fupc-threads=5",
        ),
        (
            &["-fupc-heap=64MB", "-fupc-threads-4", "arguments", ""],
            &both,
            "4 arguments ",
        ),
        (
            &["arguments", "-fupc-heap=1"],
            &[],
            "1 arguments -fupc-heap=1",
        ),
    ] {
        let run = run(args, variables);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.stdout.contains(&format!("{shown}\n")), "{run:?}");
    }
    for (args, message) in [
        (["-fupc-threads=0"], "-fupc-threads is '0'"),
        (["-fupc-heap=much"], "-fupc-heap is 'much'"),
    ] {
        let run = run(&args, &[]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains(message), "{run:?}");
    }
}

#[test]
fn limits_of_memory() {
    let program = build("misuse", &[]);
    let exhaust = |what: &str, heap: &str| {
        Program::new(&program)
            .threads(2)
            .env("PGAS_SHARED_HEAP", heap)
            .args(&[what])
            .run()
    };
    for (what, call) in [
        ("exhaust", "upc_global_alloc"),
        ("exhaust local", "upc_alloc"),
    ] {
        let run = exhaust(what, "20M");
        assert_eq!(run.status, 1, "{run:?}");
        assert!(
            run.stderr
                .contains(&format!("{call} finds no 1048576 bytes")),
            "{run:?}"
        );
        assert!(run.stderr.contains("PGAS_SHARED_HEAP"), "{run:?}");
    }
    for wrong in ["x", "0", "-5", "10Q", "100000G", "0x10", "nan", "1GG", "M"] {
        let run = exhaust("", wrong);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(
            run.stderr.contains("a size per thread such as 512MB"),
            "{run:?}"
        );
    }
    for right in [
        "33554432", "32m", "32MB", "32MiB", "1G", "64", "0.5GB", "100000KB",
    ] {
        assert_eq!(exhaust("", right).status, 0, "{right}");
    }
    // What scripts for Berkeley UPC set, unless ours is set too; without a unit it is in megabytes.
    for (ours, theirs, expected) in [
        ("", "20", "20 MiB per thread"),
        ("", "1GB", "1024 MiB per thread"),
        ("30MB", "20MB", "30 MiB per thread"),
    ] {
        let run = Program::new(&program)
            .threads(2)
            .env("PGAS_SHARED_HEAP", ours)
            .env("UPC_SHARED_HEAP_SIZE", theirs)
            .args(&["exhaust"])
            .run();
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.stderr.contains(expected), "{run:?}");
    }
    // A size from the link counts where the environment says nothing.
    let linked = build("misuse", &["-DDEFAULT_HEAP=8388608ul"]);
    for (heap, expected) in [("", "8 MiB per thread"), ("20MB", "20 MiB per thread")] {
        let run = Program::new(&linked)
            .threads(2)
            .env("PGAS_SHARED_HEAP", heap)
            .args(&["exhaust"])
            .run();
        assert!(run.stderr.contains(expected), "{run:?}");
    }
}

/// With little virtual memory the runtime takes a smaller heap by itself, and says so when that is
/// not enough.
#[test]
fn limit_of_virtual_memory() {
    let program = build("ends", &[]);
    let run_with = |bytes: u64, heap: Option<&str>| {
        let mut command = Command::new(&program);
        command
            .arg("return")
            .env("PGAS_THREADS", "4")
            .env_remove("PGAS_SHARED_HEAP");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(heap) = heap {
            command.env("PGAS_SHARED_HEAP", heap);
        }
        let limit = libc::rlimit {
            rlim_cur: bytes,
            rlim_max: bytes,
        };
        // SAFETY: setrlimit may be called between fork and exec.
        unsafe {
            command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_AS, &limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            })
        };
        finish(command.spawn().unwrap())
    };
    let run = run_with(4 << 30, None);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let run = run_with(4 << 30, Some("8G"));
    assert_eq!(run.status, 1);
    assert!(
        run.stderr.contains("set PGAS_SHARED_HEAP to less"),
        "{run:?}"
    );
}
