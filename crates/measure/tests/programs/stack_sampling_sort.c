/* Sorts with the C library; compiled apart, with optimisation and without frame pointers. */
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  /* something to find the function by */
  for (int i = 0; i < 40; i++) __asm__ volatile("" : "+r"(x), "+r"(y));
  return (x > y) - (x < y);
}

void sort_all(int *numbers, int count) {
  qsort(numbers, (size_t)count, sizeof *numbers, compare);
  __asm__ volatile("" ::: "memory"); /* not a tail call */
}
