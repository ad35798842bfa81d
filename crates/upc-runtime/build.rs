//! Builds the runtime libraries from their C files, one for each network. The archives are not
//! linked into any Rust program: the crate carries them as bytes, for the programs that the UPC
//! compiler links.

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

/// Compiles the runtime for one network: the files that all have in common, and its own folder.
fn build_library(root: &Path, name: &str, network: &str) {
    let sources = root.join("src/c");
    let include = root.join("include");
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
    if network == "mpi" {
        build.define("UPCR_MPI", "1");
    }
    build
        .files(files(&sources, "c"))
        .files(files(&sources.join(network), "c"))
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
        .compile(name);
}

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let include = root.join("include");
    let transport = root.join("src/transport");
    for watched in [&root.join("src/c"), &include, &transport] {
        println!("cargo:rerun-if-changed={}", watched.display());
    }
    build_library(&root, "pgas_upcr", "smp");
    build_library(&root, "pgas_upcr_mpi", "mpi");

    // The files that the crate carries, as a table of names and contents, and the hash by which a
    // cached copy is found.
    let mut hasher = DefaultHasher::new();
    let mut table = String::from("pub(crate) const FILES: &[(&str, &[u8])] = &[\n");
    let of = |dir: &'static str, paths: Vec<PathBuf>| paths.into_iter().map(move |p| (dir, p));
    let carried = of("include", files(&include, "h"))
        .chain(of("user", vec![include.join("pgas_metrics.h")]))
        .chain(of("transport", files(&transport, "c")))
        .chain(of("transport", files(&transport, "h")))
        .chain(of("lib", files(&out, "a")));
    for (dir, path) in carried {
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
