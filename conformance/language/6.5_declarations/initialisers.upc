// threads: 1 2 3 4 7
// Initialisers of shared objects, and of private pointers-to-shared with addresses of shared objects.
#include <upc.h>
#include "check.h"

#define COUNT 7
shared int scalar = 3;
shared double computed = 1.5 * 4 + 0.25;
shared [] int on_zero[COUNT] = {1, 2, 3, [5] = 6};
shared [] char text[] = "shared text";
shared struct point {
    int x;
    double y;
    char name[4];
} point = {1, 2.5, "abc"}, designated = {.y = 9};
shared int array[2 * THREADS];
static shared long internal = -1L;
shared int *to_scalar = &scalar;
shared int *to_element = &array[THREADS], *decayed = array, *moved = array + 1;
shared [] int *indefinite = on_zero;
shared [] int *element = &on_zero[2];
shared [] double *member = &point.y;
shared int *pointers[2] = {&scalar, array};
struct holder {
    int tag;
    shared int *p;
} holder = {5, &scalar};
shared int *shared shared_pointer = &array[1];
shared void *generic = &point;
int private_array[COUNT] = {[2] = 4}, private_scalar = COUNT;
int *private_pointer = &private_array[2];

static int calls(void)
{
    static shared int *position = &array[1];
    static shared int total = 10;
    static int count = 20;

    CHECK(position == &array[1]);
    CHECK_EQUAL(total, 10);
    return ++count;
}

int main(void)
{
    shared int *local = &array[0], *other = local + 1;

    CHECK_EQUAL(scalar, 3);
    CHECK(computed == 6.25);
    CHECK(on_zero[0] == 1 && on_zero[2] == 3 && on_zero[3] == 0 && on_zero[5] == 6);
    CHECK_EQUAL(sizeof(text), 12);
    CHECK(text[0] == 's' && text[10] == 't' && text[11] == '\0');
    CHECK(point.x == 1 && point.y == 2.5 && point.name[2] == 'c');
    CHECK(designated.x == 0 && designated.y == 9);
    CHECK_EQUAL(internal, -1);
    CHECK(to_scalar == &scalar && *to_scalar == 3);
    CHECK(to_element == &array[THREADS] && decayed == &array[0] && moved == &array[1]);
    CHECK_EQUAL(upc_threadof(moved), 1 % THREADS);
    CHECK(indefinite[1] == 2 && *element == 3 && *member == 2.5);
    CHECK(pointers[0] == &scalar && pointers[1] == array);
    CHECK(holder.tag == 5 && *holder.p == 3);
    CHECK(shared_pointer == &array[1]);
    CHECK(generic == &point);
    CHECK(*private_pointer == 4 && private_scalar == 7);
    CHECK_EQUAL(calls(), 21);
    CHECK_EQUAL(calls(), 22);
    CHECK(local == array && other == array + 1);
    upc_barrier;
    return finish();
}
