/* Many tasks that all exist at the same time. */
#include <pgas_tasks.h>
#include <stdio.h>
#include <stdlib.h>

struct ports {
  pgas_input *input;
  pgas_output *output;
};

static void member(void *arguments) {
  struct ports *ports = arguments;
  long number;
  while (pgas_receive(ports->input, &number)) {
    number++;
    pgas_send(ports->output, &number);
  }
  pgas_input_delete(ports->input);
  pgas_output_delete(ports->output);
}

/* Kilobytes of this process that are in memory. */
static long resident(void) {
  long all = 0, pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2) abort();
  fclose(file);
  return pages * 4;
}

static void ring(void *arguments) {
  long tasks = *(long *)arguments, number = 0;
  pgas_output *first;
  struct ports ports;
  long before = resident();
  pgas_channel(sizeof number, &first, &ports.input);
  for (long task = 0; task < tasks; task++) {
    pgas_input *next;
    pgas_channel(sizeof number, &ports.output, &next);
    pgas_task_create(member, &ports, sizeof ports);
    ports.input = next;
  }
  pgas_send(first, &number);
  pgas_receive(ports.input, &number);
  printf("%ld\n", number);
  fprintf(stderr, "%ld bytes each\n", (resident() - before) * 1024 / tasks);
  pgas_output_delete(first);
  pgas_input_delete(ports.input);
}

int main(int count, char **arguments) {
  long tasks = count > 1 ? atol(arguments[1]) : 1000;
  return pgas_tasks_run(ring, &tasks, sizeof tasks);
}
