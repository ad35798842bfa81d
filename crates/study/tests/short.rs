//! Every study in its short form: it goes through from source to page, and the page and its charts
//! have all that they promise. Nothing here depends on how fast the machine is.

#[path = "../../trace/tests/support/not_tested.rs"]
mod not_tested;

use not_tested::not_tested;
use pgas_study::programs::{COSTS, SIZES, STUDIES, Subject};
use quick_xml::events::Event;
use std::path::Path;
use std::process::{Command, Output};

fn run(name: &str, out: &Path, options: &[&str]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_pgas-study"));
    assert!(
        program.with_file_name("pgastool").is_file(),
        "no pgastool beside pgas-study; `cargo build --release -p pgastool -p pgas-upcc -p \
         pgas-measure` makes it"
    );
    Command::new(program)
        .args([name, "--short", "--clone"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .arg("--out")
        .arg(out)
        .args(options)
        // Open MPI as root, with more processes than cores.
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        // Where UCX changes munmap, programs of Debian's OpenSHMEM crash at their end.
        .env("OMPI_MCA_opal_common_ucx_opal_mem_hooks", "0")
        .env(
            "PGAS_CACHE_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
        )
        .output()
        .unwrap()
}

/// The page of a study, and the directory in which it lies with its charts.
fn study(name: &str) -> (tempfile::TempDir, String) {
    let out = tempfile::tempdir().unwrap();
    let output = run(name, out.path(), &[]);
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let written = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        written.lines().count(),
        std::fs::read_dir(out.path()).unwrap().count(),
        "{name} says which files it wrote: {written}"
    );
    let page = std::fs::read_to_string(out.path().join(format!("{name}.md"))).unwrap();
    let compiler = match name {
        "heat" => "| OpenSHMEM |",
        _ => "| UPC compiler |",
    };
    for what in [
        &format!("scripts/study {name} --short"),
        "| Processor |",
        "| Cores |",
        "| Memory |",
        "| Operating system |",
        "| pgastool |",
        compiler,
        "| C compiler |",
        "| Date |",
        "| Runs |",
        "This is the short form",
    ] {
        assert!(page.contains(what), "{name}: no {what}:\n{page}");
    }
    let clone = env!("CARGO_MANIFEST_DIR").trim_end_matches("crates/study");
    let temporary = std::env::temp_dir();
    for path in [clone, temporary.to_str().unwrap()] {
        assert!(
            !page.contains(path),
            "{name} tells where the clone lies:\n{page}"
        );
    }
    for number in ["NaN", "inf %", "inf s"] {
        assert!(!page.contains(number), "{name}: {number}:\n{page}");
    }
    (out, page)
}

/// As on a cluster: every run goes through the launcher, and what all nodes must see lies below the
/// pages' directory.
#[test]
fn a_launcher_starts_every_run() {
    let directory = tempfile::tempdir().unwrap();
    let (launcher, log) = (
        directory.path().join("launch"),
        directory.path().join("log"),
    );
    let script = format!(
        "#!/bin/sh\necho \"$*\" >>{}\nshift\nexec \"$@\"\n",
        log.display()
    );
    std::fs::write(&launcher, script).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&launcher, mode).unwrap();
    let template = format!(
        "{} {{threads}} {{program}} {{arguments}}",
        launcher.display()
    );
    let output = run(
        "queue",
        &directory.path().join("out"),
        &["--launcher", &template, "--threads", "1,2,3"],
    );
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let log = std::fs::read_to_string(&log).unwrap();
    let out = directory.path().join("out").canonicalize().unwrap();
    for threads in ["1", "2", "3"] {
        for version in ["naive", "naive.plain", "optimised", "optimised.plain"] {
            // Timed runs are three; of recorded ones there are three at the largest number of
            // threads.
            let recorded = if threads == "3" { 3 } else { 1 };
            let expected = if version.ends_with("plain") {
                3
            } else {
                recorded
            };
            let started = log.lines().filter(|line| {
                let words: Vec<&str> = line.split(' ').collect();
                words[0] == threads
                    && Path::new(words[1]).starts_with(&out)
                    && words[1].ends_with(&format!("/{version}"))
            });
            assert_eq!(
                started.count(),
                expected,
                "{version} on {threads} threads:\n{log}"
            );
        }
    }
    let page = std::fs::read_to_string(out.join("queue.md")).unwrap();
    assert!(
        page.contains("before  naive on 3 threads, 3 runs"),
        "{page}"
    );
    assert!(!page.contains("more threads than cores"), "{page}");
    let left: Vec<_> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 6, "{left:?}");
}

