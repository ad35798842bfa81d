// A task with a vector of its own, in C++.
#include <cstdio>
#include <pgas_tasks.h>
#include <vector>

static void fill(void *arguments) {
  pgas_output *output = *static_cast<pgas_output **>(arguments);
  for (int number = 0; number < 3; number++) pgas_send(output, &number);
  pgas_output_delete(output);
}

static void collect(void *) {
  pgas_output *output;
  pgas_input *input;
  pgas_channel(sizeof(int), &output, &input);
  pgas_task_create(fill, &output, sizeof output);
  std::vector<int> numbers;
  int number;
  while (pgas_receive(input, &number)) numbers.push_back(number);
  pgas_input_delete(input);
  std::printf("%zu\n", numbers.size());
}

int main() { return pgas_tasks_run(collect, nullptr, 0); }
