//! The command `pgas-upcc` as a user or a makefile calls it: options, messages, exit statuses, what
//! is linked.

mod common;

use common::{HELLO, Place, shared_sources, text};
use std::fs;
use std::process::Stdio;

#[test]
fn sources_at_once() {
    let place = shared_sources();
    place.upcc_ok("-O2 -o prog main.upc fill.c add.upc");
    assert_eq!(place.run_ok("prog", "2"), "125 1.5\n");
    assert_eq!(place.run_ok("prog", "3"), "281 1.5\n");
    assert_eq!(
        place.files(),
        ["add.upc", "data.h", "fill.c", "main.upc", "prog"]
    );
}

#[test]
fn objects_archives_and_a_link() {
    let place = shared_sources();
    place.upcc_ok("-c main.upc");
    place.upcc_ok("-c -g fill.c add.upc");
    assert!(place.has("main.o") && place.has("fill.o") && place.has("add.o"));
    let archived = place
        .command("ar", "rcs libparts.a fill.o add.o")
        .status()
        .unwrap();
    assert!(archived.success());
    place.upcc_ok("main.o -L. -lparts");
    assert_eq!(place.run_ok("a.out", "2"), "125 1.5\n");
    place.upcc_ok("-o other main.o libparts.a -Wl,--as-needed");
    assert_eq!(place.run_ok("other", "1"), "33 1.5\n");
}

#[test]
fn objects_for_different_numbers_of_threads_do_not_link() {
    let place = shared_sources();
    place.upcc_ok("-T 4 -c main.upc");
    place.upcc_ok("-T=2 -c fill.c");
    place.upcc_ok("-c add.upc");
    let message = place.upcc_fails("-o prog main.o fill.o add.o", 1);
    assert!(
        message.contains("different numbers of threads"),
        "{message}"
    );
    assert!(
        message.contains("main.o: 4 (-T 4)") && message.contains("fill.o: 2 (-T 2)"),
        "{message}"
    );
    assert!(!message.contains("add.o"), "{message}");
    assert!(
        place
            .command("ar", "rcs libfill.a fill.o")
            .status()
            .unwrap()
            .success()
    );
    let message = place.upcc_fails("-o prog main.o add.o libfill.a", 1);
    assert!(message.contains("libfill.a(fill.o): 2"), "{message}");
    for options in ["-L. -lfill", "-L . -l fill"] {
        let message = place.upcc_fails(&format!("-o prog main.o add.o {options}"), 1);
        assert!(message.contains("libfill.a(fill.o): 2"), "{message}");
    }
    let message = place.upcc_fails("-T 3 -o prog main.o fill.c add.o", 1);
    assert!(message.contains("this command: 3"), "{message}");
    assert!(!message.contains("fill"), "{message}");
    assert!(!place.has("prog"));
    // Objects for any number fit a program with a fixed one, which the link or another object
    // gives.
    place.upcc_ok("-T4 -o prog main.o fill.c add.o");
    assert_eq!(place.run_ok("prog", ""), "501 1.5\n");
    place.upcc_ok("-o prog main.o fill.c add.o");
    let output = place.run("prog", "2");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("compiled for 4 threads (-T 4), it cannot run with 2"));
}

#[test]
fn a_program_says_what_it_is() {
    let place = Place::new(&[("hello.upc", HELLO), ("tool.c", TOOL)]);
    let note = |line: &str| {
        place.upcc_ok(line);
        let path = place.dir.path().join("a.out");
        pgas_instrument::program::inspect(&path).unwrap().unwrap()
    };
    let info = note("hello.upc");
    assert_eq!(
        (info.compiler.as_str(), info.threads, info.instrumented),
        ("embedded", None, false)
    );
    assert_eq!(note("-T 7 hello.upc").threads, Some(7));
    let compiled = place.command("cc", "-c tool.c").status().unwrap();
    assert!(compiled.success());
    let info = note("-T 7 -inst hello.upc tool.o");
    assert_eq!((info.threads, info.instrumented), (Some(7), true));
    // Stripped programs still say it.
    assert!(place.command("strip", "a.out").status().unwrap().success());
    let path = place.dir.path().join("a.out");
    assert!(
        pgas_instrument::program::inspect(&path)
            .unwrap()
            .unwrap()
            .instrumented
    );
}

