//! Names of the compiler's own headers: a program's own headers of any name are not taken for ours,
//! and names that other compilers' headers declare are there.

mod common;

use common::{Place, text};

/// Names of headers that programs for other compilers have of their own; ours have such names for
/// whoever asks for them.
const NAMES: [&str; 14] = [
    "bupc.h",
    "bupc_async.h",
    "bupc_atomic.h",
    "bupc_atomics.h",
    "bupc_extensions.h",
    "bupc_nb.h",
    "bupc_pointers.h",
    "bupc_sem.h",
    "bupc_tick.h",
    "bupc_timers.h",
    "upc_types.h",
    "timers.h",
    "sem.h",
    "pupc.h",
];

#[test]
fn our_headers_do_not_read_headers_of_the_program() {
    let place = Place::new(&[(
        "main.upc",
        "#include <upc.h>\n#include <upc_relaxed.h>\n#include <upc_strict.h>\n#include \
         <upc_collective.h>\n#include <upc_tick.h>\n#include <upc_io.h>\n#include \
         <upc_nb.h>\n#include <upc_atomic.h>\n#include <upc_castable.h>\n#include \
         <bupc_collectivev.h>\nint main(void) { return bupc_ticks_now() == 0 || UPC_ADD != 1; }\n",
    )]);
    for name in NAMES {
        place.write(name, "#error a header of the program\n");
    }
    for include in [
        "-I.",
        "-iquote .",
        "-isystem .",
        "-I. -inst -inst-functions",
    ] {
        let object = place.upcc(&format!("{include} -c main.upc"));
        assert!(
            object.status.success(),
            "{include}: {}",
            text(&object.stderr)
        );
        assert_eq!(text(&object.stderr), "", "{include}");
    }
}

#[test]
fn a_program_has_a_header_of_that_name() {
    // As in public programs: the guard is the name in capitals, too.
    let own = "#ifndef BUPC_TIMERS_H\n#define BUPC_TIMERS_H\n#include <sys/time.h>\nstatic double \
               seconds(void) { struct timeval t; gettimeofday(&t, 0); return t.tv_sec; }\ndouble \
               mygetMicrosecondTimeStamp(void) { return 1e6 * seconds(); }\n#endif\n";
    let place = Place::new(&[
        ("bupc_timers.h", own),
        (
            "main.upc",
            "#include <upc_relaxed.h>\n#include \"bupc_timers.h\"\n#include <stdio.h>\nint \
             other(void);\nint main(void) {\n    if (MYTHREAD == 0)\n        printf(\"%d %d\\n\", \
             mygetMicrosecondTimeStamp() > 0, other());\n    return 0;\n}\n",
        ),
        (
            "other.upc",
            "#include <upc.h>\nint other(void) { return bupc_ticks_now() > 0; }\n",
        ),
    ]);
    place.upcc_ok("-I. -o prog main.upc other.upc");
    assert_eq!(place.run_ok("prog", "2"), "1 1\n");
}

#[test]
fn upc_h_declares_what_programs_for_other_compilers_expect() {
    let place = Place::new(&[(
        "main.upc",
        "#include <upc.h>\n#include <upc_tick.h>\n#include <stdio.h>\nshared int \
                 flag;\nint main(void) {\n    uint64_t ns = upc_ticks_to_ns(upc_ticks_now());\n    \
                 int32_t *p = malloc(sizeof *p);\n    *p = ns > 0;\n    if (MYTHREAD == THREADS - \
                 1) flag = *p;\n    while (flag == 0) upc_poll();\n    upc_barrier 10.5;\n    if \
                 (MYTHREAD == 0) printf(\"%d\\n\", flag);\n    free(p);\n    exit(0);\n}\n",
    )]);
    place.upcc_ok("-o prog main.upc");
    assert_eq!(place.run_ok("prog", "3"), "1\n");
    place.write(
        "tick.upc",
        "#include <upc_tick.h>\nuint64_t f(void) { return upc_ticks_now(); }\n",
    );
    place.upcc_ok("-c tick.upc");
}

#[test]
fn names_of_the_program_are_those_of_stdlib_h() {
    // It includes no <stdlib.h>; that ours do must not break it.
    let place = Place::new(&[(
        "main.upc",
        "#include <upc.h>\n#include <stdio.h>\nshared int x;\nstatic double random(int n) { \
         return n + 0.5; }\nvoid *l64a();\nchar *getenv();\ntypedef long long int64_t;\nint64_t \
         a64l;\ndouble atof();\nint select(int *a, int n, int k) { return a[k] + n; }\nint \
         main(void) { int a[2] = {1, 2}; a64l = sizeof(div_t); if (a64l != 8 || sizeof(l64a()) != \
         8 || getenv(\"X Y\")) return 1; if (MYTHREAD == 0) printf(\"%.1f %d\\n\", random(1), \
         select(a, 3, 1)); return 0; }\n",
    )]);
    place.upcc_ok("-o prog main.upc");
    assert_eq!(place.run_ok("prog", "2"), "1.5 5\n");
}

#[test]
fn sizes_of_void_and_arithmetic_on_pointers_to_void_get_a_warning() {
    let source = "#include <upc.h>\nshared int x;\nint main(void) {\n    int a = sizeof(void);\n    void \
         *p = &a;\n    p = p + 1;\n    x = a;\n    return p == 0;\n}\n";
    let place = Place::new(&[
        ("main.upc", source),
        ("plain.c", "int f(void *p) { return p + 1 == 0; }\n"),
    ]);
    let output = place.upcc("-c main.upc");
    let messages = text(&output.stderr);
    assert!(output.status.success(), "{messages}");
    assert!(
        messages.contains("main.upc:4:") && messages.contains("main.upc:6:"),
        "{messages}"
    );
    assert_eq!(messages.matches("warning:").count(), 2, "{messages}");
    place.upcc_ok("-c -Wno-pointer-arith main.upc");
    let messages = place.upcc_fails("-c -pedantic-errors main.upc", 1);
    assert_eq!(messages.matches("error:").count(), 2, "{messages}");
    // In C that has nothing of UPC they are as the C compiler has them.
    place.upcc_ok("-c plain.c");
}
