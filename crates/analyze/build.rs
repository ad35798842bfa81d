//! Finds the wait-state patterns: every file in `src/detectors/wait_states/patterns` but `mod.rs`
//! is one, with a constant `PATTERN`.

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/detectors/wait_states/patterns");
    let directory =
        PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("src/detectors/wait_states/patterns");
    let mut names = Vec::new();
    for entry in fs::read_dir(&directory)? {
        let path = entry?.path();
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        let name = path.file_stem().and_then(|stem| stem.to_str());
        if let Some(name) = name.filter(|name| is_source && *name != "mod") {
            names.push(name.to_owned());
        }
    }
    names.sort();
    let mut text = String::new();
    for name in &names {
        let path = directory.join(format!("{name}.rs"));
        writeln!(text, "#[path = {path:?}]\nmod {name};")?;
    }
    writeln!(text, "fn all() -> Vec<&'static Pattern> {{\n    vec![")?;
    for name in &names {
        writeln!(text, "        &{name}::PATTERN,")?;
    }
    writeln!(text, "    ]\n}}")?;
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("patterns.rs"),
        text,
    )?;
    Ok(())
}
