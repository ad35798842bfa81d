//! CUBE 4: what is written is read back as it was; files of other tools are read as far as the
//! model goes, and damaged ones refused with the place.

mod common;
#[path = "../../trace/tests/support/numbers.rs"]
mod numbers;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use numbers::Numbers;
use pgas_cube::cubex::{ByteOrder, Cubex, CubexOptions, Limits, parse_cubex, to_bytes};
use pgas_cube::model::{Aggregation, CallPath, CallPathId, Cube, MetricId, RegionId, Unit};
use pgas_cube::{Error, read_cubex, write_cubex};
use proptest::prelude::*;

fn parse(bytes: &[u8]) -> Result<Cubex, Error> {
    parse_cubex(bytes, Path::new("test.cubex"), &Limits::default())
}

fn read_back(bytes: &[u8]) -> Cube {
    let read = parse(bytes).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(read.left_out, [""; 0]);
    read.cube
}

/// A nonzero minimum or maximum, for a metric that is one.
fn aggregations() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0u8..6, 6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..common::config() })]

    #[test]
    fn any_cube_is_read_back_bit_for_bit(
        cube in common::cube(),
        kinds in aggregations(),
        big in any::<bool>(),
        compress in any::<bool>(),
    ) {
        let mut cube = cube;
        let mut names: Vec<_> = cube.metrics.iter().map(|m| common::visible(&m.unique_name, false)).collect();
        names.sort();
        names.dedup();
        prop_assume!(names.len() == cube.metrics.len());
        for (metric, kind) in kinds.iter().enumerate().take(cube.metrics.len()) {
            match kind {
                0 => drop(cube.aggregations.insert(MetricId(metric), Aggregation::Minimum)),
                1 => drop(cube.aggregations.insert(MetricId(metric), Aggregation::Maximum)),
                _ => {}
            }
        }
        let options = CubexOptions {
            byte_order: if big { ByteOrder::Big } else { ByteOrder::Little },
            compress,
            inclusive: BTreeSet::new(),
        };
        let once = read_back(&to_bytes(&cube, &options).unwrap());
        prop_assert_eq!(&once, &common::as_files_have(&cube));
        for ((_, _, a), (_, _, b)) in once.rows().zip(common::as_files_have(&cube).rows()) {
            // 0 and -0 are equal, and nothing else is that differs in a bit.
            prop_assert!(a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || *a == 0.0));
        }
        prop_assert_eq!(read_back(&to_bytes(&once, &options).unwrap()), once);
    }

    /// Sums of integers are exact, so that nothing is lost when they are stored inclusive over the call tree.
    #[test]
    fn inclusive_metrics_come_back_exclusive(cube in common::cube(), compress in any::<bool>()) {
        let mut exact = common::as_files_have(&cube);
        let mut names: Vec<_> = exact.metrics.iter().map(|m| &m.unique_name).collect();
        names.sort();
        names.dedup();
        prop_assume!(names.len() == exact.metrics.len());
        for (number, (metric, path, values)) in common::as_files_have(&cube).rows().enumerate() {
            for (thread, value) in exact.row_mut(metric, path).iter_mut().enumerate() {
                *value = ((number * 31 + thread * 7 + values.len()) % 1000) as f64 - 300.0;
            }
        }
        let options = CubexOptions {
            inclusive: (0..exact.metrics.len()).map(MetricId).collect(),
            compress,
            ..CubexOptions::default()
        };
        let read = read_back(&to_bytes(&exact, &options).unwrap());
        prop_assert_eq!(read, common::as_files_have(&exact));
    }
}

#[test]
fn a_written_file_is_whole_and_always_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("profile.cubex");
    let cube = common::small();
    write_cubex(&cube, &CubexOptions::default(), &path).unwrap();
    let first = std::fs::read(&path).unwrap();
    write_cubex(&cube, &CubexOptions::default(), &path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), first);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    assert_eq!(read_cubex(&path).unwrap().cube, cube);
    let error = read_cubex("/no/such.cubex").unwrap_err().to_string();
    assert!(error.contains("cannot read /no/such.cubex"), "{error}");
}

