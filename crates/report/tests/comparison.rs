//! The comparison of runs as text and JSON: what it says first, how it fits the terminal, and that
//! the JSON keeps its published schema.

mod common;

use std::path::Path;

use pgas_report::{TextOptions, comparison_json, comparison_text};
use pgas_result::AnalysisResult;
use pgas_result::comparison::{By, Comparison, Question, Run, compare};
use serde_json::{Value, json};

/// The run whose times are `factor` of what they were.
fn run(name: &str, result: &AnalysisResult, factor: f64) -> Run {
    let mut cube = result.cube.clone();
    let rows: Vec<_> = cube.rows().map(|(m, c, _)| (m, c)).collect();
    for (metric, path) in rows {
        for value in cube.row_mut(metric, path) {
            *value *= factor;
        }
    }
    let mut summary = result.summary.clone();
    summary.wall_seconds *= factor;
    for finding in &mut summary.findings {
        finding.seconds *= factor;
    }
    Run {
        name: name.into(),
        cube,
        summary: Some(summary),
        sources: None,
    }
}

fn compared(before: &[Run], after: &[Run], by: By, limits: &[&str]) -> Comparison {
    let question = Question {
        metric: "time".into(),
        by,
        limits: limits.iter().map(|limit| limit.parse().unwrap()).collect(),
    };
    compare(before, after, &question).expect("a comparison")
}

/// Three runs each; the later ones take a quarter longer.
fn repeated(by: By) -> Comparison {
    let result = common::integer_sort();
    let group = |name: &str, factor: f64| {
        [0.99, 1.0, 1.01].map(|noise| run(&format!("{name}-{noise}"), &result, factor * noise))
    };
    let limits = ["wall_time+10", "time+50", "visits+20"];
    compared(&group("old", 1.0), &group("new", 1.25), by, &limits)
}

fn single(result: &AnalysisResult) -> Comparison {
    let (before, after) = ([run("old", result, 1.0)], [run("new", result, 0.5)]);
    compared(&before, &after, By::Line, &["wall_time+10"])
}

fn all() -> Vec<Comparison> {
    let mut all = [By::Region, By::Line, By::CallPath, By::Thread]
        .map(repeated)
        .to_vec();
    for result in [
        common::integer_sort(),
        common::hostile(),
        common::killed(),
        common::many(),
    ] {
        all.push(single(&result));
    }
    let (few, many) = (common::balanced(2), common::balanced(4));
    let (before, after) = ([run("two", &few, 1.0)], [run("four", &many, 1.0)]);
    all.push(compared(&before, &after, By::Thread, &[]));
    all
}

fn plain(width: usize, unicode: bool) -> TextOptions {
    TextOptions {
        width,
        unicode,
        ..TextOptions::default()
    }
}

#[test]
fn the_first_lines_say_whether_it_became_faster() {
    let text = comparison_text(&repeated(By::Region), &plain(100, true), 5);
    let line = text
        .lines()
        .find(|line| line.starts_with("Run time"))
        .expect("a headline");
    assert!(
        line.contains("+25 % ± 2.6 %") && line.ends_with("worse"),
        "{line}"
    );
    assert!(text.contains("3 runs: old-0.99 to old-1.01"), "{text}");
    assert!(!text.contains("One run on a side"));
    let limit = |name: &str| {
        text.lines()
            .find(|line| line.trim().starts_with(name))
            .unwrap()
    };
    assert!(limit("wall_time").ends_with("EXCEEDED"));
    assert!(limit("time").ends_with("kept"));
    assert!(text.contains("TIME BY REGION") && text.contains("FINDINGS THAT STAY"));
}

#[test]
fn one_run_each_is_shown_without_a_verdict() {
    let comparison = single(&common::integer_sort());
    let text = comparison_text(&comparison, &plain(100, true), 5);
    assert!(
        text.contains("One run on a side does not tell how much times scatter"),
        "{text}"
    );
    assert!(text.contains("-50 %"));
    for word in ["better\n", "worse\n", "no change\n"] {
        assert!(!text.contains(word), "{word}{text}");
    }
}

