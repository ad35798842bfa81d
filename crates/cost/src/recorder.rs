//! Costs that a thread's recorder measured when the program began: of single calls by how they were
//! recorded, and its own CPU time.

use std::collections::BTreeMap;

use pgas_trace::Stream;
use pgas_trace::model::Operation;

/// Seconds per picosecond and per nanosecond.
const PICO: f64 = 1e-12;
const NANO: f64 = 1e-9;

/// Picoseconds that it takes probably, and at most, to count a call or an access where it happens, by
/// [`Kind`]. What the recorder measured is not enough: between instructions that wait for each other
/// it costs nothing, in a loop that would otherwise be vectorised more than an addition. Judgement,
/// from the programs of `bench/cost`: 0.07 to 0.19 ns an access, 0 to 1 ns a call.
const COUNTED: [(f64, f64); 2] = [(250.0, 1000.0), (110.0, 300.0)];

/// Kind of a call, as the recorder distinguishes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Of a function or a region of the program.
    Function = 0,
    /// Of an operation of the runtime or the C library.
    Operation = 1,
}

impl Kind {
    /// `None` for what the recorder itself wrote down: nobody called it.
    pub fn of(operation: Operation) -> Option<Self> {
        match operation {
            Operation::MeasurementStall | Operation::NoCore => None,
            operation if operation.is_user() => Some(Kind::Function),
            _ => Some(Kind::Operation),
        }
    }
}

/// By [`Kind`].
type ByKind = [f64; 2];

/// Costs of single calls, in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Costs {
    recorded: ByKind,
    /// Throttled ones: those that their caller called last, too, and others.
    throttled: ByKind,
    changing: ByKind,
    filtered: ByKind,
    paused: ByKind,
    own_access: f64,
    /// An access that the program counts by itself.
    counted_access: f64,
}

impl Costs {
    /// Each with that of others.
    fn merged(self, others: Self, choose: impl Fn(f64, f64) -> f64) -> Self {
        let both = |a: ByKind, b: ByKind| [choose(a[0], b[0]), choose(a[1], b[1])];
        Costs {
            recorded: both(self.recorded, others.recorded),
            throttled: both(self.throttled, others.throttled),
            changing: both(self.changing, others.changing),
            filtered: both(self.filtered, others.filtered),
            paused: both(self.paused, others.paused),
            own_access: choose(self.own_access, others.own_access),
            counted_access: choose(self.counted_access, others.counted_access),
        }
    }
}

/// Costs and numbers of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Recorder {
    /// The lowest and highest that a thread of the same host measured.
    lowest: Costs,
    highest: Costs,
    /// Calls that were left out: filtered, and paused.
    filtered_calls: ByKind,
    paused_calls: ByKind,
    /// Throttled calls of other places than the last one.
    changing_calls: ByKind,
    own_accesses: f64,
    /// Picoseconds of an access in a plain build.
    plain_access: f64,
    /// Seconds on a core from the beginning of the recording to the end, without setting it up.
    cpu: Option<f64>,
    /// Seconds that the recorder took before that, at its end, and in its helper.
    set_up: f64,
    finish: f64,
    helper: f64,
    /// Whole calls were measured, not only events.
    is_whole: bool,
}

/// Calls of one place on one thread.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Calls {
    /// Of which there are events, or sums beyond the end of the trace.
    pub recorded: f64,
    /// Calls that were only counted, not recorded.
    pub throttled: f64,
    /// Of these, those that were timed.
    pub timed: f64,
    /// Accesses that the program counted by itself.
    pub counted: f64,
}

/// Cost of one thread's calls, in seconds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OfThread {
    /// By place, as handed in.
    pub places: Vec<f64>,
    /// Of calls that were left out, and of accesses to own data that were only looked at.
    pub elsewhere: f64,
    /// Of all calls but counted ones, with the lowest cost that was measured.
    pub lowest: f64,
    /// The same with the highest cost that was measured.
    pub highest: f64,
    /// Of accesses and calls that the program counted, probably; at least it is nothing.
    pub counted: f64,
    /// The same at most.
    pub counted_most: f64,
    /// The recorder's own work.
    pub fixed: f64,
    /// Minimum time of the recorded accesses in a plain build.
    pub needed: f64,
    /// On a core; the recorder's own work is part of it.
    pub cpu: Option<f64>,
    /// Whether whole calls were measured, not only events: bounds are known only then.
    pub is_whole: bool,
}