/// A tool that takes no notice of anything.
const TOOL: &str = "void *gasp_init(int m, int *c, char ***v) { return 0; }\nvoid \
                    gasp_event_notify(void *c, unsigned t, int e, const char *f, int l, int k, \
                    ...) {}\nvoid gasp_event_notifyVA(void *c, unsigned t, int e, const char *f, \
                    int l, int k, __builtin_va_list a) {}\nint gasp_control(void *c, int on) { \
                    return 1; }\nunsigned gasp_create_event(void *c, const char *n, const char \
                    *d) { return 100; }\n";

#[test]
fn an_error_in_the_program_is_shown_where_it_is() {
    let place = Place::new(&[
        (
            "bad.upc",
            "#include <upc.h>\n#define N 10\nshared int a[N * THREADS];\nint main(void) {\n  a[0] \
             = = 1;\n  return 0;\n}\n",
        ),
        ("good.upc", HELLO),
        (
            "missing.upc",
            "#include <nothing_here.h>\nint main(void) { return 0; }\n",
        ),
        (
            "c_error.upc",
            "#include <upc.h>\nint main(void) {\n  return no_such_name;\n}\n",
        ),
    ]);
    place.write("prog", "as before");
    let message = place.upcc_fails("-o prog bad.upc", 1);
    assert!(message.starts_with("bad.upc:5:"), "{message}");
    assert!(
        message.contains("a[0] = = 1;") && message.contains('^'),
        "{message}"
    );
    // The existing file stays, and nothing else is left.
    assert_eq!(place.read("prog"), "as before");
    assert_eq!(place.files().len(), 5);
    let message = place.upcc_fails("-o prog missing.upc", 1);
    assert!(
        message.contains("missing.upc:1:") && message.contains("nothing_here.h"),
        "{message}"
    );
    let message = place.upcc_fails("-c c_error.upc", 1);
    assert!(
        message.contains("c_error.upc") && message.contains("no_such_name"),
        "{message}"
    );
    // One wrong source does not hide the messages of the next.
    let message = place.upcc_fails("-c bad.upc missing.upc good.upc", 1);
    assert!(
        message.contains("bad.upc:5:") && message.contains("nothing_here.h"),
        "{message}"
    );
    assert!(place.has("good.o") && !place.has("bad.o"));
    assert!(
        !message.contains('\x1b'),
        "no colours into a file: {message}"
    );
    let message = place.upcc_fails("-fdiagnostics-color=always -c bad.upc", 1);
    assert!(message.contains('\x1b'), "{message}");
}

#[test]
fn wrong_usage() {
    let place = Place::new(&[("hello.upc", HELLO)]);
    for (line, part) in [
        ("", "no input files"),
        ("nowhere.upc", "cannot read nowhere.upc: No such file"),
        ("-T 0 hello.upc", "'0' is not a number of threads"),
        ("-T=many hello.upc", "'many' is not a number of threads"),
        ("hello.upc -o", "-o needs a value"),
        (
            "-inst -inst-filter none.filter hello.upc",
            "cannot read the filter file none.filter",
        ),
    ] {
        let message = place.upcc_fails(line, 1);
        assert!(
            message.starts_with("pgas-upcc: error: ") && message.contains(part),
            "{line}: {message}"
        );
    }
    place.write("bad.filter", "SCOREP_REGION_NAMES_BEGIN\nNONSENSE x\n");
    let message = place.upcc_fails("-inst -inst-filter bad.filter hello.upc", 1);
    assert!(
        message.contains("bad.filter") && message.contains('2'),
        "{message}"
    );
}

#[test]
fn no_c_compiler() {
    let place = Place::new(&[("hello.upc", HELLO)]);
    let without = |path: &str, cc: Option<&str>| {
        let mut command = place.command(env!("CARGO_BIN_EXE_pgas-upcc"), "hello.upc");
        command.env("PATH", path);
        if let Some(cc) = cc {
            command.env("PGAS_CC", cc);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr)
    };
    let empty = place.dir.path().display().to_string();
    let message = without(&empty, None);
    assert!(
        message.contains("no C compiler") && message.contains("apt install gcc"),
        "{message}"
    );
    let message = without("/usr/bin:/bin", Some("no-such-cc"));
    assert!(message.contains("`no-such-cc` (from PGAS_CC)"), "{message}");
}

