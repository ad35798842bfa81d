// threads: dynamic
// A syntax error.
int main(void) {
    int a = 1 /* error: expected ';' after the declaration, found keyword 'return' */
    return a;
}
