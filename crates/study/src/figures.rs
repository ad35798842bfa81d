//! Figures that a study reads from the tool's own reports.

use serde_json::Value;

/// Metrics of which each is time that a thread waits for another one; none contains another one.
const WAITS: [&str; 14] = [
    "wait_at_barrier",
    "barrier_completion",
    "split_phase_wait",
    "lock_contention",
    "wait_at_alloc",
    "late_broadcast",
    "early_gather_receiver",
    "early_gather_sender",
    "early_prefix_reduce",
    "wait_at_nxn",
    "nxn_completion",
    "collective_sync_in",
    "collective_sync_out",
    "wait_inside_collective",
];

/// A recorded run in figures. Times are seconds, summed over threads unless said otherwise.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recorded {
    /// From the start of the run to its end.
    pub wall: f64,
    /// Of all threads together.
    pub time: f64,
    pub computation: f64,
    pub waiting: f64,
    /// Waiting by the metric's name in reports, the largest first; without those that are zero.
    pub waits: Vec<(String, f64)>,
    /// One-sided operations, and their bytes, with data of other threads.
    pub remote_operations: f64,
    pub remote_bytes: f64,
    /// Operations on own data through pointers-to-shared, as far as they were recorded.
    pub own_operations: f64,
    /// Of each finding that states it, the largest first: by how much the run would be shorter at
    /// most.
    pub savings: Vec<Saving>,
}

/// Upper limit that a finding states for the saving of its fix. Wall-clock seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Saving {
    /// Of the recorded run.
    pub seconds: f64,
    /// Less the estimated share of them that recording takes: at the finding's call path, or, of
    /// waiting, in the run.
    pub without_recording: f64,
}

impl Recorded {
    /// From the JSON of `pgastool report`; what is not there counts as zero.
    pub fn from_report(report: &Value) -> Recorded {
        let total = |metric: &str| report["metrics"][metric]["total"].as_f64().unwrap_or(0.0);
        let mut waits: Vec<(String, f64)> = WAITS
            .iter()
            .map(|metric| {
                let name = report["metrics"][metric]["name"].as_str().unwrap_or(metric);
                (name.to_string(), total(metric))
            })
            .filter(|(_, seconds)| *seconds > 0.0)
            .collect();
        waits.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut recorded = Recorded {
            wall: report["wall_seconds"].as_f64().unwrap_or(0.0),
            time: total("time"),
            computation: total("computation"),
            waiting: waits.iter().map(|(_, seconds)| seconds).sum(),
            waits,
            savings: savings(report),
            ..Recorded::default()
        };
        for pair in report["communication"]["pairs"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let number = |key: &str| pair[key].as_f64().unwrap_or(0.0);
            if pair["thread"] == pair["owner"] {
                recorded.own_operations += number("operations");
            } else {
                recorded.remote_operations += number("operations");
                recorded.remote_bytes +=
                    number("get_bytes") + number("put_bytes") + number("either_bytes");
            }
        }
        recorded
    }

    /// The part of the time of all threads that is waiting, in percent.
    pub fn waiting_percent(&self) -> f64 {
        if self.waits.is_empty() {
            return 0.0;
        }
        100.0 * self.waiting / self.time.max(f64::MIN_POSITIVE)
    }
}

/// Of findings about the same seconds only the first counts.
fn savings(report: &Value) -> Vec<Saving> {
    let findings = report["findings"].as_array().into_iter().flatten();
    let counts = |(number, finding): &(usize, &Value)| {
        let others = finding["overlaps"].as_array().into_iter().flatten();
        others
            .filter_map(Value::as_u64)
            .all(|other| other > *number as u64)
    };
    let counted = findings.enumerate().filter(counts);
    let mut savings: Vec<Saving> = counted
        .filter_map(|(_, finding)| {
            let seconds = finding["saves_seconds"].as_f64()?;
            Some(Saving {
                seconds,
                without_recording: seconds * (1.0 - recording_share(report, finding)),
            })
        })
        .filter(|saved| saved.seconds > 0.0)
        .collect();
    savings.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    savings
}

/// Share of a finding's seconds that recording takes, from 0 to 1.
fn recording_share(report: &Value, finding: &Value) -> f64 {
    let cost = &report["recording"]["cost"];
    if finding["kind"] == "wait" {
        return cost["percent"].as_f64().unwrap_or(0.0) / 100.0;
    }
    let at = |entries: &Value, key: &str| {
        let mut entries = entries.as_array().into_iter().flatten();
        entries
            .find(|entry| entry[key] == finding["call_path"])
            .cloned()
    };
    let path = at(&report["call_paths"], "id");
    let times = path.map(|path| path["metrics"]["time"].clone());
    let times = times
        .as_ref()
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let all: f64 = times.filter_map(Value::as_f64).sum();
    let recording = at(&cost["call_paths"], "call_path");
    let recording = recording.and_then(|entry| entry["seconds"].as_f64());
    (recording.unwrap_or(0.0) / all.max(f64::MIN_POSITIVE)).min(1.0)
}

