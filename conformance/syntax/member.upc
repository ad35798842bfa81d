// threads: dynamic
// A syntax error.
struct s { int a; foo b; }; /* error: unknown type name 'foo' */
