//! The page of a study of an improved program.

use super::costs;
use super::measured::{Measured, MeasuredVersion, runs_at};
use crate::Error;
use crate::charts::{Chart, Point, Scale, Series};
use crate::figures::Saving;
use crate::output::Output;
use crate::page::{Page, percent, spread};
use crate::programs::{Improved, Study};
use crate::settings::Settings;
use crate::statistics::Estimate;
use crate::tool::Tool;
use pgas_base::quantity::{bytes, count, ratio, seconds};

/// A longer change of the source is not shown.
const LONGEST_CHANGE: usize = 200;
/// Findings whose savings are listed.
const PROMISES: usize = 3;
const SHARED: &str = "more threads than cores";

/// The page of what was measured, with its charts.
pub fn write(
    study: &Study,
    improved: &Improved,
    measured: &Measured,
    class: &str,
    runs: u32,
    tool: &Tool,
    settings: &Settings,
) -> Result<Output, Error> {
    let cores = settings.cores();
    let mut writer = Writer {
        study,
        improved,
        measured,
        cores,
        output: Output::default(),
    };
    let sources: Vec<String> = improved
        .versions
        .iter()
        .map(|v| format!("`{}`", v.source))
        .collect();
    let beyond = match measured.threads.iter().any(|count| *count > cores) {
        true => format!(
            "; {} where threads share cores",
            runs_at(u32::MAX, runs, cores)
        ),
        false => String::new(),
    };
    let input = [
        ("Programs", sources.join(", ")),
        ("Class", class.to_string()),
        (
            "Runs",
            format!(
                "{runs} of each version and number of threads, in turns{beyond}; none is left out"
            ),
        ),
        (
            "Recorded runs",
            format!(
                "{} of each version on {}, one on other numbers of threads; {}",
                measured.recorded_runs,
                threads(writer.main()),
                measured.recordings.join("; ")
            ),
        ),
    ];
    let mut page = Page::begin(study, tool, settings, &input)?;
    writer.summary(&mut page);
    if let Some(machine) = &measured.machine {
        costs::show(machine, &mut page);
    }
    writer.findings(&mut page);
    writer.said_and_gained(&mut page);
    writer.times(&mut page)?;
    writer.waiting(&mut page)?;
    page.heading("The tool's own comparison");
    page.text(&format!(
        "`pgastool diff` of the recorded runs on {}, {}, the first version against the last.",
        threads(writer.main()),
        measured.recordings[0]
    ));
    page.block("text", &measured.comparison);
    writer
        .output
        .add(format!("{}.md", study.name), page.finish());
    Ok(writer.output)
}

/// The cells of a change, recorded in one way, but for its name.
fn said_and_gained(
    before: &MeasuredVersion,
    after: &MeasuredVersion,
    number: usize,
) -> Vec<String> {
    let savings = &before.reported[number].savings;
    let first: Vec<String> = savings
        .iter()
        .take(PROMISES)
        .map(|saved| seconds(saved.seconds, false))
        .collect();
    let sum = |of: fn(&Saving) -> f64| savings.iter().map(of).sum::<f64>();
    let said = sum(|saved| saved.seconds).min(before.reported[number].wall);
    let (from, to) = (before.least[number], after.least[number]);
    let said_plain = sum(|saved| saved.without_recording)
        .min(said)
        .min(from.plain);
    let (recorded, plain) = (from.recorded - to.recorded, from.plain - to.plain);
    vec![
        seconds(from.recorded, false),
        seconds(from.plain, false),
        match first.is_empty() {
            true => seconds(said, false),
            false => format!("{} ({})", seconds(said, false), first.join(", ")),
        },
        signed(recorded),
        signed(recorded - plain),
        seconds(said_plain, false),
        signed(plain),
        match plain > 0.0 {
            true => ratio(said_plain / plain),
            false => String::new(),
        },
    ]
}

fn signed(number: f64) -> String {
    match number < 0.0 {
        true => format!("-{}", seconds(-number, false)),
        false => seconds(number, false),
    }
}

fn threads(number: u32) -> String {
    if number == 1 {
        "1 thread".to_string()
    } else {
        format!("{number} threads")
    }
}