/// The recorders of an experiment's threads, in their order; `None` where one did not measure whole
/// calls. Threads of one host share the lowest costs that any of them measured: the others measured
/// while something else had their core or the other half of it.
pub fn recorders<'a>(
    streams: impl IntoIterator<Item = Option<&'a Stream>>,
) -> Vec<Option<Recorder>> {
    let mut hosts: BTreeMap<&str, (Costs, Costs)> = BTreeMap::new();
    let mut all = Vec::new();
    for stream in streams {
        let host = stream.and_then(|stream| stream.property("host"));
        let recorder = stream.and_then(|stream| Recorder::of(|key| stream.property(key)));
        if let Some(recorder) = recorder {
            let costs = recorder.lowest;
            let entry = hosts.entry(host.unwrap_or("")).or_insert((costs, costs));
            *entry = (
                entry.0.merged(costs, f64::min),
                entry.1.merged(costs, f64::max),
            );
        }
        all.push((host.unwrap_or(""), recorder));
    }
    let with_host = |(host, recorder): (&str, Option<Recorder>)| {
        let (lowest, highest) = *hosts.get(host)?;
        Some(Recorder {
            lowest,
            highest,
            ..recorder?
        })
    };
    all.into_iter().map(with_host).collect()
}

impl Recorder {
    /// As a stream's properties say it; `None` if its recorder did not measure whole calls.
    fn of<'a>(property: impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        const COSTS: [&str; 2] = ["function_cost", "operation_cost"];
        const CALLS: [&str; 2] = ["functions", "operations"];
        let number = |key: &str| Some(property(key)?.trim().parse::<u64>().ok()? as f64);
        let both = |prefix: &str, kinds: [&str; 2]| -> Option<ByKind> {
            let of = |kind: &str| number(&format!("{prefix}{kind}"));
            Some([of(kinds[0])?, of(kinds[1])?])
        };
        let calls =
            |prefix: &str| CALLS.map(|kind| number(&format!("{prefix}{kind}")).unwrap_or(0.0));
        let seconds = |key: &str| number(key).map(|time| time * NANO);
        let recorded = both("", COSTS)?;
        let throttled = both("throttled_", COSTS).unwrap_or(recorded);
        let costs = Costs {
            recorded,
            throttled,
            changing: both("changing_", COSTS).unwrap_or(throttled),
            filtered: both("filtered_", COSTS).unwrap_or_default(),
            paused: both("paused_", COSTS).unwrap_or_default(),
            own_access: number("own_access_cost").unwrap_or(0.0),
            counted_access: number("counted_access_cost").unwrap_or(0.0),
        };
        Some(Recorder {
            lowest: costs,
            highest: costs,
            filtered_calls: calls("filtered_"),
            paused_calls: calls("paused_"),
            changing_calls: calls("changing_"),
            own_accesses: number("own_accesses").unwrap_or(0.0),
            plain_access: number("plain_access_cost").unwrap_or(0.0),
            cpu: seconds("cpu_time")
                .map(|cpu| cpu - seconds("set_up_within_cpu_time").unwrap_or(0.0)),
            set_up: seconds("set_up_cpu_time").unwrap_or(0.0),
            finish: seconds("finish_cpu_time").unwrap_or(0.0),
            helper: seconds("helper_cpu_time").unwrap_or(0.0),
            is_whole: true,
        })
    }

    /// Of a recorder that has measured events only: picoseconds of one, and of a throttled call.
    pub fn of_events(event: f64, throttled: f64) -> Self {
        let costs = Costs {
            recorded: [2.0 * event; 2],
            throttled: [throttled; 2],
            changing: [throttled; 2],
            ..Costs::default()
        };
        Recorder {
            lowest: costs,
            highest: costs,
            ..Self::default()
        }
    }

    /// Seconds that recording a call costs: of a function, and of an operation.
    pub fn recorded_call(&self) -> [f64; 2] {
        self.lowest.recorded.map(|cost| cost * PICO)
    }

    /// Calls that were reported and not recorded, and accesses to own data that were looked at.
    pub fn left_out_calls(&self) -> u64 {
        (self.filtered_calls.iter().sum::<f64>() + self.paused_calls.iter().sum::<f64>()) as u64
    }

    /// Accesses to own data that were looked at and not reported.
    pub fn own_accesses(&self) -> u64 {
        self.own_accesses as u64
    }

    /// Prices the calls of this thread, place by place. Places that nobody called have no kind.
    pub fn price(&self, places: &[(Option<Kind>, Calls)]) -> OfThread {
        let (mut of_places, elsewhere) = self.price_with(&self.lowest, places);
        let (highest, highest_elsewhere) = self.price_with(&self.highest, places);
        let sum = |costs: &[f64]| costs.iter().sum::<f64>();
        let lowest = sum(&of_places) + elsewhere;
        let (mut counted, mut counted_most) = (0.0, 0.0);
        for (cost, (kind, calls)) in of_places.iter_mut().zip(places) {
            let Some(kind) = kind else { continue };
            let (each, most) = COUNTED[*kind as usize];
            let each = calls.counted * each * PICO;
            *cost += each;
            counted += each;
            counted_most += calls.counted * self.highest.counted_access.max(most) * PICO;
        }
        let accesses = places
            .iter()
            .filter(|(kind, _)| *kind == Some(Kind::Operation));
        // Counted ones are part of loops that the compiler makes shorter, down to next to nothing.
        let accesses: f64 = accesses.map(|(_, c)| c.recorded + c.throttled).sum();
        OfThread {
            lowest,
            highest: sum(&highest) + highest_elsewhere,
            counted,
            counted_most,
            places: of_places,
            elsewhere,
            fixed: self.set_up + self.finish + self.helper,
            needed: accesses * self.plain_access * PICO,
            cpu: self.cpu.map(|cpu| cpu + self.set_up + self.helper),
            is_whole: self.is_whole,
        }
    }

    fn price_with(&self, costs: &Costs, places: &[(Option<Kind>, Calls)]) -> (Vec<f64>, f64) {
        let (mut untimed, mut timed) = ([0.0; 2], [0.0; 2]);
        for (kind, calls) in places {
            if let Some(kind) = kind {
                untimed[*kind as usize] += (calls.throttled - calls.timed).max(0.0);
                timed[*kind as usize] += calls.timed;
            }
        }
        // Of changing ones, those that were timed took the longer way, too.
        let untimed_cost: ByKind = [0, 1].map(|kind| {
            let changing = (self.changing_calls[kind] - timed[kind]).clamp(0.0, untimed[kind]);
            let share = match untimed[kind] > 0.0 {
                true => changing / untimed[kind],
                false => 0.0,
            };
            share * costs.changing[kind] + (1.0 - share) * costs.throttled[kind]
        });
        let price = |(kind, calls): &(Option<Kind>, Calls)| match *kind {
            None => 0.0,
            Some(kind) => {
                let kind = kind as usize;
                let in_full = (calls.recorded + calls.timed) * costs.recorded[kind];
                let untimed = (calls.throttled - calls.timed).max(0.0);
                (in_full + untimed * untimed_cost[kind]) * PICO
            }
        };
        let by_kind = |calls: ByKind, cost: ByKind| calls[0] * cost[0] + calls[1] * cost[1];
        let elsewhere = by_kind(self.filtered_calls, costs.filtered)
            + by_kind(self.paused_calls, costs.paused)
            + self.own_accesses * costs.own_access;
        (places.iter().map(price).collect(), elsewhere * PICO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorder_that_measured_no_whole_calls_is_none() {
        assert_eq!(Recorder::of(|_| None), None);
        assert_eq!(
            Recorder::of(|key| (key == "function_cost").then_some("12")),
            None
        );
        assert_eq!(Recorder::of(|_| Some("many")), None);
    }

    #[test]
    fn what_the_recorder_wrote_down_by_itself_costs_nothing() {
        let recorder = Recorder::of_events(1000.0, 500.0);
        let calls = Calls {
            recorded: 10.0,
            ..Calls::default()
        };
        let of = |operation| recorder.price(&[(Kind::of(operation), calls)]).lowest;
        assert_eq!(of(Operation::NoCore), 0.0);
        assert_eq!(of(Operation::MeasurementStall), 0.0);
        assert_eq!(of(Operation::Get), 10.0 * 2000.0 * PICO);
    }
}