/// Files of this version stay readable, and are written like this.
#[test]
fn known_files_are_read_and_written_alike() {
    let small = include_bytes!("../fuzz/corpus/read_cubex/small.cubex");
    let packed = include_bytes!("../fuzz/corpus/read_cubex/packed.cubex");
    assert_eq!(read_back(small), common::small());
    // Earlier versions numbered regions from 1.
    let from_1 = include_bytes!("../fuzz/corpus/read_cubex/regions_from_1.cubex");
    assert_eq!(read_back(from_1), common::small());
    // And had a paradigm of their own for operations of the runtime, which had no description.
    let pgas = include_bytes!("../fuzz/corpus/read_cubex/paradigm_pgas.cubex");
    assert_eq!(read_back(pgas), common::small());
    let bytes = to_bytes(&common::small(), &CubexOptions::default()).unwrap();
    assert!(bytes == small, "the same cube gives other bytes");
    let mut forest = common::small();
    forest.call_paths[1].parent = None;
    assert_eq!(read_back(packed), forest);
}

#[test]
fn the_types_that_readers_expect() {
    let mut cube = common::small();
    cube.row_mut(MetricId(1), CallPathId(1))[0] = -1.0;
    cube.metrics[3].unit = Unit::Bytes;
    for value in cube.row_mut(MetricId(3), CallPathId(1)) {
        *value = -5.0;
    }
    cube.aggregations.insert(MetricId(1), Aggregation::Minimum);
    let bytes = to_bytes(&cube, &CubexOptions::default()).unwrap();
    let anchor = member(&bytes, "anchor.xml");
    let anchor = String::from_utf8(anchor).unwrap();
    let types: Vec<_> = (anchor.lines())
        .filter_map(|l| l.strip_prefix("<dtype>")?.strip_suffix("</dtype>"))
        .collect();
    assert_eq!(types, ["DOUBLE", "MINDOUBLE", "DOUBLE", "INT64", "UINT64"]);
    assert!(anchor.contains("<class>machine</class>"));
    assert!(anchor.contains("<cart name=\"Threads\" ndims=\"1\">"));
    assert_eq!(read_back(&bytes), cube);
}

/// One member of a tar archive, found without the reader under test.
fn member(bytes: &[u8], name: &str) -> Vec<u8> {
    let mut archive = tar::Archive::new(bytes);
    let mut entries = archive.entries().unwrap().map(Result::unwrap);
    let mut entry = entries
        .find(|entry| entry.path_bytes() == name.as_bytes())
        .unwrap_or_else(|| panic!("no {name}"));
    let mut content = Vec::new();
    std::io::Read::read_to_end(&mut entry, &mut content).unwrap();
    content
}

/// An archive of these members.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        builder.append_data(&mut header, name, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

#[test]
fn several_roots_get_one_above_them_that_is_taken_away_again() {
    let mut cube = common::small();
    cube.call_paths[1].parent = None;
    let bytes = to_bytes(&cube, &CubexOptions::default()).unwrap();
    let anchor = String::from_utf8(member(&bytes, "anchor.xml")).unwrap();
    assert!(anchor.contains("<role>artificial</role>"), "{anchor}");
    assert_eq!(read_back(&bytes), cube);
    // A program's own function of that name is none of ours.
    let mut cube = common::small();
    cube.regions[0].name = "PROGRAM".into();
    cube.regions[0].module = "pgastool".into();
    let bytes = to_bytes(&cube, &CubexOptions::default()).unwrap();
    assert_eq!(read_back(&bytes), cube);
}