#[test]
fn what_a_failed_link_means() {
    let place = Place::new(&[
        (
            "part.upc",
            "#include <upc.h>\nvoid f(void) { upc_barrier; }\n",
        ),
        (
            "uses.upc",
            "#include <upc.h>\nextern shared int nowhere;\nint main(void) { return nowhere; }\n",
        ),
        ("hello.upc", HELLO),
    ]);
    let message = place.upcc_fails("part.upc", 1);
    assert!(
        message.contains("no source or object that is linked defines `main`"),
        "{message}"
    );
    let message = place.upcc_fails("-inst hello.upc", 1);
    assert!(message.contains("pgastool compile"), "{message}");
    let message = place.upcc_fails("uses.upc", 1);
    assert!(message.contains("`nowhere'"), "{message}");
    assert_eq!(place.files().len(), 3);
}

#[test]
fn response_files() {
    let place = Place::new(&[
        ("hello.upc", HELLO),
        ("inner", "-T 3\n-o 'a name'"),
        ("outer", "@inner -O1 hello.upc"),
    ]);
    place.upcc_ok("@outer");
    assert_eq!(place.run_ok("a name", ""), "3\n");
}

#[test]
fn ways_to_optimise_and_link() {
    let place = shared_sources();
    for options in [
        "-O3 -flto",
        "-static -O2",
        "-O2 -no-pie -fno-pie",
        "-O2 -fPIE -pie -Wl,--gc-sections",
        "-O0 -g",
        "-std=c99 -Os",
    ] {
        place.upcc_ok(&format!("{options} -o prog main.upc fill.c add.upc"));
        assert_eq!(place.run_ok("prog", "3"), "281 1.5\n", "{options}");
    }
}

#[test]
fn commands_are_shown() {
    let place = Place::new(&[("hello.upc", HELLO)]);
    let output = place.upcc("--show -T 2 -O3 hello.upc");
    let shown = text(&output.stderr);
    assert!(output.status.success() && !place.has("a.out"));
    assert!(
        shown.contains(" -E ") && shown.contains("-DTHREADS=2") && shown.contains("cpp-output"),
        "{shown}"
    );
    let output = place.upcc("-v hello.upc");
    assert!(text(&output.stderr).contains("libpgas_upcr.a"));
    assert!(place.has("a.out"));
}

#[test]
fn other_sources_of_text() {
    let place = Place::new(&[
        ("hello.txt", HELLO),
        (
            "helper.s",
            ".globl helper\nhelper: ret\n.section .note.GNU-stack,\"\"\n",
        ),
    ]);
    place.upcc_ok("-x c hello.txt -x none helper.s -o prog");
    assert_eq!(place.run_ok("prog", "2"), "2\n");
    let mut child = place
        .command(env!("CARGO_BIN_EXE_pgas-upcc"), "-x c - -o from_stdin")
        .stdin(Stdio::from(
            fs::File::open(place.dir.path().join("hello.txt")).unwrap(),
        ))
        .spawn()
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(place.run_ok("from_stdin", "3"), "3\n");
    // Plain C that another compiler has made is just linked.
    place.write("plain.c", "int seven = 7;\n");
    assert!(
        place
            .command("cc", "-c plain.c")
            .status()
            .unwrap()
            .success()
    );
    place.write(
        "uses.upc",
        "#include <stdio.h>\nextern int seven;\nint main() { if (!MYTHREAD) printf(\"%d\\n\", \
         seven); return 0; }\n",
    );
    place.upcc_ok("uses.upc plain.o");
    assert_eq!(place.run_ok("a.out", "2"), "7\n");
}

