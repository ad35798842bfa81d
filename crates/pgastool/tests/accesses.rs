//! Advice on single accesses, from real programs: what is wrong is said at the right line, what is
//! right is not mentioned.

mod measured;

use std::path::{Path, PathBuf};

use measured::{EACH_AN_EVENT, Measured, measure_with, pgastool, succeed};
use serde_json::Value;

const ADDRESSES: (&str, &str) = ("PGAS_ADDRESSES", "1");

fn source(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accesses");
    folder.join(name)
}

/// The line of a source that has a comment with this word.
fn line(name: &str, word: &str) -> u64 {
    let text = std::fs::read_to_string(source(name)).expect("the source");
    let marker = format!("/* {word} */");
    let at = text.lines().position(|line| line.contains(&marker));
    at.unwrap_or_else(|| panic!("no {marker} in {name}")) as u64 + 1
}

/// Compiles, runs and analyses a program.
fn measure(
    name: &str,
    options: &[&str],
    environment: &[(&str, &str)],
    arguments: &[&str],
    threads: u32,
) -> Measured {
    let folder = tempfile::tempdir().expect("a folder");
    let mut compile = pgastool(folder.path());
    compile
        .args(["compile", "--upcc", "embedded"])
        .args(EACH_AN_EVENT)
        .args(options)
        .args(["-O2", "-o", "prog"])
        .arg(source(name));
    succeed(&mut compile);
    let program = folder.path().join("prog");
    measure_with(
        environment,
        folder.path(),
        &program,
        arguments,
        threads,
        "e",
    )
}

/// Findings on one-sided operations at a line.
fn findings(run: &Measured, line: u64) -> Vec<&Value> {
    let all = run.report["findings"].as_array().expect("findings");
    all.iter()
        .filter(|finding| finding["metric"] == "one_sided" && finding["line"] == line)
        .collect()
}

fn only<'a>(run: &'a Measured, kind: &str, line: u64) -> &'a Value {
    let found = findings(run, line);
    assert!(
        found.len() == 1 && found[0]["kind"] == kind,
        "expected one finding of kind {kind} at line {line}: {:#}",
        run.report["findings"]
    );
    found[0]
}

/// Entries of `accesses` of one kind at a line.
fn entries<'a>(run: &'a Measured, kind: &str, line: u64) -> Vec<&'a Value> {
    let call_paths = run.report["call_paths"].as_array().expect("call paths");
    let all = run.report["accesses"][kind].as_array().expect("a list");
    let at = |entry: &&Value| {
        let path = entry["call_path"].as_u64().expect("a number") as usize;
        call_paths[path]["line"] == line
    };
    all.iter().filter(at).collect()
}

fn sum(entry: &Value, field: &str) -> u64 {
    let threads = entry["threads"].as_array().expect("threads");
    threads
        .iter()
        .map(|t| t[field].as_u64().expect("a number"))
        .sum()
}

fn has(finding: &Value, field: &str, words: &str) {
    let text = finding[field].as_str().expect("text");
    assert!(text.contains(words), "'{words}' is not in: {text}");
}

const RUNS: &str = "runs.upc";

#[test]
fn runs_of_small_accesses_are_found_at_their_lines() {
    let run = measure(RUNS, &[], &[ADDRESSES], &[], 2);
    let at = |word| line(RUNS, word);
    let runs = |word| {
        let found = entries(&run, "fine_grained", at(word));
        assert_eq!(found.len(), 1, "{word}: {:#}", run.report["accesses"]);
        (
            sum(found[0], "runs"),
            sum(found[0], "accesses"),
            found[0]["stride"].clone(),
        )
    };
    // Both threads read 4000 elements, one after the other.
    assert_eq!(runs("READ"), (2, 8000, Value::Null));
    assert_eq!(runs("PRODUCT"), (4, 16_000, Value::Null));
    assert_eq!(runs("COLUMN"), (80, 8000, Value::from(40 * 8)));
    assert_eq!(runs("WRITE"), (2, 8000, Value::Null));
    for (kind, word) in [("fine_grained", "RANDOM"), ("fine_grained", "BLOCK")] {
        let found = entries(&run, kind, at(word));
        assert!(found.is_empty(), "{word}: {found:#?}");
    }

    let read = only(&run, "fine_grained", at("READ"));
    has(read, "cause", "8000 reads of 8 bytes each form 2 runs");
    has(
        read,
        "advice",
        "one upc_memget into private memory before the loop around line",
    );
    has(read, "advice", "in read_elements");
    assert!(
        !read["cause"].as_str().unwrap().contains("assumed"),
        "{read:#}"
    );
    let write = only(&run, "fine_grained", at("WRITE"));
    has(write, "advice", "one upc_memput after the loop around line");
    for finding in [read, write] {
        let saves = finding["saves_seconds"].as_f64().expect("a bound");
        assert!(
            saves > 0.0 && saves <= finding["seconds"].as_f64().unwrap(),
            "{finding:#}"
        );
    }
    // Random reads cost, too, but no block would replace them.
    for word in ["RANDOM", "BLOCK"] {
        for finding in findings(&run, at(word)) {
            assert_ne!(finding["kind"], "fine_grained", "{finding:#}");
        }
    }
    // The program's own upc_memget say what a block costs, unless something disturbed them very
    // much.
    let read = entries(&run, "fine_grained", at("READ"))[0];
    assert_ne!(read["block"]["source"], "assumed", "{read:#}");
}

