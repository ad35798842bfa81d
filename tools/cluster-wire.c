/* The wires of scripts/cluster --delay where the kernel has no sch_netem:

       cluster-wire NANOSECONDS HOST...

   makes two network interfaces for each host, HOST and HOST.far, says "wired" on standard output, and then carries what is sent
   by HOST.far to HOST after the delay, the other way at once. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* The largest segment that a host leaves to its network interface to divide, and its headers. */
enum { LARGEST = 70000, AT_ONCE = 64 };

struct frame {
    struct frame *next;
    long long due;
    ssize_t size;
    char content[];
};

struct wire {
    int far, near;
    struct frame *first, **end;
};

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static int new_interface(const char *name)
{
    int file = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        fail("/dev/net/tun");
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (ioctl(file, TUNSETIFF, &request) || ioctl(file, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6))
        fail(name);
    return file;
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* A frame that an interface does not take, because it is down or gone, is lost. */
static void put(int file, const char *content, ssize_t size)
{
    ssize_t ignored = write(file, content, size);
    (void)ignored;
}

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    long long delay = atoll(arguments[1]);
    int wires = count - 2;
    struct wire *wire = calloc(wires, sizeof *wire);
    struct pollfd *inputs = calloc(2 * wires, sizeof *inputs);
    static char content[LARGEST];
    if (!wire || !inputs)
        fail("memory");
    for (int i = 0; i < wires; i++) {
        char far[IFNAMSIZ];
        snprintf(far, sizeof far, "%s.far", arguments[i + 2]);
        wire[i] = (struct wire){.near = new_interface(arguments[i + 2]), .far = new_interface(far), .end = &wire[i].first};
        inputs[2 * i] = (struct pollfd){.fd = wire[i].far, .events = POLLIN};
        inputs[2 * i + 1] = (struct pollfd){.fd = wire[i].near, .events = POLLIN};
    }
    /* Else frames wait for processes that have the cores, and for timers that are brought together. Allowed to root alone. */
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    prctl(PR_SET_TIMERSLACK, 1);
    puts("wired");
    fflush(stdout);
    for (;;) {
        long long next = -1, time = now();
        for (int i = 0; i < wires; i++) {
            for (struct frame *frame; (frame = wire[i].first) && frame->due <= time; time = now()) {
                put(wire[i].near, frame->content, frame->size);
                wire[i].first = frame->next;
                if (!frame->next)
                    wire[i].end = &wire[i].first;
                free(frame);
            }
            if (wire[i].first && (next < 0 || wire[i].first->due < next))
                next = wire[i].first->due;
        }
        long long wait = next > time ? next - time : 0;
        struct timespec timeout = {wait / 1000000000, wait % 1000000000};
        if (ppoll(inputs, 2 * wires, next < 0 ? NULL : &timeout, NULL) <= 0)
            continue;
        for (int i = 0; i < wires; i++) {
            ssize_t size;
            for (int k = 0; k < AT_ONCE && inputs[2 * i + 1].revents; k++) {
                if ((size = read(wire[i].near, content, LARGEST)) <= 0)
                    break;
                put(wire[i].far, content, size);
            }
            for (int k = 0; k < AT_ONCE && inputs[2 * i].revents; k++) {
                if ((size = read(wire[i].far, content, LARGEST)) <= 0)
                    break;
                struct frame *frame = malloc(sizeof *frame + size);
                if (!frame)
                    fail("memory");
                *frame = (struct frame){.due = now() + delay, .size = size};
                memcpy(frame->content, content, size);
                *wire[i].end = frame;
                wire[i].end = &frame->next;
            }
        }
    }
}
