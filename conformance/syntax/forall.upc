// threads: dynamic
// A syntax error.
int main(void) {
    int i;
    upc_forall (i = 0; i < 3; i++) ; /* error: expected ';' after the third part of 'upc_forall' */
}
