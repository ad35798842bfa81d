//! Bundles the modules of the page into one script: those of `web/js`, and those of the HTML report
//! that they import.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[path = "../../report/build/bundle.rs"]
mod bundle;

/// The module that imports all others.
const ENTRY: &str = "watch.js";

fn main() -> Result<(), Box<dyn Error>> {
    let crate_directory = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let own = crate_directory.join("web/js");
    let shared = crate_directory.join("../report/web/js");
    let builder = crate_directory.join("../report/build/bundle.rs");
    // Cargo takes only these for what the script depends on.
    for path in [Path::new("build"), &builder, &own, &shared] {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let mut modules = Vec::new();
    let script = bundle::bundle(ENTRY, &mut |name: &str| {
        modules.push(name.to_owned());
        text_of(name, &own, &shared)
    })?;
    all_are_imported(&own, &modules)?;
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("page.js"), script)?;
    Ok(())
}

/// A module of this page, else of the report. A name that both have is an error: it would be
/// unclear which one is meant.
fn text_of(name: &str, own: &Path, shared: &Path) -> io::Result<String> {
    let (own, shared) = (own.join(name), shared.join(name));
    match (own.exists(), shared.exists()) {
        (true, true) => Err(io::Error::other("the report has a module of this name")),
        (false, true) => fs::read_to_string(shared),
        _ => fs::read_to_string(own),
    }
}

/// A module that nothing imports is dead, which is an error.
fn all_are_imported(own: &Path, modules: &[String]) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(own)? {
        let name = entry?.file_name();
        if !modules.iter().any(|module| name == module.as_str()) {
            return Err(format!("web/js/{}: no module imports it", name.to_string_lossy()).into());
        }
    }
    Ok(())
}
