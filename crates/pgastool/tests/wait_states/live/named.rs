//! Waiting as the analysis of the trace and as the live search name it: pattern, place, thread.

use std::collections::BTreeMap;

use pgas_analyze::patterns::PATTERNS;
use serde_json::Value;

/// Waiting at one place, by the analysis.
#[derive(Debug, Clone, Default)]
pub struct Analysed {
    /// Metric ids, that of the most waiting first.
    pub patterns: Vec<String>,
    /// Share of the time of all threads, in percent.
    pub percent: f64,
    /// The thread that caused most of the waiting; `None` if it changes.
    pub culprit: Option<u32>,
    /// The thread that the culprit, or the one that changes, had waited for itself.
    pub root: Option<u32>,
    /// Threads that came last in most instances of a pattern at the place: of each pattern, as
    /// there is no finding of a smaller one beside a larger one.
    pub mostly_last: Vec<u32>,
}

/// Waiting at one place, by the live search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Live {
    pub kind: String,
    /// Id of the wait state, if the search could tell.
    pub pattern: Option<String>,
    /// Seconds after which the place was known.
    pub after: f64,
    /// The threads that were named, and after how many seconds each was.
    pub culprits: Vec<(u32, f64)>,
}

/// "upc_barrier at fixed.upc:12".
fn place(finding: &Value) -> String {
    let text = |field: &str| finding[field].as_str().unwrap_or_default();
    let file = text("file").rsplit('/').next().unwrap_or_default();
    match file {
        "" => text("region").to_owned(),
        file => format!("{} at {file}:{}", text("region"), finding["line"]),
    }
}

/// All waiting that the report has findings of, by place.
pub fn analysed(report: &Value) -> BTreeMap<String, Analysed> {
    let mut all: BTreeMap<String, Analysed> = BTreeMap::new();
    let findings = report["findings"].as_array().expect("findings");
    // The most expensive one comes first.
    for finding in findings.iter().filter(|finding| finding["kind"] == "wait") {
        let found = all.entry(place(finding)).or_default();
        if found.patterns.is_empty() {
            let cause = finding["cause"].as_str().expect("a cause");
            // "The PE that came last changes; ..."
            let is_one = !cause
                .split(';')
                .next()
                .is_some_and(|first| first.ends_with(" changes"));
            let culprit = finding["culprit_thread"].as_u64();
            found.culprit = culprit.filter(|_| is_one).map(|thread| thread as u32);
            found.root = passed_on(cause);
        }
        let pattern = finding["metric"].as_str().expect("a metric").to_owned();
        if !found.patterns.contains(&pattern) {
            found.patterns.push(pattern);
        }
        found.percent += finding["percent"].as_f64().expect("percent");
        found
            .mostly_last
            .extend(mostly_last(report, &finding["call_path"]));
    }
    add_smaller_patterns(report, &mut all);
    all
}

/// Of several patterns at a call path, only the worst one has a finding. The others take this share
/// of the time of all threads at least.
const SHOWN: f64 = 0.02;

fn add_smaller_patterns(report: &Value, all: &mut BTreeMap<String, Analysed>) {
    let seconds = |values: &Value| -> f64 {
        let values = values.as_array().into_iter().flatten();
        values.filter_map(Value::as_f64).sum()
    };
    let time = seconds(&report["metrics"]["time"]["per_thread"]);
    for node in report["call_paths"].as_array().into_iter().flatten() {
        let Some(found) = all.get_mut(&place(node)) else {
            continue;
        };
        let is_shown = |pattern: &str| seconds(&node["metrics"][pattern]) >= SHOWN * time;
        for pattern in PATTERNS.iter().filter(|pattern| is_shown(pattern.id)) {
            if !found.patterns.iter().any(|known| known == pattern.id) {
                found.patterns.push(pattern.id.to_owned());
            }
        }
    }
}

/// Time in a place, whether it was waiting or not.
#[derive(Debug, Clone, Default)]
pub struct Time {
    /// Share of the time of all threads, in percent.
    pub percent: f64,
    /// Share of the thread's own time, in percent, by thread.
    pub threads: Vec<f64>,
}

impl Time {
    /// Whether a thread was in it for `margin` percent less than each of the others.
    pub fn is_least(&self, thread: u32, margin: f64) -> bool {
        let own = self.threads.get(thread as usize);
        let others = self.threads.iter().enumerate();
        let mut others = others.filter(|(other, _)| *other != thread as usize);
        own.is_some_and(|own| others.all(|(_, percent)| percent - own >= margin))
    }
}