#[test]
fn the_main_of_another_compiler() {
    let place = Place::new(&[
        (
            "main.c",
            "#include <stdio.h>\nint part(void);\nint main(int c, char **v, char **e) { \
             printf(\"%d\\n\", e[0] && part() && c == 1); return 0; }\n",
        ),
        (
            "part.upc",
            "#include <upc.h>\nint part(void) { upc_barrier; return THREADS; }\n",
        ),
    ]);
    assert!(place.command("cc", "-c main.c").status().unwrap().success());
    place.upcc_ok("main.o part.upc");
    assert_eq!(place.run_ok("a.out", "2"), "1\n1\n");
    assert!(
        place
            .command("ar", "rcs libmain.a main.o")
            .status()
            .unwrap()
            .success()
    );
    place.upcc_ok("part.upc libmain.a");
    assert_eq!(place.run_ok("a.out", "3"), "1\n1\n1\n");
}

#[test]
fn bytes_that_are_no_utf8_pass_through() {
    let place = Place::new(&[]);
    place.write(
        "latin.upc",
        b"#include <stdio.h>\n/* Z\xfcrich */\nint main() { if (!MYTHREAD) printf(\"gr\xfc\xdf\\n\"); return 0; }\n",
    );
    place.upcc_ok("latin.upc");
    assert_eq!(place.run("a.out", "1").stdout, b"gr\xfc\xdf\n");
}

#[test]
fn old_c_passes() {
    let place = Place::new(&[(
        "old.c",
        "#include <stdio.h>\ncount;\nadd(a, b) int a; int b; { return a + b; }\nmain() { char *p \
         = 0; int x = p; count = add(1, 2) + undeclared(4); if (MYTHREAD == 0) printf(\"%d\\n\", \
         count); return 0; }\nint undeclared(int a) { return a; }\n",
    )]);
    let output = place.upcc("old.c");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(place.run_ok("a.out", "2"), "7\n");
    place.upcc_ok("-w old.c");
}

#[test]
fn a_program_may_have_its_own_library_functions() {
    let place = Place::new(&[(
        "own.upc",
        "#include <upc.h>\n#include <upc_collective.h>\n#include <stdio.h>\nshared int \
         from[THREADS], to[THREADS], sum;\nvoid upc_all_broadcast(shared void *restrict d, shared \
         const void *restrict s, size_t n, upc_flag_t f) {\n  upc_barrier;\n  ((shared int \
         *)d)[MYTHREAD] = 77;\n  upc_barrier;\n}\nint main(void) {\n  from[MYTHREAD] = 1;\n  \
         upc_all_broadcast(to, from, sizeof(int), 0);\n  upc_all_reduceI(&sum, to, UPC_ADD, \
         THREADS, 1, NULL, 0);\n  if (!MYTHREAD) printf(\"%d\\n\", sum);\n  return 0;\n}\n",
    )]);
    place.upcc_ok("own.upc");
    assert_eq!(place.run_ok("a.out", "3"), "231\n");
}

#[test]
fn a_filter_chooses_functions() {
    let place = Place::new(&[
        (
            "two.upc",
            "#include <upc.h>\nint inner(int x) { return x + 1; }\nint outer(int x) { return \
             inner(x); }\nint main(void) { return outer(0) - 1; }\n",
        ),
        (
            "filter",
            "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE inn*\nSCOREP_REGION_NAMES_END\n",
        ),
    ]);
    let begins = |line: &str| {
        place.upcc_ok(&format!("{line} -trans two.upc"));
        let c = place.read("two.trans.c");
        let sites: Vec<&str> = c.split("static upcr_function_site upcr_e").collect();
        ["inner", "outer", "main"].map(|name| {
            let begin = format!("= {{\"{name}\", ");
            sites[1..].iter().any(|site| site.contains(&begin))
        })
    };
    assert_eq!(begins("-inst"), [false, false, false]);
    assert_eq!(begins("-inst -inst-functions"), [true, true, true]);
    assert_eq!(
        begins("-inst -inst-functions -inst-filter filter"),
        [false, true, true]
    );
}

