/* A loop whose CPU time shows what sampling takes: prints all of the process's, in milliseconds.
 *
 *     sampling MILLIONS_OF_STEPS [RATE [SIGNAL]]
 *
 * Recorded as the environment says; with a RATE, instead interrupted by the same event of the
 * kernel as the recorder uses, whose handler does nothing; with SIGNAL 0, there is no handler and
 * no signal either, and only the timer is left. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <gasp.h>
#include <gasp_upc.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int pgas_upc_mythread(void) { return 0; }
int pgas_upc_threads(void) { return 1; }
int pgas_upc_threadof(const void *p) { return p != NULL; }
unsigned long pgas_upc_addrfield(const void *p) { return (unsigned long)p; }

static volatile double sum;

static void nothing(int signal, siginfo_t *information, void *context) {
  (void)signal, (void)information, (void)context;
}

static void interrupt(long rate, int with_signal) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = (unsigned long)(1000000000 / rate);
  attributes.exclude_kernel = attributes.exclude_hv = attributes.disabled = 1;
  int event = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (event < 0) {
    perror("perf_event_open");
    exit(3);
  }
  if (with_signal) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = nothing;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGURG, &action, NULL);
    struct f_owner_ex owner = {F_OWNER_TID, (pid_t)syscall(SYS_gettid)};
    fcntl(event, F_SETOWN_EX, &owner);
    fcntl(event, F_SETSIG, SIGURG);
    fcntl(event, F_SETFL, O_ASYNC);
  }
  ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
}

int main(int argc, char **argv) {
  long steps = 1000000 * (argc > 1 ? atol(argv[1]) : 0);
  gasp_context_t context = NULL;
  if (argc > 2) interrupt(atol(argv[2]), argc == 3);
  else context = gasp_init(GASP_MODEL_UPC, NULL, NULL);
  if (context) gasp_event_notify(context, GASP_C_FUNC, GASP_START, "sampling.c", 1, 0, "loop");
  double x = 1;
  for (long i = 0; i < steps; i++) x = x * 1.0000001 + 0.5;
  sum += x;
  if (context) gasp_event_notify(context, GASP_C_FUNC, GASP_END, "sampling.c", 1, 0, "loop");
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.3f\n", (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
                       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3);
  return 0;
}
