// threads: dynamic
// Statements of UPC 1.0, which had no prefix.
shared int a[THREADS];
int main(void)
{
    int i;
    forall (i = 0; i < THREADS; i++; &a[i]) a[i] = i;   /* error: 'forall' is a statement of UPC 1.0 only */
    barrier;                            /* error: 'barrier' is a statement of UPC 1.0 only */
    barrier 3;                          /* error: 'barrier' is a statement of UPC 1.0 only */
    notify;                             /* error: 'notify' is a statement of UPC 1.0 only */
    wait;                               /* error: 'wait' is a statement of UPC 1.0 only */
    return 0;
}
