// threads: 1 2 3 4
// warns: implicit declaration of function
// No header at all: the keywords are there nevertheless, and an undeclared function is called.
shared int a[THREADS];
shared int failed;

int main()
{
    int i;

    upc_forall (i = 0; i < THREADS; i++; i)
        a[i] = i + 1;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        if (a[i] != i + 1)
            failed = 1;
    upc_notify;
    upc_wait;
    if (sizeof(shared int *) < 8 || upc_blocksizeof(a) != 1)
        failed = 1;
    upc_fence;
    upc_barrier 1;
    if (MYTHREAD == 0 && !failed)
        puts("OK");
    return failed;
}
