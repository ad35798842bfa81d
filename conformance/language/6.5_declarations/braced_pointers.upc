// threads: 1 2 3 4 7
// Braces around single pointers-to-shared: compound literals of them, initialisers with more braces than
// needed.
#include <upc.h>
#include "check.h"
shared int c[6 * THREADS];
typedef shared int *ip;
ip f1 = {c + 1}, f2[2] = {
                     {c},
                     {
                         c + 2,
                     },
};

struct {
    ip p;
    int n;
} f3 = {{&c[3]}, 4}, f4[] = {{{c}, 5}, {NULL}};

ip f5 = {NULL}, f6 = {0};

static int get(ip *p) { return **p; }

int main()
{
    int i;
    for (i = MYTHREAD; i < 6 * THREADS; i += THREADS)
        c[i] = i;
    upc_barrier;
    CHECK_EQUAL(*(ip){c + 3}, 3);
    CHECK_EQUAL(get(&(ip){c + 4}), 4);
    CHECK_EQUAL((ip){c} - c, 0);
    CHECK(((ip){NULL}) == NULL);
    CHECK_EQUAL(((shared int *){
                    c + 2,
                }[1]),
                3);
    CHECK_EQUAL(*((shared int *){c + 2})++, 2);
    ip a = {c + 5}, b[2] = {{c},
                            {
                                c + 1,
                            }};
    static ip s = {c + 1}, t[] = {{c + 2}, c};

    struct {
        ip p, q[2];
    } z = {{c + 1}, {{c + 2}, {0}}};

    ip n = {NULL}, n2 = {0};
    CHECK(*a == 5 && *b[1] == 1 && *s == 1 && *t[0] == 2 && *t[1] == 0 && *z.p == 1 && *z.q[0] == 2 &&
          !z.q[1] && !n && !n2);
    CHECK(*f1 == 1 && *f2[1] == 2 && *f2[0] == 0 && *f3.p == 3 && f3.n == 4 && f4[0].n == 5 && !f4[1].p &&
          !f5 && !f6);
    return finish();
}
