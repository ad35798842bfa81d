/* Waking a process that sleeps. MPI has no way to sleep until a message comes, so the sender of one
 * rings: it sends an empty datagram to a socket on which the other's progress thread sleeps. What a
 * datagram says does not matter, and none is needed: a process that hears nothing looks for
 * messages from time to time. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "network.h"

#define ADDRESSES ((int)(sizeof((struct upcr_doorbell *)0)->addresses / sizeof(uint32_t)))

static int bell = -1; /* the socket */
static int own_bell = -1;
static struct sockaddr_in *bells; /* of all threads; without an address where there is none */
static struct upcr_doorbell own;
static uint32_t masks[ADDRESSES];

static void find_addresses(void) {
  struct ifaddrs *all;
  int count = 0;
  if (getifaddrs(&all) != 0) return;
  for (struct ifaddrs *i = all; i != NULL && count < ADDRESSES; i = i->ifa_next) {
    if (i->ifa_addr == NULL || i->ifa_netmask == NULL || i->ifa_addr->sa_family != AF_INET ||
        (i->ifa_flags & IFF_LOOPBACK) != 0 || (i->ifa_flags & IFF_UP) == 0)
      continue;
    masks[count] = ((struct sockaddr_in *)i->ifa_netmask)->sin_addr.s_addr;
    own.addresses[count++] = ((struct sockaddr_in *)i->ifa_addr)->sin_addr.s_addr;
  }
  freeifaddrs(all);
}

struct upcr_doorbell upcr_doorbell_start(void) {
  own_bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  bell = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in any = {.sin_family = AF_INET};
  socklen_t length = sizeof any;
  if (bell < 0 || bind(bell, (struct sockaddr *)&any, sizeof any) != 0 ||
      getsockname(bell, (struct sockaddr *)&any, &length) != 0)
    return own;
  own.port = any.sin_port;
  find_addresses();
  return own;
}

/* The address of `other` that is in a network of ours, else its first one. */
static uint32_t address_of(const struct upcr_doorbell *other) {
  if (memcmp(other->addresses, own.addresses, sizeof own.addresses) == 0)
    return htonl(INADDR_LOOPBACK); /* the same machine */
  for (int mine = 0; mine < ADDRESSES && own.addresses[mine] != 0; mine++)
    for (int i = 0; i < ADDRESSES && other->addresses[i] != 0; i++)
      if (((other->addresses[i] ^ own.addresses[mine]) & masks[mine]) == 0)
        return other->addresses[i];
  return other->addresses[0];
}

void upcr_doorbell_connect(const struct upcr_doorbell *all) {
  bells = calloc((size_t)upcr_threads, sizeof *bells);
  if (bells == NULL) return;
  for (int t = 0; t < upcr_threads; t++) {
    if (all[t].port == 0) continue;
    bells[t].sin_family = AF_INET;
    bells[t].sin_port = all[t].port;
    bells[t].sin_addr.s_addr = address_of(&all[t]);
  }
}

void upcr_ring(int thread) {
  if (bell < 0 || bells == NULL || bells[thread].sin_addr.s_addr == 0) return;
  int error = errno;
  /* If it is lost, the other looks by itself a little later. */
  sendto(bell, NULL, 0, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&bells[thread],
         sizeof bells[thread]);
  errno = error;
}

void upcr_ring_self(void) {
  int error = errno;
  uint64_t one = 1;
  if (write(own_bell, &one, sizeof one) < 0) errno = error;
  errno = error;
}

void upcr_await_ring(int milliseconds) {
  struct pollfd bells_here[2] = {{own_bell, POLLIN, 0}, {bell, POLLIN, 0}};
  if (poll(bells_here, 2, milliseconds) <= 0) return;
  uint64_t number;
  char nothing[8];
  if ((bells_here[0].revents & POLLIN) != 0 && read(own_bell, &number, sizeof number) < 0) return;
  if ((bells_here[1].revents & POLLIN) != 0)
    while (recv(bell, nothing, sizeof nothing, MSG_DONTWAIT) >= 0) {
    }
}
