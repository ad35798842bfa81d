// threads: 1 2 3 4
// typeof of shared objects and accesses, as macros use it.
#include <upc.h>
#include "check.h"

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { typeof(a) swap_ = (a); (a) = (b); (b) = swap_; } while (0)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

shared int scalar = 3;
shared [2] double blocked[2 * THREADS];
shared int cyclic[4 * THREADS];
struct point { int x, y; };
shared struct point points[THREADS];
shared [] struct point *shared heads[THREADS];
typeof(scalar) *pointer_to_scalar = &scalar;
typeof(blocked[0]) *pointer_to_element;
typeof(&cyclic[0]) pointer = &cyclic[1];
static typeof(scalar) another;
typeof(int *shared *) to_shared_of_private;

int main(void)
{
    typeof(blocked) *whole = 0;
    typeof(points[0]) *p = points;
    typeof(heads[0]) head = heads[MYTHREAD];
    typeof(*heads[0]) *same = head;
    typeof(points[0].x) *member = 0;
    typeof(1 ? pointer : NULL) other = pointer;
    typeof(shared [4] int *) four = 0;
    typeof(scalar + 1) sum = scalar + 1;

    CHECK_EQUAL(sum, 4);
    CHECK_EQUAL(*pointer_to_scalar, 3);
    CHECK_EQUAL(sizeof(head), sizeof(shared void *));
    CHECK_EQUAL(sizeof(typeof(points[0])), sizeof(struct point));
    CHECK_EQUAL(sizeof(typeof(scalar)), sizeof(int));
    CHECK(whole == NULL && same == NULL && member == NULL && four == NULL && pointer_to_element == NULL);
    CHECK(other == &cyclic[1] && upc_threadof(other) == 1 % THREADS);
    blocked[2 * MYTHREAD] = MYTHREAD;
    blocked[2 * MYTHREAD + 1] = 10 + MYTHREAD;
    upc_barrier;
    CHECK_EQUAL(MAX(blocked[0], blocked[1]), 10);
    CHECK_EQUAL(MAX(scalar, 2), 3);
    p += MYTHREAD;
    p->x = 1;
    p->y = 2;
    member = &p->y;
    CHECK_EQUAL(*member, 2);
    upc_barrier;
    SWAP(blocked[2 * MYTHREAD], blocked[2 * MYTHREAD + 1]);
    CHECK_EQUAL(blocked[2 * MYTHREAD], 10 + MYTHREAD);
    SWAP(points[MYTHREAD].x, points[MYTHREAD].y);
    CHECK(p->x == 2 && p->y == 1);
    CHECK_EQUAL(ARRAY_SIZE(cyclic), 4 * THREADS);
    upc_barrier;
    if (MYTHREAD == 0)
        another = 5;
    upc_barrier;
    CHECK_EQUAL(another, 5);
    return finish();
}
