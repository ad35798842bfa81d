/* Broadcasts over several nodes: data goes from node to node along a tree, to the place where the
 * first thread of each node wants it, and from there to the node's other threads. A node passes it
 * on in message handlers, whether or not its threads have called the collective yet.
 *
 * Data that fits into a message is put into all places of a node by its handler. More goes in
 * segments, which are passed on as they come; the other threads of a node copy it when it is
 * complete. */
#include <stdlib.h>

#include "collective.h"
#include "network.h"

/* Long enough to run at the network's bandwidth, and short enough that many nodes work at a time.
 */
#define SHORTEST_SEGMENT (128ul << 10)
#define MOST_SEGMENTS 64

/* A broadcast as this node sees it: the words of its messages. */
struct course {
  uint32_t collective;
  int root; /* node */
  upcr_addr_t to;
  unsigned long total;
};

/* Broadcasts in segments that this process passes on. */
static struct relay {
  unsigned long received;
  int under_way; /* segments that are being sent */
  struct upcr_flag passed_on;
} relays[UPCR_PARTIALS];

static struct relay *relay_of(const struct course *c) {
  return &relays[c->collective % UPCR_PARTIALS];
}

static struct upcr_flag *flag_of(uint32_t collective) {
  return &upcr_control->broadcasts[collective % UPCR_PARTIALS];
}

/* The place of a thread in a destination that begins at `to`; see block() in collective.c. */
static upcr_addr_t place(upcr_addr_t to, int thread, unsigned long bytes) {
  unsigned long round = thread < upcr_thread_of(to) ? 1 : 0;
  return upcr_segment(thread) + (to & UPCR_OFFSET_MASK) + round * bytes;
}

static struct course course_of(const struct upcr_message *message) {
  return (struct course){(uint32_t)message->word[0], (int)(message->word[0] >> 32),
                         message->word[1], message->word[2]};
}

static struct upcr_message message_of(const struct course *c, enum upcr_message_kind kind) {
  return (struct upcr_message){
      .kind = (uint16_t)kind,
      .word = {c->collective | (uint64_t)c->root << 32, c->to, c->total},
  };
}

/* ---- In one message ---- */

void upcr_handle_broadcast(int from, const struct upcr_message *message) {
  (void)from;
  struct course c = course_of(message);
  struct upcr_message on = message_of(&c, UPCR_BROADCAST);
  upcr_send_down(c.root, &on, message->payload, message->bytes);
  for (int t = upcr_near_first(); t < upcr_near_end(); t++)
    memcpy(upcr_local(place(c.to, t, c.total)), message->payload, c.total);
  upcr_flag_set(flag_of(c.collective), c.collective);
}

static void send_message(const struct course *c, upcr_addr_t from) {
  struct upcr_message message = message_of(c, UPCR_BROADCAST);
  upcr_waiting++; /* soon, as a rule */
  upcr_network_enter();
  upcr_send_down(c->root, &message, upcr_local(from), c->total);
  upcr_network_leave();
  upcr_waiting--;
}

/* ---- In segments ---- */

static unsigned long segment_bytes(unsigned long total) {
  unsigned long bytes = (total + MOST_SEGMENTS - 1) / MOST_SEGMENTS;
  if (bytes > UPCR_LONGEST) return UPCR_LONGEST;
  return bytes > SHORTEST_SEGMENT ? bytes : SHORTEST_SEGMENT;
}

static void note_progress(const struct course *c) {
  struct relay *r = relay_of(c);
  if (r->received != c->total || r->under_way != 0) return;
  r->received = 0;
  upcr_flag_set(&r->passed_on, c->collective);
}

static struct course *kept(const struct course *c) {
  struct course *copy = malloc(sizeof *copy);
  if (copy == NULL) upcr_fatal("thread %d: no memory is left for a broadcast", upcr_mythread);
  *copy = *c;
  return copy;
}

static void segment_is_sent(void *argument, uint64_t unused) {
  (void)unused;
  struct course *c = argument;
  relay_of(c)->under_way--;
  note_progress(c);
  free(c);
}

