/* Messages between two tasks in C on one processor, and the memory of many tasks.
 *
 *     messages ROUNDS TASKS      the fastest round in ns a message; bytes a task and its channel
 */
#include <pgas_tasks.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MESSAGES = 50000 };

struct ports {
  pgas_input *input;
  pgas_output *output;
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static void sender(void *arguments) {
  pgas_output *output = *(pgas_output **)arguments;
  for (long number = 0; number < MESSAGES; number++) pgas_send(output, &number);
  pgas_output_delete(output);
}

static double round_of_messages(void) {
  pgas_output *output;
  pgas_input *input;
  double begin = seconds();
  pgas_channel(sizeof(long), &output, &input);
  pgas_task_create(sender, &output, sizeof output);
  long number, sum = 0;
  while (pgas_receive(input, &number)) sum += number;
  pgas_input_delete(input);
  if (sum != (long)MESSAGES * (MESSAGES - 1) / 2) exit(1);
  return (seconds() - begin) / MESSAGES;
}

static void member(void *arguments) {
  struct ports *ports = arguments;
  long number;
  while (pgas_receive(ports->input, &number)) pgas_send(ports->output, &number);
  pgas_input_delete(ports->input);
  pgas_output_delete(ports->output);
}

static long resident_bytes(void) {
  long all, pages;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2) exit(1);
  fclose(file);
  return pages * 4096;
}

/* A ring of tasks through which a message has gone. */
static long bytes_of_tasks(long tasks) {
  pgas_output *first;
  struct ports ports;
  long number = 0, before = resident_bytes();
  pgas_channel(sizeof number, &first, &ports.input);
  for (long task = 0; task < tasks; task++) {
    pgas_input *next;
    pgas_channel(sizeof number, &ports.output, &next);
    pgas_task_create(member, &ports, sizeof ports);
    ports.input = next;
  }
  pgas_send(first, &number);
  pgas_receive(ports.input, &number);
  long bytes = resident_bytes() - before;
  pgas_output_delete(first);
  pgas_input_delete(ports.input);
  return bytes;
}

static void measure(void *arguments) {
  long *numbers = arguments;
  double fastest = 1;
  for (long round = 0; round < numbers[0]; round++) {
    double time = round_of_messages();
    if (time < fastest) fastest = time;
  }
  printf("%.3f %ld\n", fastest * 1e9, bytes_of_tasks(numbers[1]) / numbers[1]);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  long numbers[] = {atol(arguments[1]), atol(arguments[2])};
  return pgas_tasks_run(measure, numbers, sizeof numbers);
}
