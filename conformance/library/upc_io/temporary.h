/*
 * A directory of its own for each run of a program about input and output: make_directory() and remove_directory() are
 * called by all threads together, in_directory() gives the path of a file in it. Removing also checks that the program
 * has left nothing there.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static shared [] char common_directory[400];
static char directory[400];

static void make_directory(void)
{
    if (MYTHREAD == 0) {
        const char *parent = getenv("TMPDIR");

        snprintf(directory, sizeof directory, "%.350s/upc-io-XXXXXX", parent != NULL && *parent ? parent : "/tmp");
        CHECK(mkdtemp(directory) != NULL);
        upc_memput(common_directory, directory, sizeof directory);
    }
    upc_barrier;
    upc_memget(directory, common_directory, sizeof directory);
}

/* Lives until the fourth next call. */
static const char *in_directory(const char *name)
{
    static char paths[4][500];
    static int next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static void remove_directory(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        CHECK(rmdir(directory) == 0);
}

#endif
