//! The report for a terminal: whole reports as snapshots, and rules that hold for all of them.

mod common;

use pgas_report::{TextOptions, text};
use pgas_result::AnalysisResult;
use unicode_width::UnicodeWidthStr;

fn plain(result: &AnalysisResult) -> String {
    text(result, &TextOptions::default())
}

fn all() -> Vec<(&'static str, AnalysisResult)> {
    vec![
        ("integer_sort", common::integer_sort()),
        ("balanced", common::balanced(4)),
        ("killed", common::killed()),
        ("single", common::balanced(1)),
        ("many", common::many()),
        ("hostile", common::hostile()),
        ("tiny_functions", common::tiny_functions()),
        ("without_trace", common::without_trace()),
        ("neighbours", common::neighbours(4)),
        ("pair", common::neighbours(2)),
        ("neighbours_many", common::neighbours(40)),
        (
            "too_much_synchronization",
            common::too_much_synchronization(),
        ),
        ("two_nodes", common::neighbours_on(2, 4)),
        ("four_nodes", common::neighbours_on(4, 8)),
        ("many_nodes", common::neighbours_on(20, 60)),
        ("little_known", common::little_known()),
        ("growing", common::growing()),
        ("throttled_loop", common::throttled_loop()),
        ("searched", common::searched()),
    ]
}

#[test]
fn snapshots() {
    for (name, result) in all() {
        insta::assert_snapshot!(name, plain(&result));
    }
}

/// Reports of the same runs, as if their programs were of this model. The sentences of a summary
/// are in the words that its analysis gave them.
fn of_model(model: &str) -> Vec<(&'static str, String)> {
    let report = |(name, mut result): (&'static str, AnalysisResult)| {
        let summary = &mut result.summary;
        summary.models = vec![model.to_owned()];
        summary.remarks.clear();
        summary.synchronization = None;
        for finding in &mut summary.findings {
            (finding.cause, finding.advice) = ("...".to_owned(), "...".to_owned());
        }
        for finding in &mut summary.live_findings {
            finding.text = "...".to_owned();
        }
        (name, plain(&result))
    };
    all().into_iter().map(report).collect()
}

#[test]
fn threads_are_called_as_in_the_model() {
    for (name, report) in of_model("openshmem") {
        let words = report.split(|c: char| !c.is_alphanumeric());
        let foreign = words.map(str::to_lowercase);
        let foreign = foreign.filter(|word| ["thread", "threads"].contains(&word.as_str()));
        assert_eq!(foreign.collect::<Vec<_>>(), [""; 0], "{name}: {report}");
        assert!(!report.contains(" in UPC"), "{name}: {report}");
    }
    let images = of_model("coarrays");
    let report = |name: &str| &images.iter().find(|(known, _)| *known == name).unwrap().1;
    let neighbours = report("neighbours");
    assert!(
        neighbours.contains("image 4 with data of image 1"),
        "{neighbours}"
    );
    assert!(neighbours.contains("  image 1  █"), "{neighbours}");
    assert!(!neighbours.contains("image 0"), "{neighbours}");
    assert!(
        report("neighbours_many").contains("  images 37–39 "),
        "{}",
        report("neighbours_many")
    );
}

#[test]
fn in_ascii() {
    let options = TextOptions {
        unicode: false,
        ..TextOptions::default()
    };
    let report = text(&common::integer_sort(), &options);
    assert!(report.is_ascii(), "{report}");
    insta::assert_snapshot!("integer_sort_ascii", report);
    assert!(text(&common::growing(), &options).is_ascii());
}

/// Without escape sequences for colour.
fn uncoloured(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        out.push_str(&rest[..at]);
        let end = rest[at..].find('m').expect("the end of an escape sequence");
        rest = &rest[at + end + 1..];
    }
    out + rest
}

#[test]
fn colour_changes_nothing_but_colour() {
    for (name, result) in all() {
        let coloured = text(
            &result,
            &TextOptions {
                color: true,
                ..TextOptions::default()
            },
        );
        assert!(coloured.contains("\x1b["), "{name}");
        assert_eq!(uncoloured(&coloured), plain(&result), "{name}");
    }
}