/// The first findings of a report as text: the lines below `WHAT COSTS MOST`, up to finding number
/// `most`.
pub fn first_findings(report: &str, most: usize) -> Option<String> {
    let mut lines = report
        .lines()
        .skip_while(|line| !line.starts_with("WHAT COSTS MOST"));
    lines.next()?;
    let mut text: Vec<&str> = Vec::new();
    for line in lines.filter(|line| !line.starts_with('─')) {
        let next_section = line.chars().next().is_some_and(|c| !c.is_whitespace());
        if next_section || number_of(line).is_some_and(|number| number > most) {
            break;
        }
        text.push(line);
    }
    let text = text.join("\n").trim_end().to_string();
    (!text.is_empty()).then_some(text)
}

/// The number that a finding begins with.
fn number_of(line: &str) -> Option<usize> {
    // ` 1  Wait at barrier`, `12  Load imbalance`; what belongs to a finding is further to the
    // right.
    let (number, rest) = line.trim_start().split_once("  ")?;
    let indented = line.len() - line.trim_start().len();
    (indented <= 1 && !rest.is_empty()).then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_findings_and_nothing_behind_them() {
        let report = "prog\n\nWHAT COSTS MOST      the first 3\n────\n 1  Wait\n    try  a\n\n 2  \
                      Imbalance\n    saves 4  s\n\n 3  Lock\n\nLOAD\n x\n";
        let two = first_findings(report, 2).unwrap();
        assert_eq!(two, " 1  Wait\n    try  a\n\n 2  Imbalance\n    saves 4  s");
        assert!(first_findings(report, 9).unwrap().ends_with(" 3  Lock"));
        assert_eq!(first_findings("prog\n", 3), None);
    }

    #[test]
    fn waiting_and_messages_of_a_report() {
        let report = serde_json::json!({
            "wall_seconds": 2.0,
            "metrics": {
                "time": {"name": "Time", "total": 4.0},
                "wait_at_barrier": {"name": "Wait at barrier", "total": 0.5},
                "lock_contention": {"name": "Lock contention", "total": 0.75},
                "nxn_completion": {"name": "N x N completion", "total": 0.0}
            },
            "communication": {"pairs": [
                {"thread": 0, "owner": 0, "operations": 7, "get_bytes": 70, "put_bytes": 0, "either_bytes": 0},
                {"thread": 0, "owner": 1, "operations": 3, "get_bytes": 24, "put_bytes": 8, "either_bytes": 1}
            ]}
        });
        let recorded = Recorded::from_report(&report);
        assert_eq!(recorded.waiting, 1.25);
        assert_eq!(recorded.waits[0], ("Lock contention".to_string(), 0.75));
        assert_eq!(recorded.waits.len(), 2);
        assert_eq!(
            (
                recorded.remote_operations,
                recorded.remote_bytes,
                recorded.own_operations
            ),
            (3.0, 33.0, 7.0)
        );
        assert_eq!(recorded.waiting_percent(), 31.25);
    }

    #[test]
    fn savings_less_what_recording_takes() {
        let report = serde_json::json!({
            "call_paths": [
                {"id": 0, "metrics": {"time": [9.0, 9.0]}},
                {"id": 4, "metrics": {"time": [1.5, 0.5]}}
            ],
            "recording": {"cost": {"percent": 60.0, "call_paths": [{"call_path": 4, "seconds": 0.5}]}},
            "findings": [
                {"kind": "fine_grained", "call_path": 4, "saves_seconds": 1.0},
                {"kind": "one_sided", "call_path": 4, "saves_seconds": 0.9, "overlaps": [0]},
                {"kind": "wait", "call_path": 0, "saves_seconds": 2.0},
                {"kind": "load_imbalance", "call_path": 0, "saves_seconds": 0.25},
                {"kind": "remark", "call_path": 0}
            ]
        });
        let saving = |seconds, without_recording| Saving {
            seconds,
            without_recording,
        };
        let expected = [saving(2.0, 0.8), saving(1.0, 0.75), saving(0.25, 0.25)];
        assert_eq!(savings(&report), expected);
    }
}
