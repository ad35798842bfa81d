/* Plain C: shared, strict, relaxed, THREADS and MYTHREAD are names. */
#include <string.h>
#include "words_as_names.h"

static int shared = 10, MYTHREAD;
static enum strict { THREADS = 3 } strict;
typedef struct { int shared, relaxed[THREADS]; } relaxed_t;

int without_words(int n)
{
    int THREADS = 1;
    while (n > 1)
        THREADS *= n--;
    return THREADS;
}

int in_c(struct options *options, int relaxed)
{
    relaxed_t local = {.shared = shared};
    MYTHREAD = relaxed;
    strict = THREADS;
    memset(local.relaxed, 0, sizeof local.relaxed);
    goto shared;
shared:
    return local.shared + local.relaxed[0] + MYTHREAD + strict + options->strict[1] + sizeof local.relaxed / sizeof(int) -
           (options->shared == 1);
}
