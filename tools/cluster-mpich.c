/* Repairs of MPICH for scripts/cluster, which preloads this into the processes of its hosts. Programs without MPICH are not
   affected.

   Debian's MPICH 4.0 waits for messages without giving up its core, whatever MPIR_CVAR_POLLS_BEFORE_YIELD says. With more
   processes than cores, as a cluster on one machine has, each message then takes some milliseconds.

   In MPI_Finalize, processes close their connections by UCX, then wait for each other by reading from the process manager. One
   that waits there does nothing for UCX any more, but closing a TCP connection may need that: the program hangs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static void *used_worker;
static int closing;

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*original)(void *);
    if (!original)
        original = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    used_worker = worker;
    unsigned done = original(worker);
    if (!done)
        sched_yield();
    return done;
}

void *ucp_disconnect_nb(void *endpoint)
{
    static void *(*original)(void *);
    if (!original)
        original = (void *(*)(void *))dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    closing = 1;
    return original(endpoint);
}

void ucp_worker_destroy(void *worker)
{
    static void (*original)(void *);
    if (!original)
        original = (void (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_destroy");
    closing = 0;
    original(worker);
}

ssize_t read(int file, void *buffer, size_t size)
{
    static ssize_t (*original)(int, void *, size_t);
    if (!original)
        original = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    if (closing && used_worker) {
        const char *manager = getenv("PMI_FD");
        struct pollfd input = {.fd = file, .events = POLLIN};
        if (manager && atoi(manager) == file)
            while (poll(&input, 1, 0) == 0)
                ucp_worker_progress(used_worker);
    }
    return original(file, buffer, size);
}
