//! Directories where files may be kept.

use rustix::fs::Access;
use rustix::process::geteuid;
use std::path::{Path, PathBuf};

/// A directory where files may be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The directory, which may not exist yet.
    pub path: PathBuf,
    /// The user has named it for this in `PGAS_CACHE_DIR`.
    pub named: bool,
}

/// Directories for cached files, in order of preference: `$PGAS_CACHE_DIR`,
/// `$XDG_CACHE_HOME/pgastool`, `~/.cache/pgastool`, and one for this user among the temporary
/// files.
pub fn cache_dirs() -> Vec<Place> {
    let set = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let xdg = set("XDG_CACHE_HOME").filter(|dir| dir.is_absolute());
    let temporary = std::env::temp_dir().join(format!("pgastool-{}", geteuid().as_raw()));
    let usual = [
        xdg.map(|dir| dir.join("pgastool")),
        set("HOME").map(|home| home.join(".cache/pgastool")),
        Some(temporary),
    ];
    let named = set("PGAS_CACHE_DIR").map(|path| Place { path, named: true });
    let usual = usual.into_iter().flatten();
    named
        .into_iter()
        .chain(usual.map(|path| Place { path, named: false }))
        .collect()
}

/// The first of [`cache_dirs`] that this user can write to, or make.
pub fn first_writable() -> Option<PathBuf> {
    let mut places = cache_dirs().into_iter().map(|place| place.path);
    places.find(|path| {
        let existing = path.ancestors().find(|above| above.exists());
        existing.is_some_and(is_writable)
    })
}

/// Whether this user can write to a directory.
pub fn is_writable(directory: &Path) -> bool {
    rustix::fs::access(directory, Access::WRITE_OK).is_ok()
}
