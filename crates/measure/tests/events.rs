//! The recorded events are those of the programs.

mod support;

use support::{Numbering, calls_of, compile, describe, expect_quiet, open_at_end, stalls};

/// The same program gives the same trace whatever numbers the events have. Berkeley UPC lacks a
/// few, and has two events for a barrier.
#[test]
fn every_event_is_decoded() {
    let expected = include_str!("expected/every_event.txt");
    for (numbering, addresses) in [
        (Numbering::Embedded, true),
        (Numbering::Embedded, false),
        (Numbering::Berkeley, true),
        (Numbering::Gnu, true),
    ] {
        let expected = match addresses {
            true => expected.to_owned(),
            false => without_addresses(expected),
        };
        let expected = match numbering {
            Numbering::Embedded => without(&expected, &["Forall"]),
            Numbering::Berkeley => in_two_halves(&without(&expected, &["Forall", "Fence"])),
            Numbering::Gnu => expected,
        };
        let program = compile("every_event.c", numbering);
        let mut command = program.command(4);
        command.env("PGAS_ADDRESSES", if addresses { "1" } else { "0" });
        expect_quiet(&command.env("TEST_THREAD", "2").output().unwrap());
        let experiment = program.open();
        let stream = &experiment.streams()[0];
        assert_eq!((experiment.streams().len(), stream.thread()), (1, 2));
        assert!(stream.complete());
        assert_eq!(stream.remarks(), Vec::<String>::new());
        let found = describe(stream).join("\n") + "\n";
        if found != expected {
            let path = std::env::temp_dir().join("pgas_every_event_found.txt");
            std::fs::write(&path, &found).unwrap();
            panic!(
                "{numbering:?}: differs from tests/expected/every_event.txt, see {}",
                path.display()
            );
        }
    }
}

/// The same text without these operations.
fn without(text: &str, operations: &[&str]) -> String {
    let is_one = |line: &str| {
        let mut operations = operations.iter();
        operations.any(|operation| line.contains(&format!(" {operation} ")))
    };
    let lines = text.lines().filter(|line| !is_one(line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The same text with a notify and a wait for each barrier.
fn in_two_halves(text: &str) -> String {
    let mut result = String::new();
    let mut entered = "";
    for line in text.lines() {
        if line.contains("enter Barrier ") {
            entered = line;
        } else if line.contains("exit Barrier ") {
            for half in ["Notify", "Wait"] {
                for line in [entered, line] {
                    result += &line.replace("Barrier  ", &format!("{half}  "));
                    result.push('\n');
                }
            }
        } else {
            result += line;
            result.push('\n');
        }
    }
    result
}

/// The same text as if no address had been recorded.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("Some(0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + "None" + part.split_once(')').expect("a whole address").1
    })
}

#[test]
fn calls_that_do_not_nest() {
    let program = compile("unusual.c", Numbering::Embedded);
    expect_quiet(&program.command(1).output().unwrap());
    let lines: Vec<String> = describe(&program.open().streams()[0])
        .iter()
        .map(|line| line.replace(" test.upc", "").replace(" None", ""))
        .collect();
    let expected = "\
enter Function main:1
  enter Function target:2
    enter Function jumper:3
      enter Barrier :4 Barrier { value: }
      exit Barrier :4
    exit Function jumper:3
  exit Function target:2
  enter Function before:6
  exit Function before:6
  enter Function during:9
    enter Function small:7
    exit Function small:7
  exit Function during:9
exit Function main:1";
    assert_eq!(lines.join("\n"), expected);
}

#[test]
fn recursion_deeper_than_a_buffer() {
    let program = compile("unusual.c", Numbering::Embedded);
    let mut command = program.command(1);
    expect_quiet(
        &command
            .arg("20000")
            .env("PGAS_BUFFER", "4096")
            .output()
            .unwrap(),
    );
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    assert_eq!(calls_of(stream, "recurse"), 20_000);
    assert_eq!(open_at_end(stream), Vec::<String>::new());
    assert!(stream.blocks().len() > 5);
}

#[test]
fn nothing_is_lost_when_buffers_are_tiny() {
    for compression in ["1", "none"] {
        let program = compile("calls.c", Numbering::Embedded);
        let mut command = program.command(1);
        command
            .arg("500000")
            .env("PGAS_BUFFER", "4096")
            .env("PGAS_COMPRESS", compression);
        expect_quiet(&command.output().unwrap());
        let experiment = program.open();
        let stream = &experiment.streams()[0];
        assert_eq!(calls_of(stream, "small"), 500_000);
        assert!(stream.complete());
        assert!(stream.blocks().len() > 100);
        // Two buffers of some 50 microseconds each cannot be written as fast as they fill every
        // single time.
        assert!(stalls(stream) > 0);
        let stored: u64 = stream
            .blocks()
            .iter()
            .map(|block| block.stored_bytes())
            .sum();
        let raw: u64 = stream.blocks().iter().map(|block| block.raw_bytes()).sum();
        assert_eq!(compression == "none", stored > raw);
        let (first, last) = stream.time_range().unwrap();
        assert!(experiment.clock().is_calibrated());
        let seconds = experiment.clock().duration(last - first);
        assert!(seconds > 0.0 && seconds < 60.0, "{seconds}");
    }
}

#[test]
fn threads_of_one_process_have_a_stream_each() {
    let program = compile("threads.c", Numbering::Embedded);
    let output = program
        .command(4)
        .env("PGAS_BUFFER", "8K")
        .output()
        .unwrap();
    expect_quiet(&output);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "result 42\n");
    let experiment = program.open();
    assert_eq!(experiment.streams().len(), 4);
    for stream in experiment.streams() {
        assert!(calls_of(stream, "small") >= 10_000);
        assert!(stream.complete());
    }
    assert_eq!(calls_of(&experiment.streams()[0], "small"), 10_000);
}

#[test]
fn signal_handlers_may_be_instrumented() {
    let program = compile("signals.c", Numbering::Embedded);
    let output = program
        .command(1)
        .env("PGAS_BUFFER", "4096")
        .output()
        .unwrap();
    expect_quiet(&output);
    let calls: usize = String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .unwrap();
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    assert!(stream.complete());
    // A call that was interrupted within the recorder is recorded; what the handler does then is
    // not.
    assert_eq!(calls_of(stream, "small"), calls);
    assert!(calls_of(stream, "handle") > 0);
    assert_eq!(open_at_end(stream), Vec::<String>::new());
}
