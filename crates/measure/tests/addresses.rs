//! Addresses of transfers come out as the program gave them, however they were predicted on their
//! way.

mod support;

use pgas_trace::Stream;
use pgas_trace::model::{Address, Attributes, EventKind};
use support::{Numbering, Program, compile, expect_quiet};

/// Transfers that the program prints, and those that were recorded of it, in the same form.
fn run(program: &Program, variables: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let mut command = program.command(4);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    expect_quiet(&output);
    let printed = String::from_utf8(output.stdout).unwrap();
    let experiment = program.open();
    let stream = &experiment.streams()[0];
    assert!(stream.complete());
    (
        printed.lines().map(str::to_owned).collect(),
        transfers(stream),
    )
}

fn transfers(stream: &Stream) -> Vec<String> {
    let number = |address: Option<Address>| address.map_or(0, Address::number);
    let mut lines = Vec::new();
    for event in stream.events() {
        let EventKind::Enter { site, attributes } = event.unwrap().kind else {
            continue;
        };
        let line = stream.site(site).line;
        match attributes {
            Attributes::Transfer {
                partner,
                bytes,
                address,
            } => lines.push(format!("{line} {partner} {} {bytes}", number(address))),
            Attributes::Copy {
                source,
                destination,
                bytes,
                source_address,
                destination_address,
            } => {
                let (from, to) = (number(source_address), number(destination_address));
                lines.push(format!("{line} {source} {from} {destination} {to} {bytes}"));
            }
            _ if line >= 10 => lines.push(line.to_string()),
            _ => {}
        }
    }
    lines
}

#[test]
fn every_address_is_the_one_that_was_given() {
    for buffer in ["4K", "4M"] {
        let program = compile("addresses.c", Numbering::Embedded);
        let (printed, recorded) = run(&program, &[("PGAS_BUFFER", buffer)]);
        assert!(printed.len() > 4000);
        assert_eq!(recorded, printed, "{buffer}");
    }
}

/// The first calls of each place, and then none: what is throttled leaves no gap that addresses are
/// lost in.
#[test]
fn what_is_recorded_before_it_is_throttled_has_its_addresses() {
    let program = compile("addresses.c", Numbering::Embedded);
    let (printed, recorded) = run(&program, &[("PGAS_THROTTLE", "100,1000000")]);
    assert!(recorded.len() < printed.len() / 2, "{}", recorded.len());
    let mut rest = printed.iter();
    for line in &recorded {
        assert!(rest.any(|printed| printed == line), "{line}");
    }
}
