//! Compiles the calls of OTF2's library, against the headers that are installed. Does nothing
//! without the feature `library`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=c");
    #[cfg(feature = "library")]
    library::build();
}

#[cfg(feature = "library")]
mod library {
    use std::process::Command;

    pub fn build() {
        let mut compiler = cc::Build::new();
        compiler
            .file("c/shim.c")
            .warnings(true)
            .extra_warnings(true);
        for flag in flags("--cflags") {
            compiler.flag(flag);
        }
        compiler.compile("pgas_otf2_shim");
        for flag in flags("--libs") {
            if let Some(directory) = flag.strip_prefix("-L") {
                println!("cargo::rustc-link-search=native={directory}");
            } else if let Some(name) = flag.strip_prefix("-l") {
                println!("cargo::rustc-link-lib=dylib={name}");
            }
        }
    }

    /// Compiler or linker flags for OTF2, as its installation reports them.
    fn flags(which: &str) -> Vec<String> {
        let own: &[&str] = match which {
            "--libs" => &["--ldflags", "--libs"],
            _ => &["--cflags"],
        };
        let answer = ask("pkg-config", &[which, "otf2"]).or_else(|| ask("otf2-config", own));
        match answer {
            Some(answer) => answer.split_whitespace().map(str::to_owned).collect(),
            None => panic!(
                "neither pkg-config nor otf2-config knows OTF2; install it (Debian, Ubuntu: sudo \
                 apt install libopen-trace-format2-dev pkg-config), or build without the feature \
                 `otf2`"
            ),
        }
    }

    fn ask(command: &str, arguments: &[&str]) -> Option<String> {
        let output = Command::new(command).args(arguments).output().ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}
