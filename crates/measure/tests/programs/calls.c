/* Calls a small function argv[1] times, then ends in the way that argv[2] says. */
#include "program.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void handle(int signal) {
  (void)signal;
  exit(9);
}

/* Asking for the parent ends the thread. */
static void filter(void) {
  struct sock_filter rules[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_getppid},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_THREAD},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  struct sock_fprog program = {4, rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)) abort();
}

int main(int argc, char **argv) {
  long calls = atol(argv[1]);
  const char *end = argc > 2 ? argv[2] : "return";
  begin();
  START(GASP_C_FUNC, 1, "main");
  for (long i = 0; i < calls; i++) call();
  if (!strcmp(end, "pause")) {
    puts("ready"), fflush(stdout);
    pause();
  }
  if (!strcmp(end, "on_and_on")) {
    puts("ready"), fflush(stdout);
    for (;;) call();
  }
  if (!strcmp(end, "slowly")) {
    for (;;) call(), usleep(1000);
  }
  if (!strcmp(end, "exec")) execlp("echo", "echo", "result 42", (char *)NULL);
  if (!strcmp(end, "abort")) abort();
  if (!strcmp(end, "crash")) *(volatile int *)0 = 1;
  if (!strcmp(end, "_exit")) _exit(7);
  if (!strcmp(end, "exit")) exit(8);
  if (!strcmp(end, "handler")) signal(SIGUSR1, handle), raise(SIGUSR1);
  if (!strcmp(end, "global")) {
    ATOMIC(GASP_UPC_NONCOLLECTIVE_EXIT, 5, 6);
    _exit(6);
  }
  if (!strncmp(end, "strict", 6)) {
    puts("result 42"), fflush(stdout);
    prctl(PR_SET_SECCOMP, 1);
    for (long i = 0; i < calls; i++) call();
    if (!strcmp(end, "strict forbidden")) getppid();
    syscall(SYS_exit, 3);
  }
  if (!strcmp(end, "filtered")) {
    puts("result 42"), fflush(stdout);
    filter();
    for (long i = 0; i < calls; i++) call();
    getppid();
  }
  puts("result 42");
  if (!strcmp(end, "42")) return 42;
  END(GASP_C_FUNC, 2, "main");
  return 0;
}