#[test]
fn what_cannot_be_studied_is_said() {
    let out = tempfile::tempdir().unwrap();
    for (name, options, expected) in [
        (
            "jacoby",
            &[][..],
            "there are: cost, size, is, ft, jacobi, queue, prefix, heat, bodies, all",
        ),
        ("queue", &["--class", "Q"][..], "unknown class"),
        ("queue", &["--upcc", "/nowhere/upcc"][..], "/nowhere/upcc"),
    ] {
        let output = run(name, out.path(), options);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
        assert_eq!(
            std::fs::read_dir(out.path()).unwrap().count(),
            0,
            "nothing is written"
        );
    }
}

/// The texts of a chart, which is well-formed XML.
fn texts(directory: &Path, file: &str) -> Vec<String> {
    let svg =
        std::fs::read_to_string(directory.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut reader = quick_xml::Reader::from_str(&svg);
    reader.config_mut().check_end_names = true;
    let (mut texts, mut open) = (Vec::new(), 0);
    loop {
        match reader
            .read_event()
            .unwrap_or_else(|e| panic!("{file}: {e}"))
        {
            Event::Start(_) => open += 1,
            Event::End(_) => open -= 1,
            Event::Text(text) => texts.push(text.unescape().unwrap().trim().to_string()),
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open, 0, "{file}");
    assert!(!svg.contains("NaN"), "{file}");
    texts
}

/// Rows of the table below a heading or text, without head.
fn rows<'a>(page: &'a str, first_cell_of_head: &str) -> Vec<Vec<&'a str>> {
    let table = page
        .lines()
        .skip_while(|line| !line.starts_with(&format!("| {first_cell_of_head} |")));
    table
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect()
}

/// Every chart that a page shows is there, and has these texts.
fn charts(out: &Path, page: &str, count: usize, expected: &[&str]) {
    let files: Vec<&str> = page
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|file| file.ends_with(".svg"))
        .collect();
    assert_eq!(files.len(), count, "{files:?}");
    for file in files {
        let texts = texts(out, file);
        for text in expected {
            assert!(
                texts.iter().any(|t| t == text),
                "{file}: no {text}: {texts:?}"
            );
        }
    }
}

#[test]
fn costs() {
    let (out, page) = study("cost");
    let labels: Vec<String> = COSTS.iter().map(|kernel| kernel.label()).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    for head in ["program", "overhead"] {
        let rows = rows(&page, head);
        assert_eq!(
            rows.iter().map(|row| row[0]).collect::<Vec<_>>(),
            labels,
            "{page}"
        );
        assert!(
            rows.iter()
                .all(|row| row[2..].iter().all(|cell| cell.contains(['%', '–', 's']))),
            "{page}"
        );
    }
    let is = rows(&page, "program")
        .into_iter()
        .find(|row| row[0] == "IS")
        .unwrap();
    assert_eq!(is[4..], ["848 %", "1649 %"]);
    charts(out.path(), &page, 2, &labels);
}

