//! Any bytes as a program or library: it is refused, or asked for addresses, without a panic, and each
//! answer is the same the second time. `FUZZ_SCRATCH` is a directory for the file.
#![no_main]

use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use pgas_symbols::{Code, ModuleName};

/// Addresses from the beginning of the code of a small library, and some where none is.
fn addresses() -> impl Iterator<Item = u64> {
    let code = (0x1000..0x1200).step_by(7);
    code.chain([0, 1, u64::MAX, 1 << 63, 0xffff_ffff])
}

fuzz_target!(|bytes: &[u8]| {
    let scratch = std::env::var_os("FUZZ_SCRATCH").map_or_else(std::env::temp_dir, PathBuf::from);
    let path = scratch.join(format!("fuzzed-{}.so", std::process::id()));
    std::fs::write(&path, bytes).expect("a file");
    let name = ModuleName {
        path: path.display().to_string(),
        build_id: String::new(),
    };
    if let Ok(code) = Code::open(&name, None) {
        let _ = (code.detail(), code.note());
        for address in addresses() {
            assert_eq!(code.frames(address), code.frames(address));
        }
    }
});
