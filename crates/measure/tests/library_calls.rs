//! Calls of libraries and functions, whose places are addresses of the code: what is recorded, and
//! that the addresses lead to their lines.

mod support;

use pgas_symbols::{Code, ModuleName};
use pgas_trace::format::code_address::{CODE_LINE, CodeAddress};
use pgas_trace::model::Site;
use support::{compile_without_decoder, describe, expect_quiet};

const SOURCE: &str = include_str!("programs/library_calls.c");

/// The line of the program that has this text for the first time.
fn line_of(text: &str) -> usize {
    let number = SOURCE.lines().position(|line| line.contains(text));
    number.expect(text) + 1
}

#[test]
fn calls_and_functions_are_recorded_with_their_code() {
    let program = compile_without_decoder("library_calls.c", &["-O0"]);
    expect_quiet(&program.command(2).output().unwrap());
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    assert!(stream.complete());
    let found = describe(stream);
    // Each place of the code as file and line of the innermost source.
    let place = |site: &Site| {
        let code = CodeAddress::of(site).expect("a code address");
        assert_eq!(code.path, program.executable.display().to_string());
        let name = ModuleName {
            path: code.path,
            build_id: code.build_id,
        };
        let frames = Code::open(&name, None).unwrap().frames(code.address);
        let file = frames[0].file.as_deref().unwrap().rsplit('/').next();
        format!("{}:{}", file.unwrap(), frames[0].line)
    };
    let mut text = found.join("\n");
    for site in stream.sites().iter().filter(|site| site.line == CODE_LINE) {
        text = text.replace(&format!("{}:{CODE_LINE}", site.file), &place(site));
    }
    let at = |text: &str| format!("library_calls.c:{}", line_of(text));
    let (work, left, main) = (at("void work("), at("void left("), at("int main("));
    let first = line_of("PGAS_PUT, \"shmem_long_p\"");
    let (put, put_again) = (
        at("PGAS_PUT, \"shmem"),
        format!("library_calls.c:{}", first + 1),
    );
    let transfer = "Transfer { partner: 1, bytes: 8, address: Some(0x40) }";
    let barrier = "Barrier { value: None }";
    let mut expected = vec![format!("enter Function  {main} None")];
    for _ in 0..3 {
        expected.push(format!("  enter Function  {work} None"));
        for put in [&put, &put_again] {
            expected.push(format!("    enter Put shmem_long_p {put} {transfer}"));
            expected.push(format!("    exit Put shmem_long_p {put} None"));
        }
        let post = at("PGAS_POST, \"event");
        let object = "Object { object: 7, units: 1 }";
        expected.push(format!("    enter Post event post {post} {object}"));
        expected.push(format!("    exit Post event post {post} None"));
        expected.push(format!("  exit Function  {work} None"));
    }
    expected.push(format!("  enter Function  {left} None"));
    let reduce = at("PGAS_REDUCE, \"shmem");
    let sums = "Collective { root: None, sent: 8, received: 16, sync_in: All, sync_out: All }";
    let name = "shmem_long_sum_reduce";
    expected.push(format!("    enter Reduce {name} {reduce} None"));
    expected.push(format!("    exit Reduce {name} {reduce} {sums}"));
    for name in ["shmem_barrier_all", "shmem_sync_all"] {
        let place = at(name);
        expected.push(format!("    enter Barrier {name} {place} {barrier}"));
        expected.push(format!("    exit Barrier {name} {place} None"));
    }
    expected.push("    enter LibraryCall  a.c:5 None".into());
    expected.push("    exit LibraryCall  a.c:5 None".into());
    expected.push(format!("  exit Function  {left} None"));
    expected.push(format!("exit Function  {main} None"));
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}