/// A file as Scalasca writes them: the anchor compressed, siblings not in the order of ids, a node
/// between machine and node, several processes on a node, derived metrics and such as are more than
/// a number.
#[test]
fn a_file_of_another_tool() {
    let anchor = br#"<?xml version="1.0" encoding="UTF-8"?>
<cube version="4.7">
  <attr key="Creator" value="someone"/>
  <metrics title="Metric tree">
    <metric id="3" type="INCLUSIVE" viztype="NORMAL">
      <disp_name>Time</disp_name><uniq_name>time</uniq_name><dtype>FLOAT</dtype><uom>sec</uom><val></val><url></url><descr></descr>
      <metric id="5" type="POSTDERIVED">
        <disp_name>Derived</disp_name><uniq_name>derived</uniq_name><dtype>DOUBLE</dtype><uom>sec</uom>
        <metric id="9" type="EXCLUSIVE">
          <disp_name>Below</disp_name><uniq_name>below</uniq_name><dtype>UINT32</dtype><uom>occ</uom>
        </metric>
      </metric>
    </metric>
    <metric id="6" type="EXCLUSIVE"><disp_name>H</disp_name><uniq_name>h</uniq_name><dtype>TAU_ATOMIC</dtype><uom>sec</uom></metric>
    <metric id="7" type="EXCLUSIVE"><disp_name>P</disp_name><uniq_name>power</uniq_name><dtype>DOUBLE</dtype><uom>Watt</uom></metric>
    <metric id="8" type="EXCLUSIVE"><disp_name>Max</disp_name><uniq_name>max_time</uniq_name><dtype>MAXDOUBLE</dtype><uom>sec</uom></metric>
  </metrics>
  <program title="Call tree">
    <region id="0" mod="a.c" begin="1" end="9"><name>main</name><mangled_name>main</mangled_name><paradigm>user</paradigm><role>function</role></region>
    <region id="1" mod="MPI" begin="-1" end="-1"><name>MPI_Barrier</name></region>
    <cnode id="0" calleeId="0">
      <parameter partype="string" parkey="k" parvalue="v"/>
      <cnode id="4" calleeId="1"></cnode>
      <cnode id="1" calleeId="0">
        <cnode id="2" calleeId="1"></cnode>
      </cnode>
    </cnode>
  </program>
  <system title="System tree">
    <systemtreenode Id="0"><name>cluster</name><class>machine</class>
      <systemtreenode Id="1"><name>rack</name><class>rack</class>
        <systemtreenode Id="2"><name>host</name><class>node</class>
          <locationgroup Id="0"><name>Rank 5</name><rank>5</rank><type>process</type>
            <location Id="0"><name>a</name><rank>0</rank><type>thread</type></location>
          </locationgroup>
          <locationgroup Id="1"><name>Rank 6</name><rank>6</rank><type>process</type>
            <location Id="1"><name>b</name><rank>0</rank><type>thread</type></location>
          </locationgroup>
        </systemtreenode>
      </systemtreenode>
    </systemtreenode>
    <topologies><cart name="grid" ndims="2"><dim name="x" size="1" periodic="true"/><dim name="y" size="2" periodic="false"/>
      <coord lgId="0">0 1</coord><coord lgId="1">0 0</coord></cart></topologies>
  </system>
</cube>"#;
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    zipped.write_all(anchor).unwrap();
    let zipped = zipped.finish().unwrap();
    // Positions of an inclusive metric: main 0, its children 4 and 1 are 1 and 2, then 2 is 3.
    let index = |positions: &[u32]| {
        let mut out = b"CUBEX.INDEX\x01\0\0\0\0\0\x01".to_vec();
        out.extend((positions.len() as u32).to_le_bytes());
        positions.iter().for_each(|p| out.extend(p.to_le_bytes()));
        out
    };
    let data = |values: &[f64]| {
        let mut out = b"CUBEX.DATA".to_vec();
        values.iter().for_each(|v| out.extend(v.to_le_bytes()));
        out
    };
    let bytes = archive(&[
        ("3.index", &index(&[0, 1, 2, 3])),
        ("3.data", &data(&[10.0, 20.0, 1.0, 2.0, 5.0, 6.0, 5.0, 4.0])),
        ("8.index", &index(&[3])),
        ("8.data", &data(&[f64::MIN, 0.25])),
        ("9.index", &index(&[2])),
        ("9.data", b"CUBEX.DATA\x07\0\0\0\xff\xff\xff\xff"),
        ("./anchor.xml", &zipped),
    ]);
    let Cubex { cube, left_out } = parse(&bytes).unwrap();
    let names: Vec<_> = cube
        .metrics
        .iter()
        .map(|m| m.unique_name.as_str())
        .collect();
    assert_eq!(names, ["time", "max_time", "below"]);
    assert_eq!(cube.metrics[2].parent, Some(MetricId(0)));
    assert_eq!(cube.aggregation(MetricId(1)), Aggregation::Maximum);
    for (words, left_out) in ["derived", "TAU_ATOMIC", "Watt"].iter().zip(&left_out) {
        assert!(left_out.contains(words), "{left_out}");
    }
    assert_eq!(left_out.len(), 3);
    // Ids 0, 1, 2, 4 are indices 0 to 3.
    let row = |metric: usize, path: usize| {
        cube.row(MetricId(metric), CallPathId(path))
            .map(<[f64]>::to_vec)
    };
    assert_eq!(row(0, 0), Some(vec![4.0, 12.0]));
    assert_eq!(row(0, 1), Some(vec![0.0, 2.0]));
    assert_eq!(row(0, 2), Some(vec![5.0, 4.0]));
    assert_eq!(row(0, 3), Some(vec![1.0, 2.0]));
    // Exclusive: main 0, then 4, then 1 and 2.
    assert_eq!(row(1, 2), Some(vec![0.0, 0.25]));
    assert_eq!(row(2, 1), Some(vec![7.0, 4_294_967_295.0]));
    assert_eq!((cube.machine.as_str(), cube.nodes.len()), ("cluster", 1));
    assert_eq!(cube.nodes[0], "host");
    let processes: Vec<_> = cube.threads.iter().map(|t| t.process).collect();
    assert_eq!(processes, [5, 6]);
    assert_eq!(cube.topologies[0].coordinates[&0], [0, 1]);
    assert_eq!(cube.topologies[0].dimensions[0].name, "x");
    let again = read_back(&to_bytes(&cube, &CubexOptions::default()).unwrap());
    assert_eq!(again, cube);
}

