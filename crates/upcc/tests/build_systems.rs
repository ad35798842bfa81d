//! `pgas-upcc` as CC of others: make, what configure scripts try out, how automake and CMake ask
//! for dependencies.

mod common;

use common::{Place, shared_sources, text};
use std::fs;

const COMPILER: &str = env!("CARGO_BIN_EXE_pgas-upcc");

const MAKEFILE: &str = "\
CFLAGS = -O1 -g -MMD -MP
OBJECTS = main.o fill.o add.o
prog: $(OBJECTS)
\t$(CC) $(LDFLAGS) -o $@ $^ -lm
%.o: %.upc
\t$(CC) $(CFLAGS) $(CPPFLAGS) -c -o $@ $<
clean:
\trm -f prog $(OBJECTS) $(OBJECTS:.o=.d)
-include $(OBJECTS:.o=.d)
";

#[test]
fn make_with_several_jobs() {
    let place = shared_sources();
    place.write("Makefile", MAKEFILE);
    let make = |line: &str| {
        let output = place
            .command("make", &format!("CC={COMPILER} {line}"))
            // The first commands all find that the runtime's files have to be written.
            .env("PGAS_CACHE_DIR", place.dir.path().join("cache"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    make("-j4");
    assert_eq!(place.run_ok("prog", "3"), "281 1.5\n");
    assert!(make("").contains("up to date"));
    // A header that all include, newer than the objects.
    place.write("data.h", format!("{}\n", place.read("data.h")));
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    let header = fs::File::options()
        .append(true)
        .open(place.dir.path().join("data.h"))
        .unwrap();
    header.set_modified(later).unwrap();
    let again = make("");
    assert_eq!(again.matches(" -c ").count(), 3, "{again}");
    // The cache may go away without make missing a header.
    fs::remove_dir_all(place.dir.path().join("cache")).unwrap();
    make("-B -j2");
    assert_eq!(
        fs::read_dir(place.dir.path().join("cache"))
            .unwrap()
            .count(),
        1
    );
    make("clean");
}

/// Steps of autoconf's configure scripts, in their order.
#[test]
fn what_configure_tries() {
    let place = Place::new(&[("conftest.c", "int main (void) { return 0; }\n")]);
    // Which compiler is it? Any of these may fail, but none may hang or leave files.
    for question in ["--version", "-v", "-V", "-qversion", "-version"] {
        place.upcc(question);
    }
    // The C compiler works, and this is the name of its output.
    place.upcc_ok("conftest.c");
    assert_eq!(place.files(), ["a.out", "conftest.c"]);
    place.upcc_ok("-o conftest conftest.c");
    // Not a cross compiler: the program runs, and writes files.
    place.write(
        "conftest.c",
        "#include <stdio.h>\nint main (void) { FILE *f = fopen (\"conftest.out\", \"w\"); return \
         ferror (f) || fclose (f) != 0; }\n",
    );
    place.upcc_ok("-o conftest conftest.c");
    let status = place
        .command(place.dir.path().join("conftest").to_str().unwrap(), "")
        .status();
    assert!(status.unwrap().success() && place.has("conftest.out"));
    // Suffix of objects; whether it is GNU C; -g.
    place.upcc_ok("-c conftest.c");
    assert!(place.has("conftest.o"));
    place.write(
        "conftest.c",
        "int main (void) {\n#ifndef __GNUC__\n  choke me\n#endif\n  return 0; }\n",
    );
    place.upcc_ok("-c -g -O2 conftest.c");
    // Something must fail where it should.
    place.write("conftest.c", "#include <no_such_header.h>\n");
    place.upcc_fails("-E conftest.c", 1);
    place.write(
        "conftest.c",
        "char sqrt_not_here (); int main (void) { return sqrt_not_here (); }\n",
    );
    place.upcc_fails("-o conftest conftest.c", 1);
    // A function of a library, declared wrongly on purpose.
    place.write(
        "conftest.c",
        "char sqrt (); int main (void) { return sqrt (); }\n",
    );
    let output = place.upcc("-o conftest -g -O2 conftest.c -lm");
    assert!(output.status.success(), "{}", text(&output.stderr));
    // The size of a type, by compiling only.
    for (size, status) in [(8, 0), (4, 1)] {
        place.write(
            "conftest.c",
            format!(
                "int main (void) {{ static int t[1 - 2 * !(sizeof (long) == {size})]; t[0] = 0; \
                 return t[0]; }}\n"
            ),
        );
        assert_eq!(place.upcc("-c conftest.c").status.code(), Some(status));
    }
    // -c and -o together, in another directory.
    fs::create_dir(place.dir.path().join("sub")).unwrap();
    place.write("conftest.c", "int x;\n");
    place.upcc_ok("-c conftest.c -o sub/conftest2.o");
    assert!(place.has("sub/conftest2.o"));
}

/// The ways in which automake's depcomp and CMake ask for dependencies.
#[test]
fn styles_of_dependencies() {
    let place = Place::new(&[
        (
            "part.c",
            "#include \"part.h\"\nint part(void) { return PART; }\n",
        ),
        ("part.h", "#define PART 3\n"),
    ]);
    fs::create_dir_all(place.dir.path().join(".deps")).unwrap();
    fs::create_dir_all(place.dir.path().join("CMakeFiles/t.dir")).unwrap();
    for (line, file, target) in [
        // gcc3
        (
            "-MT part.o -MD -MP -MF .deps/part.Tpo -c -o part.o part.c",
            ".deps/part.Tpo",
            "part.o:",
        ),
        // gcc
        (
            "-Wp,-MD,.deps/part.TPo -c -o part.o part.c",
            ".deps/part.TPo",
            "part.o:",
        ),
        (
            "-MD -MT CMakeFiles/t.dir/part.c.o -MF CMakeFiles/t.dir/part.c.o.d -o \
             CMakeFiles/t.dir/part.c.o -c part.c",
            "CMakeFiles/t.dir/part.c.o.d",
            "CMakeFiles/t.dir/part.c.o:",
        ),
        ("-MD -c part.c", "part.d", "part.o:"),
    ] {
        place.upcc_ok(line);
        let list = place.read(file);
        assert!(
            list.starts_with(target) && list.contains("part.h"),
            "{line}: {list}"
        );
        assert!(!list.contains("pgas_upcr.h"), "{line}: {list}");
    }
    let listed = place.upcc_ok("-M part.c");
    assert!(listed.starts_with("part.o: part.c") && listed.contains("part.h"));
}
