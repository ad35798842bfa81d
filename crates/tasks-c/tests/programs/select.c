/* What selects choose, what closed channels give, and what senders learn. */
#include <pgas_tasks.h>
#include <stdio.h>

struct text {
  char letters[40]; /* longer than what fits into a message without an allocation */
};

static void closing(void) {
  pgas_output *output, *other;
  pgas_input *input;
  struct text text = {"a message of more than sixteen letters"};
  pgas_channel(sizeof text, &output, &input);
  other = pgas_output_copy(output);
  printf("send: %d\n", pgas_send(output, &text));
  pgas_output_close(output);
  printf("send to a closed channel: %d\n", pgas_send(other, &text));
  struct text received;
  int got = pgas_receive(input, &received);
  printf("receive: %d, %s\n", got, received.letters);
  printf("receive at the end: %d\n", pgas_receive(input, &received));
  pgas_output_delete(output);
  pgas_output_delete(other);
  pgas_input_delete(input);
}

static void selecting(void) {
  pgas_output *outputs[3];
  pgas_input *inputs[3];
  for (int channel = 0; channel < 3; channel++) {
    pgas_channel(sizeof(int), &outputs[channel], &inputs[channel]);
    for (int number = 0; number < 2; number++) pgas_send(outputs[channel], &number);
    pgas_output_delete(outputs[channel]);
  }
  size_t chosen;
  int number;
  while ((chosen = pgas_select(inputs, 3)) < 3) {
    int got = pgas_receive(inputs[chosen], &number);
    printf("select: %zu, %d\n", chosen, got ? number : -1);
    if (got) continue;
    pgas_input_delete(inputs[chosen]);
    inputs[chosen] = NULL;
  }
}

static void all(void *arguments) {
  (void)arguments;
  closing();
  selecting();
}

int main(void) { return pgas_tasks_run(all, NULL, 0); }
