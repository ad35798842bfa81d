//! Names in results and reports are those of the program's model, where its compiler is installed:
//! PEs of OpenSHMEM, images of coarrays, threads of UPC.

use crate::bench::{Bench, Told, contains, keeps_schema, last_line};
use crate::models::runs;
use crate::mpi::CONTAINER;
use pgas_cube::read_any;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A copy of an example of this repository; `None` where its programs do not run.
fn example(compiler: &str, folder: &str, name: &str) -> Option<Bench> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let bench = Bench::new();
    bench.write(name, fs::read(examples.join(folder).join(name)).unwrap());
    runs(&bench, compiler, name).then_some(bench)
}

/// Compiles and measures the program on four processes, and returns the messages of its analysis.
fn measured(bench: &Bench, compiler: &str, source: &str) -> String {
    bench.ok(&["compile", compiler, "-O2", "-o", "program", source]);
    let mut command = bench.command(&["run", "-n", "4", "-o", "measured", "./program"]);
    let told = Told::of(command.envs(CONTAINER));
    assert_eq!(told.status, Some(0), "{told:?}");
    let told = bench.told(&["analyze", "measured"]);
    assert_eq!(told.status, Some(0), "{told:?}");
    told.err
}

/// Words of a text, without signs around them.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.map(str::to_lowercase).collect()
}

/// That a text speaks of no thread and names nothing of UPC.
fn is_of_another_model(text: &str) {
    let words = words(text);
    assert!(
        !words.contains("thread") && !words.contains("threads"),
        "{text}"
    );
    let of_upc = words.iter().find(|word| word.starts_with("upc"));
    assert_eq!(of_upc, None, "{text}");
}

/// All texts of a report as JSON; names of fields and attributes are for programs.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

