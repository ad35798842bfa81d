//! One-sided operations by distance between thread and data, and from node to node: for runs on
//! several nodes.

use pgas_result::AnalysisResult;
use pgas_result::communication::Communication;
use pgas_result::locality::{Locality, NodePair, Reach};

use super::canvas::{Canvas, Line, Style};
use crate::quantity::{bytes, count, seconds};

/// Columns at which those of the table end.
const COLUMNS: [usize; 3] = [34, 46, 58];
/// Pairs of nodes that have a line.
const SHOWN: usize = 6;
/// Columns of the names of nodes.
const NAME: usize = 16;
/// Columns of one cell of the matrix.
const CELL: usize = 12;

/// The sums to show: only where there was more than one node.
pub(super) fn shown(result: &AnalysisResult) -> Option<&Locality> {
    let communication = result.summary.communication.as_ref()?;
    let locality = communication.locality.as_ref()?;
    let has_operations = locality.all.all().operations > 0;
    (result.cube.nodes.len() > 1 && has_operations).then_some(locality)
}

pub(super) fn write(
    canvas: &mut Canvas,
    (communication, locality): (&Communication, &Locality),
    nodes: &[String],
) {
    write_distances(canvas, locality);
    write_notes(canvas, communication, locality);
    canvas.blank();
    let cells = canvas.width.saturating_sub(2 + NAME) / CELL;
    let is_matrix = locality.complete && nodes.len() <= cells;
    match is_matrix && locality.node_pairs.len() > SHOWN {
        true => write_matrix(canvas, locality, nodes),
        false => write_pairs(canvas, locality, nodes),
    }
}

fn write_distances(canvas: &mut Canvas, locality: &Locality) {
    let all = &locality.all;
    let reaches = [
        all.own.as_ref(),
        Some(&all.same_node),
        Some(&all.other_node),
    ];
    let mut head = Line::new().add(Style::Dim, "  accesses and transfers");
    for (name, column) in ["own data", "same node", "other node"].iter().zip(COLUMNS) {
        head = head.right(Style::Dim, name, column);
    }
    canvas.line(head);
    let ascii = canvas.ascii;
    let time = |reach: &Reach| match (reach.seconds, reach.operations) {
        (None, 0) => Some(seconds(0.0, ascii)),
        (time, _) => time.map(|time| seconds(time, ascii)),
    };
    row(canvas, "operations", reaches, &|reach| {
        Some(count(reach.operations as f64))
    });
    row(canvas, "bytes", reaches, &|reach| {
        Some(bytes(reach.bytes as f64))
    });
    row(canvas, "time", reaches, &time);
}

/// A line of the table; a dash for what is not known.
fn row(
    canvas: &mut Canvas,
    name: &str,
    reaches: [Option<&Reach>; 3],
    text: &dyn Fn(&Reach) -> Option<String>,
) {
    let mut line = Line::new().add(Style::Plain, format!("  {name}"));
    for (reach, column) in reaches.into_iter().zip(COLUMNS) {
        let known = reach.and_then(text);
        let cell = known.unwrap_or_else(|| canvas.glyphs.dash.to_owned());
        line = line.right(Style::Plain, cell, column);
    }
    canvas.line(line);
}

fn write_notes(canvas: &mut Canvas, communication: &Communication, locality: &Locality) {
    let all = locality.all.all();
    let mut notes = Vec::new();
    if all.timed_operations == 0 {
        notes.push("The operations were counted, and their time is not known.".to_owned());
    } else if all.timed_operations < all.operations {
        notes.push(format!(
            "The time is that of {} of these {} operations; the others were counted, and did not \
             wait for another node.",
            count(all.timed_operations as f64),
            count(all.operations as f64)
        ));
    }
    if !locality.own_recorded {
        notes.push(canvas.words.say(
            "Accesses of threads to their own data were not recorded like others: some may be \
             missing.",
        ));
    }
    if let Some(unknown) = &communication.unknown {
        notes.push(format!(
            "Of {} more operations the owner is not known.",
            count(unknown.operations as f64)
        ));
    }
    if !notes.is_empty() {
        canvas.prose((Style::Plain, ""), 2, Style::Dim, &notes.join(" "));
    }
}

