/* Pipeline with a slow stage: bounded channels keep the fast ones from running far ahead. */
#include <pgas_tasks.h>
#include <stdio.h>
#include <stdlib.h>

enum { AHEAD = 4, PIXELS = 1024, PASSES = 100 };

struct image {
  double pixels[PIXELS];
};

struct reader {
  pgas_output *images;
  int count;
};

struct stage {
  pgas_input *input;
  pgas_output *output;
};

static void reader(void *arguments) {
  struct reader *own = arguments;
  struct image image;
  for (int number = 1; number <= own->count; number++) {
    for (int x = 0; x < PIXELS; x++) image.pixels[x] = number * (x * 37 + 11) % 256;
    pgas_send(own->images, &image);
  }
  pgas_output_delete(own->images);
}

static void smooth(struct image *image) {
  double first = image->pixels[0];
  for (int x = 0; x < PIXELS; x++) {
    double next = x + 1 < PIXELS ? image->pixels[x + 1] : first;
    image->pixels[x] = (image->pixels[x] + next) / 2;
  }
}

/* The slow stage: many passes over each image. */
static void smoother(void *arguments) {
  struct stage *own = arguments;
  struct image image;
  while (pgas_receive(own->input, &image)) {
    for (int pass = 0; pass < PASSES; pass++) smooth(&image);
    pgas_send(own->output, &image);
  }
  pgas_input_delete(own->input);
  pgas_output_delete(own->output);
}

static double brightness(const struct image *image) {
  double brightest = 0, sum = 0;
  for (int x = 0; x < PIXELS; x++) {
    if (image->pixels[x] > brightest) brightest = image->pixels[x];
    sum += image->pixels[x];
  }
  return sum / brightest / PIXELS;
}

static void mean_brightness(void *arguments) {
  struct reader first = {.count = *(int *)arguments};
  struct stage slow;
  pgas_input *smoothed;
  pgas_channel_bounded(sizeof(struct image), AHEAD, &first.images, &slow.input);
  pgas_channel_bounded(sizeof(struct image), AHEAD, &slow.output, &smoothed);
  pgas_task_create(reader, &first, sizeof first);
  pgas_task_create(smoother, &slow, sizeof slow);
  struct image image;
  double sum = 0;
  while (pgas_receive(smoothed, &image)) sum += brightness(&image);
  pgas_input_delete(smoothed);
  printf("%d images, mean brightness %.6f\n", first.count, sum / first.count);
}

int main(int count, char **arguments) {
  int images = count > 1 ? atoi(arguments[1]) : 1000;
  return pgas_tasks_run(mean_brightness, &images, sizeof images);
}
