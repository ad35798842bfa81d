//! Size of this machine's last-level cache.

use std::fs;
use std::path::Path;

/// Bytes of the largest cache of the first core, as the kernel lists them.
pub fn last_level() -> Option<u64> {
    let caches = fs::read_dir("/sys/devices/system/cpu/cpu0/cache").ok()?;
    caches
        .flatten()
        .filter_map(|cache| size(&cache.path()))
        .max()
}

fn size(cache: &Path) -> Option<u64> {
    let text = fs::read_to_string(cache.join("size")).ok()?;
    pgas_measure::settings::bytes(text.trim())
}
