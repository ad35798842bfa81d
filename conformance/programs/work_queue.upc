// threads: 1 2 3 4 7
// A shared queue of work with a lock, results in a shared hash table with a lock for each bucket.
#include <upc_strict.h>
#include <stdlib.h>
#include "check.h"

#define TASKS 200
#define BUCKETS 16
typedef struct task {
    int number, generation;
    shared [] struct task *next;
} task_t;
typedef shared [] task_t *task_pointer;
typedef struct entry {
    int key, count;
    shared struct entry *next;
} entry_t;

shared task_pointer head;
upc_lock_t *queue_lock, *bucket_locks[BUCKETS];
shared entry_t *shared [] table[BUCKETS];
shared int open_tasks, done_by[THREADS];

static void push(int number, int generation)
{
    task_pointer task = upc_alloc(sizeof(task_t));

    task->number = number;
    task->generation = generation;
    upc_lock(queue_lock);
    task->next = head;
    head = task;
    open_tasks++;
    upc_unlock(queue_lock);
}

static int pop(task_t *copy)
{
    task_pointer task;

    upc_lock(queue_lock);
    task = head;
    if (task)
        head = task->next;
    upc_unlock(queue_lock);
    if (task == NULL)
        return 0;
    *copy = *task;
    upc_free(task);
    return 1;
}

static void count(int key)
{
    int bucket = key % BUCKETS;
    shared entry_t *entry;

    upc_lock(bucket_locks[bucket]);
    for (entry = table[bucket]; entry != NULL && entry->key != key; entry = entry->next)
        ;
    if (!entry) {
        entry = (shared entry_t *)upc_alloc(sizeof(entry_t));
        entry->key = key;
        entry->count = 0;
        entry->next = table[bucket];
        table[bucket] = entry;
    }
    entry->count++;
    upc_unlock(bucket_locks[bucket]);
}

int main(void)
{
    task_t task;
    int i, sum = 0, entries = 0;

    queue_lock = upc_all_lock_alloc();
    for (i = 0; i < BUCKETS; i++)
        bucket_locks[i] = upc_all_lock_alloc();
    for (i = MYTHREAD; i < TASKS; i += THREADS)
        push(i, 0);
    upc_barrier;
    while (open_tasks > 0) {
        if (!pop(&task))
            continue;
        count(task.number % 37);
        if (task.generation == 0 && task.number % 4 == 0)
            push(task.number, 1);
        done_by[MYTHREAD]++;
        upc_lock(queue_lock);
        open_tasks--;
        upc_unlock(queue_lock);
    }
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        sum += done_by[i];
    CHECK_EQUAL(sum, TASKS + TASKS / 4);
    for (i = 0, sum = 0; i < BUCKETS; i++) {
        shared entry_t *entry;

        for (entry = table[i]; entry; entry = entry->next) {
            CHECK_EQUAL(entry->key % BUCKETS, i);
            sum += entry->count;
            entries++;
        }
    }
    CHECK_EQUAL(entries, 37);
    CHECK_EQUAL(sum, TASKS + TASKS / 4);
    return finish();
}
