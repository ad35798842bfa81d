//! One HTML page with tables and plots of a result. It needs no other file and no scripts.

mod tables;

use crate::models::models;
use crate::plot::escape;
use crate::plots::{self, Picture, Undrawn};
use crate::results::Results;
use crate::text::failed;
use pgas_base::quantity::{bytes, percent};
use pgas_timing::record::Timing;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The look of a document, as pages of the reference have it.
const DOCUMENT: &str = include_str!("../../report/src/reference/document.css");
const STYLE: &str = include_str!("page/style.css");

/// The whole document.
///
/// # Errors
/// If a plot could not be drawn.
pub fn write(results: &Results) -> Result<String, Undrawn> {
    let plots = plots::all(results)?;
    let title = title(results);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}</title>\n<style>\n{DOCUMENT}{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escape(&title)
    );
    page += &facts(results);
    page += &remarks(results);
    let operations = by_operation(results);
    page += &contents(&operations);
    for (number, (what, timings)) in operations.iter().enumerate() {
        page += &operation(number, what, timings, &plots);
    }
    page += &tables::models(&models(results));
    page += &about_timer(results, &plots);
    page += &tables::clocks(results);
    page += "</body>\n</html>\n";
    Ok(page)
}

fn title(results: &Results) -> String {
    let mut starts = results.runs.iter().filter_map(|run| run.start.as_ref());
    let model = starts.next().map_or("PGAS", |start| start.model.as_str());
    format!("Times of {model} operations")
}

/// Operations with their arguments, in the order in which they were timed.
fn by_operation(results: &Results) -> Vec<(String, Vec<&Timing>)> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<(String, Vec<&Timing>)> = Vec::new();
    for timing in results.timings() {
        let what = crate::names::name(timing);
        let number = *numbers.entry(what.clone()).or_insert_with(|| {
            groups.push((what, Vec::new()));
            groups.len() - 1
        });
        groups[number].1.push(timing);
    }
    groups
}

/// How and where it was measured.
fn facts(results: &Results) -> String {
    let settings = &results.settings;
    let mut facts = vec![("Compiler", results.compiler.clone())];
    let starts = || results.runs.iter().filter_map(|run| run.start.as_ref());
    if let Some(start) = starts().next() {
        facts.push(("Implementation", start.implementation.clone()));
    }
    let mut hosts: Vec<&str> = starts()
        .flat_map(|s| s.hosts.iter().map(String::as_str))
        .collect();
    hosts.sort_unstable();
    hosts.dedup();
    facts.push(("Hosts", hosts.join(", ")));
    let threads: Vec<String> = results
        .runs
        .iter()
        .map(|run| run.threads.to_string())
        .collect();
    facts.push(("Threads", threads.join(", ")));
    facts.push(("Method", crate::names::method(settings.method).to_string()));
    facts.push(("Timer", format!("{:?}", settings.timer).to_lowercase()));
    let buffers = match settings.warm {
        true => "one, used again and again".to_string(),
        false => format!(
            "rotating beyond {} of cache",
            bytes(settings.cache_bytes as f64)
        ),
    };
    facts.push(("Buffers", buffers));
    facts.push((
        "Dropped at each end",
        percent(100.0 * settings.trimmed_share),
    ));
    facts.push(("Confidence", percent(100.0 * settings.confidence)));
    facts.push(("Written by", results.written_by.clone()));
    let rows = facts.iter().filter(|(_, value)| !value.is_empty());
    let rows: String = rows
        .map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>\n", escape(value)))
        .collect();
    format!("<dl>\n{rows}</dl>\n")
}

/// All that a reader must know before the figures.
fn remarks(results: &Results) -> String {
    let mut remarks = Vec::new();
    for run in &results.runs {
        if run.interrupted {
            remarks.push(format!(
                "{} threads: interrupted before all was timed.",
                run.threads
            ));
        }
        remarks.extend(crate::remarks::of_run(run, false));
        for reason in run.timer.iter().flat_map(|timer| &timer.refused) {
            remarks.push(format!("{} threads, timer refused: {reason}", run.threads));
        }
        remarks.extend(
            run.failures
                .iter()
                .map(|f| format!("Failed: {}", failed(run.threads, f))),
        );
    }
    if remarks.is_empty() {
        return String::new();
    }
    let items: String = remarks
        .iter()
        .map(|r| format!("<li>{}</li>\n", escape(r)))
        .collect();
    format!("<ul class=\"remarks\">\n{items}</ul>\n")
}

fn contents(operations: &[(String, Vec<&Timing>)]) -> String {
    if operations.len() < 2 {
        return String::new();
    }
    let link = |(number, (what, _)): (usize, &(String, _))| {
        format!(
            "<li><a href=\"#operation-{number}\">{}</a></li>\n",
            escape(what)
        )
    };
    let links: String = operations.iter().enumerate().map(link).collect();
    format!("<nav aria-label=\"Operations\"><ul>\n{links}</ul></nav>\n")
}

fn operation(number: usize, what: &str, timings: &[&Timing], plots: &[Picture]) -> String {
    let mut text = format!(
        "<article id=\"operation-{number}\">\n<h2>{}</h2>\n",
        escape(what)
    );
    text += &tables::rows(what, timings);
    for plot in plots.iter().filter(|plot| plot.what == what) {
        text += &figure(plot);
    }
    text += &tables::per_thread(what, timings);
    text + "</article>\n"
}

fn figure(plot: &Picture) -> String {
    format!("<figure>\n{}</figure>\n", plot.svg)
}

fn about_timer(results: &Results, plots: &[Picture]) -> String {
    let rows = tables::timers(results);
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::from("<article id=\"timer\">\n<h2>Timer</h2>\n");
    let _ = write!(text, "{rows}");
    text.extend(plots.iter().filter(|plot| plot.what.is_empty()).map(figure));
    text + "</article>\n"
}
