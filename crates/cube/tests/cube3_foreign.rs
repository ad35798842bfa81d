//! Files that other tools wrote, files that are none, and files that are damaged: read as far as
//! they make sense, or refused with the place and the reason, and never a panic.

mod common;
#[path = "../../trace/tests/support/numbers.rs"]
mod numbers;

use std::path::Path;

use numbers::Numbers;
use pgas_cube::cube3::{Limits, check, parse_cube3, to_string};
use pgas_cube::model::{CallPathId, Cube, MetricId, Unit};
use pgas_cube::{Error, read_cube3};

fn parse(text: &[u8]) -> Result<Cube, Error> {
    parse_cube3(text, Path::new("other.cube"), &Limits::default())
}

#[test]
fn a_file_in_the_wider_form() {
    let cube = parse(include_bytes!("data/foreign.cube")).unwrap();
    assert_eq!(cube.attributes["tool"], "another \"tool\"");
    assert_eq!(cube.metrics.len(), 3);
    assert_eq!(cube.metrics[1].display_name, "only_unique");
    assert_eq!(cube.metrics[2].unit, Unit::Bytes);
    assert_eq!(cube.machine, "first, second");
    assert_eq!(cube.nodes, ["a", "b"]);
    // Ids in the file: root 1, below it 0. A parent must come first in memory.
    assert_eq!(cube.call_paths[0].parent, None);
    assert_eq!(cube.call_paths[1].parent, Some(CallPathId(0)));
    assert_eq!(cube.regions[cube.call_paths[0].region.0].name, "main<int>");
    assert_eq!(cube.call_paths[0].line, 0);
    // Threads stand in the order 1, 0, 2 in the file; values go by id.
    let names: Vec<_> = cube.threads.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["zero", "one", "two"]);
    assert_eq!(
        cube.row(MetricId(0), CallPathId(0)),
        Some(&[1.0, 2.0, 3.5][..])
    );
    assert_eq!(
        cube.row(MetricId(0), CallPathId(1)),
        Some(&[-0.5, 0.0, 2e-7][..])
    );
    assert_eq!(cube.row(MetricId(1), CallPathId(1)), None);
    // Written again, it is narrow.
    check(to_string(&cube).unwrap().as_bytes()).unwrap();
}

#[test]
fn latin_1_if_it_says_so() {
    let text = to_string(&common::small()).unwrap();
    let text = text
        .replace("UTF-8", "ISO-8859-1")
        .replace("main", "gr\u{fc}n");
    let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
    assert_eq!(parse(&bytes).unwrap().regions[0].name, "grün");
}

#[test]
fn errors_name_the_place_and_the_reason() {
    let right = to_string(&common::small()).unwrap();
    let cases = [
        // (old, new, line, what the message says)
        ("UTF-8", "UTF-\u{8}8", 0, ""),
        (
            "<cube version=\"3.0\">",
            "<cube version=\"4.3\">",
            2,
            "version 3",
        ),
        ("<cube version=\"3.0\">", "<html>", 2, "<html>"),
        ("<metric id=\"1\">", "<metric>", 20, "<metric> without id"),
        (
            "<metric id=\"1\">",
            "<metric id=\"-1\">",
            20,
            "natural number",
        ),
        ("<uom>occ", "<uom>furlong", 0, "furlong"),
        ("calleeId=\"1\"", "calleeId=\"5\"", 0, "calleeId 5"),
        ("<thread Id=\"1\"", "<thread Id=\"0\"", 0, "thread 0 twice"),
        (
            "<matrix metricId=\"4\"",
            "<matrix metricId=\"9\"",
            0,
            "metricId 9",
        ),
        ("<row cnodeId=\"1\"", "<row cnodeId=\"9\"", 0, "cnodeId 9"),
        ("<row cnodeId=\"1\"", "<row cnodeId=\"0\"", 0, "second row"),
        ("1.5\n1\n", "1.5\nnan\n", 0, "\"nan\""),
        ("1.5\n1\n", "1.5\n1\n1\n", 0, "a row of 3 values"),
        (
            "</severity>",
            "</severity><metrics></metrics>",
            0,
            "another tree",
        ),
        ("</machine>", "</node>", 0, "bad XML"),
        ("<name>main", "<name>&what;", 0, "bad text"),
        (
            "<doc>",
            "<!DOCTYPE x [<!ENTITY a \"b\">]><doc>",
            0,
            "document type",
        ),
    ];
    for (old, new, line, words) in cases.into_iter().skip(1) {
        let wrong = right.replacen(old, new, 1);
        assert_ne!(right, wrong, "{old:?} is not in the file");
        let error = parse(wrong.as_bytes()).expect_err(new);
        let message = error.to_string();
        assert!(message.contains(words), "{new:?}: {message}");
        assert!(message.starts_with("other.cube:"), "{message}");
        if line > 0 {
            assert!(
                message.contains(&format!("other.cube:{line} ")),
                "{message}"
            );
        }
    }
}

