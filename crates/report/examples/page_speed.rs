//! Sizes of large pages, and times to write and to open them in Chromium: run by `scripts/bench
//! report`. `page_speed RUNS THREADS:CALL_PATHS...` prints a line for each figure: name, figure,
//! reference, target, what the target is for, unit. References are measured in turns with what they
//! are compared to.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/browser.rs"]
mod driver;

use std::path::PathBuf;
use std::time::Instant;

use driver::Browser;
use pgas_report::html::Page;
use pgas_result::AnalysisResult;

struct Sample {
    name: String,
    result: AnalysisResult,
    file: PathBuf,
    size: u64,
    write: f64,
    json: f64,
    open: f64,
    tree: f64,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let runs: usize = number(arguments.next().as_deref());
    let directory = tempfile::tempdir().expect("a directory");
    let mut samples: Vec<Sample> = arguments
        .map(|words| {
            let (threads, call_paths) = words.split_once(':').unwrap_or((&words, "100"));
            sample(&directory, number(Some(threads)), number(Some(call_paths)))
        })
        .collect();
    for _ in 0..runs {
        for sample in &mut samples {
            let begin = Instant::now();
            let html = pgas_report::html(&Page::of(&sample.result));
            sample.write = sample.write.min(begin.elapsed().as_secs_f64());
            sample.size = html.len() as u64;
            std::fs::write(&sample.file, html).expect("a page");
            let begin = Instant::now();
            let json = pgas_report::json(&sample.result);
            sample.json = sample.json.min(begin.elapsed().as_secs_f64());
            assert!(json.len() > 1000);
        }
    }
    let browser = Browser::open();
    for _ in 0..runs {
        for sample in &mut samples {
            browser.show(&sample.file, "");
            let ready = "return performance.getEntriesByName('ready')[0].startTime / 1000";
            sample.open = sample.open.min(browser.number(ready));
            let explore = "const begin = performance.now(); location.hash = '#explore'; \
                           window.dispatchEvent(new Event('hashchange')); return \
                           (performance.now() - begin) / 1000";
            sample.tree = sample.tree.min(browser.number(explore));
        }
    }
    let Some(first) = samples.first() else {
        return;
    };
    for sample in &samples {
        let line = |what: &str, figure: f64, reference: f64, unit: &str| {
            println!(
                "{}: {what}\t{figure}\t{reference}\t0\tratio\t{unit}",
                sample.name
            );
        };
        line(
            "size, beside the first",
            mebibytes(sample.size),
            mebibytes(first.size),
            "MiB",
        );
        line(
            "time to write, beside the JSON report",
            sample.write,
            sample.json,
            "s",
        );
        line(
            "time to open, beside the first",
            sample.open,
            first.open,
            "s",
        );
        line(
            "time to the trees, beside the first",
            sample.tree,
            first.tree,
            "s",
        );
    }
}

fn sample(directory: &tempfile::TempDir, threads: usize, call_paths: usize) -> Sample {
    // Every fourth leaf calls a barrier.
    let result = common::wide(call_paths * 4 / 5, threads);
    let name = format!(
        "{threads} threads, {} call paths",
        result.cube.call_paths.len()
    );
    Sample {
        file: directory.path().join(format!("{threads}.html")),
        name,
        result,
        size: 0,
        write: f64::INFINITY,
        json: f64::INFINITY,
        open: f64::INFINITY,
        tree: f64::INFINITY,
    }
}

fn mebibytes(size: u64) -> f64 {
    size as f64 / f64::from(1 << 20)
}

fn number(text: Option<&str>) -> usize {
    text.and_then(|text| text.parse().ok()).unwrap_or_else(|| {
        eprintln!("page_speed RUNS THREADS:CALL_PATHS...");
        std::process::exit(2);
    })
}
