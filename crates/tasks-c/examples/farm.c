/* Farm of workers: who is ready sends an output port, and the next piece of work comes through it.
 */
#include <pgas_tasks.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 240, COLUMNS = 320, MOST_STEPS = 500 };

struct worker {
  pgas_output *idle; /* of pgas_output * */
  pgas_output *done; /* of long */
};

static int steps_of_point(double x, double y) {
  double re = 0, im = 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    if (re * re + im * im > 4) return step;
    double next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
  }
  return MOST_STEPS;
}

static long steps_of_row(int row) {
  double y = (double)row / ROWS * 2.4 - 1.2;
  long steps = 0;
  for (int column = 0; column < COLUMNS; column++)
    steps += steps_of_point((double)column / COLUMNS * 3.2 - 2.2, y);
  return steps;
}

/* Asks for a row: 1, or 0 if there are no more. */
static int next_row(pgas_output *idle, int *row) {
  pgas_output *work;
  pgas_input *rows;
  pgas_channel(sizeof *row, &work, &rows);
  if (!pgas_send(idle, &work)) pgas_output_delete(work);
  int got = pgas_receive(rows, row);
  pgas_input_delete(rows);
  return got;
}

static void worker(void *arguments) {
  struct worker *own = arguments;
  int row;
  while (next_row(own->idle, &row)) {
    long steps = steps_of_row(row);
    pgas_send(own->done, &steps);
  }
  pgas_output_delete(own->idle);
  pgas_output_delete(own->done);
}

/* Gives each row to a worker that is idle, and then tells all of them that there are no more. */
static void give_rows(pgas_input *ready, int workers) {
  pgas_output *work;
  for (int row = 0; row < ROWS && pgas_receive(ready, &work); row++) {
    pgas_send(work, &row);
    pgas_output_delete(work);
  }
  for (int ended = 0; ended < workers && pgas_receive(ready, &work); ended++)
    pgas_output_delete(work);
  pgas_input_delete(ready);
}

static void master(void *arguments) {
  int workers = *(int *)arguments;
  pgas_output *idle, *done;
  pgas_input *ready, *results;
  pgas_channel(sizeof(pgas_output *), &idle, &ready);
  pgas_channel(sizeof(long), &done, &results);
  for (int number = 0; number < workers; number++) {
    struct worker ports = {pgas_output_copy(idle), pgas_output_copy(done)};
    pgas_task_create(worker, &ports, sizeof ports);
  }
  pgas_output_delete(idle);
  pgas_output_delete(done);
  give_rows(ready, workers);
  long row, steps = 0;
  while (pgas_receive(results, &row)) steps += row;
  pgas_input_delete(results);
  printf("%d workers, %d rows, %ld steps\n", workers, ROWS, steps);
}

int main(int count, char **arguments) {
  int workers = count > 1 ? atoi(arguments[1]) : 8;
  return pgas_tasks_run(master, &workers, sizeof workers);
}
