//! The reader of others decides: pycubexr (PyPI) reads our CUBE 4 files, and everything that it
//! finds there is what was written. Needs `PYCUBEXR_PYTHON`, a Python that has pycubexr;
//! `scripts/test` makes one and runs these tests.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use pgas_cube::cubex::{ByteOrder, CubexOptions};
use pgas_cube::model::{Aggregation, CallPath, CallPathId, Cube, MetricId, RegionId, Unit};
use pgas_cube::write_cubex;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

/// The content that pycubexr must find in the file.
fn expected(written: &Cube, options: &CubexOptions) -> Value {
    let cube = &common::as_files_have(written);
    let roots = cube
        .call_paths
        .iter()
        .filter(|c| c.parent.is_none())
        .count();
    let shift = usize::from(roots > 1);
    let line = |line: u32| if line == 0 { -1 } else { i64::from(line) };
    let metrics: Vec<_> = (0..cube.metrics.len())
        .map(|index| {
            let metric = &cube.metrics[index];
            let aggregation = cube.aggregation(MetricId(index));
            let is_inclusive =
                options.inclusive.contains(&MetricId(index)) && aggregation == Aggregation::Sum;
            let rows = rows(cube, MetricId(index), is_inclusive, shift);
            let all = || {
                cube.rows()
                    .filter(|(m, ..)| m.0 == index)
                    .flat_map(|(.., row)| row)
            };
            let whole = metric.unit != Unit::Seconds
                && all().all(|v| v.fract() == 0.0 && v.abs() <= 2f64.powi(53));
            let data_type = match aggregation {
                Aggregation::Minimum => "MINDOUBLE",
                Aggregation::Maximum => "MAXDOUBLE",
                Aggregation::Sum if !whole => "DOUBLE",
                Aggregation::Sum if all().any(|v| *v < 0.0) => "INT64",
                Aggregation::Sum => "UINT64",
            };
            json!({
                "id": index,
                "name": metric.unique_name,
                "display_name": metric.display_name,
                "description": metric.description,
                "unit": match metric.unit {
                    Unit::Seconds => "sec",
                    Unit::Occurrences => "occ",
                    Unit::Bytes => "bytes",
                },
                "url": metric.url,
                "type": data_type,
                "kind": if is_inclusive { "INCLUSIVE" } else { "EXCLUSIVE" },
                "parent": metric.parent.map(|p| &cube.metrics[p.0].unique_name),
                "rows": rows,
            })
        })
        .collect();
    let mut regions: Vec<_> = (cube.regions.iter().enumerate())
        .map(|(index, region)| {
            json!({
                "id": index + shift,
                "name": region.name,
                "module": region.module,
                "lines": [line(region.begin_line), line(region.end_line)],
                // By which CubeLib knows operations of a library that communicates.
                "description": match (region.description.as_str(), region.module.as_str()) {
                    ("", "UPC") => "MPI",
                    (description, _) => description,
                },
            })
        })
        .collect();
    let mut call_paths: Vec<_> = (cube.call_paths.iter().enumerate())
        .map(|(index, call_path)| {
            let above = (shift > 0).then_some(0);
            json!({
                "id": index + shift,
                "region": call_path.region.0 + shift,
                "parent": call_path.parent.map(|p| p.0 + shift).or(above),
                "place": [call_path.file, line(call_path.line)],
            })
        })
        .collect();
    if shift > 0 {
        regions.push(json!({"id": 0, "name": "PROGRAM", "module": "pgastool", "lines": [-1, -1], "description": ""}));
        call_paths.push(json!({"id": 0, "region": 0, "parent": null, "place": ["", -1]}));
    }
    let threads: Vec<_> = (cube.threads.iter().enumerate())
        .map(|(id, thread)| json!({"id": id, "name": thread.name, "process": thread.process}))
        .collect();
    json!({
        "attributes": cube.attributes,
        "metrics": metrics,
        "regions": regions,
        "call_paths": call_paths,
        "threads": threads,
    })
}

/// By id in the file: the bits of each value.
fn rows(
    cube: &Cube,
    metric: MetricId,
    is_inclusive: bool,
    shift: usize,
) -> BTreeMap<String, Vec<String>> {
    let mut rows: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (_, path, row) in cube.rows().filter(|(m, ..)| *m == metric) {
        let mut next = Some(path);
        loop {
            let id = next.map_or(0, |path| path.0 + shift);
            let sums = rows.entry(id).or_insert_with(|| vec![0.0; row.len()]);
            sums.iter_mut()
                .zip(row)
                .for_each(|(sum, value)| *sum += value);
            next = match (is_inclusive, next) {
                (true, Some(path)) if shift > 0 || cube.call_paths[path.0].parent.is_some() => {
                    cube.call_paths[path.0].parent
                }
                _ => break,
            };
        }
    }
    let (is_sum, none) = match cube.aggregation(metric) {
        Aggregation::Sum => (true, 0.0),
        Aggregation::Minimum => (false, f64::MAX),
        Aggregation::Maximum => (false, f64::MIN),
    };
    // What the bits of a zero are depends on the type; no other value has two forms.
    let spelled = |value: &f64| match (*value == 0.0, is_sum) {
        (true, true) => 0.to_string(),
        (true, false) => none.to_bits().to_string(),
        (false, _) => value.to_bits().to_string(),
    };
    let mut spelled: BTreeMap<_, Vec<_>> = (rows.iter())
        .filter(|(_, row)| row.iter().any(|value| *value != 0.0))
        .map(|(id, row)| (id.to_string(), row.iter().map(spelled).collect()))
        .collect();
    if spelled.is_empty() {
        // Some row must be there.
        spelled.insert(
            "0".into(),
            vec![none.to_bits().to_string(); cube.threads.len()],
        );
    }
    spelled
}

