//! Communication between threads: the pairs with most time in one-sided operations, and for few
//! threads the whole matrix. On several nodes, before that, how far the data was.

use pgas_result::AnalysisResult;
use pgas_result::communication::{Communication, Pair};

use super::canvas::{Canvas, Line, Style};
use super::locality;
use crate::quantity::{bytes, count, percent, seconds};

/// Pairs that have a line.
const SHOWN: usize = 5;
/// Threads up to which the matrix is shown.
const MATRIX: usize = 16;
/// Share of all threads' time from which on communication is worth a section.
const LEAST_SHARE: f64 = 0.005;
/// Columns of one share of the matrix.
const CELL: usize = 4;
/// Column at which the matrix begins.
const MATRIX_AT: usize = 12;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let Some(communication) = &result.summary.communication else {
        return;
    };
    let total = result
        .cube
        .metric("time")
        .map_or(0.0, |time| result.cube.total(time));
    let between = between_threads(communication);
    let time: f64 = communication.by_thread.iter().map(|f| f.seconds).sum();
    let own: f64 = own(communication).map(|pair| pair.flow.seconds).sum();
    let time = (time - own).max(0.0);
    let are_pairs_shown = !between.is_empty() && time >= LEAST_SHARE * total;
    let locality = locality::shown(result);
    if !are_pairs_shown && locality.is_none() {
        return;
    }
    let aside = canvas.words.say("one-sided, with other threads' data");
    let aside = format!("{aside}: {}", seconds(time, canvas.ascii));
    canvas.heading("COMMUNICATION", Line::new().add(Style::Dim, aside));
    if let Some(locality) = locality {
        locality::write(canvas, (communication, locality), &result.cube.nodes);
        if !are_pairs_shown {
            return;
        }
        canvas.blank();
    }
    write_pairs(canvas, communication, &between, time);
}

/// The pairs with most time, and for few threads the whole matrix.
fn write_pairs(canvas: &mut Canvas, communication: &Communication, between: &[&Pair], time: f64) {
    let threads = communication.by_thread.len();
    let last = canvas.words.number(threads.saturating_sub(1) as u32);
    let digits = last.to_string().len();
    for pair in between.iter().take(SHOWN) {
        write_pair(canvas, pair, time, digits);
    }
    if between.len() <= SHOWN {
        return;
    }
    let fits = MATRIX_AT + CELL * threads <= canvas.width;
    if threads <= MATRIX && fits && communication.complete {
        write_matrix(canvas, communication, time);
    } else {
        let more = match communication.complete {
            true => format!("{} pairs in all", count(between.len() as f64)),
            false => "only the pairs with most time are kept".to_owned(),
        };
        canvas.prose((Style::Plain, ""), 2, Style::Dim, &format!("({more})"));
    }
}

/// Pairs of different threads, those with most time first.
fn between_threads(communication: &Communication) -> Vec<&Pair> {
    let mut pairs: Vec<&Pair> = communication
        .pairs
        .iter()
        .filter(|pair| pair.thread != pair.owner)
        .collect();
    pairs.sort_by(|a, b| {
        let by_time = b.flow.seconds.total_cmp(&a.flow.seconds);
        by_time.then_with(|| (a.thread, a.owner).cmp(&(b.thread, b.owner)))
    });
    pairs
}

fn own(communication: &Communication) -> impl Iterator<Item = &Pair> {
    communication
        .pairs
        .iter()
        .filter(|pair| pair.thread == pair.owner)
}

/// "  thread 1 with data of thread 0    1.23 s   12 %   3,000 operations, got 4.0 KiB, put 2.0 KiB"
fn write_pair(canvas: &mut Canvas, pair: &Pair, time: f64, digits: usize) {
    let flow = &pair.flow;
    let words = canvas.words;
    let name = |thread: u32| format!("{} {:>digits$}", words.one, words.number(thread));
    let who = format!("  {} with data of {}", name(pair.thread), name(pair.owner));
    let at = who.len();
    let mut moved = vec![format!("{} operations", count(flow.operations as f64))];
    let amounts = [
        ("got", flow.get_bytes),
        ("put", flow.put_bytes),
        ("copied", flow.either_bytes),
    ];
    for (verb, amount) in amounts.into_iter().filter(|(_, amount)| *amount > 0) {
        moved.push(format!("{verb} {}", bytes(amount as f64)));
    }
    let room = canvas.width.saturating_sub(at + 21);
    let moved = canvas.short(&moved.join(", "), room);
    let share = if time > 0.0 {
        100.0 * flow.seconds / time
    } else {
        0.0
    };
    canvas.line(
        Line::new()
            .add(Style::Plain, who)
            .right(Style::Strong, seconds(flow.seconds, canvas.ascii), at + 10)
            .right(Style::Plain, percent(share), at + 18)
            .to(at + 21)
            .add(Style::Dim, moved),
    );
}

/// Rows are the threads that access, columns those whose data it is.
fn write_matrix(canvas: &mut Canvas, communication: &Communication, time: f64) {
    let threads = communication.by_thread.len();
    let mut shares = vec![vec![0.0; threads]; threads];
    for pair in &communication.pairs {
        let row = shares.get_mut(pair.thread as usize);
        if let Some(share) = row.and_then(|row| row.get_mut(pair.owner as usize)) {
            *share = 100.0 * pair.flow.seconds / time;
        }
    }
    canvas.blank();
    let text = "Percent of this time, by thread that accesses (lines) and thread whose data it is \
                (columns):";
    let words = canvas.words;
    canvas.prose((Style::Plain, ""), 2, Style::Dim, &words.say(text));
    let mut head = Line::new();
    for owner in 0..threads {
        head = head.right(
            Style::Dim,
            words.number(owner as u32).to_string(),
            MATRIX_AT + CELL * (owner + 1),
        );
    }
    canvas.line(head);
    for (thread, row) in shares.iter().enumerate() {
        let mut line = Line::new();
        let number = words.number(thread as u32);
        line = line.add(Style::Dim, format!("  {} {number:>2}", words.one));
        for (owner, &share) in row.iter().enumerate() {
            let (style, text) = match share {
                _ if owner == thread => (Style::Dim, canvas.glyphs.dash.to_owned()),
                s if s <= 0.0 => continue,
                s if s < 0.5 => (Style::Dim, "<1".to_owned()),
                s => (Style::Plain, format!("{s:.0}")),
            };
            line = line.right(style, text, MATRIX_AT + CELL * (owner + 1));
        }
        canvas.line(line);
    }
}