#[test]
fn every_line_fits_at_every_width() {
    for (name, result) in all() {
        for width in [0, 60, 61, 72, 80, 100, 120, 500] {
            for unicode in [true, false] {
                let options = TextOptions {
                    experiment: Some(format!("/scratch/{}", "a long name ".repeat(width / 20))),
                    color: false,
                    unicode,
                    width,
                };
                for line in text(&result, &options).lines() {
                    let columns = line.width();
                    let limit = width.clamp(60, 120);
                    assert!(
                        columns <= limit,
                        "{name} at {width}: {columns} columns: {line}"
                    );
                    assert_eq!(line, line.trim_end(), "{name}");
                }
            }
        }
    }
}

#[test]
fn a_terminal_obeys_nothing_from_the_program() {
    let report = plain(&common::hostile());
    let suspicious = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert_eq!(report.chars().find(|c| suspicious(*c)), None);
    // Names of different ends stay different.
    assert!(report.contains("_11"), "{report}");
}

#[test]
fn the_five_most_expensive_findings_in_order() {
    let result = common::integer_sort();
    let report = plain(&result);
    let places: Vec<_> = ["is.c:441", "is.c:458", "is.c:398", "is.c:405", "is.c:544"]
        .map(|place| format!(", {place}\n"))
        .iter()
        .map(|place| report.find(place).expect("a place"))
        .collect();
    assert!(places.is_sorted());
    assert!(!report.contains(", is.c:472"), "the sixth is not shown");
    for finding in &result.summary.findings[..5] {
        for sentence in [&finding.cause, &finding.advice] {
            let first: Vec<_> = sentence.split(' ').take(5).collect();
            assert!(report.contains(&first.join(" ")), "{sentence}");
        }
    }
    assert!(report.contains("thread 3, 10 of 11 times\n"));
    assert!(report.contains(
        "11: median 104 ms, worst 142 ms summed over threads (longest 49.0 ms on thread 0),"
    ));
    // Of a summary without a distribution.
    assert!(report.contains("worst: 19.0 ms lost summed over threads (longest 8.00 ms"));
}

#[test]
fn odd_results_are_reported_too() {
    // A profile without time, names, findings or efficiency.
    let mut result = common::balanced(2);
    result.cube = pgas_cube::model::Cube::default();
    result.summary.efficiency.load_balance = f64::NAN;
    result.summary.efficiency.parallel_efficiency = -1.0;
    result.summary.wall_seconds = f64::INFINITY;
    let report = plain(&result);
    assert!(report.contains("HOW EFFICIENT"));

    // Statistics that name a thread beyond the list, and a metric that the cube does not have.
    let mut result = common::integer_sort();
    result.summary.instances[0].last_counts.clear();
    result.summary.findings[0].metric = "unknown".into();
    result.summary.findings[1].file.clear();
    result.summary.findings[1].function.clear();
    let report = plain(&result);
    assert!(report.contains("unknown"));
    assert!(report.contains("where       upc_memget\n"), "{report}");
}