#[test]
fn what_is_no_cube_file_at_all() {
    for (bytes, words) in [
        (&b""[..], "no element"),
        (b"hello", "hello"),
        (b"{\"schema\":1}", "schema"),
        (b"\x7fELF\x02\x01\x01\0\xff", "0xff"),
        (b"<cube version=\"3.0\">", "cut off"),
        (b"<cube version=\"3.0\"></cube>", "no <metric>"),
        (
            b"<cube version=\"3.0\"></cube><cube version=\"3.0\"></cube>",
            "second <cube>",
        ),
    ] {
        let error = parse(bytes).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let error = read_cube3("/no/such/file.cube").unwrap_err().to_string();
    assert!(error.contains("cannot read /no/such/file.cube"), "{error}");
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let right = to_string(&common::small()).unwrap();
    let end = right.len() - "</cube>\n".len();
    for length in 0..end {
        assert!(parse(&right.as_bytes()[..length]).is_err(), "{length}");
    }
}

/// Thousands of damaged files: bytes changed, removed, doubled, pieces moved. Reader and checker
/// may refuse them, and whatever the reader takes must be writable by the rules.
#[test]
fn damaged_files_never_panic() {
    let seeds = [
        to_string(&common::small()).unwrap().into_bytes(),
        include_bytes!("data/foreign.cube").to_vec(),
    ];
    let words: [&[u8]; 14] = [
        b"<",
        b">",
        b"\"",
        b"&",
        b"/",
        b"<!--",
        b"]]>",
        b"<![CDATA[",
        b"</cnode>",
        b"<cnode id=\"3\" calleeId=\"1\">",
        b"18446744073709551615",
        b"-1",
        b"1e308",
        b"\xff\xfe",
    ];
    let mut numbers = Numbers(1);
    let mut next = |below| numbers.index(below);
    let mut taken = 0;
    for round in 0..6000 {
        let mut bytes = seeds[round % seeds.len()].clone();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            let length = next(30).min(bytes.len() - at);
            match next(6) {
                0 => bytes[at] = next(256) as u8,
                1 => bytes[at] ^= 1 << next(8),
                2 => drop(bytes.drain(at..at + length)),
                3 => drop(bytes.splice(at..at, words[next(words.len())].iter().copied())),
                4 => {
                    let piece = bytes[at..at + length].to_vec();
                    let to = next(bytes.len());
                    bytes.splice(to..to, piece);
                }
                _ => bytes[at] = b'0' + next(10) as u8,
            }
            if bytes.is_empty() {
                bytes.push(b'<');
            }
        }
        let strict = check(&bytes);
        match parse(&bytes) {
            Ok(cube) => {
                taken += 1;
                if let Ok(text) = to_string(&cube) {
                    check(text.as_bytes()).unwrap_or_else(|e| panic!("round {round}: {e}\n{text}"));
                }
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(
                    strict.is_err(),
                    "round {round}: the checker took what the reader refused: {error}"
                );
            }
        }
    }
    // Damage to a name or a number is no damage to the form.
    assert!((500..5500).contains(&taken), "{taken} of 6000 were taken");
}
