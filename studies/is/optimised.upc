/*
 * IS, the integer sort of the NAS Parallel Benchmarks (report RNR-94-007), in UPC. The keys are spread over the
 * threads; each iteration ranks them with a bucket sort: every thread sorts its keys into buckets, the buckets are
 * shared out so that all threads get about the same number of keys, every thread fetches the keys of its buckets from
 * all the others and counts them.
 *
 * This is the version after what the report of the first one (npb-fixtures/is/is.c) says: memory is allocated once and
 * used again in each ranking, and a thread's own keys are counted where they are instead of being copied. Compare the two
 * with `diff npb-fixtures/is/is.c studies/is/optimised.upc`.
 *
 *     pgastool compile -O2 -DCLASS=S -o is optimised.upc          any number of threads, static or dynamic
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <upc.h>
#include <upc_collective.h>

#include "../../npb-fixtures/is/is_class.h"
#include "../../npb-fixtures/is/randdp.c"

#define SEED UINT64_C(314159265)

/* What a thread holds after a ranking, for the check of the order across threads. */
struct part {
    long keys;
    int smallest, largest;
};

shared [NUM_BUCKETS] int bucket_sizes[THREADS][NUM_BUCKETS];
shared struct part parts[THREADS];
shared [] int test_keys[TEST_KEYS];
shared long failures[THREADS], passes[THREADS], all_failures, all_passes;
shared double seconds[THREADS], longest_seconds;

/* One buffer a thread, at the same place in each; keys of thread t begin at element t of the cyclic array. */
shared int *sorted_keys_shared; /* own keys in the order of their buckets */
shared int *received_shared;    /* keys of own buckets, from all other threads */
long received_capacity;         /* keys for which there is room in it, on each thread */

int *keys;                              /* own keys as generated */
long first_key, num_keys;               /* which of all keys they are */
int (*sizes_of)[NUM_BUCKETS];           /* [thread][bucket]: keys that the thread has for the bucket */
long bucket_keys[NUM_BUCKETS];          /* keys in the bucket, of all threads */
int first_bucket, end_bucket;           /* own buckets; equal if there are none */
long lesser_keys;                       /* keys in the buckets below the own ones */
long received_keys;                     /* of own buckets, from all threads */
const int *kept;                        /* those that were the thread's own already, in sorted_keys_shared */
long kept_keys;
int rank_of[MAX_KEY];                   /* own keys up to and including this one */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);

    if (memory == NULL) {
        fprintf(stderr, "is: thread %d: no memory for %zu bytes\n", MYTHREAD, bytes);
        upc_global_exit(2);
    }
    return memory;
}

/* The first key of a thread, if all keys are dealt out evenly and in order. */
static long first_key_of(int thread)
{
    return TOTAL_KEYS * (long)thread / THREADS;
}

/* Buckets in order go to threads in order; each thread gets about the same number of keys. */
static int owner_of(long keys_before)
{
    return (int)(keys_before * THREADS / TOTAL_KEYS);
}

static void create_keys(void)
{
    uint64_t state;
    long i;

    first_key = first_key_of(MYTHREAD);
    num_keys = first_key_of(MYTHREAD + 1) - first_key;
    keys = allocate((size_t)num_keys * sizeof *keys);
    sizes_of = allocate((size_t)THREADS * sizeof *sizes_of);

    /* A key takes four numbers of the sequence. */
    state = randdp_skip(SEED, RANDDP_MULTIPLIER, 4 * (uint64_t)first_key);
    for (i = 0; i < num_keys; i++) {
        double sum = 0;
        int k;

        for (k = 0; k < 4; k++)
            sum += randdp_next(&state, RANDDP_MULTIPLIER);
        keys[i] = (int)(MAX_KEY / 4 * sum);
    }
}

/* Each iteration ranks slightly different keys, so that none can be left out. */
static void change_keys(int iteration)
{
    long positions[2] = {iteration, iteration + ITERATIONS};
    int values[2] = {iteration, MAX_KEY - iteration};
    int i;

    for (i = 0; i < 2; i++)
        if (positions[i] >= first_key && positions[i] < first_key + num_keys)
            keys[positions[i] - first_key] = values[i];

    /* Whoever has a key to be checked shows it to all. */
    for (i = 0; i < TEST_KEYS; i++)
        if (test_index[i] >= first_key && test_index[i] < first_key + num_keys)
            test_keys[i] = keys[test_index[i] - first_key];
}

