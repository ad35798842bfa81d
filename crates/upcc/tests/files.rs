//! The files that `pgas-upcc` makes: which, where, what is in them, and that nothing else is left
//! behind.

mod common;

use common::{HELLO, Place, shared_sources, text};
use std::fs;
use std::path::Path;

#[test]
fn dependencies_for_make() {
    let place = shared_sources();
    fs::create_dir(place.dir.path().join("out")).unwrap();
    place.upcc_ok("-c main.upc -MMD -o out/m.o");
    assert_eq!(place.read("out/m.d"), "out/m.o: main.upc data.h\n");
    place.upcc_ok("-c main.upc -MMD -MP -MF deps -MT target");
    assert!(place.read("deps").starts_with("target: main.upc data.h\n"));
    assert!(place.has("main.o"));
    place.upcc_ok("-c main.upc -MD");
    // Headers of the system, but not those in the cache, which come and go.
    let list = place.read("main.d");
    assert!(list.contains("stdio.h") && !list.contains("upc.h") && !list.contains("pgas_upcr.h"));
    let listed = place.upcc_ok("-MM main.upc");
    assert_eq!(listed, "main.o: main.upc data.h\n");
    place.upcc_ok("-MMD -o prog main.upc fill.c add.upc");
    assert_eq!(place.read("fill.d"), "fill.o: fill.c data.h\n");
    // A program of one source is what the list is about, as with GCC.
    place.write(
        "one.upc",
        "#include \"data.h\"\nint main(void) { return 0; }\n",
    );
    place.upcc_ok("-MMD -o one one.upc");
    assert_eq!(place.read("one.d"), "one: one.upc data.h\n");
    place.upcc_ok("-MMD -E -o text.i one.upc");
    assert_eq!(place.read("text.d"), "one.o: one.upc data.h\n");
    place.upcc_ok("-Wp,-MMD,words.d,-DX -c one.upc");
    assert_eq!(place.read("words.d"), "one.o: one.upc data.h\n");
    place.upcc_ok("-MM -MP -MF only.d -MQ $x one.upc");
    assert_eq!(place.read("only.d"), "$$x: one.upc data.h\ndata.h:\n");
    place.upcc_ok("-MM -o only.d one.upc");
    assert_eq!(place.read("only.d"), "one.o: one.upc data.h\n");
    let listed = place.upcc_ok("-MMD -MF - -c one.upc");
    assert_eq!(listed, "one.o: one.upc data.h\n");
    place.write("part.S", "#include \"part.h\"\n");
    place.write("part.h", "\n");
    place.upcc_ok("-MMD -c part.S -o out/p.o");
    assert_eq!(place.read("out/p.d"), "out/p.o: part.S part.h\n");
    let hidden = |name: &String| name.starts_with('.');
    assert!(!place.files().iter().any(hidden), "{:?}", place.files());
}

#[test]
fn stopping_earlier() {
    let place = Place::new(&[("hello.upc", HELLO)]);
    assert!(
        place
            .upcc_ok("-E hello.upc")
            .contains("MYTHREAD == THREADS - 1")
    );
    assert!(
        place
            .upcc_ok("-E -T 9 hello.upc")
            .contains("MYTHREAD == 9 - 1")
    );
    place.upcc_ok("-E -P -o text.i hello.upc");
    assert!(place.read("text.i").contains("MYTHREAD"));
    place.upcc_ok("-E -o again.i hello.upc");
    place.upcc_ok("again.i -o again");
    assert_eq!(place.run_ok("again", "2"), "2\n");
    place.upcc_ok("-S hello.upc");
    assert!(place.read("hello.s").contains("main:"));
    place.upcc_ok("hello.s -o from_assembly");
    assert_eq!(place.run_ok("from_assembly", "2"), "2\n");
    place.upcc_ok("-trans hello.upc");
    assert!(place.read("hello.trans.c").contains("upcr_mythread"));
    assert!(!place.has("a.out"));
}

#[test]
fn files_between_the_steps() {
    let place = Place::new(&[("hello.upc", HELLO)]);
    place.upcc_ok("-save-temps -O1 -c hello.upc -o x.o");
    assert_eq!(
        place.files(),
        ["hello.upc", "x.i", "x.o", "x.s", "x.trans.c"]
    );
    assert!(place.read("x.trans.c").contains("upcr_mythread"));
    place.upcc_ok("x.o -o from_object");
    assert_eq!(place.run_ok("from_object", "2"), "2\n");
    place.upcc_ok("-save-temps hello.upc");
    assert!(place.has("hello.o") && place.has("hello.s") && place.has("hello.i"));
    assert_eq!(place.run_ok("a.out", "3"), "3\n");
}

#[test]
fn standard_output_and_links_are_written_through() {
    let place = Place::new(&[("hello.upc", HELLO)]);
    for line in [
        "-S -o - hello.upc",
        "-S -o /dev/stdout hello.upc",
        "-trans -o - hello.upc",
        "-E -o - hello.upc",
    ] {
        assert!(place.upcc_ok(line).contains("main"), "{line}");
    }
    // A link stays one; where standard output is a file, /dev/stdout is such a link.
    place.write("file.s", "");
    std::os::unix::fs::symlink("file.s", place.dir.path().join("link")).unwrap();
    place.upcc_ok("-S -o link hello.upc");
    assert!(place.read("file.s").contains("main:"));
    let link = fs::symlink_metadata(place.dir.path().join("link")).unwrap();
    assert!(link.is_symlink());
}

