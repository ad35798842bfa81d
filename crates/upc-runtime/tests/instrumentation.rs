//! The GASP events of instrumented programs, as a tool sees them, and that nothing of it is in
//! other programs.

mod common;

use std::process::Command;

use common::{Program, build, scratch};

/// Runs `c/events.c` and returns each thread's events.
fn events(name: &str, options: &[&str], args: &[&str]) -> (i32, Vec<String>) {
    let program = build("events", options);
    let prefix = scratch().join(name);
    let run = Program::new(&program)
        .threads(2)
        .env("TOOL_PREFIX", &prefix)
        .args(args)
        .run();
    let logs = (0..2)
        .map(|t| std::fs::read_to_string(format!("{}.{t}", prefix.display())).unwrap())
        .collect();
    (run.status, logs)
}

/// The calls that a thread must report; a pointer is only the thread that it points to.
const EXPECTED: &[&str] = &[
    "INIT 0",
    "e.upc:30 1023 START user_main",
    "e.upc:10 1023 START work",
    "e.upc:14 1023 END work",
    "e.upc:20 1110 START 1 OTHER private 4",
    "e.upc:20 1110 END 1 OTHER private 4",
    "e.upc:21 1111 START 0 private OTHER 4",
    "e.upc:21 1111 END 0 private OTHER 4",
    "e.upc:31 1102 START 0 0",
    "e.upc:31 1102 END 0 0",
    "e.upc:32 1100 START 1 7",
    "e.upc:32 1100 END 1 7",
    "e.upc:33 1101 START 1 7",
    "e.upc:33 1101 END 1 7",
    "e.upc:34 1103 START",
    "e.upc:34 1103 END",
    "e.upc:40 1002 START 2 24",
    "e.upc:40 1002 END 2 24 ZERO",
    "e.upc:41 1004 START ZERO",
    "e.upc:41 1004 END ZERO",
    "e.upc:42 1001 START 3 8",
    "e.upc:42 1001 END 3 8 ZERO",
    "e.upc:43 1003 START ZERO",
    "e.upc:43 1003 END ZERO",
    "e.upc:44 1000 START 16",
    "e.upc:44 1000 END 16 SELF",
    "e.upc:45 1003 START SELF",
    "e.upc:45 1003 END SELF",
    "e.upc:50 1011 START",
    "e.upc:50 1011 END ZERO",
    "e.upc:51 1014 START ZERO",
    "e.upc:51 1014 END ZERO",
    "e.upc:52 1015 START ZERO",
    "e.upc:52 1015 END ZERO",
    "e.upc:53 1016 START ZERO",
    "e.upc:53 1016 END ZERO",
    "e.upc:54 1010 START",
    "e.upc:54 1010 END SELF",
    "e.upc:55 1013 START SELF",
    "e.upc:55 1013 END SELF 1",
    "e.upc:56 1015 START SELF",
    "e.upc:56 1015 END SELF",
    "e.upc:57 1012 START SELF",
    "e.upc:57 1012 END SELF",
    "e.upc:60 1030 START private OTHER 32",
    "e.upc:60 1030 END private OTHER 32",
    "e.upc:61 1031 START SELF private 32",
    "e.upc:61 1031 END SELF private 32",
    "e.upc:62 1032 START SELF OTHER 16",
    "e.upc:62 1032 END SELF OTHER 16",
    "e.upc:63 1033 START SELF 0 16",
    "e.upc:63 1033 END SELF 0 16",
    "e.upc:70 1300 START ZERO ZERO 8 34",
    "e.upc:70 1300 END ZERO ZERO 8 34",
    "e.upc:71 1310 START ZERO ZERO 8 34",
    "e.upc:71 1310 END ZERO ZERO 8 34",
    "e.upc:72 1320 START ZERO ZERO 8 34",
    "e.upc:72 1320 END ZERO ZERO 8 34",
    "e.upc:73 1330 START ZERO ZERO 8 34",
    "e.upc:73 1330 END ZERO ZERO 8 34",
    "e.upc:74 1340 START ZERO ZERO 8 34",
    "e.upc:74 1340 END ZERO ZERO 8 34",
    "e.upc:75 1350 START ZERO ZERO ZERO 8 34",
    "e.upc:75 1350 END ZERO ZERO ZERO 8 34",
    "e.upc:76 1400 START ZERO ZERO 1 8 2 none 34 9",
    "e.upc:76 1400 END ZERO ZERO 1 8 2 none 34 9",
    "e.upc:77 1410 START ZERO ZERO 256 8 2 none 34 4",
    "e.upc:77 1410 END ZERO ZERO 256 8 2 none 34 4",
    "CREATE phase %d",
    "e.upc:80 100 START 5",
    "e.upc:81 100 END 6",
    "e.upc:82 100 ATOMIC 7",
    "CONTROL 0",
    "CONTROL 1",
    "e.upc:99 1023 END user_main",
    "_FINAL_BARRIER:0 1210 START 3",
    "_FINAL_BARRIER:0 1102 START 0 0",
    "_FINAL_BARRIER:0 1102 END 0 0",
    "_FINAL_BARRIER:0 1210 END 3",
];