/* Sends the bytes from `offset` on, which are at `from`, to the children of this node. */
static void send_segment(const struct course *c, unsigned long offset, unsigned long bytes,
                         const char *from) {
  struct upcr_message message = message_of(c, UPCR_BROADCAST_SEGMENT);
  int leaders[UPCR_TREE_CHILDREN], count = upcr_tree_children(c->root, leaders);
  for (int i = 0; i < count; i++) {
    int tag = upcr_new_tag();
    message.word[3] = offset;
    message.word[4] = (uint64_t)tag << 40 | bytes;
    upcr_send(leaders[i], &message, NULL, 0);
    relay_of(c)->under_way++;
    upcr_send_data(leaders[i], UPCR_TAG_OF_PUT(tag), from, bytes, segment_is_sent, kept(c), 0);
  }
}

struct segment {
  struct course course;
  unsigned long offset, bytes;
  char *at;
};

static void segment_is_here(void *argument, uint64_t unused) {
  (void)unused;
  struct segment *s = argument;
  struct course c = s->course;
  send_segment(&c, s->offset, s->bytes, s->at);
  struct relay *r = relay_of(&c);
  r->received += s->bytes;
  if (r->received == c.total) upcr_flag_set(flag_of(c.collective), c.collective);
  note_progress(&c);
  free(s);
}

void upcr_handle_broadcast_segment(int from, const struct upcr_message *message) {
  struct segment *s = malloc(sizeof *s);
  if (s == NULL) upcr_fatal("thread %d: no memory is left for a broadcast", upcr_mythread);
  s->course = course_of(message);
  s->offset = message->word[3];
  s->bytes = message->word[4] & ((1ul << 40) - 1);
  s->at = (char *)upcr_local(place(s->course.to, upcr_mythread, s->course.total)) + s->offset;
  upcr_receive_data(from, UPCR_TAG_OF_PUT((int)(message->word[4] >> 40)), s->at, s->bytes,
                    segment_is_here, s, 0);
}

/* Waits until this process has sent all segments on: until then their source must not change. */
static void await_relay(const struct course *c) {
  int leaders[UPCR_TREE_CHILDREN];
  struct upcr_flag *passed_on = &relay_of(c)->passed_on;
  if (upcr_tree_children(c->root, leaders) == 0)
    upcr_flag_await(passed_on, c->collective, UPCR_FOR_COLLECTIVE);
  else upcr_await_message(passed_on, c->collective, leaders[0], UPCR_FOR_COLLECTIVE);
}

static void send_segments(const struct course *c, const char *from) {
  unsigned long each = segment_bytes(c->total);
  upcr_waiting++;
  upcr_network_enter();
  for (unsigned long at = 0; at < c->total; at += each)
    send_segment(c, at, c->total - at < each ? c->total - at : each, from + at);
  relay_of(c)->received = c->total;
  note_progress(c);
  upcr_network_leave();
  await_relay(c);
  upcr_waiting--;
}

/* ---- The part of each thread ---- */

static void take(const struct course *c, int in_segments) {
  upcr_flag_await(flag_of(c->collective), c->collective, UPCR_FOR_COLLECTIVE);
  if (!in_segments) return;
  upcr_addr_t leaders = place(c->to, upcr_world.node_first, c->total);
  if (upcr_is_leader()) await_relay(c);
  else memcpy(upcr_local(place(c->to, upcr_mythread, c->total)), upcr_local(leaders), c->total);
}

void upcr_share_broadcast(upcr_pts to, upcr_addr_t from, unsigned long bytes) {
  struct course c = {upcr_collectives, upcr_node_of(upcr_thread_of(from)), to.addr, bytes};
  int in_segments = bytes > UPCR_PAYLOAD_BYTES;
  if (!upcr_is_near(from)) {
    take(&c, in_segments);
    return;
  }
  if (upcr_thread_of(from) == upcr_mythread) {
    if (in_segments) send_segments(&c, upcr_local(from));
    else send_message(&c, from);
  }
  upcr_addr_t own = place(to.addr, upcr_mythread, bytes);
  if (own != from) memmove(upcr_local(own), upcr_local(from), bytes);
}
