//! The configuration of this process, from the environment ([`crate::settings`]). `pgastool run`
//! has an option for each variable and refuses what is wrong before the program starts; here, in
//! the program, the recorder complains and takes the default.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pgas_trace_format::seal::CompressionLevel;

use crate::clock_sync;
use crate::exclusions::Exclusions;
use crate::files::Files;
use crate::settings::{
    self, Clocks, DEFAULT_BUFFER, DEFAULT_CLOCKS, DEFAULT_COMPRESSION, DEFAULT_EXCHANGES,
    DEFAULT_SAMPLING, DEFAULT_THROTTLE, Live, Mode, SMALLEST_BUFFER, Sampling, Setting, Throttle,
};

/// How long threads wait for one that does not compare its clock.
const PATIENCE: Duration = Duration::from_secs(5);

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
    /// Bytes that the streams of all threads together may have before the trace ends; `None`: as
    /// many as there are.
    pub(crate) trace_limit: Option<u64>,
    /// Threads of the program compress and write by themselves.
    pub(crate) synchronous: bool,
    /// Which threads share a file.
    pub(crate) files: Files,
    /// Transfers have addresses.
    pub(crate) addresses: bool,
    /// Time in which a thread was ready to run and had no core is recorded.
    pub(crate) no_core: bool,
    /// How often and by which clock threads are sampled; `None`: not at all.
    pub(crate) sampling: Option<Sampling>,
    /// Filter of regions that are not recorded at all.
    pub(crate) filter: Option<Arc<Exclusions>>,
    /// How clocks of different nodes are compared; `None`: not at all.
    pub(crate) clocks: Option<clock_sync::Settings>,
    /// Identifier of the run, which distinguishes it from others.
    pub(crate) run: Option<String>,
    /// Whether others can see what threads do now.
    pub(crate) live: Live,
    /// Definitions of metrics.
    pub(crate) metrics: Option<PathBuf>,
    /// Names of counters that are to be read at the boundaries of regions.
    pub(crate) counters: Vec<String>,
}

impl Config {
    /// The configuration of this process; `None` if nothing is to be recorded. Settings that are
    /// not understood are reported through `complain`, and have their defaults.
    pub(crate) fn from_environment(complain: impl FnMut(String)) -> Option<Self> {
        Self::from_variables(|name| std::env::var_os(name), complain)
    }

    fn from_variables(
        variable: impl Fn(&str) -> Option<OsString>,
        complain: impl FnMut(String),
    ) -> Option<Self> {
        let experiment = variable(settings::EXPERIMENT).filter(|value| !value.is_empty())?;
        let run = variable(settings::RUN_ID).and_then(|id| run_id(id.to_str()?.trim()));
        let metrics = variable(settings::METRICS).filter(|path| !path.is_empty());
        let mut from = Variables { variable, complain };
        let throttle = from.read(&settings::THROTTLE);
        let clocks = from.read(&settings::CLOCKS);
        let sampling = from.read(&settings::SAMPLE);
        let config = Config {
            experiment: PathBuf::from(experiment),
            mode: from.read(&settings::MODE).unwrap_or(Mode::Trace),
            buffer: from.read(&settings::BUFFER).unwrap_or(DEFAULT_BUFFER) as usize,
            compression: from
                .read(&settings::COMPRESS)
                .unwrap_or(DEFAULT_COMPRESSION),
            throttle: throttle.unwrap_or(Some(DEFAULT_THROTTLE)),
            trace_limit: from.read(&settings::TRACE_LIMIT),
            synchronous: from.read(&settings::SYNC_IO).unwrap_or(false),
            files: from.read(&settings::FILES).unwrap_or(Files::Automatic),
            addresses: from.read(&settings::ADDRESSES).unwrap_or(false),
            no_core: from.read(&settings::NO_CORE).unwrap_or(true),
            sampling: sampling.unwrap_or(Some(DEFAULT_SAMPLING)),
            filter: from.filter(),
            clocks: clocks.unwrap_or(Some(DEFAULT_CLOCKS)).map(with_patience),
            run,
            live: from.read(&settings::LIVE).unwrap_or(Live::Off),
            metrics: metrics.map(PathBuf::from),
            counters: from.read(&settings::COUNTERS).unwrap_or_default(),
        };
        Some(config.without_what_is_not_kept())
    }

