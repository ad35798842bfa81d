//! What the environment says about the recording. `pgastool run` has an option for each variable and refuses what is
//! wrong before the program starts; here, in the program, it is complained about and the default taken.

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pgas_filter::Filter;
use pgas_trace_format::seal::CompressionLevel;

use crate::comparison::{self, Order};
use crate::files::Files;
use crate::throttle::Throttle;

const DEFAULT_BUFFER: usize = 4 << 20;
/// Bytes of the smallest buffer.
pub(crate) const SMALLEST_BUFFER: usize = 4096;
const BUFFERS: RangeInclusive<u64> = SMALLEST_BUFFER as u64..=64 << 20;
const DEFAULT_LEVEL: i32 = 1;
const LEVELS: RangeInclusive<i32> = 1..=19;
const DEFAULT_THROTTLE: Throttle = Throttle {
    calls: 100_000,
    microseconds: 10,
};

const DEFAULT_CLOCKS: comparison::Settings = comparison::Settings {
    order: Order::Automatic,
    exchanges: 100,
    patience: Duration::from_secs(5),
};
const EXCHANGES: RangeInclusive<u32> = 1..=10_000;

/// What is kept of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Every event, except those of throttled places.
    Trace,
    /// Sums by call path.
    Profile,
}

/// How to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Config {
    /// The experiment directory.
    pub(crate) experiment: PathBuf,
    pub(crate) mode: Mode,
    /// Bytes of one buffer.
    pub(crate) buffer: usize,
    pub(crate) compression: CompressionLevel,
    /// `None`: every call is recorded.
    pub(crate) throttle: Option<Throttle>,
    /// Bytes that the streams of all threads together may have before the trace ends; `None`: as many as there are.
    pub(crate) trace_limit: Option<u64>,
    /// Threads of the program compress and write by themselves.
    pub(crate) synchronous: bool,
    /// Which threads share a file.
    pub(crate) files: Files,
    /// Transfers have addresses.
    pub(crate) addresses: bool,
    /// Time in which a thread was ready to run and had no core is recorded.
    pub(crate) no_core: bool,
    /// What is not recorded at all.
    pub(crate) filter: Option<Arc<Filter>>,
    /// How clocks of different nodes are compared; `None`: not at all.
    pub(crate) clocks: Option<comparison::Settings>,
    /// What tells the run from others.
    pub(crate) run: Option<String>,
    /// Names of counters that are to be read at the boundaries of regions.
    pub(crate) counters: Vec<String>,
}

impl Config {
    /// The configuration of this process; `None` if nothing is to be recorded. What is not understood is complained
    /// about through `complain`, and the default taken.
    pub(crate) fn from_environment(complain: impl FnMut(String)) -> Option<Self> {
        Self::from_variables(|name| std::env::var_os(name), complain)
    }

