//! Builds the runtime library from its C files. The archive is not linked into any Rust program:
//! the crate carries it as bytes, for the programs that the UPC compiler links.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(dir).unwrap_or_else(|e| panic!("cannot list {}: {e}", dir.display()));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a directory entry is readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    found.sort();
    found
}

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let sources = root.join("src/c");
    let include = root.join("include");
    println!("cargo:rerun-if-changed={}", sources.display());
    println!("cargo:rerun-if-changed={}", include.display());

    let mut build = cc::Build::new();
    // The command line may be linked statically with musl; programs that it compiles use the C
    // library of the machine, and so does the runtime that is linked into them.
    let variable = |name| env::var(name).expect("cargo sets it");
    let host = variable("HOST");
    if variable("CARGO_CFG_TARGET_ENV") == "musl"
        && host.ends_with("-linux-gnu")
        && host.starts_with(&format!("{}-", variable("CARGO_CFG_TARGET_ARCH")))
    {
        build.target(&host);
    }
    build
        .files(files(&sources, "c"))
        .include(&include)
        .include(&sources)
        .std("gnu11")
        .opt_level(2)
        // Without the sources, stepping into the runtime would only be in a user's way.
        .debug(false)
        .pic(true)
        // So that a thread that sleeps knows where the program called the runtime (deadlock.c).
        .force_frame_pointer(true)
        .warnings(true)
        .extra_warnings(true)
        // Reductions of signed numbers wrap around; partial results have any type.
        .flag("-fwrapv")
        .flag("-fno-strict-aliasing")
        .flag_if_supported(format!(
            "-ffile-prefix-map={}=pgas-upc-runtime",
            root.display()
        ))
        .cargo_metadata(false)
        .compile("pgas_upcr");

    // The files that the crate carries, as a table of names and contents, and the hash by which a
    // cached copy is found.
    let mut hasher = DefaultHasher::new();
    let mut table = String::from("pub(crate) const FILES: &[(&str, &[u8])] = &[\n");
    let library = out.join("libpgas_upcr.a");
    let headers = files(&include, "h")
        .into_iter()
        .map(|path| ("include", path));
    for (dir, path) in headers.chain([("lib", library)]) {
        let name = path
            .file_name()
            .and_then(|n| n.to_str())
            .expect("our files have plain names");
        fs::read(&path)
            .unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()))
            .hash(&mut hasher);
        name.hash(&mut hasher);
        table += &format!(
            "    (\"{dir}/{name}\", include_bytes!({:?})),\n",
            path.display().to_string()
        );
    }
    table += "];\n";
    table += &format!(
        "pub(crate) const HASH: &str = \"{:016x}\";\n",
        hasher.finish()
    );
    fs::write(out.join("files.rs"), table).expect("the build directory is writable");
}
