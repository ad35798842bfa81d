//! Options of `pgastool run` for the recorder, and the environment variables that carry them. The
//! recorder's own parser of settings refuses what is wrong here, before anything has started.

pub mod filters;
mod functions;
pub mod metrics;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use pgas_measure::counters::{Refusal, check};
use pgas_measure::files::Files;
use pgas_measure::settings;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const HEADING: &str = "Recording";

/// Recording options of the command line, each value in the form that the recorder understands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct Recording {
    /// Count the calls of each call path and sum their times instead of writing a trace; no wait
    /// states then
    #[arg(long, conflicts_with_all = ["throttle", "trace_limit", "addresses"], help_heading = HEADING)]
    pub profile: bool,
    /// Let `pgastool watch` see what threads do while the program runs, beside what is recorded;
    /// --live=only: record nothing
    #[arg(long, value_name = "beside|only", num_args = 0..=1, require_equals = true, default_missing_value = "beside", value_parser = live, help_heading = HEADING)]
    pub live: Option<String>,
    /// A metric that each thread's live page has, such as 'slow = time(upc_memget) if inside(solve)';
    /// several times for several metrics; needs --live
    #[arg(long = "metric", value_name = "DEFINITION", help_heading = HEADING)]
    pub metric: Vec<String>,
    /// Definitions of such metrics, one each line of a file
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub metrics: Option<PathBuf>,
    /// Functions and operations that are not recorded, in Score-P's filter format; any program,
    /// without compiling anew
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub filter: Option<PathBuf>,
    /// Only count, and time in sum, functions and operations that a thread has called more than
    /// CALLS times at under MICROSECONDS a call [default: 100000,10]
    #[arg(long, value_name = "CALLS,MICROSECONDS|off", value_parser = throttle, help_heading = HEADING)]
    pub throttle: Option<String>,
    /// Bytes of events that all threads together may write, such as 2G; what comes later is only
    /// summed up
    #[arg(long, value_name = "SIZE", value_parser = trace_limit, help_heading = HEADING)]
    pub trace_limit: Option<String>,
    /// Size of each of a thread's two buffers, 4K to 64M [default: 4M]
    #[arg(long, value_name = "SIZE", value_parser = buffer, help_heading = HEADING)]
    pub buffer: Option<String>,
    /// Level of zstd from 1 to 19, or none [default: 1]
    #[arg(long, value_name = "LEVEL|none", value_parser = compress, help_heading = HEADING)]
    pub compress: Option<String>,
    /// Compress and write in the program's threads, without a helper thread beside them
    #[arg(long, help_heading = HEADING)]
    pub sync_io: bool,
    /// Counters to read at the boundaries of regions, by perf's names:
    /// cycles,instructions,page-faults,...
    #[arg(long, value_name = "NAMES", value_parser = counters, help_heading = HEADING)]
    pub counters: Option<String>,
    /// Record where the data of each access and copy lies in shared memory, for advice on single
    /// accesses
    #[arg(long, help_heading = HEADING)]
    pub addresses: bool,
    /// How often a second each thread's program counter, callers and innermost region are noted, from
    /// 1 to 10000, by CPU time or wall-clock time (also while it waits; may cut a sleep short); auto:
    /// 1000, or as many as take 1 % of the time [default: auto,cpu]
    #[arg(long, value_name = "RATE|auto[,cpu|wall]|off", value_parser = sample, help_heading = HEADING)]
    pub sample: Option<String>,
    /// How clocks of several nodes are compared: auto, linear or ring, perhaps with the number of
    /// exchanges without a faster one after which that is enough; or off [default: auto,100]
    #[arg(long, value_name = "METHOD[,EXCHANGES]|off", value_parser = clocks, help_heading = HEADING)]
    pub clocks: Option<String>,
    /// Which threads write into one file [default: auto]
    #[arg(long, value_name = "FILES", value_parser = files_values(), help_heading = HEADING)]
    pub files: Option<String>,
}

/// One setting of the recorder.
struct Setting {
    /// Name of the option, and of the setting in `experiment.json`.
    name: &'static str,
    /// The environment variable that the recorder reads.
    variable: &'static str,
    value: Value,
}

/// Kind of an option, and the values of its variable.
enum Value {
    /// A flag, and the value of its variable when the flag is given. Any other value counts as no
    /// variable.
    Switch(fn(&Recording) -> bool, &'static str),
    /// A text, and its conversion into the recorder's form.
    Text(
        fn(&Recording) -> &Option<String>,
        fn(&str) -> Result<String, String>,
    ),
}

impl Setting {
    /// Value of the variable that the options ask for; `None` if this option was not given.
    fn given(&self, recording: &Recording) -> Option<String> {
        match self.value {
            Value::Switch(given, on) => given(recording).then(|| on.to_string()),
            Value::Text(given, _) => given(recording).clone(),
        }
    }

