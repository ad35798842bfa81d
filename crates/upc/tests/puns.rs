//! Which units convert pointers to one type to pointers to another.

use pgas_upc::{Options, compile};

const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void *upc_cast(const \
                    shared void *); typedef struct { double re, im; } complex_t;\nstruct one { \
                    int x; }; shared [] complex_t *part; shared [4] double a[16]; shared [] char \
                    *bytes; shared void *any;\ndouble d, row[4][5]; float f; int i; char *text; \
                    void take(double *); void takes_any(void *);\n# 1 \"/usr/include/stdio.h\" 1 \
                    3\n static inline int in_header(double *x) { return *(int *)x; }\n# 4 \
                    \"puns.upc\" 2\n";

fn puns(statement: &str) -> bool {
    let options = Options {
        threads: Some(4),
        name: "puns.upc".to_owned(),
        ..Default::default()
    };
    let source = format!("{HEAD} void function(float *p, void *v) {{ {statement} }}");
    compile(&source, &options)
        .unwrap_or_else(|m| panic!("{statement}: {}", m[0]))
        .puns
}

#[test]
fn conversions_between_pointers_to_different_types() {
    for statement in [
        "i = *(int *)&f;",
        "int *q = (int *)p;",
        "int *q = p;",
        "double *q; q = (double *)text;",
        "take(p);",
        "take((double *)text);",
        "double *q = (double *)bytes;",
        "i = *(shared [] int *)&a[0];",
        "int **q = (int **)&p;",
        "void **q = (void **)&p;",
        "struct one *s = (struct one *)&i;",
        "double *q = (double *)0x1000ul;",
        "complex_t *c = (complex_t *)&d;",
        "long *q = (long *)&a[MYTHREAD];",
        // Through a pointer to void, from which nobody knows where it came.
        "float *r = v;",
        "i = *(int *)(void *)&f;",
        "unsigned long *u = (unsigned long *)v;",
        "double *q = upc_cast(&a[MYTHREAD]);",
        "_Bool *b = (_Bool *)p;",
    ] {
        assert!(puns(statement), "{statement}");
    }
}

#[test]
fn what_c_allows() {
    for statement in [
        "double *q = malloc(8);",
        "double *q = (double *)malloc(8); v = q; text = v;",
        "complex_t *c = (complex_t *)part;",
        "double *q = (double *)&a[MYTHREAD * 4];",
        "char *c = (char *)p; unsigned char *u = (unsigned char *)&d;",
        "v = p; takes_any(p); any = a;",
        "const float *q = (const float *)p; take(row[1]);",
        "p = 0; p = (float *)0;",
        "shared [] double *q = (shared [] double *)&a[0];",
        "double (*r)[5] = row; take(&row[0][0]);",
    ] {
        assert!(!puns(statement), "{statement}");
    }
}
