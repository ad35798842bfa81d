//! Any bytes: no panic; what the reader takes and the writer agrees to write obeys the rules and
//! reads back the same.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use pgas_cube::cube3::{Limits, check, parse_cube3, to_string};

fuzz_target!(|bytes: &[u8]| {
    let name = Path::new("fuzz.cube");
    let strict = check(bytes);
    match parse_cube3(bytes, name, &Limits::default()) {
        Ok(cube) => {
            let Ok(text) = to_string(&cube) else { return };
            check(text.as_bytes()).expect("written by the rules");
            let again = parse_cube3(text.as_bytes(), name, &Limits::default()).expect("read back");
            let text = to_string(&again).expect("writable");
            let third = parse_cube3(text.as_bytes(), name, &Limits::default()).expect("read back");
            assert_eq!(third, again);
        }
        Err(_) => assert!(strict.is_err(), "the checker took what the reader refused"),
    }
});