struct Writer<'a> {
    study: &'a Study,
    improved: &'a Improved,
    measured: &'a Measured,
    cores: u32,
    output: Output,
}

impl Writer<'_> {
    fn main(&self) -> u32 {
        self.measured.threads[self.measured.main]
    }

    /// By how many percent the last version needs less time than the first.
    fn gain(&self, at: usize) -> Estimate {
        let versions = &self.measured.versions;
        let (first, last) = (
            &versions[0].times[at],
            &versions[versions.len() - 1].times[at],
        );
        last.ratio_to(first).percent_below_one()
    }

    fn summary(&self, page: &mut Page) {
        page.heading("In short");
        let gain = self.gain(self.measured.main);
        let verdict = if gain.is_surely_above(0.0) {
            "The optimised version is faster".to_string()
        } else if gain.is_surely_below(0.0) {
            "The optimised version is slower".to_string()
        } else {
            "It is not certain that the optimised version is faster".to_string()
        };
        page.text(&format!(
            "{verdict}: on {} the timed part takes {} less, with a confidence of 95 % in \
             brackets. Published gains: {}.",
            threads(self.main()),
            percent(&gain),
            self.published(),
        ));
    }

    fn published(&self) -> String {
        if self.improved.published.is_empty() {
            return "none, the publications have no such program".to_string();
        }
        let parts: Vec<String> = self
            .improved
            .published
            .iter()
            .map(|gain| match gain.threads {
                Some(number) => format!("{} % at {}", gain.percent, threads(number)),
                None => format!("{} %", gain.percent),
            })
            .collect();
        let ranges = self
            .improved
            .published
            .iter()
            .all(|gain| gain.threads.is_none());
        parts.join(if ranges { " to " } else { ", " })
    }

    fn findings(&self, page: &mut Page) {
        let versions = &self.measured.versions;
        page.heading("Findings of the tool, and changes to the program");
        page.text(&format!(
            "Of each version, the first findings of `pgastool report` on {}, of the shortest \
             recorded run, which other processes disturbed least; between versions, what was \
             changed in the source.",
            threads(self.main())
        ));
        for (index, version) in versions.iter().enumerate() {
            for (recording, findings) in self.measured.recordings.iter().zip(&version.findings) {
                page.subheading(&format!("Findings: {}, {recording}", version.name));
                page.block("text", findings);
            }
            if let Some(change) = self.measured.changes.get(index) {
                page.subheading(&format!(
                    "Change: {} to {}",
                    version.name,
                    versions[index + 1].name
                ));
                let lines = change.lines().count();
                if lines <= LONGEST_CHANGE {
                    page.block("diff", change);
                } else {
                    page.text(&format!(
                        "The difference of `{}` and `{}` has {lines} lines, which is too long for \
                         this page.",
                        version.source,
                        versions[index + 1].source
                    ));
                }
            }
        }
    }

    /// Savings that the findings of each version but the last promise, beside the gain of the next
    /// one.
    fn said_and_gained(&self, page: &mut Page) {
        let versions = &self.measured.versions;
        page.heading("Said and gained");
        page.text(&format!(
            "Said: by how much the run would be shorter at most (`saves`) by all findings of a \
             version, the first {PROMISES} in brackets; of those about the same seconds one \
             counts. Gained: by how much less the timed part of the next version took, the \
             shortest of {} runs of each on {}, in turns: recorded in the same way, and of the \
             same problem without instrumentation. The difference of the two gains is recording \
             that the next version does without, since it makes fewer calls. Recording time \
             within the seconds of the findings, as the report marks it, is taken off for the \
             last comparison, which is that of a plain run: 1 where as much was gained as said, \
             more where the next version did not follow all of the advice, or has losses of its \
             own, and less than 1 where it gained more than what the findings are about.",
            self.measured.recorded_runs,
            threads(self.main())
        ));
        let mut rows = Vec::new();
        for pair in versions.windows(2) {
            for (number, recording) in self.measured.recordings.iter().enumerate() {
                let change = format!("{} to {}", pair[0].name, pair[1].name);
                let mut row = vec![change, recording.clone()];
                row.extend(said_and_gained(&pair[0], &pair[1], number));
                rows.push(row);
            }
        }
        let head = [
            "change",
            "recorded",
            "timed part, recorded",
            "timed part, plain",
            "said",
            "gained, recorded",
            "of it recording",
            "said, without recording",
            "gained, plain",
            "said / gained",
        ];
        page.table(&head, &rows);
        for explanation in self.improved.explanations {
            page.text(explanation);
        }
    }

    /// A chart over the numbers of threads.
    fn chart(&self, title: &str, y_label: &str, series: Vec<Series>) -> Chart {
        let measured = &self.measured;
        let beyond = measured
            .threads
            .iter()
            .position(|number| *number > self.cores);
        Chart {
            title: format!("{}: {title}", self.study.title),
            x_label: "threads".to_string(),
            y_label: y_label.to_string(),
            categories: measured.threads.iter().map(u32::to_string).collect(),
            shaded: beyond.map(|from| (from, measured.threads.len(), SHARED.to_string())),
            series,
            scale: Scale::Linear,
            bars_within: (f64::MIN, f64::MAX),
        }
    }

    /// A line for each version, of a point at each number of threads.
    fn series(&self, point: impl Fn(usize, usize) -> Point) -> Vec<Series> {
        let lines = self.measured.versions.iter().enumerate();
        lines
            .map(|(version, measured)| Series {
                name: measured.name.clone(),
                points: (0..self.measured.threads.len())
                    .map(|at| point(version, at))
                    .collect(),
                line: true,
            })
            .collect()
    }

    fn add_chart(&mut self, page: &mut Page, kind: &str, chart: &Chart) -> Result<(), Error> {
        let file = format!("{}-{kind}.svg", self.study.name);
        page.chart(&chart.title, &file);
        self.output.add(file, chart.lines()?);
        Ok(())
    }

    fn times(&mut self, page: &mut Page) -> Result<(), Error> {
        let measured = self.measured;
        page.heading("Time, speed-up and efficiency");
        let best = measured
            .versions
            .iter()
            .map(|v| v.first_time())
            .fold(f64::INFINITY, f64::min);
        let first = measured.threads[0];
        let speed_up = |version: usize, at: usize| {
            f64::from(first) * best / measured.versions[version].times[at].median()
        };
        page.text(&format!(
            "Time of the timed part without instrumentation: median, and least to most. Gain: how \
             much less time the last version needs than the first, by geometric means, with its \
             interval of 95 % confidence, from the ratios of runs of the same round. Speed-up: {} \
             times the median time of the fastest version on {}, over the median time; \
             efficiency: speed-up over threads.",
            first,
            threads(first),
        ));
        if measured.threads.iter().any(|number| *number > self.cores) {
            page.text(&format!(
                "This machine has {} cores. **Times, speed-ups and efficiencies on more threads \
                 than that say how well threads take turns, not how the program scales.** They \
                 are there to be compared with those of a larger machine.",
                self.cores
            ));
        }
        let names: Vec<String> = measured.versions.iter().map(|v| v.name.clone()).collect();
        let mut head = vec!["threads".to_string()];
        head.extend(names.iter().map(|name| format!("time, {name}")));
        head.push("gain".to_string());
        head.extend(names.iter().map(|name| format!("speed-up, {name}")));
        head.extend(names.iter().map(|name| format!("efficiency, {name}")));
        head.push("runs each".to_string());
        let rows: Vec<Vec<String>> = (0..measured.threads.len())
            .map(|at| {
                let number = measured.threads[at];
                let mark = if number > self.cores {
                    format!(" ({SHARED})")
                } else {
                    String::new()
                };
                let mut row = vec![format!("{number}{mark}")];
                row.extend(
                    measured
                        .versions
                        .iter()
                        .map(|version| spread(&version.times[at])),
                );
                row.push(percent(&self.gain(at)));
                let speed_ups: Vec<f64> = (0..names.len())
                    .map(|version| speed_up(version, at))
                    .collect();
                row.extend(speed_ups.iter().map(|speed_up| ratio(*speed_up)));
                row.extend(
                    speed_ups
                        .iter()
                        .map(|speed_up| format!("{:.0} %", 100.0 * speed_up / f64::from(number))),
                );
                row.push(measured.versions[0].times[at].0.len().to_string());
                row
            })
            .collect();
        page.table(&head.iter().map(String::as_str).collect::<Vec<_>>(), &rows);

        let time = self.series(|version, at| {
            let sample = &measured.versions[version].times[at];
            Point {
                category: at,
                value: sample.median(),
                range: (sample.min(), sample.max()),
            }
        });
        self.add_chart(
            page,
            "time",
            &self.chart("time (median; bars: least to most)", "time [s]", time),
        )?;
        let speed = self.series(|version, at| Point::exact(at, speed_up(version, at)));
        self.add_chart(page, "speedup", &self.chart("speed-up", "speed-up", speed))?;
        let efficiency = self.series(|version, at| {
            Point::exact(
                at,
                100.0 * speed_up(version, at) / f64::from(measured.threads[at]),
            )
        });
        self.add_chart(
            page,
            "efficiency",
            &self.chart("efficiency", "efficiency [%]", efficiency),
        )?;
        let gains = self.gain_chart();
        self.add_chart(page, "gain", &gains)
    }

    /// Our gains beside those that were published, which may be at numbers of threads that were not
    /// measured here.
    fn gain_chart(&self) -> Chart {
        let mut chart = self.chart("gain (bars: 95 % confidence)", "less time [%]", Vec::new());
        let own = (0..self.measured.threads.len()).map(|at| {
            let gain = self.gain(at);
            Point {
                category: at,
                value: gain.value,
                range: gain.interval.unwrap_or((gain.value, gain.value)),
            }
        });
        chart.series.push(Series {
            name: "this tool, here".into(),
            points: own.collect(),
            line: true,
        });
        let mut published = Vec::new();
        for gain in self.improved.published {
            let label = gain
                .threads
                .map_or("not said which".to_string(), |number| number.to_string());
            let category = chart
                .categories
                .iter()
                .position(|name| *name == label)
                .unwrap_or_else(|| {
                    chart.categories.push(label);
                    chart.categories.len() - 1
                });
            published.push(Point::exact(category, gain.percent));
        }
        if !published.is_empty() {
            chart.series.push(Series {
                name: "published".into(),
                points: published,
                line: false,
            });
        }
        chart.bars_within = (-100.0, 100.0);
        chart
    }

    fn waiting(&mut self, page: &mut Page) -> Result<(), Error> {
        let measured = self.measured;
        page.heading("Waiting and messages");
        page.text(&format!(
            "From recorded runs, {}. Waiting is that in all wait states, over the time of all \
             threads; messages are one-sided operations with data of other threads, single \
             accesses included, and their bytes. Single accesses to own data are recorded only \
             with `--inst-local`. Numbers of messages and bytes mean the same on any machine; \
             waiting does so as long as each thread has a core.",
            measured.recordings[0]
        ));
        let mut rows = Vec::new();
        for (at, number) in measured.threads.iter().enumerate() {
            for version in &measured.versions {
                let recorded = &version.recorded[at];
                let kinds: Vec<String> = recorded
                    .waits
                    .iter()
                    .take(2)
                    .map(|(name, time)| format!("{name} {}", seconds(*time, false)))
                    .collect();
                rows.push(vec![
                    number.to_string(),
                    version.name.clone(),
                    format!("{:.1} %", recorded.waiting_percent()),
                    seconds(recorded.waiting, false),
                    kinds.join(", "),
                    count(recorded.remote_operations),
                    bytes(recorded.remote_bytes),
                    count(recorded.own_operations),
                ]);
            }
        }
        let head = [
            "threads",
            "version",
            "waiting",
            "summed over threads",
            "most of it",
            "messages",
            "bytes",
            "operations on own data",
        ];
        page.table(&head, &rows);
        let waiting = self.series(|version, at| {
            Point::exact(
                at,
                measured.versions[version].recorded[at].waiting_percent(),
            )
        });
        self.add_chart(
            page,
            "waiting",
            &self.chart(
                "waiting (one recorded run)",
                "waiting [% of the time of all threads]",
                waiting,
            ),
        )
    }
}
