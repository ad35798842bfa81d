// threads: dynamic
// A block that is not closed: the message notes where the indentation says that it was.
int f(int i)
{
    while (i) {
        if (i) {
            i = 3;
    }
    return i;
}
int main(void) { return 0; } /* error: expected '}' before the end of the file, to close '{' in line 4 */
