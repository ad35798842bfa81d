//! Reading and writing `summary.json`, with its schema version checked before anything else is believed.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde::Deserialize;

use crate::seal::Seal;
use crate::summary::Summary;
use crate::{atomic, Error};

/// Version of the layout that this program writes and reads.
pub(crate) const SCHEMA: u32 = 1;

/// More than any analysis writes: a bound for a file that is something else.
const MAX_BYTES: u64 = 1 << 30;

const ADVICE: &str = "run `pgastool analyze` again";

/// Writes `summary` under a temporary name that is then renamed to `path`.
///
/// # Errors
/// [`Error::Unwritable`] for another schema version than 1 and for numbers that are not finite, which JSON cannot
/// hold; [`Error::Io`].
pub fn write_summary(summary: &Summary, path: impl AsRef<Path>) -> Result<(), Error> {
    write_sealed(summary, path.as_ref(), &Seal::default())
}

/// The same, with the run and the digest of the profile.
pub(crate) fn write_sealed(summary: &Summary, path: &Path, seal: &Seal) -> Result<(), Error> {
    let unwritable = |problem: String| Error::Unwritable {
        path: path.to_owned(),
        problem,
    };
    if summary.schema != SCHEMA {
        return Err(unwritable(format!(
            "the summary has schema {}, this program writes {SCHEMA}",
            summary.schema
        )));
    }
    if let Some(what) = not_finite(summary) {
        return Err(unwritable(format!("{what} is not a finite number")));
    }
    let text = serde_json::to_string_pretty(summary).map_err(|e| unwritable(e.to_string()))?;
    atomic::write(path, |out| out.write_all(seal.close(&text).as_bytes()))
}

/// Reads what [`write_summary`] wrote. Fields that this version does not know are ignored.
///
/// # Errors
/// [`Error::Malformed`] with line and byte for anything that is not a summary of this schema; [`Error::Changed`]; [`Error::Io`].
pub fn read_summary(path: impl AsRef<Path>) -> Result<Summary, Error> {
    read_sealed(path.as_ref()).map(|(summary, _)| summary)
}

/// The same, with what says to which run and profile it belongs.
pub(crate) fn read_sealed(path: &Path) -> Result<(Summary, Seal), Error> {
    let size = fs::metadata(path).map_err(Error::io("read", path))?.len();
    if size > MAX_BYTES {
        return Err(Error::Limit {
            path: path.to_owned(),
            what: format!("{size} bytes"),
            limit: MAX_BYTES,
            advice: ADVICE,
        });
    }
    let bytes = pgas_files::read(path).map_err(Error::io("read", path))?;
    let summary = parse_summary(&bytes, path)?;
    match Seal::open(&bytes) {
        Some(seal) => Ok((summary, seal)),
        None => Err(Error::Changed {
            path: path.to_owned(),
        }),
    }
}

/// The same from memory; `name` is the file's name in errors.
///
/// # Errors
/// As [`read_summary`].
pub fn parse_summary(bytes: &[u8], name: &Path) -> Result<Summary, Error> {
    #[derive(Deserialize)]
    struct Version {
        schema: u32,
    }

    let malformed = |e: serde_json::Error| Error::Malformed {
        path: name.to_owned(),
        line: e.line() as u64,
        offset: offset(bytes, e.line(), e.column()),
        found: e.to_string(),
        expected: format!("a summary of schema {SCHEMA}"),
        advice: ADVICE,
    };
    let Version { schema } = serde_json::from_slice(bytes).map_err(malformed)?;
    if schema != SCHEMA {
        return Err(Error::Malformed {
            path: name.to_owned(),
            line: 1,
            offset: 0,
            found: format!("schema {schema}"),
            expected: format!("schema {SCHEMA}"),
            advice: "it was written by another version of pgastool: run `pgastool analyze` again",
        });
    }
    serde_json::from_slice(bytes).map_err(malformed)
}

