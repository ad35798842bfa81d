//! Environment variables that reach all processes of a program, wherever they are.

use crate::installation::machine;
use pgas_measure::settings::EXPERIMENT;
use std::ffi::OsString;

/// Variables of this tool that programs have no use for.
const OWN: [&str; 8] = [
    "PGAS_LAUNCHER",
    "PGAS_NETWORK",
    "PGAS_UPCC",
    "PGAS_CC",
    "PGAS_LIB_DIR",
    "PGAS_CACHE_DIR",
    "PGAS_JOBS",
    machine::VARIABLE,
];

/// Those that have to reach all processes: what is `set`, and what the user has set for the recorder
/// and the runtime.
pub fn for_all(set: &[(String, OsString)]) -> Vec<(String, OsString)> {
    let is_set = |name: &str| set.iter().any(|(known, _)| known == name);
    let mut inherited: Vec<(String, OsString)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, _)| name.starts_with("PGAS_") || name.starts_with("UPC_"))
        .filter(|(name, _)| name != EXPERIMENT && !OWN.contains(&name.as_str()))
        .filter(|(name, _)| !is_set(name))
        .collect();
    inherited.sort();
    set.iter().cloned().chain(inherited).collect()
}
