//! Any text as a result of timed operations: an error, or a value that can be shown in all ways.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgas_timing_report::results::Results;
use pgas_timing_report::{compare, csv, page, text};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(results) = Results::parse(text, "result.json") else {
        return;
    };
    let _ = text::results(&results, 100, true, true);
    let _ = csv::write(&results);
    let comparison = compare::compare(&results, &results);
    assert!(comparison.rows.iter().all(|row| !row.certain));
    let _ = text::comparison(&comparison, true);
    page::write(&results).unwrap_or_else(|error| panic!("{error}"));
});