/// Samples of addresses, which are always taken, show that the elements lie side by side.
#[test]
fn without_addresses_samples_show_what_lies_side_by_side() {
    let run = measure(RUNS, &[], &[], &[], 2);
    let read = only(&run, "fine_grained", line(RUNS, "READ"));
    has(read, "cause", "that lies side by side");
    has(read, "advice", "one upc_memget into private memory");
}

const OWN: &str = "own_part.upc";

#[test]
fn own_data_behind_pointers_to_shared_is_found_if_it_was_recorded() {
    let run = measure(OWN, &["--inst-local"], &[], &[], 2);
    let shared = line(OWN, "SHARED");
    let finding = only(&run, "own_affinity", shared);
    has(finding, "cause", "40000 accesses");
    has(
        finding,
        "advice",
        "Cast the pointer-to-shared to a pointer to private",
    );
    let own = entries(&run, "own_affinity", shared);
    assert_eq!((own.len(), sum(own[0], "accesses")), (1, 40_000));
    assert!(findings(&run, line(OWN, "PRIVATE")).is_empty());

    // Unless asked for, one's own accesses are not recorded.
    let run = measure(OWN, &[], &[], &[], 2);
    assert!(findings(&run, shared).is_empty());
}

const LAYOUT: &str = "layout.upc";

#[test]
fn data_on_the_wrong_side_is_found_with_its_shift_or_its_only_user() {
    let run = measure(LAYOUT, &[], &[ADDRESSES], &["s"], 3);
    let side = entries(&run, "wrong_side", line(LAYOUT, "SHIFTED"));
    assert_eq!(side.len(), 1, "{:#}", run.report["accesses"]);
    assert_eq!(side[0]["shift"], 1);
    let users: Vec<_> = side[0]["data"].as_array().unwrap().iter().collect();
    let pairs: Vec<_> = users
        .iter()
        .map(|d| (d["owner"].as_u64(), d["thread"].as_u64()))
        .collect();
    assert_eq!(
        pairs,
        [(Some(0), Some(2)), (Some(1), Some(0)), (Some(2), Some(1))]
    );
    let finding = only(&run, "fine_grained", line(LAYOUT, "SHIFTED"));
    has(
        finding,
        "cause",
        "3 threads each use the data of the thread after it (number + 1)",
    );

    let run = measure(LAYOUT, &[], &[], &["g"], 3);
    let side = entries(&run, "wrong_side", line(LAYOUT, "GATHERED"));
    assert_eq!(side.len(), 1, "{:#}", run.report["accesses"]);
    assert_eq!(side[0]["shift"], Value::Null);
    has(
        findings(&run, line(LAYOUT, "GATHERED"))[0],
        "cause",
        "Thread 0 alone uses the data of 2 others",
    );

    // Each thread's data is used by both neighbours: it lies where it should.
    let run = measure(LAYOUT, &[], &[], &["h"], 3);
    let sides = run.report["accesses"]["wrong_side"].as_array().unwrap();
    assert!(sides.is_empty(), "{sides:#?}");
}

#[test]
fn a_block_size_that_does_not_fit_the_loop_is_found() {
    for (argument, word, used) in [("p", "PIECE", "in_pieces"), ("t", "TURN", "in_turn")] {
        let run = measure(LAYOUT, &[], &[ADDRESSES], &[argument], 3);
        let layouts = entries(&run, "layout", line(LAYOUT, word));
        assert_eq!(layouts.len(), 1, "{word}: {:#}", run.report["accesses"]);
        assert_eq!(layouts[0]["used"], used);
        let finding = findings(&run, line(LAYOUT, word))[0];
        // With one block for each thread, or with block size 1.
        let better = match argument {
            "p" => "Declare dealt_out with one block for each thread",
            _ => "Declare in_blocks with block size 1",
        };
        has(finding, "advice", better);
    }
}

#[test]
fn the_communication_matrix_counts_every_access() {
    let run = measure(LAYOUT, &[], &[], &["s"], 3);
    let communication = &run.report["communication"];
    let pairs: Vec<_> = communication["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|pair| pair["thread"] != pair["owner"] && pair["puts"].as_u64() > Some(0))
        .map(|pair| {
            (
                pair["thread"].as_u64().unwrap(),
                pair["owner"].as_u64().unwrap(),
                pair["puts"].as_u64().unwrap(),
                pair["put_bytes"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        pairs,
        [
            (0, 1, 3000, 24_000),
            (1, 2, 3000, 24_000),
            (2, 0, 3000, 24_000)
        ]
    );
    // With sums alone, the same.
    let summed = measure(LAYOUT, &[], &[("PGAS_MODE", "profile")], &["s"], 3);
    let puts = |run: &Measured| -> Vec<Value> {
        run.report["communication"]["by_owner"]
            .as_array()
            .unwrap()
            .iter()
            .map(|flow| flow["put_bytes"].clone())
            .collect()
    };
    assert_eq!(summed.report["recording"]["wait_states"], "none");
    assert_eq!(puts(&summed), puts(&run));
}
