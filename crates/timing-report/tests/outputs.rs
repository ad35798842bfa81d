//! Forms of a result: tables, CSV, JSON, plots, the page, models.

mod common;

use common::{results, timing};
use pgas_timing_report::results::Results;
use pgas_timing_report::text::{self, Table};
use pgas_timing_report::{csv, json, models, page, plots};

#[test]
fn rows_of_one_operation_have_one_header() {
    let mut table = Table::new(100, true, false);
    let first = table.row(&timing("upc_all_broadcast", Some(1024), 4, 1.25e-6, 1));
    let second = table.row(&timing("upc_all_broadcast", Some(8), 4, 1.25e-6, 2));
    assert!(
        first.starts_with("upc_all_broadcast root=0\nthreads       size"),
        "{first}"
    );
    assert_eq!(second.lines().count(), 1);
    assert!(
        second.contains("8 bytes") && second.contains("1.25 us"),
        "{second}"
    );
    let other = table.row(&timing("upc_barrier", None, 4, 1e-6, 3));
    assert!(other.starts_with("\nupc_barrier root=0\n"), "{other}");
}

#[test]
fn lines_keep_within_the_width_and_are_aligned() {
    for width in [40, 60, 80, 100] {
        let mut table = Table::new(width, false, true);
        let text = table.row(&timing("upc_barrier", Some(1000), 4, 0.123, 4));
        let lengths: Vec<usize> = text
            .lines()
            .skip(1)
            .map(|line| line.chars().count())
            .collect();
        assert!(
            lengths
                .iter()
                .all(|length| *length == lengths[0] && *length <= width),
            "{text}"
        );
        assert!(text.contains("mean") && text.contains("#3"), "{text}");
    }
    let mut widest = Table::new(100, false, false);
    let text = widest.row(&timing("upc_barrier", None, 4, 1e-6, 5));
    for column in [
        "launches", "correct", "kept", "mean", "SE", "min", "max", "E", "from", "to",
    ] {
        assert!(text.contains(column), "{column}: {text}");
    }
}

#[test]
fn csv_has_a_row_for_each_timing() {
    let results = results(1.0, 1);
    let text = csv::write(&results);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), results.timings().count());
    let headers = reader.headers().unwrap();
    let at = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let first = results.timings().next().unwrap();
    assert_eq!(&rows[0][at("operation")], "upc_barrier");
    assert_eq!(
        rows[0][at("mean")].parse::<f64>().unwrap(),
        first.summary.mean
    );
    assert_eq!(&rows[0][at("bytes")], "");
}

#[test]
fn a_written_result_is_read_as_it_was() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("result.json");
    let results = results(1.0, 1);
    results.write(&path).unwrap();
    assert!(Results::read(&path).unwrap() == results);
}

#[test]
fn files_follow_the_schema() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/schema/timing-1.json"
    );
    let schema: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document: serde_json::Value = serde_json::from_str(&json::write(&results(1.0, 1))).unwrap();
    let problems: Vec<String> = validator
        .iter_errors(&document)
        .map(|e| format!("{} {e}", e.instance_path))
        .collect();
    assert!(problems.is_empty(), "{problems:#?}");
    // The schema knows each field, and demands those that are always there.
    let mut renamed = document.clone();
    let timing = renamed["runs"][0]["timings"][0].as_object_mut().unwrap();
    let mean = timing.remove("summary").unwrap();
    timing.insert("sumary".into(), mean);
    assert!(!validator.is_valid(&renamed));
}

#[test]
fn what_is_no_result_is_refused_with_the_place() {
    let good = json::write(&results(1.0, 1));
    let error = |text: &str| Results::parse(text, "a.json").unwrap_err().to_string();
    let problem = error("{\n\"schema\": 1,\n\"written_by\": 3");
    assert!(
        problem.starts_with("a.json is no result of `pgastool time`: "),
        "{problem}"
    );
    assert!(problem.contains("line 3"), "{problem}");
    let typed = error(&good.replacen("\"threads\": 2", "\"threads\": \"two\"", 1));
    assert!(
        typed.contains("invalid type: string \"two\", expected u32 at line"),
        "{typed}"
    );
    let version = error(&good.replacen("\"schema\": 1", "\"schema\": 7", 1));
    assert_eq!(
        version,
        "a.json has format 7; this version of pgastool reads format 1"
    );
    let mut wrong = results(1.0, 1);
    wrong.runs[1].timings[2].summary.mean = -1.0;
    let negative = error(&json::write(&wrong));
    let field =
        "runs[1].timings[2].summary.mean: found -1, expected a number of seconds, 0 or more";
    assert!(negative.ends_with(field), "{negative}");
    let mut wrong = results(1.0, 1);
    wrong.runs[0].start.as_mut().unwrap().nodes[1] = 9;
    let node = error(&json::write(&wrong));
    assert!(
        node.ends_with("runs[0].start.nodes: found 9, expected below 2, the number of hosts"),
        "{node}"
    );
}

