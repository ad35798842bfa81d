//! Which `upc_forall` statements enumerate their own iterations, and which keep the test of every
//! iteration.

use pgas_upc::{Options, Output, compile};

const HEAD: &str = "shared int c[100 * 4]; shared [5] int b[100 * 4]; shared [] int \
                    all[100];\nshared [6] double m[40][3]; shared int *p; int g; void user(void); \
                    int n, i, j; double sqrt(double);\n# 1 \"/usr/include/stdio.h\" 1 3\n int \
                    sscanf(const char *, const char *, ...); int puts(const char *); double \
                    floor(double);\n# 4 \"own.upc\" 2\n";

/// The C of a statement in a function whose variables are `k`, `limit` and `q`.
fn lowered(statement: &str) -> String {
    compiled(statement).c
}

fn compiled(statement: &str) -> Output {
    let text = format!("{HEAD} void f(int k, int limit, shared int *q) {{ {statement} }}");
    let options = Options {
        threads: Some(4),
        name: "own.upc".to_owned(),
        ..Default::default()
    };
    compile(&text, &options).unwrap_or_else(|m| panic!("{statement}: {}", m[0]))
}

#[test]
fn own_iterations_are_enumerated() {
    for statement in [
        "upc_forall (k = 0; k < 400; k++; k) g += k;",
        "upc_forall (k = 0; k <= limit; ++k; k + 3) g += k;",
        "upc_forall (k = limit; k < 2 * limit - 1; k += 1; &c[k]) c[k] = k;",
        "upc_forall (int x = 0; x < 400; x = x + 1; &b[x]) b[x] += x;",
        "upc_forall (k = 0; limit > k; k++; &b[k + limit]) b[k + limit] = 1;",
        "upc_forall (k = 0; k < 40; k++; &m[k][0]) for (int x = 0; x < 3; x++) m[k][x] = 0;",
        "upc_forall (k = 0; k < 40; k++; q + k) q[k] = 0;",
        "upc_forall (k = 0; k < 40; k++; &p[k]) p[k] = 0;",
        "upc_forall (k = 0; k < limit; k++; &c[k]) { if (k == 3) continue; c[k] = 1; }",
        "upc_forall (k = 0; k < 40; k += 2; &c[k]) c[k] = k;",
        "upc_forall (k = 0; k < 40; k += limit; &b[k]) c[k] = k;",
        "upc_forall (k = MYTHREAD; k < 40; k = k + THREADS; k) c[k] = k;",
        "upc_forall (k = 40; k > 0; k--; &c[k]) c[k] = k;",
        "upc_forall (k = 40; k >= 0; k -= 3; &b[k]) c[k] = k;",
        "upc_forall (k = 0; k != 40; k++; &c[k]) c[k] = k;",
        "upc_forall (k = 0; k < 40; k++; &c[k]) { while (c[k]) ; }",
        "upc_forall (k = 0; k < 40; k++; k % THREADS) c[k] = k;",
        "upc_forall (k = 0; k < n; k++; k) { c[k] = floor(k / 2.0); puts(\"own\"); }",
        "upc_forall (k = 0; k < 40; k++; (k / 5) % THREADS) b[k] = k;",
        "upc_forall (i = 0; i < 40; i++; &c[i]) c[i] = 0;",
    ] {
        assert!(lowered(statement).contains("upcr_k"), "{statement}");
    }
}

