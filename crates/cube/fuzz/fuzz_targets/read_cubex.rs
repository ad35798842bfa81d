//! Any bytes as a CUBE 4 file: an error or a cube, no panic; what can be written again reads back
//! the same.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use pgas_cube::cubex::{CubexOptions, Limits, parse_cubex, to_bytes};

fuzz_target!(|bytes: &[u8]| {
    let name = Path::new("fuzz.cubex");
    let Ok(read) = parse_cubex(bytes, name, &Limits::default()) else {
        return;
    };
    let Ok(written) = to_bytes(&read.cube, &CubexOptions::default()) else {
        return;
    };
    let again = parse_cubex(&written, name, &Limits::default()).expect("read back");
    let written = to_bytes(&again.cube, &CubexOptions::default()).expect("writable");
    let third = parse_cubex(&written, name, &Limits::default()).expect("read back");
    assert_eq!(third.cube, again.cube);
});
