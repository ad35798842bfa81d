//! Tables of the page.

use crate::models::{self, Models};
use crate::plot::escape;
use crate::results::Results;
use crate::text::hidden;
use pgas_base::quantity::{bytes, exact, percent, seconds};
use pgas_timing::record::{Summary, Timing};

/// A cell's text; those that begin a row name it.
struct Column {
    name: &'static str,
    /// Explains it to those who point at it or have it read.
    help: &'static str,
    is_words: bool,
}

const fn number(name: &'static str, help: &'static str) -> Column {
    Column {
        name,
        help,
        is_words: false,
    }
}

const fn words(name: &'static str) -> Column {
    Column {
        name,
        help: "",
        is_words: true,
    }
}

const LAUNCHES: Column = number("launches", "all launches, without the first stage");
const FIGURES: [Column; 8] = [
    number(
        "correct",
        "launches in which no thread started or ended late",
    ),
    number("kept", "correct launches that remain after trimming"),
    number("mean", "mean of the launches kept"),
    number("SE", "standard error of the mean"),
    number("min", "smallest of the launches kept"),
    number("max", "largest of the launches kept"),
    number("E", "half of the interval without errors of clocks"),
    number("interval", "where the true mean lies"),
];

/// The rows of one operation.
pub(super) fn rows(what: &str, timings: &[&Timing]) -> String {
    let are_repeated = timings.iter().any(|timing| timing.repetition > 0);
    let mut columns = vec![number("threads", ""), number("size", "")];
    if are_repeated {
        columns.push(number("repetition", ""));
    }
    columns.push(LAUNCHES);
    columns.extend(FIGURES);
    let may_hide = timings.iter().any(|timing| timing.overlap.is_some());
    if may_hide {
        columns.push(words("overlap"));
    }
    let row = |timing: &&Timing| {
        let mut cells = vec![timing.threads.to_string(), size(timing.what.bytes)];
        if are_repeated {
            cells.push((timing.repetition + 1).to_string());
        }
        cells.push(timing.launches.to_string());
        cells.extend(figures(&timing.summary));
        if may_hide {
            cells.push(
                timing
                    .overlap
                    .as_ref()
                    .map_or(String::new(), |o| hidden(o, false)),
            );
        }
        cells
    };
    table(
        &format!("Times of {what}"),
        &columns,
        timings.iter().map(row),
    )
}

