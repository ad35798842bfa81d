//! Takes definitions of metrics over, and makes all threads look at them.

use crate::config::Config;
use crate::kept_metrics::given;
use crate::message::say;
use crate::registry;
use crate::settings::METRIC_FUNCTIONS;

/// Takes over the definitions in the file of the run, once, before anything is recorded.
pub(crate) fn give_file(config: &Config) {
    let Some(path) = &config.metrics else {
        return;
    };
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => {
            let mut beside = path.clone().into_os_string();
            beside.push(METRIC_FUNCTIONS);
            let functions = std::fs::read_to_string(beside).unwrap_or_default();
            give_all(&text, &functions);
        }
        Err(error) => say(&format!("{name}: {error}; its metrics are not kept")),
    }
}

/// Takes over definitions that are new, one each line, and reports those that are not valid.
pub(super) fn give_all(text: &str, functions: &str) {
    given::note_functions(functions);
    for (_, definition) in pgas_metrics::lines(text) {
        if let Err(problem) = give(definition) {
            say(&problem);
        }
    }
}

/// Takes over a definition.
pub(super) fn give(text: &str) -> Result<(), String> {
    given::add(text)?;
    for recorder in registry::recorders() {
        recorder.request_block();
    }
    Ok(())
}
