// threads: dynamic
// A syntax error.
int main(void) {
    return (1; /* error: expected ')' to close '(', found ';' */
}
