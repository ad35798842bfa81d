/* A task that waits for a full channel whose receiver waits for it. */
#include <pgas_tasks.h>

struct ports {
  pgas_output *data;
  pgas_output *go;
};

static void ahead(void *arguments) {
  struct ports *ports = arguments;
  for (int number = 0; number < 3; number++) pgas_send(ports->data, &number); /* send */
  pgas_send(ports->go, NULL);
}

static void behind(void *arguments) {
  struct ports ports;
  pgas_input *data, *go;
  (void)arguments;
  pgas_channel_bounded(sizeof(int), 2, &ports.data, &data);
  pgas_channel(0, &ports.go, &go);
  pgas_task_create(ahead, &ports, sizeof ports);
  pgas_input *inputs[] = {NULL, go};
  pgas_select(inputs, 2); /* select */
}

int main(void) { return pgas_tasks_run(behind, NULL, 0); }
