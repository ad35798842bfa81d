//! The two files of an analysis: saved, loaded, missing, of different analyses, of another version.

#[path = "../../cube/tests/common/mod.rs"]
mod common;
mod sample;

use std::fs;

use pgas_result::summary::{FindingKind, Summary};
use pgas_result::{AnalysisResult, Error, read_summary};
use sample::sample;

#[test]
fn saved_and_loaded() {
    let directory = tempfile::tempdir().unwrap();
    let result = sample();
    // Twice: a second analysis replaces the first.
    result.save(&directory).unwrap();
    result.save(&directory).unwrap();
    assert_eq!(AnalysisResult::load(&directory).unwrap(), result);
    let mut names: Vec<_> = fs::read_dir(directory.path().join("analysis"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["profile.cube", "summary.json"]);
}

#[test]
fn kinds_of_findings_of_other_versions_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("summary.json");
    let text = serde_json::to_string_pretty(&sample().summary).unwrap();
    let kind = "\"kind\": \"wait\",";
    assert!(text.contains(kind), "{text}");
    for other in ["", "\"kind\": \"of_a_later_version\","] {
        fs::write(&path, text.replace(kind, other)).unwrap();
        let summary = read_summary(&path).unwrap();
        assert_eq!(summary.findings[0].kind, FindingKind::Other);
    }
}

#[test]
fn what_is_missing_is_said_with_the_command() {
    let directory = tempfile::tempdir().unwrap();
    let error = AnalysisResult::load(&directory).unwrap_err();
    assert!(matches!(error, Error::NotAnalysed { .. }));
    let command = format!("run `pgastool analyze {}`", directory.path().display());
    let message = error.to_string();
    assert!(
        message.starts_with("this experiment was not analysed"),
        "{message}"
    );
    assert!(message.ends_with(&command), "{message}");

    sample().save(&directory).unwrap();
    fs::remove_file(AnalysisResult::summary_path(&directory)).unwrap();
    let error = AnalysisResult::load(&directory).unwrap_err();
    assert!(matches!(error, Error::NotAnalysed { .. }));

    let error = AnalysisResult::load(directory.path().join("no")).unwrap_err();
    assert!(matches!(error, Error::NoExperiment(_)));
    let error = AnalysisResult::load(AnalysisResult::profile_path(&directory)).unwrap_err();
    assert!(matches!(error, Error::NoExperiment(_)));
}

#[test]
fn a_summary_that_is_none() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("summary.json");
    // As earlier versions have written it: without a checksum, any of these would be a summary that
    // was changed.
    let right = serde_json::to_string_pretty(&sample().summary).unwrap();
    for (old, new, words) in [
        (
            "\"schema\": 1",
            "\"schema\": 2",
            "found schema 2, expected schema 1",
        ),
        ("\"schema\": 1", "\"schema\": -1", ":2 (byte 15)"),
        ("\"threads\": 2,", "", "threads"),
        ("1.6", "\"1.6\"", "invalid type"),
        ("\"load_balance\"", "load_balance", "key must be a string"),
    ] {
        let wrong = right.replacen(old, new, 1);
        assert_ne!(wrong, right);
        fs::write(&path, &wrong).unwrap();
        let message = read_summary(&path).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
        assert!(message.contains("summary.json:"), "{message}");
    }
    for length in (0..right.trim_end().len()).step_by(7) {
        fs::write(&path, &right.as_bytes()[..length]).unwrap();
        assert!(read_summary(&path).is_err());
    }
    // What a later version adds does not hurt.
    let more = right.replacen("\"schema\": 1", "\"schema\": 1, \"more\": [1]", 1);
    fs::write(&path, more).unwrap();
    assert_eq!(read_summary(&path).unwrap(), sample().summary);
}

#[test]
fn numbers_that_json_cannot_hold_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    type Damage = fn(&mut Summary);
    let damages: [Damage; 7] = [
        |s| s.wall_seconds = f64::NAN,
        |s| s.efficiency.load_balance = f64::INFINITY,
        |s| s.findings[0].percent = f64::NAN,
        |s| s.instances[0].worst.as_mut().unwrap().at_seconds = f64::NAN,
        |s| s.communication.as_mut().unwrap().pairs[0].flow.seconds = f64::NAN,
        |s| s.accesses.fine_grained[0].block.bytes_per_second = Some(f64::INFINITY),
        |s| s.accesses.wrong_side[0].data[0].percent = f64::NAN,
    ];
    for damage in damages {
        let mut result = sample();
        damage(&mut result.summary);
        let error = result.save(&directory).unwrap_err();
        let pgas_result::Error::File(error) = error else {
            panic!("{error}");
        };
        assert!(
            matches!(error, pgas_cube::Error::Unwritable { .. }),
            "{error}"
        );
        assert!(AnalysisResult::load(&directory).is_err());
    }
}