#[test]
fn errors_name_the_member_and_the_reason() {
    let right = to_bytes(&common::small(), &CubexOptions::default()).unwrap();
    let anchor = member(&right, "anchor.xml");
    let (index, data) = (member(&right, "0.index"), member(&right, "0.data"));
    let with = |index: &[u8], data: &[u8]| {
        archive(&[
            ("anchor.xml", &anchor),
            ("0.index", index),
            ("0.data", data),
        ])
    };
    let changed = |bytes: &[u8], at: usize, to: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = to;
        bytes
    };
    parse(&with(&index, &data)).unwrap();
    let without_values = archive(&[("anchor.xml", &anchor), ("0.index", &index)]);
    for (bytes, words) in [
        (b"".to_vec(), "anchor.xml"),
        (b"hello".repeat(200), "tar archive"),
        (right[..1000].to_vec(), "cut off"),
        (archive(&[("other", b"")]), "anchor.xml"),
        (
            archive(&[("anchor.xml", b"<cube version=\"3.0\">")]),
            "version 4",
        ),
        (archive(&[("anchor.xml", b"\x1f\x8bnothing")]), "anchor.xml"),
        (without_values, "0.data"),
        (with(&changed(&index, 0, b'X'), &data), "0.index"),
        (with(&changed(&index, 11, 7), &data), "either byte order"),
        (with(&changed(&index, 17, 0), &data), "index format 0"),
        (with(&changed(&index, 18, 9), &data), "9 rows"),
        (with(&changed(&index, 22, 9), &data), "call path 9"),
        (with(&changed(&index, 22, 1), &data), "call path 1"),
        (with(&index, &changed(&data, 3, b'?')), "CUBEX.DATA"),
        (with(&index, &data[..data.len() - 1]), "2 rows of 2 values"),
    ] {
        let error = parse(&bytes).expect_err(words).to_string();
        assert!(error.starts_with("test.cubex"), "{error}");
        assert!(error.contains(words), "{words}: {error}");
    }
    // A file that ends between two members may be whole or not.
    let mut cut = with(&index, &data);
    cut.truncate(cut.len() - 1024);
    assert!(parse(&cut).unwrap().left_out[0].contains("no end"));
    // What is no number is no reason to refuse the rest.
    let nan = [b"CUBEX.DATA".to_vec(), f64::NAN.to_le_bytes().repeat(4)].concat();
    let read = parse(&with(&index, &nan)).unwrap();
    assert!(read.left_out[0].contains("NaN"), "{:?}", read.left_out);
}