#[test]
fn models_say_what_the_times_follow() {
    let results = results(1.0, 1);
    let models = models::models(&results);
    let text = text::closing(&results, true);
    let broadcast = models.over_size.iter().find(|m| m.threads == 2).unwrap();
    let (low, high) = broadcast.fit.slope_interval(0.95);
    assert!(low < 1.1e-10 && 1.1e-10 < high, "{broadcast:?}");
    let (low, high) = broadcast.fit.constant_interval(0.95);
    assert!(low < 1.2e-6 && 1.2e-6 < high, "{broadcast:?}");
    assert!(
        text.contains("upc_all_broadcast root=0, 2 threads: 1."),
        "{text}"
    );
    assert!(text.contains(" us + 0.110 ns/byte (error "), "{text}");
    assert!(
        text.contains("upc_barrier root=0, n threads: ") && text.contains(" log2 n (error "),
        "{text}"
    );
}

#[test]
fn plots_are_xml_with_words_and_unique_names() {
    let plots = plots::all(&results(1.0, 1)).unwrap();
    let names: std::collections::BTreeSet<&str> =
        plots.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(names.len(), plots.len());
    for kind in [
        "size-upc_all_broadcast",
        "threads-upc_barrier",
        "by-thread-",
        "launches-",
        "timer",
    ] {
        assert!(
            names
                .iter()
                .any(|name| name.starts_with(kind) && !name.ends_with('-')),
            "{kind}: {names:?}"
        );
    }
    for plot in &plots {
        let mut reader = quick_xml::Reader::from_str(&plot.svg);
        let mut texts = 0;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Text(_) => texts += 1,
                _ => {}
            }
        }
        assert!(texts > 10, "{}", plot.name);
        assert!(
            plot.svg.contains("<title ") && plot.svg.contains("<desc "),
            "{}",
            plot.name
        );
        assert!(
            !plot.svg.contains("NaN") && !plot.svg.contains("inf"),
            "{}",
            plot.name
        );
    }
}

#[test]
fn the_page_has_all_and_needs_nothing_else() {
    let page = page::write(&results(1.0, 1)).unwrap();
    for text in [
        "<h2>upc_barrier root=0</h2>",
        "<h2>Models</h2>",
        "<h2>Timer</h2>",
        "<h2>Clocks</h2>",
        "16 threads share cores",
        "the driver &lt;ended&gt; early",
        "<summary>By thread</summary>",
        "80 % hidden behind 3.00 µs of computation",
    ] {
        assert!(page.contains(text), "{text}");
    }
    for outside in ["src=", "http-equiv", "@import", "url(", "<script", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    if let Ok(path) = std::env::var("KEEP_PAGE") {
        std::fs::write(path, page).unwrap();
    }
}

#[test]
fn an_empty_result_has_a_page_and_no_plots() {
    let mut empty = results(1.0, 1);
    empty.runs.clear();
    assert!(plots::all(&empty).unwrap().is_empty());
    assert!(
        page::write(&empty)
            .unwrap()
            .contains("<h1>Times of PGAS operations</h1>")
    );
    assert_eq!(text::results(&empty, 80, true, false), "");
    assert_eq!(csv::write(&empty).lines().count(), 1);
}

/// The fuzzer begins with it.
#[test]
fn the_sample_of_the_fuzzer_can_be_read() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fuzz/corpus/read_results/small.json"
    );
    let sample = Results::read(std::path::Path::new(path)).unwrap();
    assert!(sample.timings().count() > 2);
    let page = page::write(&sample).unwrap();
    assert!(page.contains("by thread") && page.contains("launches of one stage"));
}
