/*
 * Stamps of threads that are processes of one host, and whose recording cannot be switched off before they are exchanged:
 * in memory that all of them map, so that thread 0 reads them when the program's last operation is over, without any
 * further one. The end of the program is left out of the truth, for nobody can say when it was left. Shared by OpenSHMEM
 * and coarrays.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <fcntl.h>
#include <sys/mman.h>

struct stamps;
static struct stamps *all; /* of every thread */

#define own (all[MYTHREAD])
#include "losses.h"

static char stamps_file[64];

/* Before the first barrier. The launcher is the parent of all processes. */
static void map_stamps(void)
{
    size_t bytes = (size_t)THREADS * sizeof *all;
    int file;

    snprintf(stamps_file, sizeof stamps_file, "/dev/shm/pgas-truth-%d", (int)getppid());
    file = open(stamps_file, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0) {
        perror(stamps_file);
        abort();
    }
    all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (all == MAP_FAILED) {
        perror("mmap");
        abort();
    }
    close(file);
    /* Also provides the memory, which must not take its time between a stamp and an operation. */
    memset(&own, 0, sizeof own);
}

/* After the first barrier: all have mapped the file, and nothing is left of it, however the program ends. */
static void forget_file(void)
{
    unlink(stamps_file);
}

#endif