/// Many call paths times many threads do not make a single row of values large.
#[test]
fn memory_follows_the_size_of_the_file() {
    let count = 30_000;
    let small = common::small();
    let mut cube = Cube::default();
    cube.metrics = small.metrics;
    cube.regions = small.regions;
    cube.nodes = small.nodes;
    cube.threads = vec![small.threads[0].clone(); count];
    cube.call_paths = (0..count)
        .map(|index: usize| CallPath {
            region: RegionId(0),
            parent: (index > 0).then_some(CallPathId(0)),
            file: String::new(),
            line: 1,
        })
        .collect();
    cube.row_mut(MetricId(0), CallPathId(0))[7] = 1.5;
    let bytes = to_bytes(&cube, &CubexOptions::default()).unwrap();
    let anchor = String::from_utf8(member(&bytes, "anchor.xml")).unwrap();
    // The parent has the value, and no child has any.
    let inclusive = anchor.replacen("EXCLUSIVE", "INCLUSIVE", 1);
    let bytes = archive(&[
        ("anchor.xml", inclusive.as_bytes()),
        ("0.index", &member(&bytes, "0.index")),
        ("0.data", &member(&bytes, "0.data")),
    ]);
    assert_eq!(read_back(&bytes), cube);
}

/// Thousands of damaged files: an error or a cube, no panic.
#[test]
fn damaged_files_never_panic() {
    let mut seeds = Vec::new();
    for compress in [false, true] {
        let options = CubexOptions {
            compress,
            inclusive: BTreeSet::from([MetricId(0)]),
            ..CubexOptions::default()
        };
        seeds.push(to_bytes(&common::small(), &options).unwrap());
    }
    let mut numbers = Numbers(1);
    let mut next = |below| numbers.index(below);
    let mut taken = 0;
    for round in 0..1000 {
        let mut bytes = seeds[round % seeds.len()].clone();
        for _ in 0..=next(4) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] = next(256) as u8,
                1 => bytes[at] ^= 1 << next(8),
                2 => bytes.truncate(at.max(512)),
                _ => {
                    let end = (at + next(600)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    let to = next(bytes.len() - piece.len() + 1);
                    bytes[to..to + piece.len()].copy_from_slice(&piece);
                }
            }
        }
        match parse(&bytes) {
            Ok(read) => {
                taken += 1;
                if let Ok(bytes) = to_bytes(&read.cube, &CubexOptions::default()) {
                    read_back(&bytes);
                }
            }
            Err(error) => assert!(error.to_string().starts_with("test.cubex"), "{error}"),
        }
    }
    assert!((50..970).contains(&taken), "{taken} of 1000 were taken");
}