/* Sorts the own keys by their buckets and makes sizes and keys visible to the others. */
static void sort_into_buckets(void)
{
    int *own_sizes = (int *)&bucket_sizes[MYTHREAD][0];
    int *sorted;
    static int next[NUM_BUCKETS];
    int bucket, position = 0;
    long i;

    memset(own_sizes, 0, NUM_BUCKETS * sizeof *own_sizes);
    for (i = 0; i < num_keys; i++)
        own_sizes[keys[i] >> BUCKET_SHIFT]++;

    for (bucket = 0; bucket < NUM_BUCKETS; bucket++) {
        next[bucket] = position;
        position += own_sizes[bucket];
    }

    if (sorted_keys_shared == NULL)
        sorted_keys_shared = upc_all_alloc(THREADS, (TOTAL_KEYS / THREADS + 1) * sizeof(int));
    sorted = (int *)&sorted_keys_shared[MYTHREAD];
    for (i = 0; i < num_keys; i++)
        sorted[next[keys[i] >> BUCKET_SHIFT]++] = keys[i];
}

/* Shares the buckets out over the threads; every thread finds the same answer. Returns the keys of the fullest thread. */
static long share_buckets(void)
{
    long before = 0, most = 0, keys_of_owner = 0;
    int bucket, thread, owner, last_owner = 0;

    for (thread = 0; thread < THREADS; thread++)
        upc_memget(sizes_of[thread], &bucket_sizes[thread][0], NUM_BUCKETS * sizeof(int));

    first_bucket = end_bucket = 0;
    lesser_keys = received_keys = kept_keys = 0;
    for (bucket = 0; bucket < NUM_BUCKETS; bucket++) {
        bucket_keys[bucket] = 0;
        for (thread = 0; thread < THREADS; thread++)
            bucket_keys[bucket] += sizes_of[thread][bucket];

        /* Empty buckets at the very end count as the last thread's. */
        owner = before < TOTAL_KEYS ? owner_of(before) : THREADS - 1;
        if (owner != last_owner) {
            last_owner = owner;
            keys_of_owner = 0;
        }
        keys_of_owner += bucket_keys[bucket];
        if (keys_of_owner > most)
            most = keys_of_owner;
        if (owner == MYTHREAD) {
            if (first_bucket == end_bucket) {
                first_bucket = bucket;
                lesser_keys = before;
            }
            end_bucket = bucket + 1;
            received_keys += bucket_keys[bucket];
        }
        before += bucket_keys[bucket];
    }
    return most;
}

/* Fetches the keys of the own buckets, bucket by bucket, from all other threads; own ones stay where they are. */
static void fetch_keys(int *received)
{
    long *offsets = allocate((size_t)THREADS * sizeof *offsets); /* next key to fetch, in the thread's own order */
    int bucket, thread;

    for (thread = 0; thread < THREADS; thread++) {
        offsets[thread] = 0;
        for (bucket = 0; bucket < first_bucket; bucket++)
            offsets[thread] += sizes_of[thread][bucket];
    }
    kept = (const int *)&sorted_keys_shared[MYTHREAD] + offsets[MYTHREAD];
    for (bucket = first_bucket; bucket < end_bucket; bucket++) {
        for (thread = 0; thread < THREADS; thread++) {
            int size = sizes_of[thread][bucket];

            if (thread == MYTHREAD) {
                kept_keys += size;
                continue;
            }
            if (size > 0)
                upc_memget(received, sorted_keys_shared + thread + offsets[thread] * THREADS, size * sizeof(int));
            received += size;
            offsets[thread] += size;
        }
    }
    free(offsets);
}

/* Counts the kept and the received keys: afterwards rank_of[k] is how many of them are at most k. */
static void count_keys(const int *received)
{
    int low = first_bucket << BUCKET_SHIFT, high = end_bucket << BUCKET_SHIFT;
    int key;
    long i;

    memset(rank_of + low, 0, (size_t)(high - low) * sizeof *rank_of);
    for (i = 0; i < kept_keys; i++)
        rank_of[kept[i]]++;
    for (i = 0; i < received_keys - kept_keys; i++)
        rank_of[received[i]]++;
    for (key = low + 1; key < high; key++)
        rank_of[key] += rank_of[key - 1];
}

/* Compares the ranks of those test keys that are in own buckets with the published ones. */
static void partial_verify(int iteration)
{
    int i;

    for (i = 0; i < TEST_KEYS; i++) {
        int key = test_keys[i];
        int low = first_bucket << BUCKET_SHIFT;
        long rank;

        if (key < low || key >= end_bucket << BUCKET_SHIFT)
            continue;
        rank = lesser_keys + (key > low ? rank_of[key - 1] : 0);
        if (rank == expected_rank(i, iteration)) {
            passes[MYTHREAD]++;
        } else {
            failures[MYTHREAD]++;
            printf("is: iteration %d: test key %d has rank %ld, expected is %ld\n", iteration, i, rank,
                   expected_rank(i, iteration));
        }
    }
}

