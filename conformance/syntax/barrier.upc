// threads: dynamic
// A syntax error.
int main(void) {
    upc_barrier } /* error: expected an expression, found '}' */
