// threads: 1 2 3 4
// Qualifiers in every order: shared before and after the type, with const, volatile, strict, relaxed and layouts.
#include <upc.h>
#include "check.h"

int shared after_type = 1;
int shared [2] layout_after[2 * THREADS];
long shared unsigned int split_type[THREADS];
const shared int constant = 2;
shared const int constant_too = 3;
int const shared volatile all = 4;
volatile strict shared int strict_volatile[THREADS];
relaxed shared [3] const double relaxed_const[3 * THREADS];
shared [] strict int strict_layout[5];
strict int shared strict_split;
shared [2] strict int *never_defined_strict;
static int shared static_after;
shared int static static_last;
extern int shared later_one;
typedef int shared shared_int;
typedef shared_int *to_shared_int;
typedef const shared_int const_shared_int;
typedef strict shared int strict_int;
typedef strict_int *to_strict_int;
typedef shared [4] int block_of_4;
typedef struct { int v; } plain_t;
shared_int by_typedef = 5, array_by_typedef[THREADS], *pointer_by_typedef = &after_type;
const_shared_int const_by_typedef = 6;
strict_int strict_by_typedef;
block_of_4 blocked_by_typedef[8 * THREADS];
plain_t shared structure_after;
struct tagged { int v; } shared tagged_after[THREADS];
enum color { RED, GREEN } shared color = GREEN;
int *shared private_targets[THREADS];
int *shared *shared *deep;
shared int *const shared constant_pointer = &by_typedef;
shared int *strict shared strict_pointer;
int shared *const *const fixed = 0;
int shared later_one;

int main(void)
{
    strict shared int *sp;
    shared strict int *same = &strict_by_typedef;
    int shared strict *third = same;
    to_shared_int p = &by_typedef;
    to_strict_int tp = &strict_by_typedef;
    shared const int *cp = &constant;
    const shared int *const cq = &constant_too;
    int shared const *volatile vp = &by_typedef;
    block_of_4 *bp = blocked_by_typedef;
    int value = 7;

    CHECK(after_type == 1 && constant == 2 && constant_too == 3 && all == 4 && by_typedef == 5 && const_by_typedef == 6);
    CHECK_EQUAL(upc_threadof(&layout_after[2]), 1 % THREADS);
    CHECK_EQUAL(upc_threadof(&split_type[THREADS - 1]), THREADS - 1);
    CHECK_EQUAL(sizeof split_type[0], 8);
    CHECK_EQUAL(upc_threadof(&relaxed_const[3]), 1 % THREADS);
    CHECK_EQUAL(upc_threadof(&strict_layout[4]), 0);
    CHECK_EQUAL(upc_blocksizeof(strict_layout), 0);
    CHECK_EQUAL(upc_blocksizeof(block_of_4[8 * THREADS]), 4);
    CHECK_EQUAL(upc_threadof(&blocked_by_typedef[7]), 1 % THREADS);
    CHECK_EQUAL(upc_phaseof(bp + 7), 3);
    CHECK_EQUAL(*p + *cp + *cq + *vp, 5 + 2 + 3 + 5);
    CHECK(color == GREEN && *pointer_by_typedef == 1 && *constant_pointer == 5);
    CHECK(third == tp && fixed == 0 && deep == 0 && never_defined_strict == NULL);
    private_targets[MYTHREAD] = &value;
    CHECK_EQUAL(*private_targets[MYTHREAD], 7);
    *private_targets[MYTHREAD] += 1;
    CHECK_EQUAL(value, 8);
    tagged_after[MYTHREAD].v = MYTHREAD;
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        sp = &strict_by_typedef;
        *sp = 3;
        *sp += 4;
        ++*tp;
        (*third)--;
        strict_pointer = &after_type;
        strict_pointer++;
        strict_split = strict_layout[3] = 9;
        structure_after.v = 4;
        static_after = static_last = 1;
        array_by_typedef[0] = 8;
    }
    strict_volatile[MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK_EQUAL(strict_by_typedef, 7);
    CHECK(strict_pointer == &after_type + 1);
    CHECK(strict_split == 9 && strict_layout[3] == 9 && structure_after.v == 4 && static_after + static_last == 2);
    CHECK(array_by_typedef[0] == 8 && strict_volatile[THREADS - 1] == THREADS - 1);
    CHECK_EQUAL(tagged_after[THREADS - 1].v, THREADS - 1);
    return finish();
}