#[test]
fn the_general_form_is_kept_where_it_is_needed() {
    for statement in [
        "upc_forall (k = 0; k < 40; k++; &c[2 * k]) c[k] = k;",
        "upc_forall (k = 0; k < 40; k--; &c[k]) c[k] = k;",
        "upc_forall (k = 0; k != 40; k += limit; &c[k]) c[k] = k;",
        "upc_forall (k = 0; k < 40; k += 0; &c[k]) c[k] = k;",
        "upc_forall (k = 0; k < 40; k++; k % 3) c[k] = k;",
        "upc_forall (i = 0; i < 40; i++; &c[i]) { user(); }",
        "upc_forall (i = 0; i < 40; i++; &c[i]) { sscanf(\"1\", \"%d\", &i); }",
        "upc_forall (k = 0; k < n; k++; &c[k]) { sscanf(\"1\", \"%d\", &n); }",
        "upc_forall (i = 0; i < 40; i++; &c[i]) { int *x = &n; *x = 3; }",
        "upc_forall (k = 0; k < 40; k++; &all[k]) all[k] = k;",
        "upc_forall (k = 0; k < 40; k++; &c[k]) { c[k] = k; k++; }",
        "upc_forall (k = 0; k < limit; k++; &c[k]) { c[k] = k; limit--; }",
        "upc_forall (k = 0; k < c[0]; k++; &c[k]) c[k] = k;",
        "upc_forall (k = 0; k < 40; k++; &c[k]) { int *x = &k; *x = 3; }",
        "upc_forall (k = 0; k < n; k++; &c[k]) { c[k] = 0; user(); }",
        "upc_forall (k = 0; k < 40; k++; &p[k]) { p[k] = 0; user(); }",
        "upc_forall (k = 0; k < 40; k++; &q[k]) { q[k] = 0; q++; }",
        "upc_forall (k = 0; k < 40; k++; &c[k]) { again: if (c[k]) goto again; }",
        "upc_forall (k = 0; k < 40; k++; &c[k]) { static int calls; calls++; }",
        "upc_forall (k = 0; k < 40; k++; c[k]) g++;",
        "upc_forall (k = 0; k < 40; k++; continue) g++;",
    ] {
        assert!(!lowered(statement).contains("upcr_k"), "{statement}");
    }
}

#[test]
fn only_elements_with_the_layout_and_index_of_the_affinity_are_private() {
    let c = lowered(
        "upc_forall (k = 0; k < 40; k++; &c[k]) { c[k] = c[k + 1] + b[k] + all[k] + sqrt(c[k]); }",
    );
    assert_eq!(
        c.matches("upcr_l").count() - c.matches("*const upcr_l").count(),
        2,
        "{c}"
    );
    assert!(c.contains("upcr_elem_blocked(upcr_obj_b.addr"), "{c}");
}

/// A loop that waits for another thread to write an own element must read it each time.
#[test]
fn bodies_that_may_wait_access_memory_each_time() {
    for (statement, waits) in [
        (
            "upc_forall (k = 0; k < 40; k++; &c[k]) while (c[k] == 0) ;",
            true,
        ),
        (
            "upc_forall (k = 0; k < 40; k++; &c[k]) do g++; while (g < c[k]);",
            true,
        ),
        (
            "upc_forall (k = 0; k < 40; k++; &c[k]) for (; c[k] == 0;) ;",
            true,
        ),
        (
            "upc_forall (k = 0; k < 40; k++; &c[k]) for (j = 0; c[k] != 1; j++) ;",
            true,
        ),
        (
            "upc_forall (k = 0; k < 40; k++; &c[k]) for (j = 0; j < limit; j++) c[k] += j;",
            false,
        ),
    ] {
        assert_eq!(
            lowered(statement).contains("(volatile __typeof__(*upcr_l"),
            waits,
            "{statement}"
        );
    }
}

#[test]
fn neighbours_of_own_elements_are_noted_with_their_distance() {
    for (statement, distances) in [
        (
            "upc_forall (k = 1; k < 99; k++; &c[k]) g += c[k - 1] + c[k] + c[k + 1];",
            &[-1, 1][..],
        ),
        (
            "upc_forall (k = 1; k < 99; k++; &c[k]) g += p[k - 10] + p[10 + k];",
            &[-10, 10],
        ),
        (
            "upc_forall (k = 1; k < 99; k++; &c[k + 1]) c[k + 1] = c[k];",
            &[-1],
        ),
        // Each is noted once.
        (
            "upc_forall (k = 1; k < 99; k++; &c[k]) g += c[k + 1] * c[k + 1];",
            &[1],
        ),
        // Others than the element itself, but nobody knows how far away.
        (
            "upc_forall (k = 1; k < 99; k++; &c[k]) g += c[k + limit];",
            &[],
        ),
        (
            "upc_forall (k = 1; k < 99; k++; &c[k]) g += c[2 * k] + c[limit];",
            &[],
        ),
        (
            "upc_forall (k = 1; k < 99; k++; &c[k]) for (int x = 0; x < 9; x++) g += c[x];",
            &[],
        ),
        // Of another layout, and where no element says whose iteration it is.
        ("upc_forall (k = 1; k < 99; k++; &c[k]) g += b[k + 1];", &[]),
        ("upc_forall (k = 1; k < 99; k++; k) g += c[k + 1];", &[]),
        ("for (k = 1; k < 99; k++) g += c[k + 1];", &[]),
    ] {
        let noted = compiled(statement).unseen.neighbours;
        let found: Vec<i64> = noted.iter().map(|(_, distance)| *distance).collect();
        assert_eq!(found, distances, "{statement}");
        assert!(
            noted.iter().all(|(place, _)| place == "own.upc:4"),
            "{noted:?}"
        );
    }
}