/// Time in each place.
pub fn times(report: &Value) -> BTreeMap<String, Time> {
    let values = |values: &Value| -> Vec<f64> {
        let values = values.as_array().into_iter().flatten();
        values.filter_map(Value::as_f64).collect()
    };
    let all = values(&report["metrics"]["time"]["per_thread"]);
    let mut times: BTreeMap<String, Time> = BTreeMap::new();
    for node in report["call_paths"].as_array().into_iter().flatten() {
        let time = times.entry(place(node)).or_default();
        time.threads.resize(all.len(), 0.0);
        let seconds = values(&node["metrics"]["time"]);
        time.percent += 100.0 * seconds.iter().sum::<f64>() / all.iter().sum::<f64>();
        for (thread, seconds) in seconds.iter().enumerate() {
            time.threads[thread] += 100.0 * seconds / all[thread];
        }
    }
    times
}

/// The thread that came last in most instances of each pattern at a call path.
fn mostly_last(report: &Value, call_path: &Value) -> Vec<u32> {
    let all = report["instances"].as_array().into_iter().flatten();
    let here = all.filter(|one| one["call_path"] == *call_path);
    let of_one = |one: &Value| {
        let counts = one["last_counts"].as_array().into_iter().flatten();
        let counts: Vec<u64> = counts.filter_map(Value::as_u64).collect();
        let all: u64 = counts.iter().sum();
        let is_most = |count: &u64| 10 * count >= 6 * all && all > 0;
        counts.iter().position(is_most).map(|thread| thread as u32)
    };
    here.filter_map(of_one).collect()
}

/// The thread in "because it had waited itself, for thread 2" or "in the queue, or to what these
/// waited for: mostly thread 2", from 0.
fn passed_on(cause: &str) -> Option<u32> {
    let rests = ["waited itself, for ", "what these waited for: mostly "].into_iter();
    let rest = rests.filter_map(|words| cause.split(words).nth(1)).next()?;
    let mut words = rest.split(|c: char| !c.is_alphanumeric());
    let (name, number) = (words.next()?, words.next()?.parse::<u32>().ok()?);
    let first = if name == "image" { 1 } else { 0 };
    number.checked_sub(first)
}

/// Confirmed waiting of the content of `watched.json`, by place. Findings that were rejected again
/// are left out.
pub fn live(watched: &Value) -> BTreeMap<String, Live> {
    let mut all: BTreeMap<String, Live> = BTreeMap::new();
    let findings = watched["findings"].as_array().into_iter().flatten();
    for finding in findings.filter(|finding| finding["gone_after_seconds"].is_null()) {
        let key = finding["key"].as_str().expect("a key");
        let after = finding["known_after_seconds"].as_f64().expect("seconds");
        let words: Vec<&str> = key.splitn(4, ' ').collect();
        match words[..] {
            ["place", _, kind, place] => {
                let found = all.entry(place.to_owned()).or_default();
                (found.kind, found.after) = (kind.to_owned(), after);
                found.pattern = finding["pattern"].as_str().map(str::to_owned);
            }
            ["thread", thread, _, place] => {
                let thread = thread.parse().expect("a thread");
                let found = all.entry(place.to_owned()).or_default();
                found.culprits.push((thread, after));
            }
            _ => {}
        }
    }
    all
}

#[test]
fn the_thread_that_was_waited_for_in_turn_is_found() {
    let cause = "Thread 1 came last. It came late because it had waited itself, for thread 12 or \
                 others that did so, which was computing.";
    assert_eq!(passed_on(cause), Some(12));
    assert_eq!(passed_on("Thread 1 came last."), None);
    let cause = "Most of it is due to those before it in the queue, or to what these waited for: \
                 mostly image 3, computing.";
    assert_eq!(passed_on(cause), Some(2));
}

#[test]
fn keys_of_the_live_search_are_read() {
    let finding = |key: &str, gone: Option<f64>| {
        serde_json::json!({
            "key": key,
            "known_after_seconds": 2.0,
            "gone_after_seconds": gone,
        })
    };
    let watched = serde_json::json!({"findings": [
        finding("program", None),
        finding("kind waiting lock", None),
        finding("place waiting lock upc_lock at a.upc:9", None),
        finding("thread 2 lock upc_lock at a.upc:9", None),
        finding("place waiting barrier upc_barrier at a.upc:12", Some(3.0)),
    ]});
    let expected = Live {
        kind: "lock".into(),
        pattern: None,
        after: 2.0,
        culprits: vec![(2, 2.0)],
    };
    let expected = BTreeMap::from([("upc_lock at a.upc:9".to_owned(), expected)]);
    assert_eq!(live(&watched), expected);
}
