//! The cost of recording: run times of whole programs, recorded in four ways and not at all, in
//! turns.

use crate::Error;
use crate::charts::{Chart, Point, Scale, Series};
use crate::output::Output;
use crate::page::{Page, percent, spread};
use crate::programs::{COSTS, Kernel, Study};
use crate::settings::Settings;
use crate::size::events;
use crate::statistics::{Estimate, Sample};
use crate::tool::{Build, Tool};
use pgas_base::quantity::{count, ratio};
use std::collections::BTreeSet;

/// Ways to write the trace, with their options of `pgastool run`; the first is the default.
const WAYS: [(&str, &[&str]); 4] = [
    ("asynchronous, compressed", &[]),
    ("asynchronous, not compressed", &["--compress", "none"]),
    ("synchronous, compressed", &["--sync-io"]),
    (
        "synchronous, not compressed",
        &["--sync-io", "--compress", "none"],
    ),
];
/// Where the logarithmic axes of overheads begin. Percent.
const FLOOR: f64 = 0.1;

/// A program with the times of its recorded runs, by way. Seconds.
struct Row {
    kernel: &'static Kernel,
    times: Vec<Sample>,
    /// Without instrumentation.
    plain: Sample,
    events: f64,
}

struct Measured {
    rows: Vec<Row>,
    threads: u32,
}

impl Row {
    fn overhead(&self, way: usize) -> Estimate {
        self.times[way].ratio_to(&self.plain).percent_above_one()
    }
}

pub fn run(study: &'static Study, tool: &Tool, settings: &Settings) -> Result<Output, Error> {
    let class = study.class(settings);
    let runs = settings
        .runs
        .unwrap_or(if settings.short { 3 } else { study.runs });
    let threads = settings.thread_counts(study.threads)[0];
    let measured = measure(tool, &class, threads, runs)?;

    let mut output = Output::default();
    let input = [
        (
            "Programs",
            format!("NAS kernels in UPC (`npb-fixtures`), class {class}"),
        ),
        (
            "Threads",
            format!("{threads}, cores: {}", settings.cores().min(threads)),
        ),
        (
            "Runs",
            format!("{runs} of each program and way of recording, in turns; none is left out"),
        ),
    ];
    let mut page = Page::begin(study, tool, settings, &input)?;
    if threads > settings.cores() {
        page.text(
            "**There are more threads than cores**: they take turns with each other and with the \
             helpers.",
        );
    }
    page.text(
        "Times are those of whole runs, from the start of `pgastool run` to its end, with the \
         same command for original programs (`--no-measure`, compiled with `--no-instrument`). \
         Overhead is by how much the geometric mean is above that of the original, with its \
         interval of 95 % confidence, which comes from the ratios of the runs of the same round; \
         one that contains zero says that recording cannot be distinguished from noise. The two \
         publications measured other implementations of the same kernels on other machines: what \
         compares is the order of magnitude, and that the overhead follows the number of events.",
    );
    main_table(&mut page, &measured);
    let chart = against_published(&measured);
    page.chart(&chart.title, "cost-published.svg");
    page.text(&format!(
        "The axis is logarithmic and begins at {FLOOR} %: no bar is less than that, or less than \
         nothing. The last chart of this page is drawn in the same way."
    ));
    output.add("cost-published.svg", chart.bars()?);
    ways(&mut page, &measured, settings.cores());
    let chart = by_way(&measured);
    page.chart(&chart.title, "cost-ways.svg");
    output.add("cost-ways.svg", chart.bars()?);
    event_table(&mut page, &measured);
    output.add(format!("{}.md", study.name), page.finish());
    Ok(output)
}

fn measure(tool: &Tool, class: &str, threads: u32, runs: u32) -> Result<Measured, Error> {
    let mut measured = Measured {
        rows: Vec::new(),
        threads,
    };
    let mut compiled = BTreeSet::new();
    for (index, kernel) in COSTS.iter().enumerate() {
        eprintln!("  compiling {}", kernel.label());
        if compiled.insert(kernel.name) {
            tool.compile(
                &format!("{}.plain", kernel.name),
                kernel.sources,
                class,
                Build::Plain,
            )?;
        }
        tool.compile(
            &program(index),
            kernel.sources,
            class,
            Build::Recorded(kernel.compile_options),
        )?;
        measured.rows.push(Row {
            kernel,
            times: vec![Sample::default(); WAYS.len()],
            plain: Sample::default(),
            events: 0.0,
        });
    }
    for round in 0..runs as usize {
        eprintln!("  timing, round {} of {runs}", round + 1);
        for (index, row) in measured.rows.iter_mut().enumerate() {
            let plain = format!("{}.plain", row.kernel.name);
            // The original comes at another place in each round, as do the ways.
            for turn in 0..=WAYS.len() {
                let way = (turn + round) % (WAYS.len() + 1);
                let Some((_, options)) = WAYS.get(way) else {
                    let time = tool.run(&plain, threads, None, &[])?.whole;
                    row.plain.0.push(time);
                    continue;
                };
                let options = [row.kernel.run_options, options].concat();
                let time = tool
                    .run(&program(index), threads, Some("e"), &options)?
                    .whole;
                row.times[way].0.push(time);
                if way == 0 && round == 0 {
                    row.events = events(tool, "e")?;
                }
                tool.remove("e")?;
            }
        }
    }
    Ok(measured)
}

