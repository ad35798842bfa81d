/*
 * The sequences of events. A file that includes it has defined
 *
 *     ENTER(function, line)  EXIT(function)                a call and return of a function
 *     GET(partner, bytes)  PUT(partner, bytes)             a transfer: two events
 *     BARRIER(value)                                       notify and wait: four events
 */
#ifndef STREAM_H
#define STREAM_H

/* The worst for any recorder: a function that does nothing. */
static uint64_t tiny_calls(long rounds) {
  long round;

  ENTER(program, 1);
  for (round = 0; round < rounds; round++) {
    ENTER(flux, 7);
    EXIT(flux);
  }
  EXIT(program);
  return 2 + 2 * (uint64_t)rounds;
}

/* As a program that records everything: functions within functions, transfers to changing partners
 * in two sizes, and a barrier whose value counts up. */
static uint64_t mix(long rounds) {
  uint64_t events = 2;
  long round;
  int cell, transfer;

  ENTER(program, 1);
  for (round = 0; round < rounds; round++) {
    ENTER(step, 3);
    for (cell = 0; cell < 12; cell++) {
      ENTER(cell, 5);
      ENTER(flux, 7);
      EXIT(flux);
      ENTER(limiter, 9);
      EXIT(limiter);
      EXIT(cell);
    }
    for (transfer = 0; transfer < 2; transfer++) {
      GET((int)(round + transfer) % COST_THREADS, round % 8 ? 64 : 8192);
      PUT((int)(round + transfer) % COST_THREADS, 8192);
    }
    EXIT(step);
    BARRIER((int)(round & 0xffff));
    events += 86;
  }
  EXIT(program);
  return events;
}

/* A loop over an array, element by element. */
static uint64_t accesses(long rounds) {
  long round;

  ENTER(program, 1);
  for (round = 0; round < rounds; round++) GET(1, 8);
  EXIT(program);
  return 2 + 2 * (uint64_t)rounds;
}

#endif
