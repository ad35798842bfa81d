/*
 * A known number of every kind of operation. Prints how often each thread executed what and how many bytes it moved, as
 * lines `VISITS <region> <thread> <times>` and `BYTES <metric> <thread> <bytes>`; accesses to own elements do not count.
 */
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>

enum { LIMIT = 40 };
struct block {
    double values[4];
};

static shared int words[THREADS];
static shared double numbers[THREADS];
static shared struct block blocks[THREADS];
static shared [1000] char bytes[THREADS][1000];
static shared int own_parts[THREADS], sum;

/* What was executed; counted by the functions themselves. */
static struct count {
    const char *what;
    long times;
} visits[LIMIT], moved[LIMIT];

static void add(struct count *counts, const char *what, long times)
{
    int i;

    for (i = 0; counts[i].what != NULL && counts[i].what != what; i++)
        ;
    counts[i].what = what;
    counts[i].times += times;
}

/* Literals of equal text need not be one object; these are. */
static const char get[] = "upc_get", put[] = "upc_put", memget[] = "upc_memget", memput[] = "upc_memput",
                  got_remote[] = "bytes_get_remote", got_local[] = "bytes_get_local", put_remote[] = "bytes_put_remote";

static int scalars(int next)
{
    int i, sum = 0;

    add(visits, "scalars", 1);
    for (i = 0; i < 100; i++)
        sum += words[next];
    add(visits, get, 100);
    add(moved, got_remote, 100 * sizeof(int));
    for (i = 0; i < 50; i++)
        numbers[next] = i;
    add(visits, put, 50);
    add(moved, put_remote, 50 * sizeof(double));
    /* Each of these reads and writes. */
    for (i = 0; i < 10; i++) {
        words[next] += i;
        words[next]++;
    }
    add(visits, get, 20);
    add(visits, put, 20);
    add(moved, got_remote, 20 * sizeof(int));
    add(moved, put_remote, 20 * sizeof(int));
    /* Own elements. */
    for (i = 0; i < 1000; i++)
        numbers[MYTHREAD] += words[MYTHREAD];
    return sum;
}

static double structures(int next)
{
    struct block local = {{1, 2, 3, 4}};
    int i;

    add(visits, "structures", 1);
    for (i = 0; i < 30; i++) {
        blocks[next] = local;
        local = blocks[next];
    }
    add(visits, put, 30);
    add(visits, get, 30);
    add(moved, put_remote, 30 * sizeof local);
    add(moved, got_remote, 30 * sizeof local);
    return local.values[0];
}

static void memory(int next)
{
    static char buffer[1000];
    int i;

    add(visits, "memory", 1);
    for (i = 0; i < 10; i++)
        upc_memget(buffer, &bytes[next][0], 100 * (i + 1));
    add(visits, memget, 10);
    add(moved, got_remote, 5500);
    upc_memget(buffer, &bytes[MYTHREAD][0], 1000);
    add(visits, memget, 1);
    add(moved, got_local, 1000);
    for (i = 0; i < 5; i++)
        upc_memput(&bytes[next][i], buffer, 500);
    add(visits, memput, 5);
    add(moved, put_remote, 2500);
    upc_memset(&bytes[next][0], 7, 300);
    add(visits, "upc_memset", 1);
    add(moved, put_remote, 300);
}

static void synchronization(upc_lock_t *lock)
{
    int i;

    add(visits, "synchronization", 1);
    for (i = 0; i < 7; i++)
        upc_barrier i;
    add(visits, "upc_barrier", 7);
    for (i = 0; i < 3; i++) {
        upc_notify;
        words[MYTHREAD] = i;
        upc_wait;
    }
    add(visits, "upc_notify", 3);
    add(visits, "upc_wait", 3);
    for (i = 0; i < 4; i++) {
        upc_lock(lock);
        upc_unlock(lock);
    }
    add(visits, "upc_lock", 4);
    add(visits, "upc_unlock", 4);
    upc_fence;
    add(visits, "upc_fence", 1);
}

static void allocation(void)
{
    shared void *memory[3];
    int i;

    add(visits, "allocation", 1);
    for (i = 0; i < 3; i++)
        memory[i] = upc_alloc(100);
    for (i = 0; i < 3; i++)
        upc_free(memory[i]);
    memory[0] = upc_global_alloc(THREADS, 10);
    upc_free(memory[0]);
    memory[1] = upc_all_alloc(THREADS, 10);
    memory[2] = upc_all_alloc(THREADS, 20);
    add(visits, "upc_alloc", 3);
    add(visits, "upc_free", 4);
    add(visits, "upc_global_alloc", 1);
    add(visits, "upc_all_alloc", 2);
}

static void collectives(void)
{
    int i;

    add(visits, "collectives", 1);
    own_parts[MYTHREAD] = 1;
    for (i = 0; i < 6; i++)
        upc_all_reduceI(&sum, own_parts, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    add(visits, "upc_all_reduce", 6);
    upc_all_broadcast(words, own_parts, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    add(visits, "upc_all_broadcast", 1);
}

int main(void)
{
    int i, thread, next = (MYTHREAD + 1) % THREADS;
    upc_lock_t *lock = upc_all_lock_alloc();

    add(visits, "main", 1);
    add(visits, "upc_all_lock_alloc", 1);
    for (i = 0; i < 3; i++)
        scalars(next);
    structures(next);
    memory(next);
    synchronization(lock);
    allocation();
    collectives();

    /* One thread after the other prints; these barriers count as well. */
    add(visits, "upc_barrier", THREADS);
    for (thread = 0; thread < THREADS; thread++) {
        if (thread == MYTHREAD) {
            for (i = 0; visits[i].what != NULL; i++)
                printf("VISITS %s %d %ld\n", visits[i].what, MYTHREAD, visits[i].times);
            for (i = 0; moved[i].what != NULL; i++)
                printf("BYTES %s %d %ld\n", moved[i].what, MYTHREAD, moved[i].times);
            fflush(stdout);
        }
        upc_barrier;
    }
    return 0;
}
