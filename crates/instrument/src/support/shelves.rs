//! Where what is made for compilers stays.

use std::path::PathBuf;

/// Where what is made for compilers stays, to be found by the next command.
#[derive(Debug, Clone)]
pub struct Shelves {
    /// Looked into first, and not written to: what an operator has made for everybody.
    pub shared: Vec<PathBuf>,
    /// Where what is not there is made.
    pub own: PathBuf,
}

impl Shelves {
    /// Those of a tool that has its runtime's files in the cache directory `first`, and perhaps
    /// others in its `installation`.
    pub fn of(first: PathBuf, installation: Option<PathBuf>) -> Self {
        let mut shared: Vec<PathBuf> = installation.into_iter().collect();
        // Files that another user, such as root, has made for all are used there; missing ones are
        // made elsewhere.
        let own = match pgas_cache::is_writable(&first) {
            true => first.clone(),
            false => pgas_cache::first_writable().unwrap_or_else(|| first.clone()),
        };
        if own != first {
            shared.push(first);
        }
        Shelves { shared, own }
    }
}