    /// Value that the recorder takes from the variable if it is `text`; `None` if that is the same
    /// as no variable, or invalid.
    fn understood(&self, text: &str) -> Option<String> {
        match self.value {
            Value::Switch(_, on) => (text == on).then(|| on.to_string()),
            Value::Text(_, check) => check(text).ok(),
        }
    }
}

const SETTINGS: [Setting; 12] = [
    Setting {
        name: "mode",
        variable: settings::MODE.variable,
        value: Value::Switch(|r| r.profile, "profile"),
    },
    Setting {
        name: LIVE,
        variable: settings::LIVE.variable,
        value: Value::Text(|r| &r.live, live),
    },
    Setting {
        name: "throttle",
        variable: settings::THROTTLE.variable,
        value: Value::Text(|r| &r.throttle, throttle),
    },
    Setting {
        name: "trace-limit",
        variable: settings::TRACE_LIMIT.variable,
        value: Value::Text(|r| &r.trace_limit, trace_limit),
    },
    Setting {
        name: "buffer",
        variable: settings::BUFFER.variable,
        value: Value::Text(|r| &r.buffer, buffer),
    },
    Setting {
        name: "compress",
        variable: settings::COMPRESS.variable,
        value: Value::Text(|r| &r.compress, compress),
    },
    Setting {
        name: "sync-io",
        variable: settings::SYNC_IO.variable,
        value: Value::Switch(|r| r.sync_io, "1"),
    },
    Setting {
        name: COUNTERS,
        variable: settings::COUNTERS.variable,
        value: Value::Text(|r| &r.counters, counters),
    },
    Setting {
        name: "addresses",
        variable: settings::ADDRESSES.variable,
        value: Value::Switch(|r| r.addresses, "1"),
    },
    Setting {
        name: "sample",
        variable: settings::SAMPLE.variable,
        value: Value::Text(|r| &r.sample, sample),
    },
    Setting {
        name: "clocks",
        variable: settings::CLOCKS.variable,
        value: Value::Text(|r| &r.clocks, clocks),
    },
    Setting {
        name: "files",
        variable: settings::FILES.variable,
        value: Value::Text(|r| &r.files, files),
    },
];

/// Name of the setting for pages that can be watched.
pub const LIVE: &str = "live";
/// Value of that setting if nothing else is kept.
pub const ONLY: &str = "only";
/// Name of the setting that lists counters.
pub const COUNTERS: &str = "counters";

impl Recording {
    /// Names of the environment variables of all settings.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SETTINGS.iter().map(|setting| setting.variable)
    }

    /// The environment variables that tell the recorder what was given. A variable that is not
    /// among them stays as the user has set it.
    pub fn variables(&self) -> Vec<(&'static str, OsString)> {
        SETTINGS
            .iter()
            .filter_map(|setting| Some((setting.variable, setting.given(self)?.into())))
            .collect()
    }

