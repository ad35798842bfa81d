//! Calls of libraries and functions, whose places are addresses of the code: what is recorded, and
//! which lines and names a reader finds, with and without the program and its debug information.

mod support;

use std::process::Command;

use pgas_analyze::resolve_symbols;
use pgas_trace::Experiment;
use support::{Program, compile_without_decoder, describe, expect_quiet};

const SOURCE: &str = include_str!("programs/library_calls.c");

/// The place of this text, which stands in the program once or more.
fn at(text: &str) -> String {
    let number = SOURCE.lines().position(|line| line.contains(text));
    let line = number.expect(text) + 1;
    format!("tests/programs/library_calls.c:{line}")
}

fn run(flags: &[&str]) -> Program {
    let program = compile_without_decoder("library_calls.c", flags);
    expect_quiet(&program.command(1).output().unwrap());
    program
}

fn events(experiment: &Experiment) -> Vec<String> {
    let stream = &experiment.streams()[0];
    assert!(stream.complete());
    describe(stream)
}

/// The events of the program, with the place of each text in `#`.
fn expected(work: &str, left: &str, main: &str, at: impl Fn(&str) -> String) -> Vec<String> {
    let put = "Transfer { partner: 0, bytes: 8, address: Some(0x40) }";
    let post = "Object { object: 7, units: 1 }";
    let sums = "Collective { root: None, sent: 8, received: 16, sync_in: All, sync_out: All }";
    let barrier = "Barrier { value: None }";
    let (first, second, posts) = (at("first put"), at("second put"), at("event post"));
    let reduce = at("shmem_long_sum_reduce");
    let (all, sync) = (at("shmem_barrier_all"), at("shmem_sync_all"));
    let step = format!(
        "  enter Function {work} None
    enter Put shmem_long_p {first} {put}
    exit Put shmem_long_p {first} None
    enter Put shmem_long_p {second} {put}
    exit Put shmem_long_p {second} None
    enter Post event post {posts} {post}
    exit Post event post {posts} None
  exit Function {work} None
"
    );
    let phase = at("region(recorder, 1)");
    let rest = format!(
        "  enter UserRegion phase {phase} None
  exit UserRegion phase {phase} None
  enter Function {left} None
    enter Reduce shmem_long_sum_reduce {reduce} None
    exit Reduce shmem_long_sum_reduce {reduce} {sums}
    enter Barrier shmem_barrier_all {all} {barrier}
    exit Barrier shmem_barrier_all {all} None
    enter Barrier shmem_sync_all {sync} {barrier}
    exit Barrier shmem_sync_all {sync} None
    enter LibraryCall  a.c:5 None
    exit LibraryCall  a.c:5 None
  exit Function {left} None
exit Function {main} None"
    );
    let text = format!("enter Function {main} None\n{}{rest}", step.repeat(3));
    text.lines().map(str::to_owned).collect()
}

/// With lines and names of the source.
fn expected_with_lines() -> Vec<String> {
    let function = |name: &str, text: &str| format!("{name} {}", at(text));
    expected(
        &function("work", "void work("),
        &function("left", "void left("),
        &function("main", "int main("),
        at,
    )
}

#[test]
fn places_become_lines_of_the_source() {
    for flags in [&["-O0"][..], &["-O2"], &["-O2", "-g1", "-no-pie"]] {
        let experiment = run(flags).open();
        assert_eq!(events(&experiment), expected_with_lines(), "{flags:?}");
        assert_eq!(experiment.all_remarks(), Vec::<String>::new());
    }
}

#[test]
fn lines_outlive_the_program() {
    let program = run(&["-O1"]);
    let symbols = resolve_symbols(&program.open()).unwrap();
    symbols.save(&program.experiment()).unwrap();
    std::fs::remove_file(&program.executable).unwrap();
    let experiment = program.open();
    assert_eq!(events(&experiment), expected_with_lines());
    assert_eq!(experiment.all_remarks(), Vec::<String>::new());
}

/// Addresses in the text, and places that are addresses, become `@`.
fn without_addresses(events: &[String]) -> Vec<String> {
    let plain = |line: &String| {
        let words = line.split(' ');
        let plain = words.map(|word| if word.starts_with("0x") { "@" } else { word });
        plain.collect::<Vec<_>>().join(" ")
    };
    events.iter().map(plain).collect()
}

#[test]
fn without_debug_information_there_are_functions() {
    let program = run(&["-O1", "-g0"]);
    let experiment = program.open();
    let in_function = |text: &str| {
        let in_work = ["first put", "second put", "event post"].contains(&text);
        let function = if in_work { "work" } else { "main" };
        format!("{function}, @ in program:0")
    };
    let expected = expected("work :0", "left :0", "main :0", in_function);
    let found = without_addresses(&events(&experiment));
    // Addresses of the transfers.
    let expected = without_addresses(&expected);
    assert_eq!(found, expected);
    let remarks = experiment.all_remarks();
    let [remark] = &remarks[..] else {
        panic!("{remarks:?}");
    };
    assert_eq!(
        remark,
        "10 places in program are addresses without lines of a source: it has no debug information of \
         this code (compile all of it with -g)"
    );
}

#[test]
fn of_a_stripped_program_there_are_addresses() {
    let program = compile_without_decoder("library_calls.c", &["-O1"]);
    let stripped = Command::new("strip").arg(&program.executable).status();
    assert!(stripped.unwrap().success());
    expect_quiet(&program.command(1).output().unwrap());
    let experiment = program.open();
    let unknown = "@ in program :0";
    let expected = expected(unknown, unknown, unknown, |_| "@ in program:0".into());
    assert_eq!(
        without_addresses(&events(&experiment)),
        without_addresses(&expected)
    );
    assert!(experiment.all_remarks()[0].contains("-g"));
    // Different places stay different.
    let sites = experiment.streams()[0].sites();
    let distinct: std::collections::BTreeSet<_> = sites
        .iter()
        .map(|site| (&site.name, &site.file, site.line))
        .collect();
    assert_eq!(distinct.len(), sites.len());
}

#[test]
fn another_program_of_that_name_gives_no_lines() {
    let program = run(&["-O1"]);
    std::fs::copy("/bin/true", &program.executable).unwrap();
    let experiment = program.open();
    let unknown = "@ in program :0";
    let expected = expected(unknown, unknown, unknown, |_| "@ in program:0".into());
    assert_eq!(
        without_addresses(&events(&experiment)),
        without_addresses(&expected)
    );
    let remark = &experiment.all_remarks()[0];
    assert!(remark.contains("has changed since the run"), "{remark}");
    assert!(!remark.contains("-g"), "{remark}");
}
