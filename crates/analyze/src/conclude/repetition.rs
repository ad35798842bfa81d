//! The command that repeats a run, without what kept accesses from being seen.

use pgas_result::withheld::{AdviceKind, BlindSpot, BlindSpotKind};
use pgas_trace::metadata::{FilterStage, Metadata};

/// How to repeat a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Again {
    threads: u32,
    launcher: Option<String>,
    /// Options of `pgastool run`, with their values; those of switches are empty.
    options: Vec<(String, String)>,
    /// The program and its arguments.
    command: Vec<String>,
}

/// Settings that are switches, as options.
const SWITCHES: [(&str, &str); 3] = [
    ("mode", "profile"),
    ("addresses", "addresses"),
    ("sync-io", "sync-io"),
];

impl Again {
    pub fn new(metadata: &Metadata) -> Self {
        let filters = metadata.filters.iter();
        let filters = filters
            .filter(|filter| filter.stage == FilterStage::Run)
            .map(|filter| ("filter".to_owned(), filter.file.clone()));
        let settings = metadata.recording.iter().map(|(name, value)| {
            match SWITCHES.iter().find(|(switch, _)| switch == name) {
                Some((_, option)) => ((*option).to_owned(), String::new()),
                None => (name.clone(), value.clone()),
            }
        });
        let program = std::iter::once(&metadata.program);
        Again {
            threads: metadata.threads,
            launcher: metadata.launcher.clone(),
            options: settings.chain(filters).collect(),
            command: program.chain(&metadata.arguments).cloned().collect(),
        }
    }

    /// The command of the run without these blind spots, for advice of a kind; `None` if no run
    /// goes without them.
    pub fn without(&self, spots: &[BlindSpot], advice: AdviceKind) -> Option<String> {
        use BlindSpotKind::*;
        let has = |kind: BlindSpotKind| spots.iter().any(|spot| spot.kind == kind);
        // Casts, and what another compiler does, stay as they are.
        let stays = [Cast, UnreportedCall, UnknownCompiler, Elsewhere, Unmatched];
        if stays.into_iter().any(has) {
            return None;
        }
        let mut words = vec!["pgastool".to_owned(), "run".to_owned()];
        words.extend(["-n".to_owned(), self.threads.to_string()]);
        if let Some(launcher) = &self.launcher {
            words.extend(["--launcher".to_owned(), launcher.clone()]);
        }
        let mut options = self.options.clone();
        options.retain(|(name, _)| {
            !matches!(
                name.as_str(),
                "profile" | "throttle" | "trace-limit" | "filter"
            )
        });
        let unrelated = advice == AdviceKind::UnrelatedBarrier;
        if unrelated && !options.iter().any(|(name, _)| name == "addresses") {
            options.push(("addresses".to_owned(), String::new()));
        }
        let was_throttled = self.options.iter().any(|(name, _)| name == "throttle");
        if has(Throttled) || was_throttled {
            options.push(("throttle".to_owned(), "off".to_owned()));
        }
        for (name, value) in options {
            words.push(format!("--{name}"));
            words.extend(Some(value).filter(|value| !value.is_empty()));
        }
        words.extend(self.command.iter().cloned());
        Some(pgas_base::shell::shown(&words))
    }
}
