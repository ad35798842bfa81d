//! What the environment says about the recording.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use pgas_trace::writer::CompressionLevel;

const DEFAULT_BUFFER: usize = 4 << 20;
const SMALLEST_BUFFER: usize = 4096;
const LARGEST_BUFFER: usize = 64 << 20;
const DEFAULT_LEVEL: i32 = 1;
const LEVELS: std::ops::RangeInclusive<i32> = 1..=19;

/// How to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Config {
    /// The experiment directory.
    pub(crate) experiment: PathBuf,
    /// Bytes of one buffer.
    pub(crate) buffer: usize,
    pub(crate) compression: CompressionLevel,
}

impl Config {
    /// The configuration of this process; `None` if nothing is to be recorded. What is not understood is complained
    /// about through `complain`, and the default taken.
    pub(crate) fn from_environment(complain: impl FnMut(String)) -> Option<Self> {
        Self::from_variables(|name| std::env::var_os(name), complain)
    }

    fn from_variables(
        variable: impl Fn(&str) -> Option<OsString>,
        mut complain: impl FnMut(String),
    ) -> Option<Self> {
        let experiment = variable("PGAS_EXPERIMENT").filter(|value| !value.is_empty())?;
        let mut config = Config {
            experiment: PathBuf::from(experiment),
            buffer: DEFAULT_BUFFER,
            compression: CompressionLevel::Zstd(DEFAULT_LEVEL),
        };
        if let Some(value) = variable("PGAS_BUFFER") {
            match parse_bytes(&value) {
                Some(bytes) => config.buffer = bytes,
                None => complain(format!(
                    "PGAS_BUFFER={}: expected {SMALLEST_BUFFER} to {LARGEST_BUFFER} bytes, K and M are understood; \
                     taking {DEFAULT_BUFFER}",
                    value.to_string_lossy()
                )),
            }
        }
        if let Some(value) = variable("PGAS_COMPRESS") {
            match parse_compression(&value) {
                Some(compression) => config.compression = compression,
                None => complain(format!(
                    "PGAS_COMPRESS={}: expected `none` or a zstd level from 1 to 19; taking {DEFAULT_LEVEL}",
                    value.to_string_lossy()
                )),
            }
        }
        Some(config)
    }
}

fn parse_bytes(value: &OsStr) -> Option<usize> {
    let text = value.to_str()?.trim();
    let (digits, unit) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1 << 10),
        None => match text.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 1 << 20),
            None => (text, 1),
        },
    };
    let bytes = digits.parse::<usize>().ok()?.checked_mul(unit)?;
    (SMALLEST_BUFFER..=LARGEST_BUFFER)
        .contains(&bytes)
        .then_some(bytes)
}

fn parse_compression(value: &OsStr) -> Option<CompressionLevel> {
    match value.to_str()?.trim() {
        "none" => Some(CompressionLevel::None),
        level => {
            let level = level.parse().ok()?;
            LEVELS
                .contains(&level)
                .then_some(CompressionLevel::Zstd(level))
        }
    }
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
            ("64M", 64 << 20),
        ] {
            let (config, complaints) = config(&[("PGAS_EXPERIMENT", "/e"), ("PGAS_BUFFER", text)]);
            assert_eq!(config.map(|c| c.buffer), Some(bytes), "{text}");
            assert_eq!(complaints, Vec::<String>::new());
        }
    }

    #[test]
    fn nonsense_is_said_and_the_default_taken() {
        for text in [
            "",
            "4095",
            "65M",
            "-1",
            "lots",
            "99999999999999999999",
            "18446744073709551615K",
        ] {
            let (config, complaints) = config(&[("PGAS_EXPERIMENT", "/e"), ("PGAS_BUFFER", text)]);
            assert_eq!(config.map(|c| c.buffer), Some(DEFAULT_BUFFER), "{text}");
            assert_eq!(complaints.len(), 1, "{text}");
        }
        for text in ["0", "20", "zstd", ""] {
            let (config, complaints) =
                config(&[("PGAS_EXPERIMENT", "/e"), ("PGAS_COMPRESS", text)]);
            assert_eq!(
                config.map(|c| c.compression),
                Some(CompressionLevel::Zstd(1)),
                "{text}"
            );
            assert_eq!(complaints.len(), 1, "{text}");
        }
    }

    #[test]
    fn compression_can_be_chosen() {
        for (text, level) in [
            ("none", CompressionLevel::None),
            ("5", CompressionLevel::Zstd(5)),
        ] {
            let (config, complaints) =
                config(&[("PGAS_EXPERIMENT", "/e"), ("PGAS_COMPRESS", text)]);
            assert_eq!(config.map(|c| c.compression), Some(level));
            assert_eq!(complaints, Vec::<String>::new());
        }
    }
}