    fn from_variables(
        variable: impl Fn(&str) -> Option<OsString>,
        complain: impl FnMut(String),
    ) -> Option<Self> {
        let experiment = variable("PGAS_EXPERIMENT").filter(|value| !value.is_empty())?;
        let mut settings = Settings { variable, complain };
        Some(Config {
            experiment: PathBuf::from(experiment),
            mode: settings.read(
                "PGAS_MODE",
                Mode::Trace,
                |text| match text {
                    "trace" => Some(Mode::Trace),
                    "profile" => Some(Mode::Profile),
                    _ => None,
                },
                "expected `trace` or `profile`; writing a trace",
            ),
            buffer: settings.read(
                "PGAS_BUFFER",
                DEFAULT_BUFFER,
                |text| Some(bytes(text).filter(|b| BUFFERS.contains(b))? as usize),
                "expected 4096 to 64M bytes, K and M are understood; taking 4M",
            ),
            compression: settings.read(
                "PGAS_COMPRESS",
                CompressionLevel::Zstd(DEFAULT_LEVEL),
                compression,
                "expected `none` or a zstd level from 1 to 19; taking 1",
            ),
            throttle: settings.read(
                "PGAS_THROTTLE",
                Some(DEFAULT_THROTTLE),
                throttle,
                "expected calls and microseconds, both from 1 to 4294967295, or `off`; taking 100000,10",
            ),
            trace_limit: settings.read(
                "PGAS_TRACE_LIMIT",
                None,
                |text| Some(Some(bytes(text).filter(|&bytes| bytes > 0)?)),
                "expected bytes, at least 1; K, M and G are understood; there is no limit then",
            ),
            synchronous: settings.read(
                "PGAS_SYNC_IO",
                false,
                switch,
                "expected 0 or 1; a helper thread compresses and writes",
            ),
            files: settings.read(
                "PGAS_FILES",
                Files::Automatic,
                Files::from_name,
                "expected `auto`, `thread` or `node`; taking auto",
            ),
            addresses: settings.read(
                "PGAS_ADDRESSES",
                false,
                switch,
                "expected 0 or 1; addresses are not recorded",
            ),
            no_core: settings.read(
                "PGAS_NO_CORE",
                true,
                switch,
                "expected 0 or 1; time without a core is recorded",
            ),
            filter: settings.filter(),
            clocks: settings.read(
                "PGAS_CLOCKS",
                Some(DEFAULT_CLOCKS),
                clocks,
                "expected `auto`, `linear` or `ring`, perhaps with a comma and the number of exchanges, or `off`; taking \
                 auto,100",
            ),
            run: settings.read("PGAS_RUN_ID", None, |text| Some(run_id(text)), ""),
            // Which of them there are depends on the machine: the stream says what was refused.
            counters: settings.read(
                "PGAS_COUNTERS",
                Vec::new(),
                |text| Some(names(text)),
                "expected names, separated by commas; nothing is counted",
            ),
        })
    }
}