#[test]
fn sizes() {
    let (out, page) = study("size");
    let labels: Vec<String> = SIZES.iter().map(|kernel| kernel.label()).collect();
    let rows = rows(&page, "program");
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), labels);
    for row in &rows {
        let number = |column: usize| row[column].replace(',', "").parse::<f64>().unwrap();
        // Events, then bytes of an event: compression helps, and EPILOG has records of fixed
        // length.
        assert!(
            number(1) > 100.0 && number(2) < number(3) && number(3) < number(4),
            "{row:?}"
        );
        let otf2 = &row[5..];
        if page.contains("OTF2 was not measured") {
            assert!(otf2.iter().all(|cell| *cell == "not measured"), "{row:?}");
        } else {
            assert!(number(6) < number(5) && number(7) < number(5), "{row:?}");
        }
    }
    charts(out.path(), &page, 1, &["native", "EPILOG", "IS, filtered"]);
}

/// Its page.
fn gain(name: &str) -> String {
    let (out, page) = study(name);
    let study = STUDIES.iter().find(|study| study.name == name).unwrap();
    let Subject::Gain(improved) = &study.subject else {
        panic!("{name} is no study of a gain");
    };
    for (number, version) in improved.versions.iter().enumerate() {
        let is_last = number + 1 == improved.versions.len();
        for recording in improved.recordings {
            let mut options = match recording.compile_options {
                [] => String::new(),
                options => format!(", compiled with `{}`", options.join(" ")),
            };
            if recording.with_machine {
                options += ", with the costs of the machine";
            }
            let heading = format!(
                "### Findings: {}, class S{options}\n\n```text\n",
                version.name
            );
            let found = page.split_once(&heading).map(|(_, findings)| findings);
            let found = found.unwrap_or_else(|| panic!("{heading}:\n{page}"));
            // What was changed last may have left nothing to find.
            assert!(
                found.starts_with(" 1  ") || is_last && found.starts_with("  Nothing that costs"),
                "{heading}:\n{page}"
            );
        }
        assert!(page.contains(version.source));
    }
    assert!(
        page.contains("```diff\n--- ") || page.contains("too long for this page"),
        "{page}"
    );
    let versions = improved.versions.len();
    let said = rows(&page, "change");
    assert_eq!(
        said.len(),
        (versions - 1) * improved.recordings.len(),
        "{page}"
    );
    let times = rows(&page, "threads");
    let counts = study.threads.iter().filter(|count| **count <= 2).count();
    assert_eq!(times.len(), counts, "{page}");
    for row in &times {
        assert!(
            row[1..=versions].iter().all(|cell| cell.contains(" to ")),
            "{row:?}"
        );
        assert!(
            row[versions + 1].contains('%') && *row.last().unwrap() == "3",
            "{row:?}"
        );
    }
    assert!(
        page.contains("before  naive on 2 threads, 3 runs")
            || page.contains("before  naive on 2 PEs, 3 runs")
            || page.contains("before  naive on 1 thread"),
        "{page}"
    );
    charts(out.path(), &page, 5, &["threads"]);
    page
}

#[test]
fn jacobi() {
    gain("jacobi");
}

#[test]
fn work_queue() {
    gain("queue");
}

#[test]
fn integer_sort() {
    gain("is");
}

#[test]
fn fourier_transform() {
    gain("ft");
}

/// Savings come from measured costs where a recording has these.
fn gain_on_a_measured_machine(name: &str, compiler: &str) {
    if Command::new(compiler).arg("--version").output().is_err() {
        return not_tested(&format!("study {name}: there is no {compiler} here"));
    }
    let page = gain(name);
    let lines = rows(&page, "block transfer");
    assert!(!lines.is_empty(), "{page}");
    assert!(
        page.contains("on this machine a block transfer of about this size takes"),
        "a finding has its figures from them: {page}"
    );
}

#[test]
fn heat() {
    gain_on_a_measured_machine("heat", "oshcc");
}

#[test]
fn bodies() {
    gain_on_a_measured_machine("bodies", "mpicc");
}

#[test]
fn prefix_reduction() {
    gain("prefix");
}
