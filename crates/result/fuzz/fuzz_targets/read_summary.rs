//! Any bytes as a summary: an error or a value, no panic.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use pgas_result::parse_summary;

fuzz_target!(|bytes: &[u8]| {
    let _ = parse_summary(bytes, Path::new("summary.json"));
});
