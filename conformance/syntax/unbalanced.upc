// threads: dynamic
// A syntax error.
int main(void) {
    if (1) {
        return 0; 
} /* error: to close '{' in line 3 */
