//! Comparison of the live search with the analysis of the trace, place by place.

use std::collections::{BTreeMap, BTreeSet};

use super::named::{Analysed, Live, Time};

/// Share of the time, in percent, from which on the live search must have found a place. It reports
/// those above 5 %, of programs that do not compute for more than 20 % of the time; a place or
/// program near its limit may take longer than the run to be decided.
const PLACE: f64 = 8.0;
const PROGRAM: f64 = 25.0;
/// Share of the time, in percent, that a place must take by the trace if the live search has found
/// it, and the share from which on it counts as waiting.
const TIME: f64 = 4.0;
const WAITING: f64 = 2.0;
/// By how much of its time, in percent, a late thread is in an operation for less than the others.
const LESS: f64 = 5.0;

/// Agreement about one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Pattern, place and culprit, or that the culprit changes.
    Agrees,
    /// Pattern and place; the live search names no thread, the analysis does.
    NoCulprit,
    /// Kind and place; the live search does not name the pattern, the analysis does.
    NoPattern,
    /// The place takes the time, but threads did not wait for each other there; nor does the live
    /// search name a thread. It counts all time in such operations as waiting.
    OnlyTime,
    /// The runtime waits for the thread that the live search names, although the modes of the
    /// collective operation do not ask for it: by the trace, this thread was in it for the shortest
    /// time. The patterns are about what modes ask for.
    ByRuntime,
    /// So little that the live search need not have found it, and has not.
    Little,
    /// The live search has not found the place.
    Missing,
    /// The live search has found a place that takes no time, or a culprit where nobody waits.
    FalseAlarm,
    /// The live search calls the waiting something else.
    OtherPattern,
    /// The live search names a thread that is not the culprit.
    OtherCulprit,
}

impl Verdict {
    /// Whether the live search is wrong.
    pub fn is_wrong(self) -> bool {
        use Verdict::{Agrees, ByRuntime, Little, NoCulprit, NoPattern, OnlyTime};
        !matches!(
            self,
            Agrees | Little | NoCulprit | NoPattern | OnlyTime | ByRuntime
        )
    }

    pub fn text(self) -> &'static str {
        match self {
            Verdict::Agrees => "agree",
            Verdict::NoCulprit => "culprit not known live",
            Verdict::NoPattern => "pattern not known live",
            Verdict::OnlyTime => "time, no waiting",
            Verdict::ByRuntime => "runtime waits, modes do not",
            Verdict::Little => "too little",
            Verdict::Missing => "NOT FOUND LIVE",
            Verdict::FalseAlarm => "FALSE ALARM",
            Verdict::OtherPattern => "OTHER PATTERN",
            Verdict::OtherCulprit => "OTHER CULPRIT",
        }
    }
}

/// One place of a program.
#[derive(Debug, Clone)]
pub struct Line {
    pub place: String,
    pub analysed: Option<Analysed>,
    pub live: Option<Live>,
    pub verdict: Verdict,
}

/// Compares all places of a program.
pub fn compare(
    mut analysed: BTreeMap<String, Analysed>,
    mut live: BTreeMap<String, Live>,
    times: &BTreeMap<String, Time>,
) -> Vec<Line> {
    let percent: f64 = analysed.values().map(|place| place.percent).sum();
    let keys = analysed.keys().chain(live.keys());
    let places: BTreeSet<String> = keys.cloned().collect();
    let lines = places.into_iter().map(|place| {
        let (analysed, live) = (analysed.remove(&place), live.remove(&place));
        let time = times.get(&place).cloned().unwrap_or_default();
        let verdict = verdict(analysed.as_ref(), live.as_ref(), percent, time.percent);
        let verdict = match live.as_ref() {
            Some(live) if is_by_runtime(live, &time, verdict) => Verdict::ByRuntime,
            _ => verdict,
        };
        Line {
            place,
            analysed,
            live,
            verdict,
        }
    });
    let mut lines: Vec<Line> = lines.collect();
    let percent = |line: &Line| line.analysed.as_ref().map_or(0.0, |place| place.percent);
    lines.sort_by(|a, b| percent(b).total_cmp(&percent(a)));
    lines
}

/// `program` and `time` are percent: the waiting of the whole program, the time at the place.
fn verdict(analysed: Option<&Analysed>, live: Option<&Live>, program: f64, time: f64) -> Verdict {
    match (analysed, live) {
        (Some(analysed), None) if analysed.percent >= PLACE && program >= PROGRAM => {
            Verdict::Missing
        }
        (_, None) => Verdict::Little,
        (_, Some(_)) if time < TIME => Verdict::FalseAlarm,
        (Some(analysed), Some(live)) if analysed.percent >= WAITING => of_both(analysed, live),
        (_, Some(live)) if live.culprits.is_empty() => Verdict::OnlyTime,
        _ => Verdict::FalseAlarm,
    }
}