/// Something else than an identity is none.
fn run_id(text: &str) -> Option<String> {
    let is_id =
        (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_id.then(|| text.to_owned())
}

struct Settings<V, C> {
    variable: V,
    complain: C,
}

impl<V: Fn(&str) -> Option<OsString>, C: FnMut(String)> Settings<V, C> {
    /// The value of a variable; `default` where there is none, or none that `parse` knows.
    fn read<T>(
        &mut self,
        name: &str,
        default: T,
        parse: impl FnOnce(&str) -> Option<T>,
        otherwise: &str,
    ) -> T {
        let Some(value) = (self.variable)(name) else {
            return default;
        };
        let parsed = value.to_str().and_then(|text| parse(text.trim()));
        parsed.unwrap_or_else(|| {
            (self.complain)(format!("{name}={}: {otherwise}", value.to_string_lossy()));
            default
        })
    }

    /// The filter whose file is named; `None` where there is none, or none that can be used.
    fn filter(&mut self) -> Option<Arc<Filter>> {
        let file = (self.variable)("PGAS_FILTER").filter(|value| !value.is_empty())?;
        match filter(&file) {
            Ok(filter) => Some(Arc::new(filter)).filter(|filter| !filter.is_empty()),
            Err(problem) => {
                (self.complain)(format!("PGAS_FILTER: {problem}; nothing is left out"));
                None
            }
        }
    }
}

/// The rules in a file.
fn filter(file: &OsStr) -> Result<Filter, String> {
    let name = file.to_string_lossy();
    let text = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
    Filter::parse(&text, &name).map_err(|error| error.to_string())
}

/// How clocks are compared.
fn clocks(text: &str) -> Option<Option<comparison::Settings>> {
    let (order, exchanges) = match text.split_once(',') {
        None => (text, None),
        Some((order, exchanges)) => {
            let exchanges = exchanges.trim().parse().ok();
            (
                order.trim(),
                Some(exchanges.filter(|number| EXCHANGES.contains(number))?),
            )
        }
    };
    let order = match order {
        "off" if exchanges.is_none() => return Some(None),
        "auto" => Order::Automatic,
        "linear" => Order::Linear,
        "ring" => Order::Ring,
        _ => return None,
    };
    Some(Some(comparison::Settings {
        order,
        exchanges: exchanges.unwrap_or(DEFAULT_CLOCKS.exchanges),
        ..DEFAULT_CLOCKS
    }))
}

/// A number of bytes, with K, M or G for powers of 1024; a B may follow.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1 << 10,
        "M" | "MB" => 1 << 20,
        "G" | "GB" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn names(text: &str) -> Vec<String> {
    let names = text.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn compression(text: &str) -> Option<CompressionLevel> {
    if text.eq_ignore_ascii_case("none") {
        return Some(CompressionLevel::None);
    }
    let level = text.parse().ok()?;
    LEVELS
        .contains(&level)
        .then_some(CompressionLevel::Zstd(level))
}

fn throttle(text: &str) -> Option<Option<Throttle>> {
    if text.eq_ignore_ascii_case("off") {
        return Some(None);
    }
    let (calls, microseconds) = text.split_once(',')?;
    let positive = |text: &str| text.trim().parse::<u32>().ok().filter(|&number| number > 0);
    Some(Some(Throttle {
        calls: positive(calls)?,
        microseconds: positive(microseconds)?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(variables: &[(&str, &str)]) -> (Option<Config>, Vec<String>) {
        let mut complaints = Vec::new();
        let lookup = |name: &str| {
            let (_, value) = variables.iter().find(|(known, _)| *known == name)?;
            Some(OsString::from(value))
        };
        let config = Config::from_variables(lookup, |complaint| complaints.push(complaint));
        (config, complaints)
    }

    /// With one variable that is understood.
    fn with(name: &str, value: &str) -> Config {
        let (config, complaints) = config(&[("PGAS_EXPERIMENT", "/e"), (name, value)]);
        assert_eq!(complaints, Vec::<String>::new(), "{name}={value}");
        config.unwrap()
    }

    #[test]
    fn without_an_experiment_nothing_is_recorded() {
        assert_eq!(config(&[("PGAS_BUFFER", "x")]), (None, vec![]));
        assert_eq!(config(&[("PGAS_EXPERIMENT", "")]), (None, vec![]));
    }

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [
            ("4096", 4096),
            ("64K", 65536),
            ("2m", 2 << 20),
            ("64MB", 64 << 20),
        ] {
            assert_eq!(with("PGAS_BUFFER", text).buffer, bytes, "{text}");
        }
        for (text, bytes) in [("1", 1), ("3G", 3 << 30), ("5000000000b", 5_000_000_000)] {
            assert_eq!(with("PGAS_TRACE_LIMIT", text).trace_limit, Some(bytes));
        }
    }

    #[test]
    fn everything_can_be_chosen() {
        let choice = |text| with("PGAS_COMPRESS", text).compression;
        assert_eq!(choice("none"), CompressionLevel::None);
        assert_eq!(choice("5"), CompressionLevel::Zstd(5));
        let choice = |text| with("PGAS_THROTTLE", text).throttle;
        assert_eq!(choice("off"), None);
        let (calls, microseconds) = (1000, 7);
        let throttle = Throttle {
            calls,
            microseconds,
        };
        assert_eq!(choice("1000, 7"), Some(throttle));
        assert_eq!(with("PGAS_MODE", "profile").mode, Mode::Profile);
        assert_eq!(with("PGAS_MODE", "trace").mode, Mode::Trace);
        assert!(with("PGAS_SYNC_IO", "1").synchronous);
        assert!(!with("PGAS_SYNC_IO", "0").synchronous);
        assert_eq!(with("PGAS_FILES", "node").files, Files::Node);
        assert!(with("PGAS_ADDRESSES", "1").addresses);
        assert!(!with("PGAS_ADDRESSES", "0").addresses);
        let counters = with("PGAS_COUNTERS", "cycles, page-faults,,").counters;
        assert_eq!(counters, ["cycles", "page-faults"]);
        assert_eq!(with("PGAS_COUNTERS", "").counters, [""; 0]);
    }

    #[test]
    fn a_filter_that_cannot_be_used_leaves_nothing_out() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("my.filter");
        let name = path.to_str().unwrap();
        let complaint = || {
            let (config, complaints) = config(&[("PGAS_EXPERIMENT", "/e"), ("PGAS_FILTER", name)]);
            assert_eq!(config.unwrap().filter, None);
            complaints.join("\n")
        };
        assert!(complaint().starts_with(&format!("PGAS_FILTER: {name}: ")));
        std::fs::write(&path, "EXCLUDE tiny").unwrap();
        assert!(complaint().starts_with(&format!("PGAS_FILTER: {name}:1: found `EXCLUDE`")));
        std::fs::write(&path, b"SCOREP_REGION_NAMES_BEGIN\xff").unwrap();
        assert!(!complaint().is_empty());
        std::fs::write(&path, "# no rules").unwrap();
        assert_eq!(with("PGAS_FILTER", name).filter, None);
        std::fs::write(
            &path,
            "SCOREP_REGION_NAMES_BEGIN EXCLUDE tiny SCOREP_REGION_NAMES_END",
        )
        .unwrap();
        let filter = with("PGAS_FILTER", name).filter.unwrap();
        assert!(!filter.includes_function("tiny", "a.c"));
    }

    #[test]
    fn nonsense_is_said_and_the_default_taken() {
        let (defaults, _) = config(&[("PGAS_EXPERIMENT", "/e")]);
        let defaults = defaults.unwrap();
        assert_eq!(defaults.throttle, Some(DEFAULT_THROTTLE));
        let sizes = "4095 65M -1 lots 99999999999999999999 18446744073709551615K";
        for (name, values) in [
            ("PGAS_BUFFER", sizes),
            ("PGAS_COMPRESS", "0 20 zstd"),
            (
                "PGAS_THROTTLE",
                "on 100 0,5 5,0 5,5,5 -1,3 1.5,3 4294967296,1",
            ),
            ("PGAS_TRACE_LIMIT", "0 2T -5 much 99999999999999999999 1KK"),
            ("PGAS_MODE", "Profile both"),
            ("PGAS_SYNC_IO", "yes 2"),
            ("PGAS_ADDRESSES", "yes 2"),
            ("PGAS_FILES", "Node 1 process"),
        ] {
            for value in values.split(' ').chain([""]) {
                let (found, complaints) = config(&[("PGAS_EXPERIMENT", "/e"), (name, value)]);
                assert_eq!(found, Some(defaults.clone()), "{name}={value}");
                assert_eq!(complaints.len(), 1, "{name}={value}");
                let beginning = format!("{name}={value}: expected ");
                assert!(complaints[0].starts_with(&beginning), "{complaints:?}");
            }
        }
    }

    #[test]
    fn comparisons_of_clocks_can_be_chosen() {
        let with = |text| {
            let (config, complaints) = config(&[("PGAS_EXPERIMENT", "/e"), ("PGAS_CLOCKS", text)]);
            (config.expect("a configuration").clocks, complaints.len())
        };
        let settings = |order, exchanges| {
            Some(comparison::Settings {
                order,
                exchanges,
                ..DEFAULT_CLOCKS
            })
        };
        assert_eq!(with("auto"), (Some(DEFAULT_CLOCKS), 0));
        assert_eq!(with("linear"), (settings(Order::Linear, 100), 0));
        assert_eq!(with("ring, 250"), (settings(Order::Ring, 250), 0));
        assert_eq!(with("off"), (None, 0));
        for text in ["", "on", "ring,", "ring,0", "linear,10001", "off,5"] {
            assert_eq!(with(text), (Some(DEFAULT_CLOCKS), 1), "{text}");
        }
    }
}
