/*
 * Problem sizes of IS and what each must give, from NAS report RNR-94-007 and its later classes. The class is chosen
 * by a bare letter, -DCLASS=W; without one it is S.
 */
#ifndef IS_CLASS_H
#define IS_CLASS_H

#ifndef CLASS
#define CLASS S
#endif

/* A macro cannot be compared with a letter, but it can become part of a name. */
#define IS_CLASS_S 1
#define IS_CLASS_W 2
#define IS_CLASS_A 3
#define IS_CLASS_B 4
#define IS_CLASS_C 5
#define IS_JOIN_(a, b) a##b
#define IS_JOIN(a, b) IS_JOIN_(a, b)
#define IS_STRING_(a) #a
#define IS_STRING(a) IS_STRING_(a)
#define IS_CLASS IS_JOIN(IS_CLASS_, CLASS)
#define IS_CLASS_NAME IS_STRING(CLASS)

#if IS_CLASS == IS_CLASS_S
#define TOTAL_KEYS_LOG2 16
#define MAX_KEY_LOG2 11
#define NUM_BUCKETS_LOG2 9
#elif IS_CLASS == IS_CLASS_W
#define TOTAL_KEYS_LOG2 20
#define MAX_KEY_LOG2 16
#define NUM_BUCKETS_LOG2 10
#elif IS_CLASS == IS_CLASS_A
#define TOTAL_KEYS_LOG2 23
#define MAX_KEY_LOG2 19
#define NUM_BUCKETS_LOG2 10
#elif IS_CLASS == IS_CLASS_B
#define TOTAL_KEYS_LOG2 25
#define MAX_KEY_LOG2 21
#define NUM_BUCKETS_LOG2 10
#elif IS_CLASS == IS_CLASS_C
#define TOTAL_KEYS_LOG2 27
#define MAX_KEY_LOG2 23
#define NUM_BUCKETS_LOG2 10
#else
#error "unknown class: compile with -DCLASS=S, W, A, B or C"
#endif

#define TOTAL_KEYS (1L << TOTAL_KEYS_LOG2)
#define MAX_KEY (1 << MAX_KEY_LOG2)
#define NUM_BUCKETS (1 << NUM_BUCKETS_LOG2)
/* Keys of one bucket agree in all but this many bits. */
#define BUCKET_SHIFT (MAX_KEY_LOG2 - NUM_BUCKETS_LOG2)

#define ITERATIONS 10
#define TEST_KEYS 5

/* The position among all keys of each key whose rank is checked. */
static const long test_index[TEST_KEYS] =
#if IS_CLASS == IS_CLASS_S
    {48427, 17148, 23627, 62548, 4431};
#elif IS_CLASS == IS_CLASS_W
    {357773, 934767, 875723, 898999, 404505};
#elif IS_CLASS == IS_CLASS_A
    {2112377, 662041, 5336171, 3642833, 4250760};
#elif IS_CLASS == IS_CLASS_B
    {41869, 812306, 5102857, 18232239, 26860214};
#else
    {44172927, 72999161, 74326391, 129606274, 21736814};
#endif

/* The rank of that key among the keys as generated. */
static const long test_rank[TEST_KEYS] =
#if IS_CLASS == IS_CLASS_S
    {0, 18, 346, 64917, 65463};
#elif IS_CLASS == IS_CLASS_W
    {1249, 11698, 1039987, 1043896, 1048018};
#elif IS_CLASS == IS_CLASS_A
    {104, 17523, 123928, 8288932, 8388264};
#elif IS_CLASS == IS_CLASS_B
    {33422937, 10244, 59149, 33135281, 99};
#else
    {61147, 882988, 266290, 133997595, 133525895};
#endif

/* How the published ranks move with the two keys that iteration `t` (from 1) changes; `i` is the test key. */
static long expected_rank(int i, int t)
{
#if IS_CLASS == IS_CLASS_S || IS_CLASS == IS_CLASS_C
    return test_rank[i] + (i <= 2 ? t : -t);
#elif IS_CLASS == IS_CLASS_W
    return test_rank[i] + (i < 2 ? t - 2 : -t);
#elif IS_CLASS == IS_CLASS_A
    return test_rank[i] + (i <= 2 ? t - 1 : -(t - 1));
#else
    return test_rank[i] + (i == 1 || i == 2 || i == 4 ? t : -t);
#endif
}

#endif