#[test]
fn only_messages() {
    let place = Place::new(&[
        ("hello.upc", HELLO),
        ("bad.upc", "int main(void) { return 1 +; }\n"),
    ]);
    place.upcc_ok("-fsyntax-only hello.upc");
    place.upcc_fails("-fsyntax-only bad.upc", 1);
    assert_eq!(place.files(), ["bad.upc", "hello.upc"]);
}

#[test]
fn further_files_have_the_objects_name() {
    let place = Place::new(&[("hello.upc", HELLO)]);
    place.upcc_ok("--coverage -c hello.upc");
    assert_eq!(place.files(), ["hello.gcno", "hello.o", "hello.upc"]);
}

#[test]
fn headers_are_checked_but_not_compiled() {
    let place = Place::new(&[(
        "own.h",
        "#include <upc.h>\nextern shared int numbers[THREADS];\n",
    )]);
    place.upcc_ok("-fsyntax-only own.h");
    assert!(place.upcc_ok("-MM own.h").contains("own.h"));
    let message = place.upcc_fails("-c own.h", 1);
    assert!(message.contains("own.h is a header"), "{message}");
    assert_eq!(place.files(), ["own.h"]);
}

#[test]
fn objects_that_are_not_linked_are_mentioned() {
    let place = Place::new(&[("hello.upc", HELLO), ("part.o", "")]);
    let output = place.upcc("-c hello.upc part.o -lm");
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("warning: part.o is not used"));
    place.upcc_ok("-w -c hello.upc part.o");
    let message = place.upcc_fails("-c hello.upc nowhere.o", 1);
    assert!(message.contains("cannot read nowhere.o"), "{message}");
}

#[test]
fn preprocessed_text_compiles_again() {
    let place = shared_sources();
    // With and without line markers, and whatever its name.
    place.upcc_ok("-E -o a.i main.upc");
    place.upcc_ok("-E -P -o b.i fill.c");
    place.upcc_ok("-E -C -o c.txt add.upc");
    place.upcc_ok("-o prog a.i b.i -x cpp-output c.txt");
    assert_eq!(place.run_ok("prog", "3"), "281 1.5\n");
    place.upcc_ok("-fpreprocessed -c a.i -o again.o");
    let macros = place.upcc_ok("-E -dM -T 4 main.upc");
    for name in ["__UPC__ 1", "__UPC_STATIC_THREADS__ 1", "THREADS 4"] {
        assert!(macros.contains(&format!("#define {name}\n")), "{name}");
    }
}

/// A C compiler that never comes to an end, and says when it has begun.
const SLOW_COMPILER: &str =
    "#!/bin/sh\nfor a; do case $p in -o) : >\"$a\";; esac; p=$a; done\n: >begun\nexec sleep 60\n";

#[test]
fn a_signal_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::ExitStatusExt;
    for signal in ["INT", "TERM", "HUP"] {
        let place = Place::new(&[("hello.upc", HELLO), ("slow", SLOW_COMPILER)]);
        fs::create_dir(place.dir.path().join("tmp")).unwrap();
        let slow = place.dir.path().join("slow");
        fs::set_permissions(&slow, fs::Permissions::from_mode(0o755)).unwrap();
        place.write("x.i", "as before");
        // A command in the background of a shell ignores SIGINT from its start.
        let command = concat!(
            "--default-signal ",
            env!("CARGO_BIN_EXE_pgas-upcc"),
            " -E hello.upc -o x.i"
        );
        let mut child = place
            .command("env", command)
            .env("PGAS_CC", slow)
            .env("TMPDIR", place.dir.path().join("tmp"))
            .spawn()
            .unwrap();
        let begin = std::time::Instant::now();
        while !place.has("begun") {
            assert!(begin.elapsed().as_secs() < 60, "it does not begin");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(
            place
                .command("kill", &format!("-{signal} {}", child.id()))
                .status()
                .unwrap()
                .success()
        );
        assert!(child.wait().unwrap().signal().is_some(), "{signal}");
        assert_eq!(
            place.files(),
            ["begun", "hello.upc", "slow", "tmp", "x.i"],
            "{signal}"
        );
        assert_eq!(place.read("x.i"), "as before");
        let left = fs::read_dir(place.dir.path().join("tmp")).unwrap().count();
        assert_eq!(left, 0, "{signal}");
    }
}

#[test]
fn the_cache_directory_is_the_users_choice() {
    let place = Place::new(&[("hello.upc", HELLO)]);
    let cache = place.dir.path().join("cache");
    let run = |cache: &Path| {
        place
            .command(env!("CARGO_BIN_EXE_pgas-upcc"), "hello.upc")
            .env("PGAS_CACHE_DIR", cache)
            .output()
            .unwrap()
    };
    assert!(run(&cache).status.success());
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 1);
    // One that cannot be used is passed over.
    place.write("file", "");
    assert!(run(&place.dir.path().join("file")).status.success());
}
