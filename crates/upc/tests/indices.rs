//! Lowering of indices of shared arrays: multiples of THREADS taken out of a sum, blocks remembered
//! in loops, and neither where it would not help or not be right.

use pgas_upc::{Options, compile};

const HEAD: &str = "shared int c[100 * THREADS]; shared [64] int b[640 * THREADS]; shared [2] int \
                    s[10 * THREADS];\nshared int grid[50][THREADS]; shared [] int all[100]; int \
                    setjmp(long *);\n";

/// The C of a function with these statements; its variables are `i`, `j`, `n`, `t`, and pointers
/// `p` (cyclic) and `q` (blocks of 64).
fn lowered(statements: &str) -> String {
    let text = format!(
        "{HEAD} int f(int i, int n, unsigned u, int t, shared int *p, shared [64] int *q, int *x) \
         {{ int j; {statements} return 0; }}"
    );
    let options = Options {
        threads: None,
        name: "indices.upc".to_owned(),
        ..Default::default()
    };
    compile(&text, &options)
        .unwrap_or_else(|m| panic!("{statements}: {}", m[0]))
        .c
}

#[test]
fn multiples_are_taken_out() {
    for (statements, expected) in [
        (
            "x[0] = c[i * THREADS + t];",
            "upcr_elem_split(upcr_obj_c.addr, 1L * (long)(i), 1L * (long)(t), 0L",
        ),
        (
            "x[0] = c[THREADS * (i - 1) + MYTHREAD];",
            "upcr_elem_mine(upcr_obj_c.addr, 1L * (long)(",
        ),
        (
            "x[0] = grid[i][MYTHREAD];",
            "upcr_elem_mine(upcr_obj_grid.addr, 1L * (long)(i)",
        ),
        (
            "x[0] = grid[i][t];",
            "upcr_elem_split(upcr_obj_grid.addr, 1L * (long)(i), 1L * (long)(t), 0L",
        ),
        (
            "x[0] = b[t * 128 - 64 + i];",
            "upcr_elem_split(upcr_obj_b.addr, 0L, 2L * (long)(t) + -1L, 1L * (long)(i)",
        ),
        ("x[0] = p[i * THREADS];", "upcr_add_split("),
        ("p += 2 * THREADS;", "upcr_add_split("),
    ] {
        let c = lowered(statements);
        let without_spaces = |t: &str| t.replace(' ', "");
        assert!(
            without_spaces(&c).contains(&without_spaces(expected)),
            "{statements}:\n{c}"
        );
    }
}

#[test]
fn sums_that_may_wrap_around_stay_whole() {
    for statements in [
        "x[0] = c[u * THREADS + 1];",
        "x[0] = c[(unsigned)(i * THREADS) + 1u];",
    ] {
        assert!(
            !lowered(statements).contains("upcr_elem_split"),
            "{statements}"
        );
    }
}

#[test]
fn walks_remember_where_they_are() {
    for (statements, expected) in [
        (
            "for (j = 0; j < n; j++) x[0] += b[j];",
            "upcr_run_elem(&upcr_r",
        ),
        (
            "for (j = n; j > 0; j -= 2) x[0] += b[j + t];",
            "upcr_run_elem(&upcr_r",
        ),
        (
            "for (j = 0; j < n; j++) x[0] += q[j];",
            "upcr_run_add(&upcr_r",
        ),
        (
            "j = 0; while (j < n) { x[0] += b[j]; j = j + 1; }",
            "upcr_run_elem(&upcr_r",
        ),
        (
            "for (j = t; j < n; j += THREADS) x[0] += c[j];",
            "upcr_walk_cyclic(&upcr_r",
        ),
        (
            "upc_forall (j = 1; j < n; j++; &c[j]) c[j] = c[j - 1];",
            "upcr_walk_cyclic(&upcr_r",
        ),
    ] {
        let c = lowered(statements);
        assert!(c.contains(expected), "{statements}:\n{c}");
    }
    // Neighbours share what they remember; other rows do not.
    let variables = |statements: &str| lowered(statements).matches(" upcr_run upcr_r").count();
    assert_eq!(
        variables("for (j = 1; j < n; j++) x[0] += b[j - 1] + b[j] + b[j + 1];"),
        1
    );
    assert_eq!(
        variables("for (j = 1; j < n; j++) x[0] += b[j] + b[64 * t + j] + b[j + 64];"),
        3
    );
}

#[test]
fn other_accesses_compute_their_address() {
    for statements in [
        "x[0] = b[i];",
        "for (j = 0; j < n; j++) x[0] += b[x[j]];",
        "for (j = 0; j < n; j++) x[0] += b[i];",
        "for (j = 0; j < n; j += 32) x[0] += b[j];",
        "for (j = 0; j < n; j++) x[0] += s[j] + all[j] + c[j];",
        "for (j = 0; j < n; j = x[j]) x[0] += b[j];",
        "setjmp(0); for (j = 0; j < n; j++) x[0] += b[j];",
    ] {
        let c = lowered(statements);
        assert!(!c.contains("(&upcr_r"), "{statements}:\n{c}");
    }
}