/// "  node1 with data of node2    3.00 MiB   1,234 operations, 12.0 ms", those with most bytes
/// first.
fn write_pairs(canvas: &mut Canvas, locality: &Locality, nodes: &[String]) {
    let mut pairs: Vec<&NodePair> = locality.node_pairs.iter().collect();
    // What stays within nodes is in the table above.
    if pairs.len() > SHOWN {
        pairs.retain(|pair| pair.node != pair.owner_node);
    }
    pairs.sort_by_key(|pair| {
        let bytes = std::cmp::Reverse(pair.reach.bytes);
        (bytes, pair.node, pair.owner_node)
    });
    let column = pairs
        .iter()
        .take(SHOWN)
        .map(|pair| who(canvas, pair, nodes));
    let column = column
        .map(|who| crate::names::width(&who))
        .max()
        .unwrap_or(0);
    for pair in pairs.iter().take(SHOWN) {
        let reach = &pair.reach;
        let mut aside = format!("{} operations", count(reach.operations as f64));
        if let Some(time) = reach.seconds {
            aside = format!("{aside}, {}", seconds(time, canvas.ascii));
        }
        let at = column + 12;
        let aside = canvas.short(&aside, canvas.width.saturating_sub(at + 3));
        let line = Line::new()
            .add(Style::Plain, who(canvas, pair, nodes))
            .right(Style::Strong, bytes(reach.bytes as f64), at)
            .to(at + 3)
            .add(Style::Dim, aside);
        canvas.line(line);
    }
    let more = match locality.complete {
        _ if pairs.len() <= SHOWN => return,
        true => format!(
            "({} pairs of different nodes in all)",
            count(pairs.len() as f64)
        ),
        false => "(only the pairs of nodes with most bytes are kept)".to_owned(),
    };
    canvas.prose((Style::Plain, ""), 2, Style::Dim, &more);
}

fn who(canvas: &Canvas, pair: &NodePair, nodes: &[String]) -> String {
    let from = name(canvas, nodes, pair.node, NAME);
    match pair.node == pair.owner_node {
        true => format!("  {from} within the node"),
        false => {
            let owner = name(canvas, nodes, pair.owner_node, NAME);
            format!("  {from} with data of {owner}")
        }
    }
}

fn name(canvas: &Canvas, nodes: &[String], node: usize, columns: usize) -> String {
    canvas.short(nodes.get(node).map_or("?", String::as_str), columns)
}

/// Rows are the nodes of the threads that access, columns those of the threads whose data it is.
fn write_matrix(canvas: &mut Canvas, locality: &Locality, nodes: &[String]) {
    let text = "Bytes, by node of the thread that accesses (lines) and of the thread whose data it is \
                (columns):";
    canvas.prose((Style::Plain, ""), 2, Style::Dim, &canvas.words.say(text));
    let column = |node: usize| 2 + NAME + CELL * (node + 1);
    let mut head = Line::new();
    for node in 0..nodes.len() {
        let name = name(canvas, nodes, node, CELL - 2);
        head = head.right(Style::Dim, name, column(node));
    }
    canvas.line(head);
    for row in 0..nodes.len() {
        let name = name(canvas, nodes, row, NAME);
        let mut line = Line::new().add(Style::Dim, format!("  {name}"));
        for owner in 0..nodes.len() {
            let mut pairs = locality.node_pairs.iter();
            let pair = pairs.find(|pair| (pair.node, pair.owner_node) == (row, owner));
            if let Some(pair) = pair {
                let text = bytes(pair.reach.bytes as f64);
                line = line.right(Style::Plain, text, column(owner));
            }
        }
        canvas.line(line);
    }
}
