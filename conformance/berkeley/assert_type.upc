// threads: 1 2
// warns: the types of bupc_assert_type differ
// bupc_assert_type compares types and those of expressions, with qualifiers and layouts, when the program is compiled.
#include <upc.h>
#include "check.h"

typedef shared [2] int *(*function)(const int *, shared float *);
typedef shared [10] int *T;
struct s { int x; shared [3] const double *p; };
shared int y;
shared [10] int x[100 * THREADS];
shared const int *shared volatile w;
T private_pointers[100];
shared [10] int *same_pointers[100];
shared [2] T shared_pointers[100 * THREADS];
struct s one;
static int count;

static int twice(int n) { count++; return 2 * n; }

int main(void)
{
    CHECK(bupc_assert_type(MYTHREAD, int));
    CHECK(bupc_assert_type(size_t, upc_localsizeof(x)));
    CHECK(bupc_assert_type(y, shared int));
    CHECK(bupc_assert_type(&(x[10]), shared [10] int *));
    CHECK(bupc_assert_type(w, shared const int *shared volatile));
    CHECK(bupc_assert_type(&w, shared const int *shared volatile *));
    CHECK(bupc_assert_type(*w, shared const int));
    CHECK(bupc_assert_type(private_pointers, same_pointers));
    CHECK(bupc_assert_type(shared_pointers[0], shared [10] int *shared [2]));
    CHECK(bupc_assert_type(*(shared_pointers[0]), shared [10] int));
    CHECK(bupc_assert_type(function, function));
    CHECK(bupc_assert_type(function, shared [2] int *(*)(const int *, shared float *)));
    CHECK(bupc_assert_type(struct s, one));
    CHECK(bupc_assert_type(twice(1), int));
    CHECK_EQUAL(count, 0);
    CHECK(!bupc_assert_type(const volatile int, int));
    CHECK(!bupc_assert_type(const volatile int *, int *));
    CHECK(!bupc_assert_type(int *const, int *));
    CHECK(!bupc_assert_type(int **const **, int ****));
    CHECK(!bupc_assert_type(shared [10] int, shared [2] int));
    CHECK(!bupc_assert_type(function, int));
    finish();
}