fn json(bench: &Bench) -> Value {
    let report = bench.ok(&["report", "measured", "--format", "json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    keeps_schema(&report, "report-1");
    let mut found = Vec::new();
    texts(&report, &mut found);
    found.iter().for_each(|text| is_of_another_model(text));
    report
}

/// Modules of the regions of a CUBE file and names of its threads.
fn cube(bench: &Bench) -> (BTreeSet<(String, String)>, Vec<String>) {
    let arguments = ["report", "measured", "--format", "cubex", "-o", "m.cubex"];
    bench.ok(&arguments);
    let cube = read_any(bench.path("m.cubex")).unwrap().cube;
    let regions = cube.regions.iter();
    let regions = regions.map(|region| (region.name.clone(), region.module.clone()));
    for text in cube.metrics.iter().map(|metric| &metric.description) {
        is_of_another_model(text);
    }
    let threads = cube.threads.iter().map(|thread| thread.name.clone());
    (regions.collect(), threads.collect())
}

fn has(regions: &BTreeSet<(String, String)>, name: &str, module: &str) {
    let region = (name.to_owned(), module.to_owned());
    assert!(regions.contains(&region), "{region:?} in {regions:?}");
    assert!(
        !regions.iter().any(|(_, module)| module == "UPC"),
        "{regions:?}"
    );
}

#[test]
fn reports_of_openshmem_speak_of_pes() {
    let Some(bench) = example("oshcc", "shmem", "stencil.c") else {
        return;
    };
    let told = measured(&bench, "oshcc", "stencil.c");
    contains(&told, &["analysed 4 PEs in"]);
    is_of_another_model(&told);
    let text = bench.ok(&["report", "measured"]);
    contains(
        &text,
        &[
            "4 PEs",
            "LOAD PER PE",
            "  PE 0 ",
            "  PE 3 ",
            "summed over 4 PEs",
        ],
    );
    is_of_another_model(&text);
    assert_eq!(json(&bench)["models"], serde_json::json!(["openshmem"]));
    let (regions, threads) = cube(&bench);
    has(&regions, "shmem_long_wait_until", "OpenSHMEM");
    has(&regions, "shmem_finalize", "OpenSHMEM");
    assert_eq!(threads, ["PE 0", "PE 1", "PE 2", "PE 3"]);
}

#[test]
fn reports_of_coarrays_speak_of_images_and_count_from_one() {
    let Some(bench) = example("caf", "coarrays", "stencil.f90") else {
        return;
    };
    let told = measured(&bench, "caf", "stencil.f90");
    contains(&told, &["analysed 4 images in"]);
    is_of_another_model(&told);
    let text = bench.ok(&["report", "measured"]);
    contains(
        &text,
        &["4 images", "LOAD PER IMAGE", "  image 1 ", "  image 4 "],
    );
    assert!(
        !text.contains("image 0") && !text.contains("image 5"),
        "{text}"
    );
    is_of_another_model(&text);
    let report = json(&bench);
    assert_eq!(report["models"], serde_json::json!(["coarrays"]));
    // Numbers for programs count from 0.
    let findings = report["findings"].as_array().unwrap();
    let culprits = findings
        .iter()
        .filter_map(|finding| finding["culprit_thread"].as_u64());
    assert!(culprits.into_iter().all(|thread| thread < 4));
    let (regions, threads) = cube(&bench);
    has(&regions, "sync images", "coarrays");
    has(&regions, "co_sum", "coarrays");
    assert_eq!(threads, ["Image 1", "Image 2", "Image 3", "Image 4"]);
}

/// Whether a file has these bytes.
fn has_text(bench: &Bench, file: &str, text: &str) -> bool {
    let bytes = fs::read(bench.path(file)).unwrap();
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[test]
fn converted_traces_of_openshmem_keep_the_names_of_their_calls() {
    let Some(bench) = example("oshcc", "shmem", "stencil.c") else {
        return;
    };
    measured(&bench, "oshcc", "stencil.c");
    for names in ["upc", "shmem"] {
        let file = format!("{names}.elg");
        let to = [
            "convert", "measured", "--to", "epilog", "--names", names, "-o", &file,
        ];
        bench.ok(&to);
        for name in ["shmem_long_wait_until", "shmem_barrier_all", "PE 0", "PE 3"] {
            assert!(has_text(&bench, &file, name), "{name} in {file}");
        }
        assert!(!has_text(&bench, &file, "Thread 0"));
        let back = format!("{names}.back");
        let back = bench.ok(&["convert", &file, "--from", "epilog", "-o", &back]);
        let back = last_line(&back);
        bench.ok(&["analyze", back]);
        let report = |name: &str| -> Value {
            serde_json::from_str(&bench.ok(&["report", name, "--format", "json"])).unwrap()
        };
        let regions = |report: &Value| -> BTreeSet<(String, String)> {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let paths = report["call_paths"].as_array().unwrap().iter();
            let paths = paths.map(|path| (text(&path["region"]), text(&path["module"])));
            paths
                .filter(|(name, _)| name.starts_with("shmem"))
                .collect()
        };
        assert_eq!(regions(&report(back)), regions(&report("measured")));
    }
    bench.ok(&["convert", "measured", "--to", "perfetto", "-o", "m.pftrace"]);
    assert!(has_text(&bench, "m.pftrace", "PE 0"));
    assert!(!has_text(&bench, "m.pftrace", "hread 0"));
}

#[test]
fn threads_of_upc_stay_threads() {
    let bench = Bench::with_program();
    bench.ok(&["run", "-n", "2", "-o", "run", "./prog"]);
    contains(
        &bench.told(&["analyze", "run"]).err,
        &["analysed 2 threads in"],
    );
    contains(
        &bench.ok(&["report", "run"]),
        &["2 threads", "LOAD PER THREAD", "  thread 0 "],
    );
    let report: Value =
        serde_json::from_str(&bench.ok(&["report", "run", "--format", "json"])).unwrap();
    assert_eq!(report["models"], serde_json::json!(["upc"]));
    bench.ok(&[
        "convert", "run", "--to", "epilog", "--names", "shmem", "-o", "run.elg",
    ]);
    assert!(has_text(&bench, "run.elg", "shmem_barrier_all"));
    assert!(has_text(&bench, "run.elg", "Thread 1"));
}
