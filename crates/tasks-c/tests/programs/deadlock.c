/* Two tasks that each wait for the other. */
#include <pgas_tasks.h>

struct ports {
  pgas_input *input;
  pgas_output *output;
};

static void cautious(void *arguments) {
  struct ports *ports = arguments;
  int number;
  pgas_receive(ports->input, &number); /* receive */
  pgas_send(ports->output, &number);
}

static void both(void *arguments) {
  struct ports first, second;
  (void)arguments;
  pgas_channel(sizeof(int), &first.output, &second.input); /* channel */
  pgas_channel(sizeof(int), &second.output, &first.input);
  pgas_task_create(cautious, &first, sizeof first); /* create */
  pgas_task_create(cautious, &second, sizeof second);
}

int main(void) { return pgas_tasks_run(both, NULL, 0); }
