// threads: 1 2 3 4 7
// files: private_data_plain.c
// Private file-scope and static objects exist once per thread, also those of a plain C file.
#include <upc.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include "check.h"

int global = 10;
static char buffer[100];
int *to_global = &global;
extern int plain_counter;
int plain_next(void);

static int next(void)
{
    static int n;

    return ++n;
}

int main(void)
{
    int i;
    char *heap = malloc(100);

    global += MYTHREAD;
    sprintf(buffer, "thread %d", MYTHREAD);
    sprintf(heap, "heap of %d", MYTHREAD);
    for (i = 0; i <= MYTHREAD; i++) {
        next();
        plain_next();
    }
    errno = MYTHREAD;
    upc_barrier;
    CHECK_EQUAL(global, 10 + MYTHREAD);
    CHECK_EQUAL(*to_global, 10 + MYTHREAD);
    CHECK_EQUAL(next(), MYTHREAD + 2);
    CHECK_EQUAL(plain_counter, MYTHREAD + 1);
    CHECK_EQUAL(errno, MYTHREAD);
    CHECK_EQUAL(buffer[7], '0' + MYTHREAD);
    CHECK_EQUAL(heap[8], '0' + MYTHREAD);
    free(heap);
    return finish();
}
