//! Files that CubeLib cannot read are found, in both formats; files written here have no violation.

mod common;

use std::fs;

use pgas_cube::{Cubex, CubexOptions, check_file, write_cube3, write_cubex};

#[test]
fn files_that_are_written_have_identifiers_without_gaps() {
    let directory = tempfile::tempdir().unwrap();
    let (three, four) = (
        directory.path().join("a.cube"),
        directory.path().join("a.cubex"),
    );
    let mut cube = common::small();
    for roots in 1..=2 {
        write_cube3(&cube, &three).unwrap();
        write_cubex(&cube, &CubexOptions::default(), &four).unwrap();
        assert_eq!(check_file(&three).unwrap(), [], "{roots} roots");
        assert_eq!(check_file(&four).unwrap(), [], "{roots} roots");
        let Cubex { cube: read, .. } = pgas_cube::read_cubex(&four).unwrap();
        assert_eq!(read, cube, "{roots} roots");
        // In CUBE 4 a second root makes it necessary to put one above both.
        let mut second = cube.call_paths[0].clone();
        second.line += 1;
        cube.call_paths.push(second);
    }
}

/// CUBE 4 says what kind of region each is, in words that Score-P and OTF2 have, too.
#[test]
fn paradigms_and_roles_are_those_that_others_know() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.cubex");
    let small = common::small();
    write_cubex(&small, &CubexOptions::default(), &path).unwrap();
    let right = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
    let barrier = right.split("<name>upc_barrier</name>").nth(1).unwrap();
    let barrier = barrier.split("</region>").next().unwrap();
    for part in [
        "<paradigm>upc</paradigm>",
        "<role>barrier</role>",
        // By this, cube_regioninfo and its like tell communication from the rest.
        "<descr>MPI</descr>",
    ] {
        assert!(barrier.contains(part), "{part} is not in {barrier}");
    }
    assert_eq!(pgas_cube::read_any(&path).unwrap().cube, small);
    assert_eq!(check_file(&path).unwrap(), []);
    for (old, new, words) in [
        ("<paradigm>upc<", "<paradigm>xyz<", "the paradigm xyz"),
        ("<role>barrier<", "<role>Barrier<", "the role Barrier"),
    ] {
        let mut bytes = fs::read(&path).unwrap();
        let at = bytes
            .windows(old.len())
            .position(|part| part == old.as_bytes());
        bytes[at.unwrap()..][..new.len()].copy_from_slice(new.as_bytes());
        let wrong = directory.path().join("wrong.cubex");
        fs::write(&wrong, bytes).unwrap();
        let violations = check_file(&wrong).unwrap();
        assert_eq!(violations.len(), 1, "{violations:?}");
        assert!(violations[0].rule.contains(words) && !violations[0].is_fatal);
    }
}

/// Each is an edit of a right file, and what is said of it; the tools of CubeLib crash on all but
/// the last two.
#[test]
fn every_violation_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.cube");
    let right = pgas_cube::cube3::to_string(&common::small()).unwrap();
    type Edits<'a> = &'a [(&'a str, &'a str)];
    let cases: [(Edits, &str, bool); 9] = [
        (
            // As it was written for years: regions from 1.
            &[
                ("calleeId=\"1\"", "calleeId=\"2\""),
                ("calleeId=\"0\"", "calleeId=\"1\""),
                ("region id=\"1\"", "region id=\"2\""),
                ("region id=\"0\"", "region id=\"1\""),
            ],
            "there are 2 regions and none with identifier 0",
            true,
        ),
        (
            &[
                ("metric id=\"4\"", "metric id=\"7\""),
                ("metricId=\"4\"", "metricId=\"7\""),
            ],
            "5 metrics and none with identifier 4",
            true,
        ),
        (
            &[
                ("cnode id=\"1\"", "cnode id=\"3\""),
                ("cnodeId=\"1\"", "cnodeId=\"3\""),
            ],
            "2 call-tree nodes and none with identifier 1",
            true,
        ),
        (
            &[
                ("thread Id=\"1\"", "thread Id=\"5\""),
                ("thrdId=\"1\"", "thrdId=\"5\""),
            ],
            "2 locations and none with identifier 1",
            true,
        ),
        (
            &[("process Id=\"1\"", "process Id=\"2\"")],
            "location groups",
            true,
        ),
        (
            &[("node Id=\"0\"", "node Id=\"1\"")],
            "system-tree node",
            true,
        ),
        (&[("machine Id=\"0\"", "machine Id=\"3\"")], "machine", true),
        (
            &[("end=\"20\"", "end=\"9\"")],
            "region 0 ends before it begins",
            false,
        ),
        (&[("<name>main<", "<name>UNKNOWN<")], "named UNKNOWN", false),
    ];
    for (edits, words, is_fatal) in cases {
        let mut wrong = right.clone();
        for (old, new) in edits {
            assert!(wrong.contains(old), "{old} is not in the file");
            wrong = wrong.replace(old, new);
        }
        fs::write(&path, wrong).unwrap();
        let violations = check_file(&path).unwrap();
        let [violation] = &violations[..] else {
            panic!("{words}: {violations:?}");
        };
        assert!(violation.rule.contains(words), "{words}: {violation}");
        assert_eq!(violation.is_fatal, is_fatal, "{violation}");
    }
}
