/*
 * Memory of a program that does nothing, once each process has heard from all of the other nodes; mean of all processes.
 */
#include <upc_relaxed.h>

#include "figures.h"

shared double all[THREADS], not_files[THREADS];
shared int numbers[THREADS];
volatile int sink;

int main(void)
{
    struct memory memory;

    upc_barrier;
    for (int i = 0; i < THREADS; i++)
        sink = numbers[i];
    upc_barrier;
    memory = memory_now();
    all[MYTHREAD] = memory.all;
    not_files[MYTHREAD] = memory.not_files;
    upc_barrier;
    if (MYTHREAD == 0) {
        memory.all = memory.not_files = 0;
        for (int i = 0; i < THREADS; i++) {
            memory.all += all[i] / THREADS;
            memory.not_files += not_files[i] / THREADS;
        }
        print_figure("memory", memory.all);
        print_figure("memory, not of files", memory.not_files);
    }
    upc_barrier;
    return 0;
}