/// The times of each thread, closed at first; empty if there are none.
pub(super) fn per_thread(what: &str, timings: &[&Timing]) -> String {
    let mut columns = vec![
        number("threads", ""),
        number("size", ""),
        number("thread", ""),
    ];
    columns.extend(FIGURES);
    let of = |timing: &&Timing| {
        let of_thread = |(thread, summary): (usize, &Summary)| {
            let mut cells = vec![timing.threads.to_string(), size(timing.what.bytes)];
            cells.push(thread.to_string());
            cells.extend(figures(summary));
            cells
        };
        timing
            .per_thread
            .iter()
            .enumerate()
            .map(of_thread)
            .collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = timings.iter().flat_map(of).collect();
    if rows.is_empty() {
        return String::new();
    }
    let table = table(
        &format!("Times of {what} by thread"),
        &columns,
        rows.into_iter(),
    );
    format!("<details>\n<summary>By thread</summary>\n{table}</details>\n")
}

/// All models; empty if there are none.
pub(super) fn models(models: &Models) -> String {
    let mut text = String::new();
    let over_size = models.over_size.iter().map(|model| {
        let [alpha, beta] = model.intervals(models.confidence, false);
        let error = percent(100.0 * model.error);
        vec![
            model.what.clone(),
            model.threads.to_string(),
            model.formula(false),
            alpha,
            beta,
            error,
        ]
    });
    if !models.over_size.is_empty() {
        let columns = [
            words("operation"),
            number("threads", ""),
            number("time", ""),
            number("alpha", "interval of the constant"),
            number("beta", "interval of the time for a byte"),
            ERROR,
        ];
        text += &table("Time over the size m: alpha + beta m", &columns, over_size);
    }
    let over_threads = models.over_threads.iter().map(|model| {
        let intervals = model.intervals(models.confidence, false).join("; ");
        let error = percent(100.0 * model.growth.error);
        let points = model.points.to_string();
        vec![
            model.what.clone(),
            size(model.bytes),
            model.formula(false),
            intervals,
            error,
            points,
        ]
    });
    if !models.over_threads.is_empty() {
        let columns = [
            words("operation"),
            number("size", ""),
            number("time", ""),
            number("coefficients", "their intervals"),
            ERROR,
            number("points", "numbers of threads"),
        ];
        text += &table("Time over the number of threads n", &columns, over_threads);
    }
    match text.is_empty() {
        true => text,
        false => format!("<article id=\"models\">\n<h2>Models</h2>\n{text}</article>\n"),
    }
}

const ERROR: Column = number(
    "error",
    "of predictions of points that were left out of the fit",
);

/// Wait patterns; empty if none were run.
pub(super) fn timers(results: &Results) -> String {
    let checks = results
        .runs
        .iter()
        .flat_map(|run| &run.timer)
        .flat_map(|timer| &timer.rows);
    let rows: Vec<Vec<String>> = checks
        .map(|row| {
            vec![
                row.pattern.clone(),
                row.threads.to_string(),
                seconds(row.expected, false),
                seconds(row.summary.mean, false),
                seconds(row.summary.error, false),
                seconds(row.tolerance, false),
            ]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let columns = [
        words("pattern"),
        number("threads", ""),
        number("expected", "by definition"),
        number("mean", ""),
        number("E", ""),
        number("allowed", "difference that is allowed"),
    ];
    table(
        "What the timer says of waits of known length",
        &columns,
        rows.into_iter(),
    )
}

/// Comparisons of clocks; empty if there were none.
pub(super) fn clocks(results: &Results) -> String {
    let largest = |values: &[f64]| values.iter().map(|v| v.abs()).fold(0.0, f64::max);
    let all = results
        .runs
        .iter()
        .flat_map(|run| run.clocks.iter().map(move |c| (run.threads, c)));
    let rows: Vec<Vec<String>> = all
        .map(|(threads, clocks)| {
            vec![
                threads.to_string(),
                format!("{:?}", clocks.order).to_lowercase(),
                exact(clocks.exchanges),
                seconds(clocks.took, false),
                seconds(largest(&clocks.offsets), false),
                seconds(largest(&clocks.uncertainties), false),
                clocks
                    .error_share
                    .map_or_else(unknown, |share| percent(100.0 * share)),
                models::per_million(largest(&clocks.drifts)),
            ]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let columns = [
        number("threads", ""),
        words("order"),
        number("exchanges", ""),
        number("took", ""),
        number("largest offset", "of a thread's clock to that of thread 0"),
        number("largest uncertainty", "bound of the offset's error"),
        number(
            "error",
            "standard deviation of one comparison, as a share of its bound, as loops of clocks show it",
        ),
        number("largest drift", "rate against thread 0's clock, less one"),
    ];
    let table = table("Comparisons of clocks", &columns, rows.into_iter());
    format!("<article id=\"clocks\">\n<h2>Clocks</h2>\n{table}</article>\n")
}

fn unknown() -> String {
    "–".to_string()
}

fn figures(summary: &Summary) -> [String; 8] {
    let time = |value| seconds(value, false);
    let (low, high) = summary.interval;
    [
        summary.correct.to_string(),
        summary.kept.to_string(),
        time(summary.mean),
        time(summary.standard_error),
        time(summary.minimum),
        time(summary.maximum),
        time(summary.error),
        format!("{} to {}", time(low), time(high)),
    ]
}

fn size(of: Option<u64>) -> String {
    of.map_or_else(|| "–".to_string(), |of| bytes(of as f64))
}

fn table(caption: &str, columns: &[Column], rows: impl Iterator<Item = Vec<String>>) -> String {
    let class = |column: &Column| {
        if column.is_words {
            " class=\"words\""
        } else {
            ""
        }
    };
    let head = columns.iter().map(|column| {
        let title = match column.help {
            "" => String::new(),
            help => format!(" title=\"{help}\""),
        };
        format!(
            "<th scope=\"col\"{}{title}>{}</th>",
            class(column),
            column.name
        )
    });
    let head: String = head.collect();
    let row = |cells: Vec<String>| {
        let cells = columns
            .iter()
            .zip(cells)
            .enumerate()
            .map(|(number, (column, cell))| {
                let class = class(column);
                match number {
                    0 => format!("<th scope=\"row\"{class}>{}</th>", escape(&cell)),
                    _ => format!("<td{class}>{}</td>", escape(&cell)),
                }
            });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = rows.map(row).collect();
    format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{0}\" tabindex=\"0\"><table>\n\
         <caption>{0}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n",
        escape(caption)
    )
}
