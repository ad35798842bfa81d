//! Sizes of traces: the same events in the native format, as EPILOG, and as OTF2.

use crate::Error;
use crate::charts::{Chart, Point, Scale, Series};
use crate::output::Output;
use crate::page::Page;
use crate::programs::{Kernel, SIZES, Study};
use crate::settings::Settings;
use crate::tool::{Build, Tool};
use pgas_base::quantity::{self, bytes, count};
use std::path::Path;

/// Formats in the order of tables and charts.
const FORMATS: [&str; 6] = [
    "native",
    "native, not compressed",
    "EPILOG",
    "OTF2",
    "OTF2, zstd -1",
    "OTF2, zstd -3",
];

struct Sizes {
    label: String,
    class: String,
    events: f64,
    /// Bytes by format; `None` where this `pgastool` does not write it.
    bytes: [Option<f64>; FORMATS.len()],
}

pub fn run(study: &Study, tool: &Tool, settings: &Settings) -> Result<Output, Error> {
    let threads = settings.thread_counts(study.threads)[0];
    let mut all = Vec::new();
    for kernel in SIZES {
        eprintln!("  {}", kernel.label());
        let class = match kernel.size_class {
            Some(class) if settings.class.is_none() && !settings.short => class.to_string(),
            _ => study.class(settings),
        };
        all.push(measure(kernel, class, threads, tool)?);
    }

    let mut output = Output::default();
    let classes: Vec<String> = all
        .iter()
        .map(|sizes| format!("{} {}", sizes.label, sizes.class))
        .collect();
    let input = [
        ("Programs and classes", classes.join("; ")),
        ("Threads", threads.to_string()),
        (
            "Runs",
            "1; events depend on the input, their compressed bytes also on how regular their \
             times are"
                .to_string(),
        ),
    ];
    let mut page = Page::begin(study, tool, settings, &input)?;
    page.text(
        "Bytes are those of all files of an experiment or an archive, definitions included. Every \
         event was recorded (`--throttle off`); an event is the beginning or the end of a call or \
         an operation. EPILOG and OTF2 are written from the same experiment by `pgastool \
         convert`; OTF2 by its own library, with the attributes that carry what the native format \
         has. OTF2's files are written uncompressed, and then compressed with zstd, each by \
         itself, at the level that the recorder uses (1) and at zstd's default (3).",
    );
    if all.iter().any(|sizes| sizes.bytes[3].is_none()) {
        page.text(
            "**OTF2 was not measured**: this `pgastool` was built without it. It needs OTF2's \
             library (Debian: `libopen-trace-format2-dev`, `pkg-config`).",
        );
    }
    page.heading("Bytes of an event");
    let mut head = vec!["program", "events"];
    head.extend(FORMATS);
    let per_event =
        |sizes: &Sizes, format: usize| sizes.bytes[format].map(|bytes| bytes / sizes.events);
    let row = |sizes: &Sizes, cell: &dyn Fn(usize) -> String| {
        let mut row = vec![sizes.label.clone(), count(sizes.events)];
        row.extend((0..FORMATS.len()).map(cell));
        row
    };
    let missing = || "not measured".to_string();
    let rows: Vec<_> = all
        .iter()
        .map(|sizes| {
            row(sizes, &|format| {
                per_event(sizes, format).map_or_else(missing, |value| format!("{value:.3}"))
            })
        })
        .collect();
    page.table(&head, &rows);
    let chart = chart(&all, per_event);
    page.chart(&chart.title, "size-bytes-per-event.svg");
    output.add("size-bytes-per-event.svg", chart.bars()?);
    page.heading("Bytes in all");
    let rows: Vec<_> = all
        .iter()
        .map(|sizes| {
            row(sizes, &|format| {
                sizes.bytes[format].map_or_else(missing, bytes)
            })
        })
        .collect();
    page.table(&head, &rows);
    page.heading("How many times smaller the native format is");
    let rows: Vec<_> = all
        .iter()
        .map(|sizes| {
            let mut row = vec![sizes.label.clone()];
            row.extend((2..FORMATS.len()).map(|format| {
                let ratio = sizes.bytes[format]
                    .zip(sizes.bytes[0])
                    .map(|(other, native)| other / native);
                ratio.map_or_else(missing, quantity::ratio)
            }));
            row
        })
        .collect();
    let mut head = vec!["program, native against"];
    head.extend(&FORMATS[2..]);
    page.table(&head, &rows);
    output.add(format!("{}.md", study.name), page.finish());
    Ok(output)
}