#[test]
fn shared_libraries_and_joined_objects_have_no_runtime_in_them() {
    let place = Place::new(&[
        ("part.c", "int part(void) { return 4; }\n"),
        ("hello.upc", HELLO),
    ]);
    place.upcc_ok("-shared -fPIC -o libpart.so part.c");
    let names = place.command("nm", "-D libpart.so").output().unwrap();
    assert!(!text(&names.stdout).contains("upcr_"));
    // Shared data would have no place; functions that use it are welcome.
    place.write(
        "data.upc",
        "#include <upc.h>\nshared int data[THREADS];\nint own(void) { return data[MYTHREAD]; }\n",
    );
    let message = place.upcc_fails("-shared -fPIC -o libdata.so data.upc", 1);
    assert!(
        message.contains(" data.o defines shared data, which cannot be in a shared library"),
        "{message}"
    );
    place.write(
        "uses.upc",
        "#include <upc.h>\nextern shared int data[THREADS];\nint next(void) { upc_barrier; return \
         data[(MYTHREAD + 1) % THREADS]; }\n",
    );
    place.write(
        "main.upc",
        "#include <upc.h>\n#include <stdio.h>\nshared int data[THREADS];\nint next(void);\nint \
         main(void) { data[MYTHREAD] = 10 + MYTHREAD; int n = next(); if (!MYTHREAD) \
         printf(\"%d\\n\", n); return 0; }\n",
    );
    place.upcc_ok("-shared -fPIC -o libuses.so uses.upc");
    place.upcc_ok("main.upc -L. -luses -Wl,-rpath,. -o with_library");
    assert_eq!(place.run_ok("with_library", "3"), "11\n");
    place.upcc_ok("-T 2 -c hello.upc part.c");
    place.upcc_ok("-r -o joined.o hello.o part.o");
    place.upcc_ok("-o prog joined.o");
    assert_eq!(place.run_ok("prog", ""), "2\n");
}

#[test]
fn questions() {
    let place = Place::new(&[]);
    for question in ["--version", "-version", "-V"] {
        let version = place.upcc_ok(question);
        assert!(
            version.starts_with("pgas-upcc ") && version.contains("UPC 1.3"),
            "{version}"
        );
    }
    assert!(place.upcc_ok("--help").contains("-fupc-threads=N"));
    assert!(place.upcc_ok("-dumpmachine").contains("linux"));
    let both = place.upcc_ok("-dumpmachine -dumpversion");
    assert!(both.contains("linux") && both.lines().count() == 1);
    assert!(place.upcc_ok("-print-prog-name=ld").contains("ld"));
    assert!(text(&place.upcc("-Wl,--version").stdout).contains("ld"));
    assert!(place.upcc_ok("--man").starts_with(".TH PGAS-UPCC 1"));
    // Build systems ask so what compiler this is, and where it looks for headers.
    let output = place.upcc("-v");
    assert!(output.status.success());
    assert!(text(&output.stderr).starts_with("pgas-upcc "));
    place.write("empty.c", "");
    let output = place.upcc("-v -E empty.c");
    assert!(text(&output.stderr).contains("search starts here"));
}

#[test]
fn the_c_compiler_is_not_this_one() {
    let place = Place::new(&[("hello.upc", HELLO)]);
    let own = env!("CARGO_BIN_EXE_pgas-upcc");
    let output = place
        .command(own, "hello.upc")
        .env("PGAS_CC", own)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("is pgas-upcc itself"));
}

/// The C compiler vectorises fewer loops if any two pointers may point to the same memory.
#[test]
fn aliasing_is_strict_unless_a_unit_converts_pointers_between_types() {
    let place = Place::new(&[
        (
            "none.upc",
            "shared double a[THREADS]; double *own(void) { return (double *)&a[MYTHREAD]; }",
        ),
        (
            "puns.upc",
            "shared double a[THREADS]; long *own(void) { return (long *)&a[MYTHREAD]; }",
        ),
        ("plain.c", "int bits(float *x) { return *(int *)x; }"),
    ]);
    for (source, loose) in [("none.upc", false), ("puns.upc", true), ("plain.c", true)] {
        let output = place.upcc(&format!("-v -O2 -c {source}"));
        let printed = text(&output.stderr);
        assert!(output.status.success(), "{printed}");
        assert_eq!(
            printed.contains("-fno-strict-aliasing"),
            loose,
            "{source}: {printed}"
        );
    }
}
