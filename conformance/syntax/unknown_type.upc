// threads: dynamic
// A syntax error.
foo_t *x; /* error: unknown type name 'foo_t' */
