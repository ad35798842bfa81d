//! Jumps out of handlers of signals that have interrupted the recorder: nothing is lost but the
//! event that it was at, and where the recorder cannot know of a jump, it says that something is
//! missing.

mod support;

use std::process::Output;

use pgas_trace::Stream;
use pgas_trace::model::{EventKind, Operation, ProfileScope};
use support::{Numbering, Program, calls_of, compile, expect_quiet, open_at_end, sums};

fn program() -> Program {
    compile("jumps.c", Numbering::Embedded)
}

/// Calls and accesses that came to their ends, and jumps.
fn counts(output: &Output) -> [u64; 3] {
    let out = String::from_utf8_lossy(&output.stdout);
    let mut numbers = out.split_whitespace().map(|word| word.parse().unwrap());
    std::array::from_fn(|_| numbers.next().unwrap())
}

fn accesses_of(stream: &Stream) -> u64 {
    let is_access = |kind: EventKind| match kind {
        EventKind::Enter { site, .. } => stream.site(site).operation == Operation::Get,
        EventKind::Exit { .. } => false,
    };
    let events = stream
        .events()
        .map(|event| event.expect("a readable event"));
    events.filter(|event| is_access(event.kind)).count() as u64
}

#[test]
fn recording_goes_on_after_a_jump() {
    for settings in [
        &[("PGAS_THROTTLE", "off")][..],
        &[("PGAS_THROTTLE", "off"), ("PGAS_BUFFER", "4096")],
        &[("PGAS_THROTTLE", "1000,10000")],
        &[("PGAS_MODE", "profile")],
    ] {
        let program = program();
        let mut command = program.default_command(2);
        command.arg("marked").envs(settings.iter().copied());
        let output = command.output().unwrap();
        expect_quiet(&output);
        let [calls, accesses, jumps] = counts(&output);
        let experiment = program.open();
        let stream = &experiment.streams()[0];
        assert!(stream.complete(), "{settings:?}");
        assert_eq!(stream.remarks(), [""; 0], "{settings:?}");
        assert_eq!(open_at_end(stream), [""; 0], "{settings:?}");
        let summed = |what: &str| -> u64 {
            let scopes = [ProfileScope::Within, ProfileScope::Beyond];
            let all = scopes.into_iter().flat_map(|scope| sums(stream, scope));
            all.filter(|(path, _)| path.starts_with(what))
                .map(|(_, sums)| sums.calls)
                .sum()
        };
        // A call that a jump has left may have been counted, and may not.
        for (found, ended) in [
            (
                calls_of(stream, "small") as u64 + summed("main/small"),
                calls,
            ),
            (accesses_of(stream) + summed("main/Get"), accesses),
        ] {
            let possible = ended..=ended + jumps;
            assert!(
                possible.contains(&found),
                "{settings:?}: {found}, not {possible:?}"
            );
        }
        assert_eq!(calls_of(stream, "after") as u64 + summed("main/after"), 1);
    }
}

/// Without a word of where setjmp was called, the recorder cannot know that it was left; the end of
/// the program shows it.
#[test]
fn a_recording_that_a_jump_has_ended_is_not_silent() {
    let program = program();
    let mut command = program.default_command(2);
    let output = command
        .arg("plain")
        .env("PGAS_THROTTLE", "off")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.lines().count(), 1, "{said}");
    for words in ["pgastool: thread 0", "jump", "not recorded"] {
        assert!(said.contains(words), "{said}");
    }
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    let [calls, ..] = counts(&output);
    assert!((calls_of(stream, "small") as u64) < calls);
    assert_eq!(calls_of(stream, "after"), 0);
    // Where the jump has left the buffer in order, the stream has an end that says that events were
    // lost (it does not know of all); else it is cut off there.
    assert!(!stream.complete() || stream.lost_events() > 0);
    assert!(!stream.remarks().is_empty());
}
