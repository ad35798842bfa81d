//! The JSON report keeps its contract: the fields, the schema, and the values of the result bit for
//! bit.

mod common;

use std::path::Path;

use pgas_cube::model::{CallPathId, MetricId};
use pgas_report::json;
use pgas_result::AnalysisResult;
use serde_json::{Value, json};

fn parsed(result: &AnalysisResult) -> Value {
    serde_json::from_str(&json(result)).expect("JSON")
}

fn all() -> Vec<AnalysisResult> {
    vec![
        common::integer_sort(),
        common::balanced(4),
        common::killed(),
        common::balanced(1),
        common::many(),
        common::hostile(),
        common::tiny_functions(),
        common::without_trace(),
        common::neighbours(3),
        common::neighbours_on(2, 4),
        common::little_known(),
        common::several_nodes(),
        common::growing(),
        common::throttled_loop(),
        common::too_much_synchronization(),
        common::searched(),
        common::searched_only(),
    ]
}

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/report-1.json");
    let text = std::fs::read_to_string(&path).expect("the published schema");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn every_report_keeps_the_published_schema() {
    let schema = schema();
    jsonschema::meta::validate(&schema).expect("a JSON Schema");
    let validator = jsonschema::validator_for(&schema).expect("a JSON Schema");
    for result in all() {
        if let Err(error) = validator.validate(&parsed(&result)) {
            panic!("{}: {error}", error.instance_path);
        }
    }
}

#[test]
fn the_schema_refuses_what_is_not_a_report() {
    let validator = jsonschema::validator_for(&schema()).expect("a JSON Schema");
    let right = parsed(&common::integer_sort());
    type Damage = fn(&mut Value);
    let damages: [Damage; 15] = [
        |v| v["phases"] = json!([{ "iterations": 10 }]),
        |v| v["communication"] = json!({ "complete": true }),
        |v| {
            v["accesses"] =
                json!({ "fine_grained": [{}], "own_affinity": [], "wrong_side": [], "layout": [] })
        },
        |v| v["synchronization"] = json!({ "advice": [{ "kind": "weaker_entry" }] }),
        |v| v["clocks"] = json!({ "method": "linear" }),
        |v| v["recording"]["wait_states"] = json!("some"),
        |v| v["instructions_per_cycle"] = json!(1.5),
        |v| v["schema"] = json!(2),
        |v| v["threads"] = json!(0),
        |v| v["metrics"]["time"]["unit"] = json!("ms"),
        |v| v["metrics"]["time"]["per_thread"] = json!([]),
        |v| v["wall_seconds"] = json!(null),
        |v| v["findings"][0]["line"] = json!("441"),
        |v| drop(v["call_paths"][0].as_object_mut().unwrap().remove("region")),
        |v| drop(v.as_object_mut().unwrap().remove("findings")),
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        let mut wrong = right.clone();
        damage(&mut wrong);
        assert!(!validator.is_valid(&wrong), "damage {number}");
    }
}

#[test]
fn values_are_those_of_the_result() {
    for result in all() {
        let report = parsed(&result);
        let AnalysisResult { cube, summary } = &result;
        assert_eq!(report["schema"], json!(1));
        assert_eq!(report["program"], json!(summary.program));
        assert_eq!(report["arguments"], json!(summary.arguments));
        assert_eq!(report["threads"], json!(summary.threads));
        assert_eq!(report["wall_seconds"], json!(summary.wall_seconds));
        assert_eq!(report["remarks"], json!(summary.remarks));
        assert_eq!(report["efficiency"], json!(summary.efficiency));
        let mut findings = json!(summary.findings);
        for (value, finding) in findings
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .zip(&summary.findings)
        {
            value["name"] = json!(finding.name(cube));
        }
        assert_eq!(report["findings"], findings);
        assert_eq!(report["instances"], json!(summary.instances));
        assert_eq!(report["recording"], json!(summary.recording));
        assert_eq!(report["phases"], json!(summary.phases));
        assert_eq!(report["attributes"], json!(cube.attributes));

        let metrics = report["metrics"].as_object().unwrap();
        assert_eq!(metrics.len(), cube.metrics.len());
        for (index, metric) in cube.metrics.iter().enumerate() {
            let value = &metrics[&metric.unique_name];
            assert_eq!(value["per_thread"], json!(cube.per_thread(MetricId(index))));
            assert_eq!(value["total"], json!(cube.total(MetricId(index))));
            let parent = metric.parent.map(|p| &cube.metrics[p.0].unique_name);
            assert_eq!(value["parent"], json!(parent));
        }
        let call_paths = report["call_paths"].as_array().unwrap();
        assert_eq!(call_paths.len(), cube.call_paths.len());
        for (id, call_path) in cube.call_paths.iter().enumerate() {
            let value = &call_paths[id];
            assert_eq!(value["id"], json!(id));
            assert_eq!(value["parent"], json!(call_path.parent.map(|p| p.0)));
            assert_eq!(
                value["region"],
                json!(cube.regions[call_path.region.0].name)
            );
            assert_eq!(value["line"], json!(call_path.line));
            for (index, metric) in cube.metrics.iter().enumerate() {
                let row = cube
                    .row(MetricId(index), CallPathId(id))
                    .filter(|row| row.iter().any(|v| *v != 0.0));
                let printed = value["metrics"].get(&metric.unique_name);
                assert_eq!(printed, row.map(|row| json!(row)).as_ref());
            }
        }
    }
}

