/* Where every UPC program over MPI begins: each process learns which thread it is, those of a node
 * map each other's memory, and the program's own main runs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache.h"
#include "start.h"

/* The program sees it as a constant (pgas_upcr.h), so it has a name of its own where it is set. */
extern int upcr_mythread_set __asm__("upcr_mythread");

extern int upcr_user_main(int argc, char **argv);

/* ---- What cannot be run ---- */

/* All processes find the same; one says it. */
static void refuse(const char *message) __attribute__((noreturn));
static void refuse(const char *message) {
  if (upcr_world.mythread == 0) upcr_say("%s", message);
  upcr_transport_finish();
  exit(2);
}

/* Processes that a launcher says it has started, 0 if there was none. */
static int launched(const char **variable) {
  static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE",
                                          "MPI_LOCALNRANKS", NULL};
  for (int i = 0; variables[i] != NULL; i++) {
    const char *text = getenv(*variable = variables[i]);
    if (text != NULL && atoi(text) > 0) return atoi(text);
  }
  return 0;
}

/* Thread 0's: environments differ, and all processes must find the same. */
static int of_thread_0(int value) {
  int *all = calloc((size_t)upcr_world.threads, sizeof *all);
  if (all == NULL) return value;
  upcr_transport_gather_all(&value, all, sizeof value);
  value = all[0];
  free(all);
  return value;
}

/* The first static number of threads (-T) of any process that differs from `have`; 0 if there is
 * none. Processes may run different executables. */
static int compiled_for_others(int have) {
  int *all = calloc((size_t)have, sizeof *all), found = 0;
  if (all == NULL) return 0;
  upcr_transport_gather_all(&upcr_static_threads, all, sizeof *all);
  for (int t = 0; t < have && found == 0; t++)
    if (all[t] != have) found = all[t];
  free(all);
  return found;
}

static void check_threads(void) {
  char text[700];
  const char *from = "the environment", *variable;
  int have = upcr_world.threads, started = launched(&variable);
  int asked = upcr_static_threads != 0 ? 0 : upcr_threads_asked_for(&from);
  if (have == 1 && started > 1) {
    snprintf(text, sizeof text,
             "a launcher has started %d processes (%s), but this program's MPI (%s) sees one: use "
             "the mpirun of the MPI that the program was linked with",
             started, variable, upcr_world.library);
    /* Each of them believes to be the first. */
    const char *ranks[] = {getenv("OMPI_COMM_WORLD_RANK"), getenv("PMI_RANK"), getenv("PMIX_RANK")};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
      if (ranks[i] != NULL && atoi(ranks[i]) != 0) exit(2);
    refuse(text);
  }
  int compiled_for = compiled_for_others(have);
  asked = compiled_for != 0 ? compiled_for : of_thread_0(asked);
  if (asked != 0 && asked != have) {
    if (started == 0 && have == 1)
      snprintf(text, sizeof text,
               "this program runs over MPI, and needs its launcher for %d threads: start it with "
               "mpirun -n %d, or compile it with -network=smp for one machine",
               asked, asked);
    else if (compiled_for != 0)
      snprintf(text, sizeof text,
               "this program was compiled for %d threads (-T %d), but %d processes were started; "
               "run it with mpirun -n %d, or compile it without -T for any number",
               asked, asked, have, asked);
    else
      snprintf(text, sizeof text,
               "%s asks for %d threads, but %d processes were started; over MPI each process is a "
               "thread, so give mpirun -n %d",
               from, asked, have, asked);
    refuse(text);
  }
  if (have > UPCR_MAX_THREADS) {
    snprintf(text, sizeof text, "%d processes were started, but at most %d threads can run", have,
             UPCR_MAX_THREADS);
    refuse(text);
  }
  if (started == 0 && have == 1 && asked == 0 && getenv("SLURM_PROCID") == NULL)
    upcr_say("started without a launcher: 1 thread; start it with mpirun -n N for N threads");
}

/* ---- Settings ---- */

static int node_size(void) {
  const char *text = getenv("PGAS_NODE_SIZE");
  if (text == NULL || *text == 0) return 0;
  char *end;
  long size = strtol(text, &end, 10);
  if (*end == 0 && size > 0 && size <= UPCR_MAX_THREADS) return (int)size;
  upcr_say("PGAS_NODE_SIZE is '%.60s', but a number of processes from 1 to %d is expected", text,
           UPCR_MAX_THREADS);
  exit(2);
}

/* The recorder tells nodes apart by the names of their hosts, and these are parts of one host. */
static void name_part_of_host(int size) {
  char part[16];
  snprintf(part, sizeof part, "%d", size > 0 ? upcr_world.node_first / size : 0);
  if (size > 0) setenv("PGAS_PART_OF_HOST", part, 1);
  else unsetenv("PGAS_PART_OF_HOST");
}

unsigned long upcr_agree(unsigned long value) {
  unsigned long *all = calloc((size_t)upcr_threads, sizeof *all);
  if (all == NULL) return value;
  upcr_transport_gather_all(&value, all, sizeof value);
  value = all[0];
  free(all);
  return value;
}

/* ---- Neighbours ---- */

