//! Finds the pages of the pattern reference: every Markdown file in `docs/patterns` is one, so that
//! nothing else has to name it.

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let crate_directory = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let directory = crate_directory.join("../../docs/patterns");
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut pages = Vec::new();
    for entry in fs::read_dir(&directory)? {
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
    let file = PathBuf::from(env::var("OUT_DIR")?).join("reference_pages.rs");
    fs::write(file, text)?;
    Ok(())
}
