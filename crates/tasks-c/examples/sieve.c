/* Sieve of primes by a chain of tasks that grows while it runs.
 *
 * Each task of the chain has a prime, and passes on what that does not divide. The last one waits
 * for a number, the next prime, and then creates its successor. */
#include <pgas_tasks.h>
#include <stdio.h>
#include <stdlib.h>

struct source {
  pgas_output *numbers;
  long end;
};

struct filter {
  pgas_input *candidates;
  pgas_output *found;
};

static void count(void *arguments) {
  struct source *source = arguments;
  for (long number = 2; number < source->end; number++) pgas_send(source->numbers, &number);
  pgas_output_delete(source->numbers);
}

static void filter(void *arguments);

/* Passes on what the prime does not divide. */
static void sieve(long prime, struct filter *own) {
  struct filter next = {.found = own->found};
  pgas_output *rest;
  pgas_channel(sizeof(long), &rest, &next.candidates);
  pgas_task_create(filter, &next, sizeof next);
  long candidate;
  while (pgas_receive(own->candidates, &candidate))
    if (candidate % prime != 0) pgas_send(rest, &candidate);
  pgas_output_delete(rest);
}

static void filter(void *arguments) {
  struct filter *own = arguments;
  long prime;
  if (pgas_receive(own->candidates, &prime)) {
    pgas_send(own->found, &prime);
    sieve(prime, own);
  } else {
    pgas_output_delete(own->found);
  }
  pgas_input_delete(own->candidates);
}

static void primes(void *arguments) {
  struct source source = {.end = *(long *)arguments};
  struct filter first;
  pgas_input *primes;
  pgas_channel(sizeof(long), &source.numbers, &first.candidates);
  pgas_channel(sizeof(long), &first.found, &primes);
  pgas_task_create(count, &source, sizeof source);
  pgas_task_create(filter, &first, sizeof first);
  long prime, last = 0, number = 0;
  while (pgas_receive(primes, &prime)) {
    last = prime;
    number++;
  }
  pgas_input_delete(primes);
  printf("%ld primes below %ld, the last is %ld\n", number, source.end, last);
}

int main(int count, char **arguments) {
  long end = count > 1 ? atol(arguments[1]) : 10000;
  return pgas_tasks_run(primes, &end, sizeof end);
}