/// Own blocks follow each other in memory: what needs the variable for own elements only is one
/// loop, whatever the block.
#[test]
fn bodies_without_the_variable_go_through_all_own_blocks_at_once() {
    for (statement, flat) in [
        (
            "upc_forall (k = 0; k < 40; k++; &b[k]) b[k] = b[k] + 1;",
            true,
        ),
        ("upc_forall (k = 40; k >= 0; k--; &b[k]) b[k] += n;", true),
        (
            "upc_forall (k = 0; k < 40; k++; &b[k + 3]) g += b[k + 3];",
            true,
        ),
        (
            "upc_forall (k = 0; k < 40; k++; &m[k][0]) for (int x = 0; x < 3; x++) m[k][x] = 0;",
            true,
        ),
        ("upc_forall (k = 0; k < 40; k++; &b[k]) b[k] = k;", false),
        (
            "upc_forall (k = 0; k < 40; k++; &b[k]) b[k] = b[k + 1];",
            false,
        ),
        ("upc_forall (k = 0; k < 40; k += 2; &b[k]) b[k] = 1;", false),
        ("upc_forall (i = 0; i < 40; i++; &b[i]) b[i] = 1;", false),
        (
            "upc_forall (k = 0; k < 40; k++; &m[k][0]) m[k][k % 3] = 0;",
            false,
        ),
    ] {
        let c = lowered(statement);
        assert_eq!(
            c.contains("= upcr_own_all_blocks("),
            flat,
            "{statement}: {c}"
        );
        assert_eq!(c.contains("= upcr_own_block("), !flat, "{statement}: {c}");
    }
}

/// A conversion from the wider number of the iteration would halve the speed of a vectorised loop.
#[test]
fn variables_of_the_size_of_an_int_are_counted_in_that_size() {
    for (statement, narrow) in [
        ("upc_forall (k = 0; k < 40; k++; &c[k]) c[k] = k;", true),
        (
            "upc_forall (unsigned x = 0; x < 40; x++; &b[x]) b[x] = x;",
            true,
        ),
        (
            "upc_forall (long x = 0; x < 40; x++; &c[x]) c[x] = x;",
            false,
        ),
        (
            "upc_forall (short x = 0; x < 40; x++; &c[x]) c[x] = x;",
            false,
        ),
    ] {
        assert_eq!(
            lowered(statement).contains("unsigned upcr_t"),
            narrow,
            "{statement}"
        );
    }
}

/// With a call in the copy that is hardly ever run, C compilers keep a sum in memory in the other
/// one, too.
#[test]
fn the_copy_of_a_small_body_calls_nothing() {
    let small = "upc_forall (k = 0; k < 40; k++; &b[k]) g += b[k];";
    assert!(!lowered(small).contains("upcr_far_elem"), "{small}");
    let large = format!(
        "upc_forall (k = 0; k < 40; k++; &b[k]) {{ {} }}",
        "g += b[k]; ".repeat(20)
    );
    assert!(lowered(&large).contains("upcr_far_elem"), "{large}");
}

/// Otherwise a function that is called there only would not be inlined.
#[test]
fn a_body_that_calls_functions_and_has_no_own_elements_is_there_once() {
    for (statement, once) in [
        ("upc_forall (k = 0; k < 40; k++; k) user();", true),
        (
            "upc_forall (k = 40; k > 0; k -= 3; &c[k]) { if (k == 4) continue; user(); }",
            true,
        ),
        (
            "upc_forall (k = 0; k < 40; k++; &c[k]) { c[k] = 1; user(); }",
            false,
        ),
        ("upc_forall (k = 0; k < 40; k++; &b[k]) user();", false),
    ] {
        let c = lowered(statement);
        assert!(c.contains("upcr_k"), "{statement}: {c}");
        let calls = c.matches("user()").count() + c.matches("user ()").count();
        assert_eq!(calls == 1, once, "{statement}: {c}");
    }
}