fn chart(all: &[Sizes], per_event: impl Fn(&Sizes, usize) -> Option<f64>) -> Chart {
    let series = FORMATS.iter().enumerate().map(|(format, name)| Series {
        name: name.to_string(),
        points: all
            .iter()
            .enumerate()
            .filter_map(|(category, sizes)| Some(Point::exact(category, per_event(sizes, format)?)))
            .collect(),
        line: false,
    });
    Chart {
        title: "Bytes of an event".into(),
        x_label: "program".into(),
        y_label: "bytes per event (logarithmic)".into(),
        categories: all.iter().map(|sizes| sizes.label.clone()).collect(),
        shaded: None,
        series: series.filter(|series| !series.points.is_empty()).collect(),
        scale: Scale::Logarithmic(0.01),
        bars_within: (f64::MIN, f64::MAX),
    }
}

fn measure(kernel: &Kernel, class: String, threads: u32, tool: &Tool) -> Result<Sizes, Error> {
    let build = Build::Recorded(kernel.compile_options);
    tool.compile(kernel.name, kernel.sources, &class, build)?;
    let mut sizes = Sizes {
        label: kernel.label(),
        class,
        events: 0.0,
        bytes: [None; FORMATS.len()],
    };
    tool.run(kernel.name, threads, Some("e"), kernel.run_options)?;
    sizes.bytes[0] = Some(bytes_below(&tool.in_scratch("e"), None)?);
    sizes.events = events(tool, "e")?;

    let options = [kernel.run_options, &["--compress", "none"]].concat();
    tool.run(kernel.name, threads, Some("plain"), &options)?;
    // Counts of two runs may differ by a few.
    let ratio = sizes.events / events(tool, "plain")?;
    sizes.bytes[1] = Some(ratio * bytes_below(&tool.in_scratch("plain"), None)?);
    tool.remove("plain")?;

    if tool.convert("e", "epilog", "e.elg")? {
        sizes.bytes[2] = Some(bytes_below(&tool.in_scratch("e.elg"), None)?);
        tool.remove("e.elg")?;
    }
    if tool.convert("e", "otf2", "archive")? {
        let archive = tool.in_scratch("archive");
        sizes.bytes[3] = Some(bytes_below(&archive, None)?);
        sizes.bytes[4] = Some(bytes_below(&archive, Some(1))?);
        sizes.bytes[5] = Some(bytes_below(&archive, Some(3))?);
        tool.remove("archive")?;
    }
    tool.remove("e")?;
    Ok(sizes)
}

/// Events that an experiment has recorded.
pub fn events(tool: &Tool, experiment: &str) -> Result<f64, Error> {
    let score = tool.json(&["score", "--format", "json", experiment])?;
    score["now"]["events"]
        .as_f64()
        .filter(|events| *events > 0.0)
        .ok_or_else(|| Error::Unexpected {
            command: format!("pgastool score --format json {experiment}"),
            expected: "number of events".to_string(),
            printed: score.to_string(),
        })
}

/// Bytes of a file or of all files of a directory; with a level, of each after zstd.
fn bytes_below(path: &Path, level: Option<i32>) -> Result<f64, Error> {
    let failed = |e: std::io::Error| Error::file(path, e);
    if path.is_dir() {
        let mut sum = 0.0;
        for entry in std::fs::read_dir(path).map_err(failed)? {
            sum += bytes_below(&entry.map_err(failed)?.path(), level)?;
        }
        return Ok(sum);
    }
    let Some(level) = level else {
        return Ok(std::fs::metadata(path).map_err(failed)?.len() as f64);
    };
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut counter = Counter(0);
    zstd::stream::copy_encode(file, &mut counter, level).map_err(failed)?;
    Ok(counter.0 as f64)
}

/// Counts what is written.
struct Counter(u64);

impl std::io::Write for Counter {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.0 += data.len() as u64;
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn sizes_of_directories_plain_and_compressed() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("streams")).unwrap();
    std::fs::write(directory.path().join("a"), vec![7; 1000]).unwrap();
    std::fs::write(directory.path().join("streams/b"), vec![7; 9000]).unwrap();
    assert_eq!(bytes_below(directory.path(), None).unwrap(), 10_000.0);
    let compressed = bytes_below(directory.path(), Some(1)).unwrap();
    assert!(compressed > 10.0 && compressed < 200.0, "{compressed}");
}