/// serde_json counts lines from 1 and columns in bytes.
pub(crate) fn offset(bytes: &[u8], line: usize, column: usize) -> u64 {
    let before: usize = bytes
        .split_inclusive(|&b| b == b'\n')
        .take(line.saturating_sub(1))
        .map(<[u8]>::len)
        .sum();
    (before + column.saturating_sub(1)) as u64
}

/// Name of the first field that JSON cannot hold.
fn not_finite(summary: &Summary) -> Option<String> {
    let efficiency = &summary.efficiency;
    let mut numbers = vec![
        ("wall_seconds".to_owned(), summary.wall_seconds),
        ("load_balance".to_owned(), efficiency.load_balance),
        (
            "communication_efficiency".to_owned(),
            efficiency.communication_efficiency,
        ),
        (
            "parallel_efficiency".to_owned(),
            efficiency.parallel_efficiency,
        ),
    ];
    for (index, finding) in summary.findings.iter().enumerate() {
        numbers.push((format!("seconds of finding {index}"), finding.seconds));
        numbers.push((format!("percent of finding {index}"), finding.percent));
        let saved = finding.saves_seconds;
        numbers.extend(saved.map(|s| (format!("saving of finding {index}"), s)));
        if let Some(worst) = &finding.worst {
            numbers.push((format!("worst instance of finding {index}"), worst.seconds));
            let longest = worst.longest_seconds;
            numbers.extend(longest.map(|s| (format!("longest wait of finding {index}"), s)));
            numbers.push((format!("time of finding {index}"), worst.at_seconds));
        }
    }
    for (index, statistics) in summary.instances.iter().enumerate() {
        if let Some(worst) = &statistics.worst {
            numbers.push((format!("worst instance {index}"), worst.seconds));
            let longest = worst.longest_seconds;
            numbers.extend(longest.map(|s| (format!("longest wait of instance {index}"), s)));
            numbers.push((format!("time of instance {index}"), worst.at_seconds));
        }
        let spread = statistics.spread.iter().flat_map(|spread| spread.figures());
        numbers.extend(spread.map(|figure| (format!("spread of instances {index}"), figure)));
    }
    let advice = summary.synchronization.iter().flat_map(|s| &s.advice);
    for (index, advice) in advice.enumerate() {
        let name = format!("seconds of advice {index} on synchronisation");
        numbers.push((name.clone(), advice.seconds));
        numbers.push((name, advice.saves_seconds));
    }
    let causes = summary.causes.iter().flat_map(|causes| causes.figures());
    numbers.extend(causes.map(|figure| ("the root causes".to_owned(), figure)));
    let communication = summary.communication.iter().flat_map(|c| c.figures());
    let accesses = summary.accesses.figures();
    numbers.extend(communication.map(|figure| ("the communication matrix".to_owned(), figure)));
    numbers.extend(accesses.map(|figure| ("advice on accesses".to_owned(), figure)));
    let recording = &summary.recording;
    for (index, throttled) in recording.throttled.iter().enumerate() {
        numbers.push((
            format!("seconds of throttled function {index}"),
            throttled.seconds,
        ));
        numbers.push((
            format!("percent of throttled function {index}"),
            throttled.percent,
        ));
    }
    if let Some(cost) = &recording.cost {
        numbers.extend(cost.figures());
    }
    if let Some(end) = recording.trace_ends_seconds {
        numbers.push(("the end of the trace".to_owned(), end));
    }
    if let Some(clocks) = &summary.clocks {
        numbers.push(("seconds of waiting".to_owned(), clocks.waiting_seconds));
        numbers.push((
            "seconds of waiting below the uncertainty".to_owned(),
            clocks.below_uncertainty_seconds,
        ));
        numbers.push((
            "the largest violation".to_owned(),
            clocks.violations.largest_seconds,
        ));
        for node in &clocks.nodes {
            numbers.extend(
                [node.uncertainty_seconds, node.drift_ppm]
                    .into_iter()
                    .flatten()
                    .map(|number| (format!("the clock of {}", node.host), number)),
            );
        }
    }
    numbers
        .into_iter()
        .find(|(_, number)| !number.is_finite())
        .map(|(name, _)| name)
}