static struct upcr_introduction introduce(void) {
  struct upcr_introduction own;
  memset(&own, 0, sizeof own);
  own.process = getpid();
  own.control = own.memory = -1;
  if (upcr_is_leader()) {
    own.control = upcr_make_file("upc-control");
    own.memory = upcr_make_file("upc-memory");
  }
  own.doorbell = upcr_doorbell_start();
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int core = 0; core < UPCR_MOST_CORES; core++)
      if (CPU_ISSET(core, &set)) own.cores[core / 64] |= 1ul << core % 64;
  return own;
}

/* Cores that the processes of this machine may use together: launchers bind each to its own. */
static int cores_of_machine(const struct upcr_introduction *all) {
  int together = 0, alone = 0, quota = upcr_cores();
  for (int i = 0; i < UPCR_MOST_CORES / 64; i++) {
    unsigned long cores = 0;
    for (int t = 0; t < upcr_world.machine_threads; t++)
      cores |= all[upcr_world.machine_first + t].cores[i];
    together += __builtin_popcountl(cores);
    alone += __builtin_popcountl(all[upcr_mythread].cores[i]);
  }
  return quota < alone || together == 0 ? quota : together;
}

static void meet(void) {
  struct upcr_introduction own = introduce();
  struct upcr_introduction *all = calloc((size_t)upcr_threads, sizeof *all);
  if (all == NULL) refuse("no memory is left for what is to be known about the other processes");
  upcr_transport_gather_all(&own, all, sizeof own);
  int error = upcr_map_control(&all[upcr_world.node_first]);
  if (error != 0) {
    upcr_say("thread %d: cannot share memory with thread %d, on the same node: %s; set "
             "PGAS_NODE_SIZE=1 to run without",
             upcr_mythread, upcr_world.node_first, strerror(error));
    upcr_transport_abort(2);
  }
  /* Until here the files must stay open. */
  upcr_agree(0);
  if (own.control >= 0) close(own.control);
  if (own.memory >= 0) close(own.memory);
  struct upcr_doorbell *doorbells = calloc((size_t)upcr_threads, sizeof *doorbells);
  if (doorbells == NULL)
    refuse("no memory is left for what is to be known about the other processes");
  for (int t = 0; t < upcr_threads; t++) doorbells[t] = all[t].doorbell;
  upcr_doorbell_connect(doorbells);
  free(doorbells);
  upcr_wait_start(cores_of_machine(all), upcr_world.machine_threads);
  free(all);
}

/* ---- Crashes ---- */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define CRASHES (sizeof crashes / sizeof *crashes)

/* Handlers that a library of MPI's has set when it was loaded, as UCX does. */
static int is_of_mpi(const struct sigaction *action) {
  Dl_info where;
  return (action->sa_flags & SA_SIGINFO) != 0 &&
         dladdr((void *)action->sa_sigaction, &where) != 0 && where.dli_fname != NULL &&
         strstr(where.dli_fname, "/libucs") != NULL;
}

/* MPI's own handlers tell less of a crash than ours, and ours respect those of others. */
static const char *start_transport(int size) {
  struct sigaction before[CRASHES];
  for (size_t i = 0; i < CRASHES; i++) {
    upcr_sigaction(crashes[i], NULL, &before[i]);
    if (!is_of_mpi(&before[i])) continue;
    memset(&before[i], 0, sizeof before[i]);
    before[i].sa_handler = SIG_DFL;
  }
  const char *why = upcr_transport_start(&upcr_world, size);
  for (size_t i = 0; i < CRASHES; i++) upcr_sigaction(crashes[i], &before[i], NULL);
  return why;
}

/* ---- The program ---- */

int upcr_main(int argc, char **argv) __asm__("__wrap_main");
int upcr_main(int argc, char **argv) {
  upcr_settings_start(&argc, argv);
  int size = node_size();
  upcr_one_sided_settings();
  upcr_collector_start();
  const char *why = start_transport(size);
  if (why != NULL) {
    upcr_say("this MPI (%s) cannot be used: %s", upcr_world.library, why);
    exit(2);
  }
  check_threads();
  name_part_of_host(size);
  upcr_set_threads(upcr_world.threads);
  upcr_mythread_set = upcr_world.mythread;
  upcr_allocations_synchronize = (int)upcr_agree((unsigned long)upcr_allocations_synchronize);
  if (&upcr_checks != NULL && upcr_world.nodes > 1)
    refuse("this program was compiled with -fupc-check, which over MPI needs all threads on one "
           "node: its checks know of one node's memory alone");
  on_exit(upcr_end_process, NULL);
  meet();
  upcr_segments_start();
  upcr_close_memory();
  if (upcr_is_leader()) upcr_heap_start();
  if (&upcr_checks != NULL) upcr_checks.start();
  upcr_look_start();
  upcr_barrier_start();
  upcr_agree(0);
  upcr_cache_start();
  upcr_one_sided_start();
  upcr_network_start();
  upcr_progress_start();
  if (&upcr_instrumentation != NULL) upcr_instrumentation.start(&argc, &argv);
  upcr_exit_start();
  upcr_control->threads[upcr_mythread].tasks_at_start = upcr_tasks_of(getpid());
  upcr_run_initialisers();
  upcr_synchronize(UPCR_AT_START, 0);
  exit(upcr_user_main(argc, argv));
}
