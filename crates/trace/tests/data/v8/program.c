/* Two senders, of which one has a channel of one message, and a receiver that selects. */
#include <pgas_tasks.h>
#include <stddef.h>

static void sender(void *arguments) {
  pgas_output *output = *(pgas_output **)arguments;
  for (long number = 0; number < 3; number++) pgas_send(output, &number);
  pgas_output_delete(output);
}

static void receiver(void *arguments) {
  pgas_output *outputs[2];
  pgas_input *inputs[2];
  long number;
  int open = 2;
  (void)arguments;
  pgas_channel(sizeof number, &outputs[0], &inputs[0]);
  pgas_channel_bounded(sizeof number, 1, &outputs[1], &inputs[1]);
  for (int i = 0; i < 2; i++) pgas_task_create(sender, &outputs[i], sizeof outputs[i]);
  while (open > 0) {
    size_t ready = pgas_select(inputs, 2);
    if (pgas_receive(inputs[ready], &number)) continue;
    pgas_input_delete(inputs[ready]);
    inputs[ready] = NULL;
    open--;
  }
}

int main(void) { return pgas_tasks_run(receiver, NULL, 0); }