/// Real names and worse, in a tree that tells the two enumerations apart.
fn hostile() -> Cube {
    let mut cube = common::small();
    let names = [
        "say \"hi\" & <b>'bye'</b>",
        "größe_数_🙂",
        "std::map<std::string, std::vector<int>>::operator[](const char*) && 'c'",
        "two\nlines\tand\r\x1b[31m",
        "]]> &amp; &#10; <!-- -->",
    ];
    for (index, name) in names.iter().enumerate() {
        let mut region = cube.regions[0].clone();
        region.name = (*name).into();
        region.module = format!("{name}.upc");
        region.description = format!("{name}\nsecond line");
        cube.regions.push(region);
        let parent = [0, 0, 2, 3, 2][index];
        cube.call_paths.push(CallPath {
            region: RegionId(2 + index),
            parent: Some(CallPathId(parent)),
            file: format!("{name}.upc"),
            line: index as u32,
        });
        cube.attributes
            .insert(format!("key {name}"), format!("value {name}"));
    }
    cube.threads[1].name = names.concat();
    cube.metrics[1].display_name = names[0].into();
    cube.metrics[1].unique_name = names[2].into();
    cube.metrics[1].description = names.join("\n");
    for path in 0..cube.call_paths.len() {
        for metric in 0..cube.metrics.len() {
            let row = cube.row_mut(MetricId(metric), CallPathId(path));
            row[0] = f64::from(path as u32 * 10 + metric as u32)
                + 0.125 * f64::from(u8::from(metric < 4));
        }
    }
    cube
}

/// Cubes of every kind, each written in several ways; their paths.
fn write_all(directory: &Path) -> Vec<PathBuf> {
    let mut cubes = vec![common::small(), hostile()];
    let mut extremes = common::small();
    extremes
        .row_mut(MetricId(0), CallPathId(0))
        .copy_from_slice(&[f64::MAX, 5e-324]);
    extremes
        .row_mut(MetricId(4), CallPathId(0))
        .copy_from_slice(&[2f64.powi(53), -1.0]);
    extremes
        .aggregations
        .insert(MetricId(1), Aggregation::Minimum);
    extremes
        .aggregations
        .insert(MetricId(2), Aggregation::Maximum);
    cubes.push(extremes);
    let mut forest = hostile();
    for path in [1, 3, 4] {
        forest.call_paths[path].parent = None;
    }
    cubes.push(forest);
    let mut runner = TestRunner::deterministic();
    while cubes.len() < 40 {
        if let Ok(tree) = common::cube().new_tree(&mut runner) {
            cubes.push(tree.current());
        }
    }
    let mut paths = Vec::new();
    for (number, cube) in cubes.iter().enumerate() {
        let options = CubexOptions {
            byte_order: [ByteOrder::Little, ByteOrder::Big][number % 2],
            compress: number % 3 == 0,
            // Sums of arbitrary numbers depend on their order; those of the first cubes do not.
            inclusive: match number {
                0 | 1 | 3 => (0..4)
                    .step_by(2)
                    .map(|m| MetricId(m + 1))
                    .chain([MetricId(4)])
                    .collect(),
                _ => BTreeSet::new(),
            },
        };
        let path = directory.join(format!("{number}.cubex"));
        write_cubex(cube, &options, &path).unwrap();
        let json = expected(cube, &options).to_string();
        std::fs::write(directory.join(format!("{number}.cubex.json")), json).unwrap();
        paths.push(path);
    }
    paths
}

/// Whether pycubexr finds what is expected, and what it says.
fn compare(paths: &[PathBuf]) -> (bool, String) {
    let python = std::env::var_os("PYCUBEXR_PYTHON")
        .expect("PYCUBEXR_PYTHON must be a Python that has pycubexr; scripts/test makes one");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pycubexr/compare.py");
    let output = Command::new(python)
        .arg(script)
        .args(paths)
        .output()
        .unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    (output.status.success(), text)
}

#[test]
#[ignore = "needs pycubexr; scripts/test runs it"]
fn everything_is_read_back_by_pycubexr() {
    let directory = tempfile::tempdir().unwrap();
    let paths = write_all(directory.path());
    let (same, text) = compare(&paths);
    assert!(same, "{text}");
    let compared: usize = text.split(' ').next().unwrap().parse().unwrap();
    assert!(compared > 3000, "{text}");
}

#[test]
#[ignore = "needs pycubexr; scripts/test runs it"]
fn the_comparison_sees_a_single_bit() {
    let directory = tempfile::tempdir().unwrap();
    let path = write_all(directory.path()).remove(0);
    let file = directory.path().join("0.cubex.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let (old, new) = (1.5f64.to_bits(), 1.5f64.to_bits() + 1);
    let changed = text.replacen(&old.to_string(), &new.to_string(), 1);
    assert_ne!(changed, text);
    std::fs::write(&file, changed).unwrap();
    let (same, text) = compare(&[path]);
    assert!(!same && text.contains("1 differ"), "{text}");
}
