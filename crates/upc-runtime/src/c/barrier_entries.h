/* The statements and calls at which threads arrive, by means of arrive(), depart() and
 * named_thread(). Part of barrier.c of each network. */
static void refuse_if_notified(const char *what, const char *file, int line) {
  const struct upcr_arrival *mine = arrival_of(upcr_mythread, epoch);
  if (notified)
    upcr_fatal("thread %d is at %s%s, but it has called upc_notify%s and not yet upc_wait",
               upcr_mythread, what, upcr_at(file, line),
               upcr_at(upcr_text_of(mine->file), mine->line));
}

void upcr_notify(int named, int value, const char *file, int line) {
  refuse_if_notified("upc_notify", file, line);
  notified = 1;
  arrive(UPCR_AT_BARRIER, named, value, file, line, 0);
}

void upcr_wait(int named, int value, const char *file, int line) {
  if (!notified)
    upcr_fatal("thread %d is at upc_wait%s, but it has not called upc_notify before", upcr_mythread,
               upcr_at(file, line));
  depart();
  notified = 0;
  if (named) {
    int thread = named_thread();
    const struct upcr_arrival *other = thread < 0 ? NULL : arrival_of(thread, epoch);
    if (other != NULL && other->value != value)
      upcr_fatal("thread %d is at upc_wait with the value %d%s, but thread %d was at upc_notify "
                 "with the value %d%s: "
                 "the values must be equal",
                 upcr_mythread, value, upcr_at(file, line), thread, other->value,
                 upcr_at(upcr_text_of(other->file), other->line));
  }
}

void upcr_barrier(int named, int value, const char *file, int line) {
  refuse_if_notified("upc_barrier", file, line);
  arrive(UPCR_AT_BARRIER, named, value, file, line, 0);
  depart();
}

void upcr_synchronize(enum upcr_kind kind, int status) {
  if (kind == UPCR_AT_END && notified && status != 0) {
    const struct upcr_arrival *mine = arrival_of(upcr_mythread, epoch);
    if (upcr_claim_end(status))
      upcr_say("thread %d ended with status %d between upc_notify%s and upc_wait: all threads end",
               upcr_mythread, status, upcr_at(upcr_text_of(mine->file), mine->line));
    upcr_leave();
  }
  refuse_if_notified(upcr_kind_names[kind], NULL, 0);
  arrive(kind, 0, 0, NULL, 0, status);
  depart();
}

void upcr_keep_together(enum upcr_kind kind) {
  if (upcr_allocations_synchronize && !notified && upcr_threads > 1) upcr_synchronize(kind, 0);
}

void upcr_fence(const char *file, int line) {
  (void)file;
  (void)line;
  /* A loop with a fence may wait, as one with strict reads. */
  upcr_read_strictly();
  upcr_strict_fence();
}