#[test]
fn the_cube_file_obeys_the_rules() {
    for (name, result) in all() {
        let file = pgas_report::cube(&result).unwrap();
        pgas_cube::cube3::check(file.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn findings_at_one_place_are_distinguished_by_their_callers() {
    let mut result = common::integer_sort();
    assert!(!plain(&result).contains("called as"));
    let first = result.summary.findings[0].clone();
    let mut twin = first.clone();
    twin.call_path = 0;
    result.summary.findings.insert(1, twin);
    let report = plain(&result);
    assert_eq!(report.matches("called as").count(), 2, "{report}");
    let region = &result.cube.regions[result.cube.call_paths[first.call_path].region.0].name;
    assert!(report.contains(&format!("> {region}\n")), "{report}");
}

#[test]
fn what_recording_cost_is_told_and_what_to_do() {
    let mut result = common::tiny_functions();
    let report = plain(&result);
    assert!(report.contains("pgastool score DIR"), "{report}");
    let line = report
        .lines()
        .find(|line| line.contains("randlc") && line.contains("calls"));
    assert!(line.unwrap().contains("47.6 million calls"), "{report}");
    // 1.604 events, each of the two counters divided.
    assert!(report.contains("1.60 million events"), "{report}");
    assert!(report.contains("instructions per cycle"), "{report}");

    result.summary.recording.cost.as_mut().unwrap().percent = 0.4;
    assert!(!plain(&result).contains("pgastool score"));
    result.summary.recording.throttled.clear();
    result.summary.recording.cost = None;
    assert!(!plain(&result).contains("RECORDING"));
}

#[test]
fn without_trace_there_are_no_figures_of_waiting() {
    let report = plain(&common::without_trace());
    let after_remarks = &report[report.find("HOW EFFICIENT").unwrap()..];
    let waiting = after_remarks
        .lines()
        .filter(|line| line.contains("waiting"));
    let waiting: Vec<_> = waiting.collect();
    assert!(
        waiting.iter().all(|line| line.contains("--profile")),
        "{waiting:?}"
    );
}

#[test]
fn runs_on_several_nodes_say_how_well_their_clocks_compare() {
    let mut result = common::several_nodes();
    let report = plain(&result);
    assert!(report.contains("on 2 nodes"), "{report}");
    let line = "clocks of nodes known to ±1.40 µs; 2.0 % of the waiting is below that; 4 effects \
                before their causes\n";
    assert!(report.contains(line), "{report}");
    let clocks = result.summary.clocks.as_mut().expect("clocks");
    clocks.nodes[1].uncertainty_seconds = None;
    let report = plain(&result);
    assert!(
        report.contains("clocks of nodes not all compared;"),
        "{report}"
    );
    assert!(!plain(&common::balanced(4)).contains("clocks"));
}

#[test]
fn iterations_say_what_grows_and_with_which_thread() {
    let report = plain(&common::growing());
    for line in [
        "Loop in main() with rank(): 200 iterations of 5.00 ms, 85 % of the run",
        "The imbalance grows most with thread 3, in rank: 31 % of it at first, 98 % at the end.",
        "The first 2 iterations take 6.12 times as long as the others.",
        "Every 10th iteration, from number 10 on, takes 1.84 times as long as the others.",
        "Much longer than others: number 57 took 28.0 ms, 400 ms into the run.",
    ] {
        assert!(report.contains(line), "no '{line}' in\n{report}");
    }
    // A barrier that is all waiting is shown once.
    let (_, section) = report.split_once("ITERATIONS").unwrap();
    let (section, _) = section.split_once("LOAD PER THREAD").unwrap();
    assert!(section.contains("    Wait at barrier"), "{section}");
    assert!(!section.contains("    Barrier "), "{section}");
    assert!(!plain(&common::integer_sort()).contains("ITERATIONS"));
}

/// A gap in the recording is no zero and no trend: its curve stops at a mark, and a sentence says
/// why.
#[test]
fn a_curve_stops_where_its_recording_does() {
    let report = plain(&common::throttled_loop());
    let iterations = report.split("\nITERATIONS ").nth(1).expect("a section");
    let row = |name: &str| {
        let rows = iterations.lines().filter(|line| line.starts_with("    "));
        let mut rows = rows.filter(|line| line.trim_start().starts_with(name));
        rows.next()
            .unwrap_or_else(|| panic!("no {name} in\n{report}"))
    };
    let computation = row("Computation");
    assert!(computation.contains('┊'), "{computation}");
    assert!(computation.ends_with("up to iteration 74"), "{computation}");
    assert!(!row("Duration").contains('┊'));
    let words: Vec<&str> = report.split_whitespace().collect();
    let words = words.join(" ");
    for sentence in [
        "Throttled: calls of upc_get (is.c:77) are missing from 500 ms into the run on, and their \
         time is in their callers'. Load imbalance, Computation, One-sided: shown up to iteration \
         74.",
        "Recording was off after iteration 20, 200 ms into the run: what came until 250 ms is not \
         counted.",
        "The trace ends 1.10 s into the run: iterations after number 200 are not known.",
    ] {
        assert!(words.contains(sentence), "no '{sentence}' in\n{report}");
    }
}
