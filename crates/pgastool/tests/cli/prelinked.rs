//! The recorder is linked once for all programs: they become smaller, their links faster, and they
//! keep what has the names of things in the recorder.

use crate::bench::{Bench, Told, UNEVEN, contains};
use crate::not_tested::not_tested;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// Has a function of the recorder's library for compression.
const NAMESAKE: &str = r#"#include <upc.h>
#include <stdio.h>
shared int done[THREADS];
size_t ZSTD_compressBound(size_t size) { return size + 12345; }
int main(void) {
    done[MYTHREAD] = 1;
    upc_barrier;
    if (MYTHREAD == 0) printf("%zu\n", ZSTD_compressBound(0));
    return 0;
}
"#;

/// A C compiler whose linker links no objects to one.
fn refusing(bench: &Bench) -> String {
    let compiler = bench.path("cc-without-r");
    let script = "#!/bin/sh\nfor argument; do\n  if [ \"$argument\" = -r ]; then\n    echo 'ld: -r \
                  and --gc-sections may not be used together' >&2\n    exit 1\n  fi\ndone\nexec cc \
                  \"$@\"\n";
    fs::write(&compiler, script).unwrap();
    fs::set_permissions(&compiler, Permissions::from_mode(0o755)).unwrap();
    compiler.to_str().unwrap().to_string()
}

fn compile(bench: &Bench, source: &str, c_compiler: &str, output: &str) {
    bench.write("prog.upc", source);
    let mut command = bench.command(&["compile", "-o", output, "prog.upc"]);
    command.env("PGAS_CACHE_DIR", bench.path("cache"));
    command.env("PGAS_CC", c_compiler);
    let told = Told::of(&mut command);
    assert_eq!(told.status, Some(0), "{told:?}");
}

#[test]
fn a_program_keeps_a_function_that_has_the_name_of_one_in_the_recorder() {
    let bench = Bench::new();
    compile(&bench, NAMESAKE, "cc", "prog");
    let run = bench.ok(&["run", "-q", "-n", "2", "-o", "experiment", "./prog"]);
    contains(&run, &["12345"]);
    contains(&bench.ok(&["events", "experiment"]), &["upc_barrier"]);
}

#[test]
fn where_the_linker_cannot_do_it_programs_have_the_library_and_doctor_says_why() {
    let bench = Bench::new();
    compile(&bench, UNEVEN, "cc", "small");
    let refusing = refusing(&bench);
    compile(&bench, UNEVEN, &refusing, "large");
    let size = |name: &str| fs::metadata(bench.path(name)).unwrap().len();
    assert!(
        2 * size("small") < size("large"),
        "{} bytes, {} with the library",
        size("small"),
        size("large")
    );
    bench.ok(&["run", "-q", "-n", "2", "-o", "experiment", "./large"]);
    contains(&bench.ok(&["events", "experiment"]), &["upc_barrier"]);

    let doctor = |c_compiler: &str| {
        let mut command = bench.command(&["doctor"]);
        command.env("PGAS_CACHE_DIR", bench.path("cache"));
        command.env("PGAS_CC", c_compiler);
        Told::of(&mut command).out
    };
    contains(
        &doctor(&refusing),
        &["cannot link it in advance: ld: -r and --gc-sections may not be used together"],
    );
    assert!(!doctor("cc").contains("in advance"));
}

/// Linkers differ in what `--wrap` redirects, in what they take away, and in what they do with an
/// object of many others; compilers in what they tell the linker.
#[test]
fn programs_run_whichever_linker_links_them() {
    let bench = Bench::new();
    bench.write("empty.c", "int main(void) { return 0; }\n");
    bench.write("prog.upc", UNEVEN);
    for (compiler, linker) in ["gcc", "clang"]
        .into_iter()
        .flat_map(|compiler| ["bfd", "gold", "lld", "mold"].map(|linker| (compiler, linker)))
    {
        let options = [
            &format!("-fuse-ld={linker}"),
            "-O2",
            "-ffunction-sections",
            "-Wl,--gc-sections",
        ];
        if !links(&bench, compiler, &options) {
            not_tested(&format!(
                "programs of {compiler} linked by {linker}: not installed"
            ));
            continue;
        }
        let mut arguments = vec!["compile"];
        arguments.extend(options);
        arguments.extend(["-o", "prog", "prog.upc"]);
        let mut compile = bench.command(&arguments);
        let told = Told::of(compile.env("PGAS_CC", compiler));
        assert_eq!(told.status, Some(0), "{}", told.err);
        let experiment = format!("{compiler}-{linker}");
        let run = bench.ok(&["run", "-q", "-n", "2", "-o", &experiment, "./prog"]);
        contains(&run, &["sum 10"]);
        contains(&bench.ok(&["events", &experiment]), &["upc_barrier"]);
    }
}

/// Whether this compiler and linker are there.
fn links(bench: &Bench, compiler: &str, options: &[&str]) -> bool {
    let mut link = Command::new(compiler);
    link.args(options).args(["-o", "empty", "empty.c"]);
    let linked = link.current_dir(bench.path("")).output();
    linked.is_ok_and(|output| output.status.success())
}
