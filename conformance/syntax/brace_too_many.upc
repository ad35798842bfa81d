// threads: dynamic
// What follows a function that ends too early is reported once.
int f(int i)
{
    if (i) {
        i = 3;
    }
    }
    return i;                           /* error: expected a declaration, found keyword 'return' */
}
int g(int i)
{
    return 1 +;                         /* error: expected an expression, found ';' */
}
int main(void) { return 0; }
