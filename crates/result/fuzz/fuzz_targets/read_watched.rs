//! Any bytes as `watched.json`: an error, or findings with times that are not negative.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use pgas_result::watched::parse;

fuzz_target!(|bytes: &[u8]| {
    for finding in parse(bytes, Path::new("watched.json")).unwrap_or_default() {
        assert!(finding.known_after_seconds >= 0.0);
        assert!(finding.gone_after_seconds.is_none_or(|time| time >= 0.0));
    }
});