/// The events with only the thread of each pointer-to-shared, which is printed as
/// `<thread>:0x<offset>`.
fn without_addresses(log: &str) -> Vec<String> {
    log.lines()
        .map(|line| match line.starts_with("INIT 0 ") {
            true => "INIT 0".to_string(),
            false => line
                .split(' ')
                .map(|word| word.split_once(":0x").map_or(word, |(thread, _)| thread))
                .collect::<Vec<_>>()
                .join(" "),
        })
        .collect()
}

#[test]
fn every_operation_is_reported() {
    let (status, logs) = events("every", &["-DUPCR_INST"], &[]);
    assert_eq!(status, 3);
    for (thread, log) in logs.iter().enumerate() {
        let thread = thread as u32;
        let found = without_addresses(log);
        let expected: Vec<String> = EXPECTED
            .iter()
            .map(|line| {
                line.replace("OTHER", &(1 - thread).to_string())
                    .replace("SELF", &thread.to_string())
                    .replace("ZERO", "0")
            })
            .collect();
        assert_eq!(found, expected, "thread {thread}");
    }
}

#[test]
fn own_accesses_are_reported_if_that_is_asked_for() {
    let accesses = |options: &[&str], name: &str| {
        let (_, logs) = events(name, options, &[]);
        logs[0]
            .lines()
            .filter(|l| l.contains(" 1110 ") || l.contains(" 1111 "))
            .count()
    };
    assert_eq!(accesses(&["-DUPCR_INST"], "remote"), 4);
    assert_eq!(accesses(&["-DUPCR_INST", "-DUPCR_INST_LOCAL"], "local"), 8);
}

#[test]
fn the_end_of_one_thread_for_all() {
    let (status, logs) = events("noncollective", &["-DUPCR_INST"], &["global"]);
    assert_eq!(status, 8);
    assert!(logs[1].ends_with("e.upc:90 1211 ATOMIC 8\n"), "{}", logs[1]);
    // The other one was ended wherever it was, but not before what the first one had to wait for.
    assert!(logs[0].contains("e.upc:76 1400 END"), "{}", logs[0]);
    assert!(!logs[0].contains(" 1210 "), "{}", logs[0]);
}

#[test]
fn other_programs_have_none_of_it() {
    let program = build("ends", &[]);
    let names = Command::new("nm").arg(program).output().unwrap();
    let names = String::from_utf8_lossy(&names.stdout);
    assert!(names.contains("upcr_barrier"), "{names}");
    assert!(!names.contains("upcr_i_"), "{names}");
    assert!(!names.contains("gasp_"), "{names}");
}
