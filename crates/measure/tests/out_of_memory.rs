//! A program without memory goes on, whichever request of the recorder fails, from its very start;
//! what was recorded can be read, and if nothing is recorded, one message says so.

mod support;

use std::os::unix::process::ExitStatusExt;
use std::process::Output;

use pgas_trace::model::EventKind;
use pgas_trace::{Error, Experiment, Stream};
use support::{Numbering, Program, compile_with};

const WRAPPED: &str = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign,\
                       --wrap=mmap,--wrap=pthread_create";

/// After the recorder's start, each of the first requests fails in turn, and as many again, spread
/// over the rest of the run.
const TRIED: u64 = 48;

fn program() -> Program {
    compile_with("out_of_memory.c", Numbering::Embedded, &[WRAPPED])
}

fn run(program: &Program, what: &str, fail_at: Option<u64>, all: bool) -> Output {
    let _ = std::fs::remove_dir_all(program.experiment());
    let mut command = program.command(1);
    command.env("PGAS_BUFFER", "4096").env("FAIL_WHAT", what);
    if let Some(number) = fail_at {
        command.env("FAIL_AT", number.to_string());
    }
    if all {
        command.env("FAIL_ALL", "1");
    }
    command.output().unwrap()
}

/// The number of requests at the recorder's start, and of all, of a run that ended well.
#[track_caller]
fn requests(output: &Output) -> [u64; 2] {
    let said = said(output);
    assert!(output.status.success(), "{}: {said}", output.status);
    assert_eq!(output.status.signal(), None);
    assert!(
        !said.contains("panicked") && !said.contains("memory allocation"),
        "{said}"
    );
    let out = String::from_utf8_lossy(&output.stdout);
    let mut numbers = out.split_whitespace().map(|word| word.parse().unwrap());
    std::array::from_fn(|_| numbers.next().unwrap())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Events of the experiment, 0 if it has no stream. How often the program stands still for the
/// recorder, or for a core, differs from run to run.
fn events(program: &Program) -> u64 {
    let collected = pgas_trace::buffers::collect(&program.experiment());
    assert_eq!(collected.problems, [""; 0]);
    let experiment = match Experiment::open(&program.experiment()) {
        Ok(experiment) => experiment,
        Err(Error::NoStreams { .. }) => return 0,
        Err(error) => panic!("{error}"),
    };
    let of_program = |stream: &Stream| {
        let events = stream
            .events()
            .map(|event| event.expect("a readable event"));
        let own = events.filter(|event| {
            let (EventKind::Enter { site, .. } | EventKind::Exit { site, .. }) = event.kind;
            !stream.site(site).operation.is_standstill()
        });
        own.count() as u64
    };
    experiment.streams().iter().map(of_program).sum()
}

/// The run went well, and either all of it was recorded or one line says what was not.
#[track_caller]
fn expect_all_or_a_message(program: &Program, output: &Output, complete: u64, context: &str) {
    requests(output);
    let said = said(output);
    let lines: Vec<&str> = said.lines().collect();
    if events(program) < complete {
        let [line] = lines[..] else {
            panic!("{context}: {said}");
        };
        assert!(
            line.starts_with("pgastool: ") && line.contains("memory"),
            "{context}: {said}"
        );
        assert!(line.ends_with("the program goes on"), "{context}: {said}");
    } else {
        assert!(lines.len() <= 1, "{context}: {said}");
    }
}

#[test]
fn the_program_goes_on_whichever_allocation_fails() {
    let program = program();
    let [at_start, number] = requests(&run(&program, "memory", None, false));
    let complete = events(&program);
    assert!(number > 100 && complete > 30_000, "{number}, {complete}");
    let later = number - at_start;
    let few = 0..TRIED.min(later);
    let spread = (1..TRIED).map(|i| i * later / TRIED);
    for at in few.chain(spread).map(|at| at_start + at) {
        // One that fails costs little or nothing.
        requests(&run(&program, "memory", Some(at), false));
        let found = events(&program);
        assert!(
            10 * found >= 9 * complete,
            "{at} of {number}: {found} of {complete}"
        );
        // After the last one that is there, what had been recorded stays.
        requests(&run(&program, "memory", Some(at), true));
        assert!(events(&program) <= complete, "{at} of {number}");
    }
}

#[test]
fn a_recorder_that_cannot_start_says_so() {
    let program = program();
    let [at_start, _] = requests(&run(&program, "memory", None, false));
    let complete = events(&program);
    assert!(at_start > 10, "{at_start}");
    for at in 0..at_start {
        let context = format!("{at} of {at_start}");
        let output = run(&program, "memory", Some(at), false);
        // The last requests are a run's first ones after the start if it made fewer until there.
        let [at_start_of_run, _] = requests(&output);
        if at < at_start_of_run {
            expect_all_or_a_message(&program, &output, complete, &context);
        }
        requests(&run(&program, "memory", Some(at), true));
    }
}

#[test]
fn address_space_and_threads_may_be_missing() {
    let program = program();
    for (what, least) in [("mapping", 8), ("thread", 1)] {
        let [_, number] = requests(&run(&program, what, None, false));
        let complete = events(&program);
        assert!(number >= least, "{what}: {number}");
        for at in 0..number.min(4 * TRIED) {
            for all in [false, true] {
                let context = format!("{what} {at} of {number}, {all}");
                let output = run(&program, what, Some(at), all);
                expect_all_or_a_message(&program, &output, complete, &context);
            }
        }
    }
}