    /// The variable that says which threads of a run in `directory` share a file. It is decided
    /// here, once: not every process shall ask a file server what it is. `None` if there is one
    /// that the recorder will not understand, which says so.
    pub fn files_in(
        &self,
        directory: &Path,
        threads: u32,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> Option<(&'static str, OsString)> {
        let variable = settings::FILES.variable;
        let chosen = match &self.files {
            Some(chosen) => settings::FILES.read(chosen).ok(),
            None => match environment(variable) {
                Some(value) => Some(settings::FILES.read(value.to_str()?).ok()?),
                None => None,
            },
        };
        let files = chosen.unwrap_or(Files::Automatic);
        Some((variable, files.resolve(directory, threads).name().into()))
    }

    /// The settings with which the recorder works, given as options or through `environment`. Those
    /// that are missing have their defaults; a variable that the recorder will not understand
    /// counts as missing, since it says so itself.
    pub fn in_effect(
        &self,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> BTreeMap<String, String> {
        SETTINGS
            .iter()
            .filter_map(|setting| {
                let value = setting.given(self).or_else(|| {
                    let value = environment(setting.variable)?.into_string().ok()?;
                    setting.understood(value.trim())
                })?;
                Some((setting.name.to_string(), value))
            })
            .collect()
    }
}

fn live(text: &str) -> Result<String, String> {
    settings::LIVE.canonical(text)
}

fn throttle(text: &str) -> Result<String, String> {
    settings::THROTTLE.canonical(text)
}

fn trace_limit(text: &str) -> Result<String, String> {
    match settings::bytes(text) {
        Some(0) => Err("a trace of no bytes: --profile records without one".to_string()),
        _ => settings::TRACE_LIMIT.canonical(text),
    }
}

fn buffer(text: &str) -> Result<String, String> {
    settings::BUFFER.canonical(text)
}

fn compress(text: &str) -> Result<String, String> {
    settings::COMPRESS.canonical(text)
}

/// The recorder passes over names that are missing; here that is a slip of the pen.
fn counters(text: &str) -> Result<String, String> {
    let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
    match text.split(',').map(str::trim).all(is_name) {
        true => settings::COUNTERS.canonical(text),
        false => Err("expected names separated by commas, such as cycles,instructions".to_string()),
    }
}

fn files_values() -> PossibleValuesParser {
    PossibleValuesParser::new([
        PossibleValue::new("auto").help(
            "All threads of a node if the experiment lies on a shared file system or there are \
             more than 32 threads",
        ),
        PossibleValue::new("thread").help("Each thread into its own"),
        PossibleValue::new("node").help("All threads of a node"),
    ])
}

fn files(text: &str) -> Result<String, String> {
    settings::FILES.canonical(text)
}

fn sample(text: &str) -> Result<String, String> {
    settings::SAMPLE.canonical(text)
}

fn clocks(text: &str) -> Result<String, String> {
    settings::CLOCKS.canonical(text)
}

/// Counters that are not available on this machine, in sentences: one for each reason.
pub fn refused_counters(names: &str) -> Vec<String> {
    let mut by_reason: Vec<(Refusal, Vec<String>)> = Vec::new();
    for refusal in check(names.split(',')).refused {
        match by_reason
            .iter_mut()
            .find(|(known, _)| known.reason == refusal.reason)
        {
            Some((_, names)) => names.push(refusal.name),
            None => {
                let names = vec![refusal.name.clone()];
                by_reason.push((refusal, names));
            }
        }
    }
    by_reason
        .into_iter()
        .map(|(refusal, names)| {
            let names = names.join(", ");
            format!(
                "cannot count {names}: {}; {}",
                refusal.reason, refusal.remedy
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_out_in_one_form() {
        for (check, given, passed) in [
            (buffer as fn(&str) -> _, "4096", "4096"),
            (live, "only", "only"),
            (buffer, "64m", "67108864"),
            (buffer, "64KB", "65536"),
            (compress, "None", "none"),
            (compress, "19", "19"),
            (throttle, "1000, 5", "1000,5"),
            (throttle, "OFF", "off"),
            (sample, "500", "500,cpu"),
            (sample, "AUTO,wall", "auto,wall"),
            (sample, "auto", "auto,cpu"),
            (sample, " 10000 , CPU", "10000,cpu"),
            (sample, "Off", "off"),
            (trace_limit, "2G", "2147483648"),
            (trace_limit, "1", "1"),
            (counters, "cycles, instructions", "cycles,instructions"),
            (clocks, "Ring, 30", "ring,30"),
            (clocks, "off", "off"),
            (files, "node", "node"),
        ] {
            assert_eq!(check(given).as_deref(), Ok(passed), "{given}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_what_was_expected() {
        for (check, given, expected) in [
            (
                buffer as fn(&str) -> Result<String, String>,
                "4095",
                "4K to 64M",
            ),
            (buffer, "65M", "4K to 64M"),
            (buffer, "", "4K to 64M"),
            (buffer, "99999999999999999999", "4K to 64M"),
            (buffer, "18014398509481984K", "4K to 64M"),
            (live, "yes", "beside"),
            (compress, "0", "1 to 19"),
            (compress, "20", "1 to 19"),
            (compress, "zstd", "1 to 19"),
            (throttle, "100000", "100000,10"),
            (sample, "0", "from 1 to 10000"),
            (sample, "10001", "from 1 to 10000"),
            (sample, "100,real", "cpu or wall"),
            (throttle, "0,10", "from 1"),
            (throttle, "10,0", "from 1"),
            (throttle, "10,5,1", "whole numbers"),
            (throttle, "-1,5", "whole numbers"),
            (throttle, "1e5,10", "whole numbers"),
            (trace_limit, "0", "--profile"),
            (trace_limit, "2T", "2G"),
            (trace_limit, "much", "2G"),
            (counters, "", "commas"),
            (counters, "cycles,", "commas"),
            (counters, "cycles instructions", "commas"),
            (clocks, "star", "linear or ring"),
            (clocks, "ring,0", "1 to 10000"),
            (clocks, "off,5", "ring,200"),
            (files, "process", "thread or node"),
        ] {
            let refusal = check(given).unwrap_err();
            assert!(refusal.contains(expected), "{given}: {refusal}");
        }
    }

    #[test]
    fn an_option_counts_more_than_the_environment_and_nonsense_there_nothing() {
        let given = Recording {
            throttle: Some("off".to_string()),
            sync_io: true,
            ..Recording::default()
        };
        let environment = |name: &str| {
            let value = match name {
                "PGAS_THROTTLE" => "5,5",
                "PGAS_BUFFER" => "64k",
                "PGAS_COMPRESS" => "much",
                "PGAS_MODE" => "trace",
                _ => return None,
            };
            Some(OsString::from(value))
        };
        let in_effect = given.in_effect(environment);
        let expected = [("buffer", "65536"), ("sync-io", "1"), ("throttle", "off")];
        assert_eq!(
            in_effect,
            expected
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .into()
        );
        assert_eq!(
            given.variables(),
            [
                ("PGAS_THROTTLE", "off".into()),
                ("PGAS_SYNC_IO", "1".into())
            ]
        );
    }
}