    /// Where nothing is recorded, nothing is to be found out for that.
    fn without_what_is_not_kept(self) -> Self {
        if self.live != Live::Only {
            return self;
        }
        Config {
            mode: Mode::Profile,
            buffer: SMALLEST_BUFFER,
            throttle: None,
            trace_limit: None,
            synchronous: true,
            addresses: false,
            no_core: false,
            sampling: None,
            clocks: None,
            counters: Vec::new(),
            ..self
        }
    }
}

fn with_patience(clocks: Clocks) -> clock_sync::Settings {
    clock_sync::Settings {
        order: clocks.order,
        exchanges: clocks.exchanges.unwrap_or(DEFAULT_EXCHANGES),
        patience: PATIENCE,
    }
}

/// Something else than an identity is none.
fn run_id(text: &str) -> Option<String> {
    let is_id =
        (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_id.then(|| text.to_owned())
}

struct Variables<V, C> {
    variable: V,
    complain: C,
}

impl<V: Fn(&str) -> Option<OsString>, C: FnMut(String)> Variables<V, C> {
    /// The value of a setting; `None` where there is none, or none that is understood.
    fn read<T>(&mut self, setting: &Setting<T>) -> Option<T> {
        let text = (self.variable)(setting.variable)?;
        let text = text.to_string_lossy();
        let complaint = match setting.read(&text) {
            Ok(value) => return Some(value),
            Err(expected) => {
                let (variable, otherwise) = (setting.variable, setting.otherwise);
                format!("{variable}={text}: {expected}; {otherwise}")
            }
        };
        (self.complain)(complaint);
        None
    }

    /// The filter whose file is named; `None` where there is none, or none that can be used.
    fn filter(&mut self) -> Option<Arc<Exclusions>> {
        let file = (self.variable)(settings::FILTER).filter(|value| !value.is_empty())?;
        match Exclusions::read(&file) {
            Ok(filter) => Some(Arc::new(filter)).filter(|filter| !filter.is_empty()),
            Err(problem) => {
                (self.complain)(format!(
                    "{}: {problem}; nothing is left out",
                    settings::FILTER
                ));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Order, SampleBy};

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
        assert!(!filter.rules.includes_function_of("tiny", &["a.c"]));
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
    fn sampling_can_be_chosen() {
        let sampling = |rate, is_limited, by| {
            Some(Sampling {
                rate,
                is_limited,
                by,
            })
        };
        let (cpu, wall) = (SampleBy::CpuTime, SampleBy::WallTime);
        let choice = |text| with("PGAS_SAMPLE", text).sampling;
        assert_eq!(choice("1"), sampling(1, false, cpu));
        assert_eq!(choice("10000, cpu"), sampling(10_000, false, cpu));
        assert_eq!(choice("250,WALL"), sampling(250, false, wall));
        assert_eq!(choice("auto,wall"), sampling(1000, true, wall));
        assert_eq!(choice("off"), None);
        for text in [
            "", "0", "10001", "on", "100,", "off,wall", "cpu,100", "cpu", "1,2",
        ] {
            let (config, complaints) = config(&[("PGAS_EXPERIMENT", "/e"), ("PGAS_SAMPLE", text)]);
            assert_eq!(
                config.unwrap().sampling,
                sampling(1000, true, cpu),
                "{text}"
            );
            assert_eq!(complaints.len(), 1, "{text}");
        }
    }

    #[test]
    fn comparisons_of_clocks_can_be_chosen() {
        let with = |text| {
            let (config, complaints) = config(&[("PGAS_EXPERIMENT", "/e"), ("PGAS_CLOCKS", text)]);
            (config.expect("a configuration").clocks, complaints.len())
        };
        let settings = |order, exchanges| {
            Some(clock_sync::Settings {
                order,
                exchanges,
                patience: PATIENCE,
            })
        };
        assert_eq!(with("auto"), (settings(Order::Automatic, 100), 0));
        assert_eq!(with("linear"), (settings(Order::Linear, 100), 0));
        assert_eq!(with("ring, 250"), (settings(Order::Ring, 250), 0));
        assert_eq!(with("off"), (None, 0));
        for text in ["", "on", "ring,", "ring,0", "linear,10001", "off,5"] {
            assert_eq!(with(text), (settings(Order::Automatic, 100), 1), "{text}");
        }
    }
}