fn program(index: usize) -> String {
    format!("{}.{index}", COSTS[index].name)
}

fn main_table(page: &mut Page, measured: &Measured) {
    page.heading("Beside what was published");
    let rows: Vec<Vec<String>> = measured
        .rows
        .iter()
        .map(|row| {
            let published =
                |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value} %"));
            vec![
                row.kernel.label(),
                spread(&row.plain),
                spread(&row.times[0]),
                percent(&row.overhead(0)),
                published(row.kernel.published.map(|p| p.predecessor)),
                published(row.kernel.published.map(|p| p.ppw)),
            ]
        })
        .collect();
    page.table(
        &[
            "program",
            "original time",
            "recorded",
            "overhead",
            "predecessor",
            "PPW",
        ],
        &rows,
    );
    page.text(
        "Times are medians, with least and most in brackets. A program's name alone stands for \
         all events, call by call (`compile --accesses all --functions all`, `run --throttle off`; \
         CG with accesses to own data, `--inst-local`). *Throttled* is what `pgastool run` does \
         by default with such a program; by default, `pgastool compile` has accesses counted and \
         small functions left alone. Filters are \
         `npb-fixtures/is/is.filter` and `npb-fixtures/cg/cg.filter`, the latter as `pgastool \
         score` proposed it. Predecessor: the tool that this one succeeds; PPW: the Parallel \
         Performance Wizard.",
    );
}

fn ways(page: &mut Page, measured: &Measured, cores: u32) {
    page.heading("Ways of writing the trace");
    let mut head = vec!["overhead"];
    head.extend(WAYS.iter().map(|(name, _)| *name));
    let rows: Vec<Vec<String>> = measured
        .rows
        .iter()
        .map(|row| {
            let mut cells = vec![row.kernel.label()];
            cells.extend((0..WAYS.len()).map(|way| percent(&row.overhead(way))));
            cells
        })
        .collect();
    page.table(&head, &rows);
    page.text(
        "Asynchronous: a helper thread in each process compresses and writes (the default). \
         Synchronous: the program's own threads do (`--sync-io`). Not compressed: `--compress \
         none`.",
    );
    if measured.threads >= cores {
        page.text(
            "Here the threads have all cores, so that helpers take theirs from them: asynchronous \
             writing saves the waiting for the disk, and no more.",
        );
    }
}

fn event_table(page: &mut Page, measured: &Measured) {
    page.heading("Events");
    let rows: Vec<Vec<String>> = measured
        .rows
        .iter()
        .map(|row| {
            let original = row.plain.median();
            let thread_seconds = f64::from(measured.threads) * original;
            let overhead = row.overhead(0);
            let extra = if overhead.is_surely_above(0.0) {
                ratio(1e9 * overhead.value / 100.0 * thread_seconds / row.events)
            } else {
                "–".to_string()
            };
            vec![
                row.kernel.label(),
                count(row.events),
                count(row.events / thread_seconds),
                extra,
            ]
        })
        .collect();
    page.table(
        &[
            "program",
            "events",
            "events per second of a thread's original time",
            "extra nanoseconds per event",
        ],
        &rows,
    );
    page.text(
        "The last column is the overhead, times threads and original time, over events; it is \
         left out where the overhead cannot be distinguished from noise. Events that were \
         throttled or filtered are not counted; what they cost nevertheless is in the overhead.",
    );
}

fn chart(measured: &Measured, title: &str, series: Vec<Series>) -> Chart {
    Chart {
        title: title.to_string(),
        x_label: "program".to_string(),
        y_label: "overhead [%] (logarithmic)".to_string(),
        categories: measured.rows.iter().map(|row| row.kernel.label()).collect(),
        shaded: None,
        series,
        scale: Scale::Logarithmic(FLOOR),
        bars_within: (FLOOR, 1e4),
    }
}

fn own(measured: &Measured, way: usize, name: &str) -> Series {
    let points = measured.rows.iter().enumerate().map(|(category, row)| {
        let overhead = row.overhead(way);
        Point {
            category,
            value: overhead.value,
            range: overhead
                .interval
                .unwrap_or((overhead.value, overhead.value)),
        }
    });
    Series {
        name: name.to_string(),
        points: points.collect(),
        line: false,
    }
}

fn against_published(measured: &Measured) -> Chart {
    let published = |name: &str, value: &dyn Fn(&Kernel) -> Option<f64>| Series {
        name: name.to_string(),
        points: measured
            .rows
            .iter()
            .enumerate()
            .filter_map(|(category, row)| Some(Point::exact(category, value(row.kernel)?)))
            .collect(),
        line: false,
    };
    let series = vec![
        own(measured, 0, "this tool"),
        published("predecessor", &|kernel| Some(kernel.published?.predecessor)),
        published("PPW", &|kernel| Some(kernel.published?.ppw)),
    ];
    chart(
        measured,
        "Overhead beside what was published (bars: 95 % confidence)",
        series,
    )
}

fn by_way(measured: &Measured) -> Chart {
    let series = WAYS
        .iter()
        .enumerate()
        .map(|(way, (name, _))| own(measured, way, name));
    chart(
        measured,
        "Overhead by way of writing the trace (bars: 95 % confidence)",
        series.collect(),
    )
}
