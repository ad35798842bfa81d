// threads: dynamic
// A syntax error.
void f(int a, foo b); /* error: unknown type name 'foo' */