#[test]
fn the_contract_that_scripts_rely_on() {
    let report = parsed(&common::integer_sort());
    assert_eq!(report["metrics"]["wait_at_barrier"]["unit"], "s");
    assert_eq!(report["metrics"]["visits"]["unit"], "occ");
    assert_eq!(report["metrics"]["bytes_get"]["unit"], "bytes");
    let finding = &report["findings"][0];
    assert_eq!(finding["metric"], "wait_at_barrier");
    assert_eq!(finding["region"], "upc_barrier");
    assert_eq!(finding["file"], "is.c");
    assert_eq!(finding["line"], 441);
    assert!(
        finding["cause"]
            .as_str()
            .unwrap()
            .starts_with("Thread 3 came last")
    );
    assert!(finding["advice"].is_string());
    assert!(finding["seconds"].is_f64() && finding["percent"].is_f64());
    // computation + pgas + measurement = time, for each thread.
    for thread in 0..4 {
        let value = |metric: &str| {
            report["metrics"][metric]["per_thread"][thread]
                .as_f64()
                .unwrap()
        };
        let parts = value("computation") + value("pgas") + value("measurement");
        assert!((parts - value("time")).abs() < 1e-9);
    }
}

#[test]
fn instructions_per_cycle_are_there_where_both_were_counted() {
    let report = parsed(&common::tiny_functions());
    let ratio = &report["instructions_per_cycle"];
    let value = |metric: &str| report["metrics"][metric]["total"].as_f64().unwrap();
    let total = value("instructions") / value("cycles");
    assert_eq!(ratio["total"], json!(total));
    assert_eq!(ratio["per_thread"].as_array().unwrap().len(), 4);
    assert_eq!(
        report["recording"]["counters"],
        json!(["cycles", "instructions", "task-clock"])
    );
    assert_eq!(report["metrics"]["task-clock"]["unit"], "s");
    let without = parsed(&common::integer_sort());
    assert_eq!(without["instructions_per_cycle"], Value::Null);
}

#[test]
fn one_line_for_each_list() {
    let text = json(&common::many());
    let lists = text
        .lines()
        .filter(|line| line.contains("\"per_thread\": ["))
        .count();
    assert_eq!(lists, 23);
    assert!(
        text.lines()
            .all(|line| !line.contains("\"per_thread\": [") || line.contains(']'))
    );
    assert!(text.ends_with("}\n"));
}

#[test]
fn clocks_of_several_nodes_are_there_and_of_one_are_not() {
    let report = parsed(&common::several_nodes());
    let clocks = &report["clocks"];
    assert_eq!(clocks["nodes"][1]["uncertainty_seconds"], json!(1.4e-6));
    assert_eq!(clocks["nodes"][0].get("drift_ppm"), None);
    assert_eq!(clocks["violations"]["locks"], json!(1));
    assert_eq!(parsed(&common::balanced(4))["clocks"], json!(null));
}

#[test]
fn the_communication_matrix_and_advice_on_accesses_are_those_of_the_result() {
    let result = common::neighbours(3);
    let report = parsed(&result);
    let pairs = report["communication"]["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 9);
    let next = pairs
        .iter()
        .find(|pair| pair["thread"] == 2 && pair["owner"] == 0)
        .unwrap();
    assert_eq!(
        (&next["gets"], &next["get_bytes"], &next["put_bytes"]),
        (&json!(2000), &json!(16_000), &json!(0))
    );
    assert_eq!(report["communication"]["by_thread"][0]["gets"], 6800);
    let runs = &report["accesses"]["fine_grained"][0];
    assert_eq!(runs["threads"][0]["runs"], 4);
    assert_eq!(runs["block"]["source"], "fitted");
    assert_eq!(report["accesses"]["wrong_side"][0]["shift"], 1);
    assert_eq!(parsed(&common::balanced(4))["communication"], json!(null));
}
