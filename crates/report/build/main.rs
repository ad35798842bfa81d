//! Finds the pages of the pattern reference, and bundles the modules of the page into one script.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

mod bundle;

/// The module that imports all others.
const ENTRY: &str = "main.js";

fn main() -> Result<(), Box<dyn Error>> {
    let crate_directory = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let output = PathBuf::from(env::var("OUT_DIR")?);
    // Cargo takes only these for what the script depends on.
    println!("cargo::rerun-if-changed=build");
    let pages = reference_pages(&crate_directory.join("../../docs/patterns"))?;
    fs::write(output.join("reference_pages.rs"), pages)?;
    let script = script_of_page(&crate_directory.join("web/js"))?;
    fs::write(output.join("page.js"), script)?;
    Ok(())
}

/// Every Markdown file in `docs/patterns`, so that nothing else has to name it.
fn reference_pages(directory: &Path) -> Result<String, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut pages = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let stem = stem.ok_or_else(|| format!("{} is not UTF-8", path.display()))?;
            pages.push((stem.to_owned(), path));
        }
    }
    pages.sort();
    let mut text = String::from("[\n");
    for (stem, path) in &pages {
        writeln!(text, "    ({stem:?}, include_str!({path:?})),")?;
    }
    text.push(']');
    Ok(text)
}

/// All modules in one script. A module that nothing imports is an error, too: it is dead.
fn script_of_page(directory: &Path) -> Result<String, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut modules = Vec::new();
    let read = &mut |name: &str| {
        modules.push(name.to_owned());
        fs::read_to_string(directory.join(name))
    };
    let script = bundle::bundle(ENTRY, read).map_err(|why| format!("web/js/{why}"))?;
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        if !modules.iter().any(|module| name == module.as_str()) {
            return Err(format!("web/js/{}: no module imports it", name.to_string_lossy()).into());
        }
    }
    Ok(script)
}
