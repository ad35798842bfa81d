//! A program without memory goes on, whichever allocation of the recorder fails; what was recorded can be read.

mod support;

use std::process::Output;
use support::{compile_with, Numbering, Program};

const WRAPPED: &str = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign";

/// Every allocation fails in turn where there are few; of many, so many are tried.
const TRIED: u64 = 48;

fn run(program: &Program, fail_at: Option<u64>, all: bool) -> Output {
    let _ = std::fs::remove_dir_all(program.experiment());
    let mut command = program.command(1);
    command.env("PGAS_BUFFER", "4096");
    if let Some(number) = fail_at {
        command.env("FAIL_AT", number.to_string());
    }
    if all {
        command.env("FAIL_ALL", "1");
    }
    command.output().unwrap()
}

/// The number of allocations, of a run that ended well.
fn allocations(output: &Output) -> u64 {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    assert!(
        !said.contains("panicked") && !said.contains("memory allocation"),
        "{said}"
    );
    let out = String::from_utf8_lossy(&output.stdout);
    out.trim().parse().unwrap()
}

fn events(program: &Program) -> u64 {
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    let mut events = 0;
    for event in stream.events() {
        event.expect("a readable event");
        events += 1;
    }
    events
}

#[test]
fn the_program_goes_on_whichever_allocation_fails() {
    let program = compile_with("out_of_memory.c", Numbering::Embedded, &[WRAPPED]);
    let number = allocations(&run(&program, None, false));
    let complete = events(&program);
    assert!(number > 100 && complete > 30_000, "{number}, {complete}");
    let few = 0..TRIED.min(number);
    let spread = (1..TRIED).map(|i| i * number / TRIED);
    for at in few.chain(spread) {
        // One that fails costs little or nothing.
        allocations(&run(&program, Some(at), false));
        let found = events(&program);
        assert!(
            10 * found >= 9 * complete,
            "{at} of {number}: {found} of {complete}"
        );
        // After the last one that is there, what had been recorded stays.
        allocations(&run(&program, Some(at), true));
        assert!(events(&program) <= complete, "{at} of {number}");
    }
}