#[test]
fn figures_of_any_size_stand_apart() {
    let result = common::integer_sort();
    for (before, after) in [(1.0, 3e3), (3e3, 1.0), (3e3, 7e3), (1.0, 3e9)] {
        let runs = [before, after].map(|factor| [run("a", &result, factor)]);
        let comparison = compared(&runs[0], &runs[1], By::Region, &[]);
        let text = comparison_text(&comparison, &plain(100, true), 5);
        let visits = text.lines().find(|line| line.starts_with("  Visits"));
        let visits = visits.expect("a line with visits");
        let mut pairs = visits.as_bytes().windows(2);
        let touch = |pair: &[u8]| pair[0] != b' ' && b"+-".contains(&pair[1]);
        assert!(!pairs.any(touch), "{visits}");
    }
}

#[test]
fn lines_fit_and_names_do_not_act_on_the_terminal() {
    for comparison in all() {
        for (width, unicode) in [(80, true), (100, false), (120, true)] {
            let text = comparison_text(&comparison, &plain(width, unicode), 30);
            for line in text.lines() {
                assert!(pgas_report::names::width(line) <= width, "{width}: {line}");
                assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
            }
        }
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    let comparison = repeated(By::CallPath);
    let coloured = TextOptions {
        color: true,
        ..plain(100, true)
    };
    let coloured = comparison_text(&comparison, &coloured, 5);
    assert!(
        coloured.contains("\u{1b}[31") || coloured.contains(";31m"),
        "worse is red"
    );
    let mut bare = String::new();
    let mut inside = false;
    for c in coloured.chars() {
        match c {
            '\u{1b}' => inside = true,
            'm' if inside => inside = false,
            _ if !inside => bare.push(c),
            _ => {}
        }
    }
    assert_eq!(bare, comparison_text(&comparison, &plain(100, true), 5));
}

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/diff-1.json");
    let text = std::fs::read_to_string(&path).expect("the published schema");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn every_comparison_keeps_the_published_schema() {
    let schema = schema();
    jsonschema::meta::validate(&schema).expect("a JSON Schema");
    let validator = jsonschema::validator_for(&schema).expect("a JSON Schema");
    for comparison in all() {
        let value: Value = serde_json::from_str(&comparison_json(&comparison, None)).unwrap();
        if let Err(error) = validator.validate(&value) {
            panic!("{}: {error}", error.instance_path);
        }
        // The schema says all that is there.
        let known = schema["properties"].as_object().unwrap();
        for name in value.as_object().unwrap().keys() {
            assert!(known.contains_key(name), "{name} is not in the schema");
        }
    }
}

#[test]
fn the_schema_refuses_what_is_not_a_comparison() {
    let validator = jsonschema::validator_for(&schema()).expect("a JSON Schema");
    let right: Value = serde_json::from_str(&comparison_json(&repeated(By::Line), None)).unwrap();
    type Damage = fn(&mut Value);
    let damages: [Damage; 7] = [
        |v| v["schema"] = json!(2),
        |v| v["wall_seconds"]["verdict"] = json!("fine"),
        |v| v["wall_seconds"]["interval"] = json!([1.0]),
        |v| v["limits"][0]["result"] = json!(true),
        |v| v["by"] = json!("function"),
        |v| v["before"]["runs"] = json!([]),
        |v| {
            v["places"][0].as_object_mut().unwrap().remove("change");
        },
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        let mut wrong = right.clone();
        damage(&mut wrong);
        assert!(validator.validate(&wrong).is_err(), "damage {number}");
    }
}

#[test]
fn figures_in_json_are_those_of_the_runs() {
    let comparison = repeated(By::Line);
    let value: Value = serde_json::from_str(&comparison_json(&comparison, Some(1))).unwrap();
    assert_eq!(value["places"].as_array().unwrap().len(), 1);
    assert!(value["places_in_all"].as_u64().unwrap() > 1);
    assert_eq!(value["regression"], json!(true));
    let wall = &value["wall_seconds"];
    assert_eq!(wall["before_runs"].as_array().unwrap().len(), 3);
    let (low, high) = (
        wall["interval"][0].as_f64().unwrap(),
        wall["interval"][1].as_f64().unwrap(),
    );
    let change = wall["change"].as_f64().unwrap();
    assert!(low < change && change < high && low > 0.0);
}
