/* More tasks than may have their stacks in pages, in a ring: what each has on its stack is there
 * when it goes on, and all together take less than a page each.
 *
 *     many TASKS */
#include <pgas_tasks.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 20 };

struct ports {
  pgas_input *input;
  pgas_output *output;
  long number;
};

/* Waits at different depths, the deepest of several pages. */
static int pass_on(struct ports *ports, int deeper) {
  volatile long mine[64];
  long message;
  int good = 1;

  for (int at = 0; at < 64; at++) mine[at] = ports->number * 64 + at;
  if (deeper > 0) {
    good = pass_on(ports, deeper - 1);
  } else {
    while (pgas_receive(ports->input, &message)) pgas_send(ports->output, &message);
  }
  for (int at = 0; at < 64; at++) good = good && mine[at] == ports->number * 64 + at;
  return good;
}

static void member(void *arguments) {
  struct ports *ports = arguments;

  if (!pass_on(ports, ports->number % 1000 == 0 ? DEEPEST : 0)) abort();
  pgas_input_delete(ports->input);
  pgas_output_delete(ports->output);
}

/* The largest size in KiB that the process had in memory. */
static long peak(void) {
  char line[256];
  long kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");

  while (file && fgets(line, sizeof line, file)) sscanf(line, "VmHWM: %ld", &kilobytes);
  if (file) fclose(file);
  return kilobytes;
}

static void ring(void *arguments) {
  long tasks = *(long *)arguments, message = 0;
  pgas_output *first;
  struct ports ports;

  pgas_channel(sizeof message, &first, &ports.input);
  for (ports.number = 0; ports.number < tasks; ports.number++) {
    pgas_input *next;
    pgas_channel(sizeof message, &ports.output, &next);
    pgas_task_create(member, &ports, sizeof ports);
    ports.input = next;
  }
  for (int round = 0; round < 2; round++) {
    pgas_send(first, &message);
    pgas_receive(ports.input, &message);
  }
  pgas_output_delete(first);
  while (pgas_receive(ports.input, &message)) continue;
  pgas_input_delete(ports.input);
  printf("%s\n", peak() < tasks * 4 ? "less than a page each" : "a page each or more");
}

int main(int count, char **arguments) {
  long tasks = count == 2 ? atol(arguments[1]) : 0;
  return pgas_tasks_run(ring, &tasks, sizeof tasks);
}