fn is_by_runtime(live: &Live, time: &Time, verdict: Verdict) -> bool {
    let is_least = |(thread, _): &(u32, f64)| time.is_least(*thread, LESS);
    matches!(verdict, Verdict::OtherCulprit | Verdict::FalseAlarm)
        && live.kind == "collective"
        && time.percent >= TIME
        && live.culprits.iter().all(is_least)
}

fn of_both(analysed: &Analysed, live: &Live) -> Verdict {
    let is_kind = |pattern: &String| kinds(pattern).contains(&&*live.kind);
    let is_other = |pattern: &String| !analysed.patterns.contains(pattern);
    if !analysed.patterns.iter().any(is_kind) || live.pattern.as_ref().is_some_and(is_other) {
        return Verdict::OtherPattern;
    }
    let named = live.culprits.iter().map(|(thread, _)| *thread);
    let is_known = |thread: &u32| {
        [analysed.culprit, analysed.root].contains(&Some(*thread))
            || analysed.mostly_last.contains(thread)
    };
    let mut wrong = named.filter(|thread| !is_known(thread));
    match (wrong.next(), live.culprits.is_empty(), analysed.culprit) {
        (Some(_), ..) => Verdict::OtherCulprit,
        (None, true, Some(_)) => Verdict::NoCulprit,
        (None, ..) if live.pattern.is_none() => Verdict::NoPattern,
        _ => Verdict::Agrees,
    }
}

/// What the live search calls a pattern.
fn kinds(pattern: &str) -> &'static [&'static str] {
    match pattern {
        "wait_at_barrier" | "split_phase_wait" => &["barrier"],
        "barrier_completion" => &["barrier", "allocation"],
        "lock_contention" => &["lock"],
        "flag_wait" | "signal_wait" | "event_wait" | "partner_wait" => &["point_to_point"],
        "completion_wait" | "fence_wait" => &["fence"],
        "wait_at_alloc" => &["allocation"],
        _ => &["collective"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysed(percent: f64, culprit: Option<u32>, root: Option<u32>) -> Analysed {
        let patterns = vec!["wait_at_barrier".to_owned()];
        Analysed {
            patterns,
            percent,
            culprit,
            root,
            mostly_last: Vec::new(),
        }
    }

    fn live(kind: &str, culprits: &[u32]) -> Live {
        Live {
            kind: kind.to_owned(),
            pattern: (kind == "barrier").then(|| "wait_at_barrier".to_owned()),
            after: 1.0,
            culprits: culprits.iter().map(|thread| (*thread, 2.0)).collect(),
        }
    }

    fn of(analysed: Analysed, found: &Live) -> Verdict {
        verdict(Some(&analysed), Some(found), 50.0, 50.0)
    }

    #[test]
    fn culprits_are_compared() {
        let named = live("barrier", &[3]);
        assert_eq!(of(analysed(40.0, Some(3), None), &named), Verdict::Agrees);
        assert_eq!(
            of(analysed(40.0, Some(2), None), &named),
            Verdict::OtherCulprit
        );
        assert_eq!(
            of(analysed(40.0, None, None), &named),
            Verdict::OtherCulprit
        );
        // It made another one late.
        assert_eq!(
            of(analysed(40.0, Some(2), Some(3)), &named),
            Verdict::Agrees
        );
        let nobody = live("barrier", &[]);
        assert_eq!(
            of(analysed(40.0, Some(2), None), &nobody),
            Verdict::NoCulprit
        );
        assert_eq!(of(analysed(40.0, None, None), &nobody), Verdict::Agrees);
    }

    #[test]
    fn places_and_kinds_are_compared() {
        let found = live("lock", &[]);
        let waiting = analysed(40.0, None, None);
        assert_eq!(of(waiting.clone(), &found), Verdict::OtherPattern);
        let mut barrier = live("barrier", &[]);
        barrier.pattern = Some("barrier_completion".to_owned());
        assert_eq!(of(waiting.clone(), &barrier), Verdict::OtherPattern);
        barrier.pattern = None;
        assert_eq!(of(waiting.clone(), &barrier), Verdict::NoPattern);
        let of = |analysed, live, program| verdict(analysed, live, program, 10.0);
        assert_eq!(verdict(None, Some(&found), 50.0, 1.0), Verdict::FalseAlarm);
        assert_eq!(of(None, Some(&found), 50.0), Verdict::OnlyTime);
        let named = live("lock", &[1]);
        assert_eq!(of(None, Some(&named), 50.0), Verdict::FalseAlarm);
        assert_eq!(of(Some(&waiting), None, 50.0), Verdict::Missing);
        assert_eq!(of(Some(&waiting), None, 15.0), Verdict::Little);
    }
}
