//! Loops of an instrumented program that are waits for a flag, and the writes that check for waiting
//! threads.

use pgas_upc::{Options, compile};

const HEAD: &str = "shared int f[400]; strict shared int g; shared int *p; volatile int *v; struct s \
                    { volatile int ready; volatile int bits : 3; } *q; int x, y; int user(void); \
                    int sched_yield(void); shared struct { int flag; int data; } cell[400];\n";

fn compiled(statement: &str, options: Options) -> String {
    let text = format!("{HEAD} int h(int k, int limit) {{ {statement} return 0; }}");
    let options = Options {
        threads: Some(4),
        name: "waits.upc".to_owned(),
        ..options
    };
    let output = compile(&text, &options).unwrap_or_else(|m| panic!("{statement}: {}", m[0]));
    output.c
}

fn counted(statement: &str) -> String {
    compiled(
        statement,
        Options {
            instrument: true,
            count_accesses: true,
            ..Default::default()
        },
    )
}

fn waits(statement: &str) -> bool {
    counted(statement).contains("upcr_flag_wait upcr_w")
}

#[test]
fn loops_that_only_test_are_waits() {
    for statement in [
        "while (f[1] == 0) ;",
        "while (g != k) { }",
        "for (; f[k] < limit; ) ;",
        "do ; while (*p == 0);",
        "do { } while (g);",
        "do { x = f[1]; } while (x != 1);",
        "while (1) { if (g) break; }",
        "while (1) { if (g) return 1; }",
        "while (1) { if (g) goto out; } out: ;",
        "for (;;) { if (f[0] > k) break; }",
        "while (!g) sched_yield();",
        "while (!g) { sched_yield(); }",
        "while (!g) upc_fence;",
        "while (!g) x++;",
        "for (k = 0; !g; k++) ;",
        "for (; !g && k < 1000; ) ;",
        "while (*v == 0) ;",
        "while (q->ready == 0) sched_yield();",
        "do { x = *v; } while (x == 0);",
        "if (k) while (!g) ; else x = 1;",
        "again: while (!g) ;",
        "while (cell[k].flag != limit) ;",
    ] {
        assert!(waits(statement), "{statement}");
    }
}

#[test]
fn loops_that_compute_are_none() {
    for statement in [
        "for (k = 0; f[k] != 0; k++) ;",
        "while (f[k] != 0) k = k + 1;",
        "while (k < limit) { x = x + f[k]; k = k + 1; }",
        "while (p != 0) { p = p + 1; }",
        "while (f[k++] == 0) ;",
        "while (x < f[0]) { x = x * 2; }",
        "while (!g) user();",
        "while (!g) { if (user()) break; }",
        "while (!g) f[1] = 1;",
        "while (k) { while (!g) { } user(); k = 0; } x = 0; while (x) ;",
        "while (k) ;",
        "while (q->bits == 0) ;",
        "while (1) if (g) break;",
        "switch (k) { case 1: while (!g) { case 2: ; } }",
        "while (!g) { again: if (f[0]) goto again; }",
        "\n#pragma GCC unroll 4\n while (!g) ;",
        "\n#pragma pupc off\n while (!g) ;\n#pragma pupc on\n",
    ] {
        let found = counted(statement).matches("upcr_flag_wait upcr_w").count();
        let inner = usize::from(statement.contains("{ while"));
        assert!(found <= inner, "{statement}");
    }
}

#[test]
fn plain_programs_have_none() {
    let text = compiled("while (!g) ; f[1] = 1;", Options::default());
    assert!(text.contains("upcr_look()") && !text.contains("upcr_flag"));
}

#[test]
fn reads_are_counted_until_the_wait_begins() {
    let text = counted("while (f[1] == 0) ;");
    assert!(text.contains("if (!upcr_w1.upcr_is_open) {"), "{text}");
    // Where nothing is recorded, the loop is as it is without instrumentation.
    assert_eq!(text.matches("upcr_look()").count(), 2);
    assert_eq!(text.matches("upcr_flag_failed(").count(), 1);
    let text = compiled(
        "while (f[1] == 0) ;",
        Options {
            instrument: true,
            ..Default::default()
        },
    );
    assert!(
        text.contains("!upcr_w1.upcr_is_open && upcr_get_begin("),
        "{text}"
    );
}

/// The pointer that an object is found by is not what the loop waits for.
#[test]
fn a_read_on_the_way_to_an_address_is_no_flag() {
    let text = counted("while (f[f[k]] == 0) ;");
    assert_eq!(text.matches("upcr_flag_read(").count(), 1);
}

#[test]
fn counted_writes_look_for_threads_that_wait() {
    let text = counted("f[k] = 1; f[k] += 2; g = 3; p[1]++;");
    assert_eq!(text.matches("upcr_flag_write(").count(), 4);
}

/// Own elements are accessed through a private pointer unless threads may wait for them, by a loop
/// anywhere in the unit.
#[test]
fn writes_to_own_flags_are_seen() {
    let set = "upc_forall (k = 0; k < 400; k++; &f[k]) f[k] = 1;";
    let is_direct = |text: &str| text.contains("*const upcr_l");
    assert!(is_direct(&counted(set)));
    for wait in [
        "while (f[1] == 0) ;",
        "do { x = f[0]; } while (!x);",
        "while (!f[2]) { sched_yield(); }",
    ] {
        let text = counted(&format!("{set} {wait}"));
        assert!(!is_direct(&text), "{wait}");
    }
    let text = counted(
        "upc_forall (k = 0; k < 400; k++; &cell[k]) cell[k].flag = 1; while (!p[0]) ; while \
         (!cell[k].flag) ;",
    );
    assert!(!is_direct(&text));
    let text =
        counted("upc_forall (k = 0; k < 400; k++; &cell[k]) cell[k].data = 1; while (!q->ready) ;");
    assert!(is_direct(&text));
}
