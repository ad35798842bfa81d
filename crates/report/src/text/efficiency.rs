//! The POP efficiency factors, each with what it says in words.

use pgas_result::AnalysisResult;
use pgas_result::models::{self, Model};
use pgas_result::vocabulary::FACTORS;

use super::bar::bar;
use super::canvas::{Canvas, Line, Style};
use crate::figures::{FAIR, GOOD, activities, largest};
use crate::quantity::{percent, seconds};

/// Widths of a bar, on a screen of usual width and on a narrow one.
const BAR: usize = 20;
const NARROW_BAR: usize = 8;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let efficiency = &result.summary.efficiency;
    let cost = result.summary.recording.cost.as_ref();
    let is_judged = !cost.is_some_and(|cost| cost.is_inflating());
    let aside = match is_judged {
        true => "80 % or more is good",
        false => "not judged: the recording's own time counts as computation",
    };
    canvas.heading("HOW EFFICIENT", Line::new().add(Style::Dim, aside));
    let parallel = efficiency.parallel_efficiency;
    let computing = computing_in_words(canvas, result);
    let [of_all, of_balance, of_communication] = FACTORS.map(|factor| factor.name);
    let factor = |canvas: &mut Canvas, name: &str, value: f64, words: &str| {
        factor(canvas, name, value, words, is_judged);
    };
    factor(canvas, of_all, parallel, &computing);
    let words = result.summary.words();
    let balance = words.say(&balance_in_words(result));
    let name = format!("  {of_balance}");
    factor(canvas, &name, efficiency.load_balance, &balance);
    let communication = efficiency.communication_efficiency;
    let communicating = words.say(&communication_in_words(communication, result));
    let name = format!("  {of_communication}");
    factor(canvas, &name, communication, &communicating);
}

fn factor(canvas: &mut Canvas, name: &str, value: f64, words: &str, is_judged: bool) {
    let style = match value {
        _ if !is_judged => Style::Plain,
        v if v >= GOOD => Style::Good,
        v if v >= FAIR => Style::Fair,
        _ => Style::Bad,
    };
    let bar_width = if canvas.width < 90 { NARROW_BAR } else { BAR };
    let words_at = 30 + bar_width + 2;
    let drawn = bar(value, bar_width, &canvas.glyphs);
    canvas.line(
        Line::new()
            .add(Style::Plain, format!("  {name}"))
            .right(style, share(value), 28)
            .to(30)
            .add(style, drawn)
            .to(words_at)
            .add(Style::Plain, canvas.short(words, canvas.width - words_at)),
    );
}

fn computing_in_words(canvas: &Canvas, result: &AnalysisResult) -> String {
    let computation: f64 = activities(&result.cube).iter().map(|a| a.computation).sum();
    let computation = seconds(computation, canvas.ascii);
    let wall = seconds(result.summary.wall_seconds, canvas.ascii);
    match result.summary.threads {
        1 => format!("{computation} of computation in {wall}"),
        n => format!("{computation} of computation in {n} x {wall}"),
    }
}

fn balance_in_words(result: &AnalysisResult) -> String {
    let balance = result.summary.efficiency.load_balance;
    if result.summary.threads <= 1 {
        return "one thread: nothing to balance".to_owned();
    }
    if balance >= 0.99 {
        return "all threads compute equally long".to_owned();
    }
    if balance <= 0.0 || !balance.is_finite() {
        return "no thread computes".to_owned();
    }
    let most = largest(activities(&result.cube).iter().map(|a| a.computation));
    let who = match most {
        Some((thread, seconds)) if seconds > 0.0 => format!("thread {thread}"),
        _ => "the busiest thread".to_owned(),
    };
    let ratio = 1.0 / balance;
    if ratio < 1.95 {
        format!("{who} computes {ratio:.2} times the average")
    } else {
        format!("{who} computes {ratio:.1} times the average")
    }
}

fn communication_in_words(value: f64, result: &AnalysisResult) -> String {
    if value >= 0.995 {
        return "the busiest thread computes all of the time".to_owned();
    }
    let models = match &result.summary.known_models()[..] {
        [] => Model::Upc.name().to_owned(),
        models => models::names(models),
    };
    let lost = (1.0 - value).clamp(0.0, 1.0);
    let threads = activities(&result.cube);
    let busiest = largest(threads.iter().map(|a| a.computation));
    let without = busiest.map_or(0.0, |(thread, _)| threads[thread].no_core);
    let without = without / result.summary.wall_seconds.max(f64::MIN_POSITIVE);
    if without < 0.005 {
        return format!(
            "the busiest thread spends {} in {models}",
            percent(100.0 * lost)
        );
    }
    // That it had no core is not for what it did in the model's operations.
    format!(
        "busiest thread: {} no core, {} in {models}",
        percent(100.0 * without.min(lost)),
        percent(100.0 * (lost - without).max(0.0))
    )
}

fn share(value: f64) -> String {
    percent(value * 100.0)
}
