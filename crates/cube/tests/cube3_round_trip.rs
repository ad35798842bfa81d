//! Files obey the rules of CUBE 3, and are read back as they were written.

mod common;

use std::path::Path;

use pgas_cube::cube3::{Limits, check, parse_cube3, to_string};
use pgas_cube::model::{CallPath, CallPathId, Cube, MetricId, RegionId};
use pgas_cube::{Error, read_cube3, write_cube3};
use proptest::prelude::*;

fn read_back(text: &str) -> Cube {
    parse_cube3(text.as_bytes(), Path::new("test.cube"), &Limits::default())
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

proptest! {
    #![proptest_config(common::config())]

    #[test]
    fn any_cube_is_written_by_the_rules_and_read_back(cube in common::cube()) {
        // Two names can become equal when their control characters are replaced by the same sign.
        let mut names: Vec<_> = cube.metrics.iter().map(|m| common::visible(&m.unique_name, false)).collect();
        names.sort();
        names.dedup();
        prop_assume!(names.len() == cube.metrics.len());

        let text = to_string(&cube).unwrap();
        if let Err(violation) = check(text.as_bytes()) {
            panic!("{violation}\n{text}");
        }
        let once = read_back(&text);
        prop_assert_eq!(&once, &common::as_files_have(&cube));
        let again = to_string(&once).unwrap();
        prop_assert_eq!(read_back(&again), once);
    }

    /// Ticks of a real clock give values with all 53 bits in use; the sum of the parts is the whole, in the file as
    /// in memory.
    #[test]
    fn parts_add_up_to_the_whole(
        ticks in prop::collection::vec((0u64..1 << 44, 0u64..1 << 44, 0u64..1 << 30), 1..20),
        frequency in 1.0e9..4.0e9,
    ) {
        let small = common::small();
        let mut cube = Cube::default();
        cube.metrics = small.metrics;
        cube.metrics[3].unique_name = "measurement".into();
        cube.metrics[3].parent = Some(MetricId(0));
        cube.regions = small.regions;
        cube.nodes = small.nodes;
        cube.threads = small.threads;
        cube.call_paths = (0..ticks.len())
            .map(|_| CallPath { region: RegionId(0), parent: None, file: String::new(), line: 0 })
            .collect();
        for (index, (computation, pgas, measurement)) in ticks.iter().enumerate() {
            let seconds = |t: u64| t as f64 / frequency;
            let id = CallPathId(index);
            let whole = seconds(*computation) + seconds(*pgas) + seconds(*measurement);
            cube.row_mut(MetricId(0), id)[0] = whole;
            cube.row_mut(MetricId(1), id)[0] = seconds(*computation);
            cube.row_mut(MetricId(2), id)[0] = seconds(*pgas);
            cube.row_mut(MetricId(3), id)[0] = seconds(*measurement);
        }
        let read = read_back(&to_string(&cube).unwrap());
        for index in 0..ticks.len() {
            let value = |m| read.row(MetricId(m), CallPathId(index)).map_or(0.0, |row| row[0]);
            prop_assert!((value(1) + value(2) + value(3) - value(0)).abs() <= 1e-9);
        }
        let total = |m| read.total(MetricId(m));
        prop_assert!((total(1) + total(2) + total(3) - total(0)).abs() <= 1e-9);
    }
}

#[test]
fn a_written_file_is_whole_and_leaves_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("profile.cube");
    let cube = common::small();
    write_cube3(&cube, &path).unwrap();
    check(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(read_cube3(&path).unwrap(), cube);
    // Again over the old one.
    write_cube3(&cube, &path).unwrap();
    let names: Vec<_> = std::fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["profile.cube"]);
}

#[test]
fn the_small_cube_is_written_like_this() {
    let text = to_string(&common::small()).unwrap();
    assert_eq!(text, include_str!("data/small.cube"));
}

#[test]
fn counts_are_integers_and_fractions_are_not() {
    let mut cube = common::small();
    assert!(to_string(&cube).unwrap().contains("<dtype>INTEGER</dtype>"));
    cube.row_mut(MetricId(4), CallPathId(0))[0] = 0.5;
    let text = to_string(&cube).unwrap();
    assert!(!text.contains("INTEGER"));
    check(text.as_bytes()).unwrap();
}

#[test]
fn a_call_tree_may_be_deep() {
    let mut cube = common::small();
    let deep = 50_000;
    for index in cube.call_paths.len()..deep {
        cube.call_paths.push(CallPath {
            region: RegionId(0),
            parent: Some(CallPathId(index - 1)),
            file: String::new(),
            line: 1,
        });
    }
    let text = to_string(&cube).unwrap();
    check(text.as_bytes()).unwrap();
    assert_eq!(read_back(&text), cube);

    let limits = Limits {
        depth: 1000,
        ..Limits::default()
    };
    let error = parse_cube3(text.as_bytes(), Path::new("deep.cube"), &limits).unwrap_err();
    assert!(matches!(error, Error::Limit { limit: 1000, .. }), "{error}");
}

#[test]
fn a_cube_that_breaks_the_model_is_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("profile.cube");
    type Damage = fn(&mut Cube);
    let cases: [(&str, Damage); 9] = [
        ("at least one", |c| c.metrics.clear()),
        ("at least one", |c| c.nodes.clear()),
        ("two metrics", |c| c.metrics[1].unique_name = "time".into()),
        ("behind it", |c| c.metrics[1].parent = Some(MetricId(1))),
        ("behind it", |c| {
            c.call_paths[0].parent = Some(CallPathId(1))
        }),
        ("region 9", |c| c.call_paths[0].region = RegionId(9)),
        ("node 3", |c| c.threads[1].node = 3),
        ("NaN", |c| {
            c.row_mut(MetricId(0), CallPathId(0))[1] = f64::NAN
        }),
        ("no such call path", |c| {
            c.row_mut(MetricId(0), CallPathId(2));
        }),
    ];
    for (words, damage) in cases {
        let mut cube = common::small();
        damage(&mut cube);
        let error = write_cube3(&cube, &path).unwrap_err();
        assert!(matches!(error, Error::Unwritable { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(!path.exists());
    }
    let error = write_cube3(&common::small(), directory.path().join("no/such.cube")).unwrap_err();
    assert!(error.to_string().contains("no/such.cube"), "{error}");
}
