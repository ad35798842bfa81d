// threads: 1 2
// modes: dynamic
// files: words_as_names_in_c.c
// With a static number, THREADS is a macro. Headers and sources in C that use the words of UPC as names, in a program of both.
#include <upc.h>
#include "words_as_names.h"
#include "check.h"

shared int sum;

int main(void)
{
    struct options o = {.shared = 1, .strict = {2, 3}, .relaxed = 1};
    struct options *p = &o;
    CHECK(p->shared == 1 && o.strict[1] == 3 && p->relaxed && COUNT_OF_THREADS == 16);
    CHECK_EQUAL(in_header(&o), 6);
    CHECK_EQUAL(in_c(&o, 5), 23);
    CHECK_EQUAL(without_words(4), 24);
    if (MYTHREAD == 0)
        sum = in_c(&o, 1) + THREADS;
    upc_barrier;
    CHECK_EQUAL(sum, 19 + THREADS);
    return finish();
}
