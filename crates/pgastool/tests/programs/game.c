/* Two tasks that hand a number to and fro, which counts down. */
#include <pgas_tasks.h>
#include <stddef.h>

struct ports { pgas_input *input; pgas_output *output; };

static __attribute__((noinline)) long take(pgas_input *input) {
  long number = -1;
  if (!pgas_receive(input, &number)) return -1;
  return number;
}

static __attribute__((noinline)) long turn(struct ports *ports) {
  long number = take(ports->input);
  if (number > 0) { number--; pgas_send(ports->output, &number); }
  return number;
}

static void player(void *arguments) {
  struct ports *ports = arguments;
  while (turn(ports) > 0) {}
  pgas_output_delete(ports->output);
  pgas_input_delete(ports->input);
}

static void game(void *arguments) {
  struct ports a, b;
  long number = 5;
  (void)arguments;
  pgas_channel(sizeof number, &a.output, &b.input);
  pgas_channel(sizeof number, &b.output, &a.input);
  pgas_send(a.output, &number);
  pgas_task_create(player, &a, sizeof a);
  pgas_task_create(player, &b, sizeof b);
}

int main(void) { return pgas_tasks_run(game, NULL, 0); }