/* Makes room for so many received keys on each thread, unless there is. Collective. */
static void make_room(long keys_of_fullest)
{
    if (keys_of_fullest <= received_capacity)
        return;
    if (MYTHREAD == 0 && received_shared != NULL)
        upc_free(received_shared);
    /* A little more, since the next keys differ in some places. */
    received_capacity = keys_of_fullest + keys_of_fullest / 64 + 1;
    received_shared = upc_all_alloc(THREADS, received_capacity * sizeof(int));
}

static void rank(int iteration)
{
    long most;

    change_keys(iteration);
    sort_into_buckets();
    upc_barrier;

    most = share_buckets();
    make_room(most);
    if (first_bucket < end_bucket) {
        int *received = (int *)&received_shared[MYTHREAD];

        fetch_keys(received);
        count_keys(received);
        partial_verify(iteration);
    }
    upc_barrier;
}

/* Puts the kept and the received keys into their final order and checks that each is no smaller than the one before it. */
static void full_verify(void)
{
    int low = first_bucket << BUCKET_SHIFT;
    int *received = (int *)&received_shared[MYTHREAD];
    int *ordered = allocate((size_t)received_keys * sizeof *ordered);
    int *filled = allocate(MAX_KEY * sizeof *filled);
    struct part mine = {received_keys, 0, 0};
    long i, wrong = 0, total = 0;
    int thread;

    for (i = 0; i < received_keys; i++)
        ordered[i] = -1;
    memset(filled, 0, MAX_KEY * sizeof *filled);
    for (i = 0; i < received_keys; i++) {
        int key = i < kept_keys ? kept[i] : received[i - kept_keys];
        long position = (key > low ? rank_of[key - 1] : 0) + filled[key]++;

        if (position >= 0 && position < received_keys)
            ordered[position] = key;
    }
    for (i = 0; i < received_keys; i++)
        if (ordered[i] < 0 || (i > 0 && ordered[i] < ordered[i - 1]))
            wrong++;
    if (received_keys > 0) {
        mine.smallest = ordered[0];
        mine.largest = ordered[received_keys - 1];
    }
    parts[MYTHREAD] = mine;
    upc_barrier;

    for (thread = 0; thread < THREADS; thread++) {
        struct part other = parts[thread];

        total += other.keys;
        if (thread < MYTHREAD && mine.keys > 0 && other.keys > 0 && other.largest > mine.smallest)
            wrong++;
    }
    if (total != TOTAL_KEYS)
        wrong++;
    if (wrong > 0) {
        failures[MYTHREAD]++;
        printf("is: thread %d: %ld keys out of order, %ld of %ld keys there\n", MYTHREAD, wrong, total, TOTAL_KEYS);
    }
    free(ordered);
    free(filled);
}

int main(void)
{
    double start, mops;
    int iteration, successful, expected = TEST_KEYS * ITERATIONS + 1;

    if (MYTHREAD == 0) {
        printf("\n NAS Parallel Benchmarks in UPC - IS\n\n");
        printf(" Size: %ld (class %s)\n Iterations: %d\n Threads: %d\n\n", TOTAL_KEYS, IS_CLASS_NAME, ITERATIONS, THREADS);
    }
    create_keys();

    /* An untimed ranking touches all memory once; its checks do not count. */
    rank(1);
    passes[MYTHREAD] = failures[MYTHREAD] = 0;
    if (MYTHREAD == 0)
        printf("   iteration\n");
    upc_barrier;

    start = now();
    for (iteration = 1; iteration <= ITERATIONS; iteration++) {
        if (MYTHREAD == 0)
            printf("        %d\n", iteration);
        rank(iteration);
    }
    seconds[MYTHREAD] = now() - start;

    full_verify();
    upc_all_reduceD(&longest_seconds, seconds, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceL(&all_failures, failures, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceL(&all_passes, passes, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);

    successful = all_failures == 0 && all_passes + 1 == expected;
    if (MYTHREAD == 0) {
        mops = 1e-6 * (double)TOTAL_KEYS * ITERATIONS / longest_seconds;
        printf("\n IS completed\n");
        printf("           Class = %s\n", IS_CLASS_NAME);
        printf("            Size = %ld\n", TOTAL_KEYS);
        printf("      Iterations = %d\n", ITERATIONS);
        printf("         Threads = %d\n", THREADS);
        printf(" Time in seconds = %.4f\n", longest_seconds);
        printf("     Mop/s total = %.2f\n", mops);
        printf("    Mop/s/thread = %.2f\n", mops / THREADS);
        printf("  Operation type = keys ranked\n");
        printf("   Checks passed = %ld of %d\n", all_passes + (all_failures == 0), expected);
        printf("    Verification = %s\n", successful ? "SUCCESSFUL" : "UNSUCCESSFUL");
    }
    return successful ? EXIT_SUCCESS : EXIT_FAILURE;
}
