/* Fourier transform by a butterfly: a task for each point, which exchanges its value with another
 * one in each step. Some of the result is checked by the definition. */
#include <complex.h>
#include <math.h>
#include <pgas_tasks.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_STEPS = 14 };

typedef double complex value;

struct result {
  size_t index;
  value value;
};

struct point {
  size_t index;
  int steps;
  pgas_output *done;
  pgas_output *outputs[MOST_STEPS];
  pgas_input *inputs[MOST_STEPS];
};

static const double tau = 6.283185307179586;

static value sample(size_t index) { return sin(index * 0.7) + I * cos(index * 0.3); }

static value butterfly(value own, value other, size_t index, size_t half) {
  if (!(index & half)) return own + other;
  return (other - own) * cexp(-I * tau * (double)(index % half) / (double)(2 * half));
}

static size_t reversed(size_t index, int bits) {
  size_t result = 0;
  for (int bit = 0; bit < bits; bit++) result |= (index >> bit & 1) << (bits - 1 - bit);
  return result;
}

/* Steps with partners that are half of the points away, then a quarter. */
static void point(void *arguments) {
  struct point *own = arguments;
  value value_now = sample(own->index), other;
  for (int step = 0; step < own->steps; step++) {
    pgas_send(own->outputs[step], &value_now);
    pgas_receive(own->inputs[step], &other);
    value_now = butterfly(value_now, other, own->index, (size_t)1 << (own->steps - 1 - step));
    pgas_output_delete(own->outputs[step]);
    pgas_input_delete(own->inputs[step]);
  }
  struct result result = {reversed(own->index, own->steps), value_now};
  pgas_send(own->done, &result);
  pgas_output_delete(own->done);
}

static void connect(struct point *points, int step, size_t low, size_t high) {
  pgas_channel(sizeof(value), &points[low].outputs[step], &points[high].inputs[step]);
  pgas_channel(sizeof(value), &points[high].outputs[step], &points[low].inputs[step]);
}

static int is_right(const value *transform, size_t count, size_t k) {
  value sum = 0;
  for (size_t index = 0; index < count; index++)
    sum += sample(index) * cexp(-I * tau * (double)(k * index % count) / (double)count);
  return cabs(sum - transform[k]) < 1e-9;
}

static void create_points(size_t count, int steps, pgas_output *done) {
  struct point *points = calloc(count, sizeof *points);
  for (int step = 0; step < steps; step++)
    for (size_t low = 0, bit = (size_t)1 << (steps - 1 - step); low < count; low++)
      if (!(low & bit)) connect(points, step, low, low | bit);
  for (size_t index = 0; index < count; index++) {
    points[index].index = index;
    points[index].steps = steps;
    points[index].done = pgas_output_copy(done);
    pgas_task_create(point, &points[index], sizeof points[index]);
  }
  free(points);
  pgas_output_delete(done);
}

static void transform(void *arguments) {
  int steps = *(int *)arguments;
  size_t count = (size_t)1 << steps;
  pgas_output *done;
  pgas_input *results;
  pgas_channel(sizeof(struct result), &done, &results);
  create_points(count, steps, done);
  value *values = calloc(count, sizeof *values);
  struct result result;
  while (pgas_receive(results, &result)) values[result.index] = result.value;
  pgas_input_delete(results);
  int right = is_right(values, count, 0) && is_right(values, count, count / 3);
  printf("%zu points, %s\n", count, right ? "right" : "wrong");
  free(values);
}

int main(int count, char **arguments) {
  int steps = count > 1 ? atoi(arguments[1]) : 10;
  if (steps < 0 || steps > MOST_STEPS) {
    fprintf(stderr, "fft: %d is not a number from 0 to %d\n", steps, MOST_STEPS);
    return 2;
  }
  return pgas_tasks_run(transform, &steps, sizeof steps);
}
